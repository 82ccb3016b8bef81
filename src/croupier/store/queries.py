"""Read matches, hands and organisers' actions from the store.

Until a match has ended, nothing here reveals its seed or a card that was not shown, unless
`open_cards` is requested. Every query for a hand also reads whether its match has ended, so no
caller can get this wrong. Nothing at all is told of a match that is sealed (`store.sealing`) but
who plays. A row that the writer cannot have written raises `RecordError`, which
names the match or the hand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import Engine, Row, Select, func, select

from croupier.commitments import deal_seed
from croupier.dialects.registry import dialect_of
from croupier.dialects.roster import Place
from croupier.match.events import HandVoided
from croupier.match.standings import standings
from croupier.rules.events import AUDIENCE, Event, HandEnded, redact
from croupier.rules.rules import Rules, RulesError, nearest
from croupier.store.codec import CodecError, decode
from croupier.store.places import CONTEST, FRIENDLY, IMPORT, kind_of, table_name
from croupier.store.schema import AUDIT, HANDS, MATCHES
from croupier.store.sealing import Seals

LAST = "last"
PAGE = 500

_WRONG_TYPE = (TypeError, AttributeError, RecursionError)
"""What decoding raises besides its own errors when a column holds a value of the wrong type."""


class UnknownError(LookupError):
    """There is no such match or hand; the message says which exist."""


class SealedError(UnknownError):
    """Nothing of a match is shown yet, because its deals come again."""


class RecordError(ValueError):
    """A row is damaged; the message says which."""


class PlayerRecord(msgspec.Struct, frozen=True):
    """The identity of a player in a match."""

    name: str
    dialect: str
    pid: str | int | None = None
    keyed: bool = False
    nonce: str = ""
    bot: str = ""
    """The name of the house bot, if it is one."""

    @property
    def is_somebody(self) -> bool:
        """Whether its name stands for one player, and not for whoever takes it."""
        dialect = dialect_of(self.dialect)
        return self.keyed or dialect is None or dialect.named

    @property
    def called(self) -> str:
        """The player's name among others, with its number where names are not unique."""
        dialect = dialect_of(self.dialect)
        if dialect is None or self.pid is None or self.keyed:
            return self.name
        return dialect.called(Place(self.name, self.dialect, str(self.pid)))


class PlayerBooks(msgspec.Struct, frozen=True):
    """A player's books after a hand."""

    name: str
    stack: int
    reserve: int
    won: int
    hands: int
    timeouts: int
    faults: int
    out: str
    reloads: int = 0

    @property
    def chips(self) -> int:
        """The player's total, including what stack resets took or gave back."""
        return self.stack + self.reserve + self.won


class State(msgspec.Struct, frozen=True):
    """The books of a match after a hand."""

    number: int
    played: int
    order: tuple[int, ...]
    ending: bool
    players: tuple[PlayerBooks, ...]
    blinds: dict[str, Any] = {}
    """How far the blinds have grown, as `match.blinds` keeps it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a ranking."""

    rank: int
    player: int
    name: str
    chips: int
    hands: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match's header; `seed`, `salt` and `result` are None until it has ended."""

    id: str
    began: float
    ended: float | None
    place: str
    rules_name: str
    rules: Rules
    version: str
    players: tuple[PlayerRecord, ...]
    commitment: str
    secret: bool
    seed: bytes | None
    salt: bytes | None
    result: dict[str, Any] | None
    hands: int
    """The number of completed hands."""
    state: State | None
    """The books after the last hand."""
    scheme: int = 1
    """By which version of `commitments` it was dealt."""
    opening: int | None = None
    """Which opening of its table it was, if the table was prepared."""
    announced: str = ""
    """The beacon that was announced with the commitment."""
    beacon: str = ""
    """The value of the beacon."""
    twin: int = 0
    """Its number in a set of duplicates."""
    sealed: bool = False
    """Whether nothing of it is shown yet: it looks as if it had not begun."""
    arena: str = ""
    """The arena that it belongs to."""

    @property
    def nonces(self) -> list[str]:
        """What players gave to be hashed into the deals, in the order of joining."""
        return [player.nonce for player in self.players if player.nonce]

    @property
    def deal_seed(self) -> bytes | None:
        """The seed from which the cards were dealt; None until the match has ended."""
        if self.seed is None or self.scheme == 1:
            return self.seed
        return deal_seed(self.seed, self.nonces, self.beacon)

    @property
    def deals(self) -> dict[str, Any]:
        """What it was dealt from besides its seed, as plain values."""
        return {
            "scheme": self.scheme,
            "opening": self.opening,
            "announced": self.announced,
            "beacon": self.beacon,
            "twin": self.twin,
            "nonces": self.nonces,
            "deal_seed": None if self.deal_seed is None else self.deal_seed.hex(),
        }

    @property
    def names(self) -> list[str]:
        """The players' names, by player number; teams of contests have their own."""
        return [player.name if self.of_teams else player.called for player in self.players]

    @property
    def of_teams(self) -> bool:
        """Whether its players are teams of a contest, whose names are unique by themselves."""
        return kind_of(self.place) in (CONTEST, FRIENDLY)

    @property
    def imported(self) -> bool:
        """Whether the match was dealt elsewhere, so that there is no seed to deal it from."""
        return kind_of(self.place) == IMPORT and not self.commitment

    @property
    def friendly(self) -> bool:
        """Whether it is a friendly match of a contest, which counts nowhere."""
        return kind_of(self.place) == FRIENDLY

    @property
    def table(self) -> str:
        """The name of the table where the match is played."""
        return table_name(self.place)

    @property
    def standings(self) -> list[Standing]:
        """The ranking after the last hand on record, best first."""
        if self.state is None:
            return []
        return [
            Standing(rank, player, self._called(player), chips, hands)
            for rank, player, chips, hands in standings(self.state.players, self.rules)
        ]

    def _called(self, player: int) -> str:
        if player < len(self.players):
            return self.names[player]
        return "" if self.state is None else self.state.players[player].name

    @property
    def winners(self) -> list[str]:
        """The names of the winners, empty until the match has ended."""
        if self.ended is None:
            return []
        return [line.name for line in self.standings if line.rank == 1]


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand; until its match has ended, without the cards that were not shown."""

    number: int
    ended: float
    events: list[Event]
    """Everything since the previous record, up to the end of this hand."""
    state: State

    @property
    def void(self) -> bool:
        """Whether the hand was interrupted and does not count."""
        return any(type(event) is HandVoided for event in self.events)

    @property
    def played(self) -> bool:
        """Whether the hand was completed."""
        return any(type(event) is HandEnded for event in self.events)


def matches(engine: Engine) -> list[MatchRow]:
    """Return all matches, the newest first."""
    return _headers(engine, with_state().order_by(MATCHES.c.began.desc(), MATCHES.c.id.desc()))


def running(engine: Engine) -> list[MatchRow]:
    """Return the matches of all arenas that have begun and not ended, by arena and table."""
    query = with_state().where(MATCHES.c.ended.is_(None)).order_by(MATCHES.c.began)
    return sorted(_headers(engine, query), key=lambda match: (match.arena, match.table))


def rules_on_record(engine: Engine) -> list[str]:
    """Return the names of the rules by which matches were played."""
    query = select(MATCHES.c.rules_name).distinct().order_by(MATCHES.c.rules_name)
    with engine.connect() as connection:
        return list(connection.execute(query).scalars())


def find(engine: Engine, text: str) -> str:
    """Resolve a user's text to a match id: an id, a unique prefix of one, or `last`."""
    # An argument may hold surrogates for bytes that are not text; no id does.
    text = text.encode("utf-8", "replace").decode()
    newest_first = select(MATCHES.c.id).order_by(MATCHES.c.began.desc(), MATCHES.c.id.desc())
    same_beginning = func.substr(MATCHES.c.id, 1, len(text)) == text
    with engine.connect() as connection:
        newest = connection.execute(newest_first.limit(1)).scalar()
        if newest is None:
            raise UnknownError("there is no match in the store yet")
        if text == LAST:
            return str(newest)
        if not text:
            raise UnknownError(
                f"which match? (`croupier matches` lists them, {LAST!r} is the newest)"
            )
        found = [str(row.id) for row in connection.execute(newest_first.where(same_beginning))]
        if text in found:
            return text
        if len(found) == 1:
            return found[0]
        if found:
            some = ", ".join(found[:3]) + (", …" if len(found) > 3 else "")
            raise UnknownError(f"{text!r} is the beginning of {len(found)} matches: {some}")
        known = [str(row.id) for row in connection.execute(newest_first.limit(PAGE))]
    raise UnknownError(
        f"there is no match {text!r}{nearest(text, known)} (`croupier matches` lists them,"
        f" {LAST!r} is the newest)"
    )


def match(engine: Engine, match_id: str) -> MatchRow:
    """Return the header of a match of which something may be shown."""
    found = header(engine, match_id)
    if found.sealed:
        raise _sealed(match_id)
    return found


def header(engine: Engine, match_id: str) -> MatchRow:
    """Return the header of a match; that of a sealed one says who plays, and nothing else."""
    found = headers(engine, [match_id])
    if not found:
        raise UnknownError(f"there is no match {match_id!r}")
    return found[0]


def headers(engine: Engine, match_ids: Sequence[str]) -> list[MatchRow]:
    """Return the headers of those of these matches that there are, in this order."""
    found = _headers(engine, with_state().where(MATCHES.c.id.in_(match_ids)))
    return sorted(found, key=lambda match: match_ids.index(match.id))


def with_state() -> Select[Any]:
    """Return the query for matches with their last states, which know the hands played."""
    last = (
        select(HANDS.c.state)
        .where(HANDS.c.match_id == MATCHES.c.id)
        .order_by(HANDS.c.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    return select(MATCHES, last.label("state"))


def _headers(engine: Engine, query: Select[Any]) -> list[MatchRow]:
    with engine.connect() as connection:
        rows = connection.execute(query).all()
    seals = Seals(engine)
    return [match_from(row, sealed=seals.holds(row.place)) for row in rows]


def _sealed(match_id: str) -> SealedError:
    return SealedError(
        f"match {match_id} is sealed: its deals come again in other matches of its set, and nothing"
        " of it is shown before all of them are over"
    )


def hand(engine: Engine, match_id: str, number: int, *, open_cards: bool = False) -> HandRow:
    """Return one hand of a match."""
    _refuse_sealed(engine, match_id)
    with engine.connect() as connection:
        # SQLite integers have 64 bits.
        if abs(number) < 1 << 63:
            row = connection.execute(_hands_of(match_id).where(HANDS.c.number == number)).first()
            if row is not None:
                return _hand(row, open_cards)
        first, last = connection.execute(
            select(func.min(HANDS.c.number), func.max(HANDS.c.number)).where(
                HANDS.c.match_id == match_id
            )
        ).one()
    existing = "no hand yet" if first is None else f"the hands {first} to {last}"
    raise UnknownError(f"match {match_id} has no hand {number}; it has {existing}")


def hands(
    engine: Engine, match_id: str, *, after: int = 0, limit: int = PAGE, open_cards: bool = False
) -> list[HandRow]:
    """Return at most `limit` hands of a match with numbers above `after`, in order."""
    _refuse_sealed(engine, match_id)
    query = _hands_of(match_id).where(HANDS.c.number > after).order_by(HANDS.c.number).limit(limit)
    with engine.connect() as connection:
        return [_hand(row, open_cards) for row in connection.execute(query)]


def all_hands(engine: Engine, match_id: str, *, open_cards: bool = False) -> Iterator[HandRow]:
    """Yield all hands of a match, reading them page by page."""
    after = 0
    while page := hands(engine, match_id, after=after, open_cards=open_cards):
        yield from page
        after = page[-1].number


def hand_numbers(engine: Engine, match_id: str, *, after: int = 0) -> list[int]:
    """Return the numbers above `after` of the hands on record."""
    query = select(HANDS.c.number).where(HANDS.c.match_id == match_id, HANDS.c.number > after)
    with engine.connect() as connection:
        return [row.number for row in connection.execute(query.order_by(HANDS.c.number))]


def hand_count(engine: Engine, match_id: str) -> int:
    """Return the number of hands of a match on record, including voided ones."""
    query = select(func.count()).select_from(HANDS).where(HANDS.c.match_id == match_id)
    with engine.connect() as connection:
        return int(connection.execute(query).scalar_one())


def decision_times(engine: Engine, match_id: str) -> dict[int, list[float]]:
    """Return the time that each player took for each of its decisions, in seconds."""
    query = select(HANDS.c.times).where(HANDS.c.match_id == match_id, HANDS.c.times.is_not(None))
    times: dict[int, list[float]] = {}
    with engine.connect() as connection:
        for (data,) in connection.execute(query.order_by(HANDS.c.number)):
            for player, microseconds in msgspec.json.decode(data, type=list[tuple[int, int]]):
                times.setdefault(player, []).append(microseconds / 1e6)
    return times


@dataclass(frozen=True, slots=True)
class Act:
    """An organiser's action and its outcome."""

    at: float
    actor: str
    act: str
    table: str
    detail: str
    outcome: str
    arena: str = ""


def audit(engine: Engine, limit: int = PAGE) -> list[Act]:
    """Return the organisers' actions, the newest first."""
    query = select(AUDIT).order_by(AUDIT.c.number.desc()).limit(limit)
    with engine.connect() as connection:
        return [Act(*row[1:]) for row in connection.execute(query)]


def _refuse_sealed(engine: Engine, match_id: str) -> None:
    query = select(MATCHES.c.place).where(MATCHES.c.id == match_id)
    with engine.connect() as connection:
        place = connection.execute(query).scalar()
    if place is not None and Seals(engine).holds(place):
        raise _sealed(match_id)


def _hands_of(match_id: str) -> Select[Any]:
    # `_hand` needs to know whether the match has ended, to hide cards.
    return (
        select(HANDS, MATCHES.c.ended.label("match_ended"))
        .join(MATCHES, MATCHES.c.id == HANDS.c.match_id)
        .where(HANDS.c.match_id == match_id)
    )


def _hand(row: Row[Any], open_cards: bool) -> HandRow:
    try:
        events = decode(row.events)
        state = msgspec.json.decode(row.state, type=State)
    except (CodecError, msgspec.DecodeError, *_WRONG_TYPE) as error:
        raise RecordError(f"hand {row.number} is damaged: {error}") from None
    if row.match_ended is None and not open_cards:
        events = [redact(event, AUDIENCE) for event in events]
    return HandRow(row.number, row.ended, events, state)


def match_from(row: Row[Any], *, sealed: bool = False) -> MatchRow:
    """Decode the row of a match with its last state, if it has one."""
    over = row.ended is not None and not sealed
    try:
        state = None
        if row.state is not None and not sealed:
            state = msgspec.json.decode(row.state, type=State)
        return MatchRow(
            id=row.id,
            began=row.began,
            ended=row.ended if over else None,
            place=row.place,
            rules_name=row.rules_name,
            rules=rules_from(row.rules),
            version=row.version,
            players=msgspec.json.decode(row.players, type=tuple[PlayerRecord, ...]),
            commitment=row.commitment,
            secret=bool(row.secret),
            seed=row.seed if over else None,
            salt=row.salt if over else None,
            result=msgspec.json.decode(row.result, type=dict[str, Any])
            if over and row.result is not None
            else None,
            hands=0 if state is None else state.played,
            state=state,
            scheme=msgspec.convert(row.scheme, int),
            opening=msgspec.convert(row.opening, int | None),
            announced=msgspec.convert(row.announced, str),
            beacon=msgspec.convert(row.beacon, str),
            twin=msgspec.convert(row.twin, int),
            sealed=sealed,
            arena=msgspec.convert(row.arena, str),
        )
    except (msgspec.MsgspecError, RulesError, *_WRONG_TYPE) as error:
        raise RecordError(f"the header of match {row.id} is damaged: {error}") from None


@lru_cache(maxsize=64)
def rules_from(data: bytes) -> Rules:
    """Decode the rules in a match's header."""
    return Rules().with_fields(msgspec.json.decode(data))
