"""Players' totals over all matches that have ended, kept as matches end.

The writer adds a match in the transaction that ends it. Matches that ended before stores had these
totals are added by whoever asks for them first. Matches that have not ended do not count, and so
reveal nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from sqlalchemy import ColumnElement, Connection, Engine, TextClause, delete, select, update

from croupier.stats import RateEstimate
from croupier.store.databases import kind_of
from croupier.store.places import CONTEST
from croupier.store.places import kind_of as kind_of_place
from croupier.store.queries import MatchRow, PlayerRecord, RecordError, match_from, with_state
from croupier.store.schema import CAREERS, MATCHES, UNCOUNTED, writing

BATCH = 500
"""Matches of an older store that are counted in one transaction."""

_MAX_HANDS = 1 << 40

_DAMAGED = (RecordError, LookupError, TypeError, ValueError, ArithmeticError)
"""What a row that the writer cannot have written may raise."""


@dataclass
class Total:
    """The totals of one player in one game, or of those that share its name and protocol."""

    matches: int = 0
    hands: int = 0
    big_blinds: float = 0.0
    """What it won, in big blinds of each match's rules."""
    wins: int = 0
    hands2: float = 0.0
    """The sums over matches of hands², of big blinds² and of their product, for the interval."""
    big_blinds2: float = 0.0
    products: float = 0.0

    @classmethod
    def of_match(cls, hands: int, big_blinds: float, won: bool) -> "Total":
        """Return the totals of one match."""
        return cls(1, hands, big_blinds, int(won), hands * hands, big_blinds**2, hands * big_blinds)

    @property
    def rate(self) -> RateEstimate:
        """Big blinds per hand, where a match is a group of hands."""
        rate = RateEstimate()
        squares = (self.hands2, self.big_blinds2, self.products)
        rate.merge_groups(self.matches, self.hands, self.big_blinds, squares)
        return rate

    def add(self, other: "Total") -> None:
        """Add another player's totals."""
        self.matches += other.matches
        self.hands += other.hands
        self.big_blinds += other.big_blinds
        self.wins += other.wins
        self.hands2 += other.hands2
        self.big_blinds2 += other.big_blinds2
        self.products += other.products


Totals = dict[tuple[str, str, str], Total]
"""Totals by name, protocol and rules: games are not mixed."""

_SUMS = tuple(one.name for one in fields(Total))


def totals(engine: Engine) -> Totals:
    """Return the totals of all players, after counting what has not been counted."""
    while _any_uncounted(engine):
        with writing(engine) as connection:
            _count(connection, UNCOUNTED, BATCH)
    query = select(CAREERS)
    with engine.connect() as connection:
        return {
            (row.name, row.dialect, row.rules): Total(*(getattr(row, name) for name in _SUMS))
            for row in connection.execute(query)
        }


def count(connection: Connection, match_ids: Sequence[str]) -> None:
    """Add matches that have just ended, each of them once."""
    if match_ids:
        _count(connection, MATCHES.c.id.in_(match_ids), len(match_ids))


def take_back(connection: Connection, match_id: str) -> None:
    """Subtract a match that is about to be dropped, if it was added."""
    counted = select(MATCHES.c.id).where(MATCHES.c.id == match_id, MATCHES.c.counted == 1)
    if connection.execute(counted).first() is not None:
        _add(connection, [match_id], -1)
        connection.execute(delete(CAREERS).where(CAREERS.c.matches == 0))


def _any_uncounted(engine: Engine) -> bool:
    query = select(MATCHES.c.id).where(UNCOUNTED).limit(1)
    with engine.connect() as connection:
        return connection.execute(query).first() is not None


def _count(connection: Connection, which: ColumnElement[bool] | TextClause, limit: int) -> None:
    # Locked, where a transaction is not alone: nobody else counts them meanwhile.
    query = select(MATCHES.c.id).where(UNCOUNTED).where(which).limit(limit).with_for_update()
    match_ids = [row.id for row in connection.execute(query)]
    if match_ids:
        _add(connection, match_ids, 1)
        counted = update(MATCHES).where(MATCHES.c.id.in_(match_ids)).values(counted=1)
        connection.execute(counted)


def _add(connection: Connection, match_ids: Sequence[str], sign: int) -> None:
    """Add matches, or subtract them; those that are damaged count nothing."""
    query = with_state().where(MATCHES.c.id.in_(match_ids))
    sums: Totals = {}
    for row in connection.execute(query):
        try:
            added = _of_match(match_from(row))
        except _DAMAGED:
            continue  # the match's page reports the damage
        for key, total in added:
            sums.setdefault(key, Total()).add(total)
    if not sums:
        return
    new = kind_of(connection).insert(CAREERS)
    upsert = new.on_conflict_do_update(
        index_elements=list(CAREERS.primary_key),
        set_={name: CAREERS.c[name] + new.excluded[name] for name in _SUMS},
    )
    # In one order, so that no two writers wait for each other.
    rows = [
        {"name": name, "dialect": dialect, "rules": rules}
        | {column: sign * getattr(total, column) for column in _SUMS}
        for (name, dialect, rules), total in sorted(sums.items())
    ]
    connection.execute(upsert, rows)


def _identity(match: MatchRow, player: PlayerRecord) -> tuple[str, str]:
    """Return the name and the protocol by which a player is counted."""
    if player.bot:  # the same one at every seat, whatever it is called there
        return player.bot, player.dialect
    if kind_of_place(match.place) == CONTEST:  # a team, however it plays in this match
        return player.name, ""
    return player.called, player.dialect


def _of_match(match: MatchRow) -> list[tuple[tuple[str, str, str], Total]]:
    if match.state is None or match.friendly:
        return []  # friendly matches count nowhere
    rules, found = match.rules, []
    for line in match.standings:
        player, books = match.players[line.player], match.state.players[line.player]
        if not 0 <= books.hands < _MAX_HANDS:
            raise RecordError(f"match {match.id} has {books.hands} hands")
        if not player.is_somebody:
            continue
        brought = rules.stack + rules.reserve + books.reloads * rules.stack
        won = (books.chips - brought) / rules.big_blind
        total = Total.of_match(books.hands, won, line.rank == 1)
        found.append(((*_identity(match, player), match.rules_name), total))
    return found
