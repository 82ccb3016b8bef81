"""Read recorded matches as the audience may see them now.

For a match that has not ended, `croupier.store.queries` hides the cards that were not shown, unless
the policy opens them. With a delay, this module hides its last hands and their consequences.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import quote

import msgspec
from sqlalchemy import ColumnElement, Engine, and_, func, select

from croupier.dialects.registry import dialect_of
from croupier.dialects.roster import HOUSE
from croupier.history.printable import plain
from croupier.match.audience import Policy
from croupier.store import arenas, queries
from croupier.store.participants import has_player
from croupier.store.queries import HandRow, MatchRow, State, UnknownError
from croupier.store.schema import HANDS, MATCHES
from croupier.web.archive.schemas import Chart, Curve, MatchSummary, Status
from croupier.web.http.parameters import Paging

POINTS = 500
"""The maximum number of points in a chart."""

ELSEWHERE = 50
"""The maximum number of matches of other arenas that are listed."""

ENDED: Status = "ended"
RUNNING: Status = "running"


def names_of(match: MatchRow) -> list[str]:
    """Return the names of a match's players for pages, by player number."""
    return [plain(name) for name in match.names]


def dialects_of(match: MatchRow) -> list[str]:
    """Return by which protocol each player plays; a class of a team's has none."""
    return [
        "" if match.of_teams and player.dialect == HOUSE and not player.bot else player.dialect
        for player in match.players
    ]


def table_of(match: MatchRow) -> str:
    """Return the name of the table where a match was played."""
    return plain(match.table)


def summary(match: MatchRow, watch: str | None = None) -> MatchSummary:
    """Return the summary of a match that can be watched live at an address, if at any."""
    names = names_of(match)
    winners = [line.player for line in match.standings if line.rank == 1]
    return MatchSummary(
        match=match.id,
        table=table_of(match),
        rules=match.rules_name,
        began=match.began,
        ended=match.ended,
        hands=match.hands,
        players=names,
        winners=[names[player] for player in winners] if match.ended is not None else [],
        status=RUNNING if match.ended is None else ENDED,
        arena=match.arena,
        friendly=match.friendly,
        watch=watch,
    )


class Records:
    """Read the store; all methods block, so call them in a thread."""

    def __init__(self, engine: Engine, policy: Policy, arena: str | None = None) -> None:
        """`arena` is the one whose live tables this site shows; None: it shows none."""
        self.engine = engine
        self.policy = policy
        self.arena = arena

    def match(self, match_id: str) -> MatchRow:
        """Return a match as the audience may see it."""
        return self._visible(queries.match(self.engine, match_id))

    def page(
        self, rules: str, player: str, status: str, arena: str, paging: Paging
    ) -> tuple[list[str], int]:
        """Return the ids of a page of matches, the newest first, and the total number."""
        where = _filter(rules, player, status, arena)
        newest = select(MATCHES.c.id).where(where)
        newest = newest.order_by(MATCHES.c.began.desc(), MATCHES.c.id.desc())
        with self.engine.connect() as connection:
            count = select(func.count()).select_from(MATCHES).where(where)
            total = int(connection.execute(count).scalar_one())
            found = connection.execute(newest.limit(paging.per_page).offset(paging.offset))
            return [str(row.id) for row in found], total

    def rules(self) -> list[str]:
        """Return the names of the rules by which matches were played."""
        return queries.rules_on_record(self.engine)

    def summaries(self, ids: Sequence[str]) -> list[MatchSummary]:
        """Return the summaries of matches."""
        sites = arenas.sites(self.engine)
        found = queries.headers(self.engine, ids)
        return [self._summary(self._visible(match), sites) for match in found]

    def summary(self, match: MatchRow) -> MatchSummary:
        """Return the summary of a match as the audience may see it."""
        return self._summary(match, arenas.sites(self.engine))

    def elsewhere(self) -> list[MatchSummary]:
        """Return the newest running matches that can be watched on the sites of other arenas."""
        sites = arenas.sites(self.engine)
        others = [arena for arena in sites if arena != self.arena]
        if not others:
            return []
        query = (
            select(MATCHES.c.id)
            .where(MATCHES.c.ended.is_(None), MATCHES.c.arena.in_(others))
            .order_by(MATCHES.c.began.desc())
            .limit(ELSEWHERE)
        )
        with self.engine.connect() as connection:
            ids = connection.execute(query).scalars().all()
        return self.summaries(ids)

    def _summary(self, match: MatchRow, sites: dict[str, str]) -> MatchSummary:
        site = "" if match.arena == self.arena else sites.get(match.arena)
        if match.ended is not None or site is None:
            return summary(match)
        return summary(match, f"{site}/live/{quote(table_of(match), safe='')}")

    def hand(self, match_id: str, number: int) -> tuple[MatchRow, HandRow]:
        """Return a visible hand with its match."""
        match = self.match(match_id)
        last = last_number(match)
        if number > last:
            existing = f"the hands 1 to {last}" if last else "no hand yet"
            raise UnknownError(f"match {match_id} has no hand {number}; it has {existing}")
        row = queries.hand(self.engine, match_id, number, open_cards=self._shows_cards(match))
        return match, row

    def books_after(self, match_id: str, number: int) -> State | None:
        """Return the books after a hand regardless of the policy, for hands already visible."""
        try:
            return queries.hand(self.engine, match_id, number).state
        except UnknownError:
            return None

    def books_now(self, match_id: str) -> State | None:
        """Return the newest visible books, or None before the first hand has ended."""
        try:
            return self.match(match_id).state
        except UnknownError:
            return None

    def hands(self, match: MatchRow) -> Iterator[HandRow]:
        """Yield all visible hands."""
        last = last_number(match)
        open_cards = self._shows_cards(match)
        for row in queries.all_hands(self.engine, match.id, open_cards=open_cards):
            if row.number > last:
                return
            yield row

    def chart(self, match: MatchRow) -> Chart:
        """Return all players' chips over a sample of the hands."""
        chosen = evenly_spaced(last_number(match), POINTS)
        query = (
            select(HANDS.c.number, HANDS.c.state)
            .where(HANDS.c.match_id == match.id, HANDS.c.number.in_(chosen))
            .order_by(HANDS.c.number)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        states = [msgspec.json.decode(row.state, type=State) for row in rows]
        curves = [
            Curve(name, [state.players[player].chips for state in states])
            for player, name in enumerate(names_of(match))
        ]
        return Chart([row.number for row in rows], curves)

    def _shows_cards(self, match: MatchRow) -> bool:
        """Tell whether cards that were not shown may be seen before the match has ended."""
        spoken = (dialect_of(player.dialect) for player in match.players)
        people = any(dialect is not None and dialect.human for dialect in spoken)
        return (self.policy.with_people() if people else self.policy).open_cards

    def _visible(self, match: MatchRow) -> MatchRow:
        if match.ended is not None or not self.policy.delay or match.state is None:
            return match
        state = self._delayed(match.id, match.state)
        return replace(match, state=state, hands=0 if state is None else state.played)

    def _delayed(self, match_id: str, newest: State) -> State | None:
        """Return the books before the delayed hands; a voided hand does not count for the delay."""
        for number in range(newest.number - self.policy.delay, 0, -1):
            state = self.books_after(match_id, number)
            if state is not None and state.played <= newest.played - self.policy.delay:
                return state
        return None


def last_number(match: MatchRow) -> int:
    """Return the number of the last visible hand, or 0."""
    return 0 if match.state is None else match.state.number


def evenly_spaced(last: int, points: int) -> list[int]:
    """Return at most `points` evenly spaced numbers from 1 to `last`, both included."""
    if last <= points:
        return list(range(1, last + 1))
    step = (last - 1) / (points - 1)
    return [1 + round(step * point) for point in range(points)]


def _filter(rules: str, player: str, status: str, arena: str) -> ColumnElement[bool]:
    parts: list[ColumnElement[bool]] = [MATCHES.c.id.is_not(None)]
    if rules:
        parts.append(MATCHES.c.rules_name == rules)
    if arena:
        parts.append(MATCHES.c.arena == arena)
    if status == RUNNING:
        parts.append(MATCHES.c.ended.is_(None))
    elif status == ENDED:
        parts.append(MATCHES.c.ended.is_not(None))
    if player:
        parts.append(has_player(player))
    return and_(*parts)
