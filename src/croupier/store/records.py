"""What is put on record: the values, without the database that keeps them.

Workers make these and pass them on; only a writer knows a database.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from croupier.rules.events import Event
from croupier.store.places import table_name


@dataclass(slots=True)
class HandRecord:
    """One hand: its events, and the state of the match after it."""

    match_id: str
    number: int
    ended: float
    events: list[Event] | bytes
    """Bytes if they come encoded, from another process."""
    state: bytes
    times: list[tuple[int, int]] = field(default_factory=list)
    """How long each decision of a connected player took, as (player, microseconds)."""
    stretch: bytes | None = None
    """The sums over the stretch of hands that this one completes, see `store.stretches`."""


@dataclass(slots=True)
class MatchRecord:
    """A match's header, written before its first hand."""

    values: dict[str, Any]


@dataclass(slots=True)
class OpeningRecord:
    """An opening of a prepared table, written before anybody may sit down at it."""

    values: dict[str, Any]


@dataclass(frozen=True)
class OpeningRow:
    """One opening of a table."""

    arena: str
    place: str
    number: int
    at: float
    seed: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    secret: bool
    announced: str
    """The beacon that was announced with the commitment, if any."""
    commitment: str
    previous: str
    """The digest of the opening before; empty in the first."""
    digest: str
    match: str = ""
    """The match that began there; empty: none did."""

    @property
    def table(self) -> str:
        """The name of the table."""
        return table_name(self.place)

    @property
    def public(self) -> dict[str, Any]:
        """What everyone may know of it, as plain values."""
        return {
            "arena": self.arena,
            "table": self.table,
            "opening": self.number,
            "at": self.at,
            "match": self.match or None,
            "commitment": self.commitment,
            "secret": self.secret,
            "announced": self.announced,
            "previous": self.previous,
            "digest": self.digest,
        }


@dataclass(slots=True)
class PauseRecord:
    """Whether a match is paused or about to be."""

    match_id: str
    paused: bool


@dataclass(slots=True)
class ResultRecord:
    """The end of a match, with its result."""

    match_id: str
    ended: float
    result: bytes


@dataclass(slots=True)
class AuditRecord:
    """An organiser's action."""

    at: float
    actor: str
    act: str
    table: str
    detail: str
    outcome: str


@dataclass(slots=True)
class DropRecord:
    """A match that is not kept: it is played again from its beginning, or no hand was finished."""

    match_id: str


@dataclass(slots=True)
class ContestResult:
    """The result of a match in a contest; if there is one already, that one counts."""

    values: dict[str, Any]
    match: ResultRecord | None = None
    """The end of the match's own record, which is stored at the same moment."""


@dataclass(slots=True)
class FriendlyResult:
    """What became of a friendly match; if it is answered for good already, that stays."""

    number: int
    """Of the request for it."""
    state: str
    answer: bytes
    """The new state of the request, and its outcome, see `store.friendlies`."""
    match: ResultRecord | None = None
    """The end of the match's own record, which is stored at the same moment."""


@dataclass(slots=True)
class ContestFixture:
    """A pairing of a contest that cannot be computed again."""

    values: dict[str, Any]


Record = (
    HandRecord
    | MatchRecord
    | OpeningRecord
    | PauseRecord
    | ResultRecord
    | AuditRecord
    | DropRecord
    | ContestResult
    | FriendlyResult
    | ContestFixture
)
Acknowledge = Callable[[], None]


class Records(Protocol):
    """Takes the records of matches; a writer stores them, others may only pass them on."""

    @property
    def waiting(self) -> int:
        """The number of records that are not acknowledged yet."""

    def write(self, record: Record, acknowledge: Acknowledge) -> None:
        """Take a record; `acknowledge` is called later, never before this returns."""

    def close(self) -> None:
        """Finish what is left and stop."""
