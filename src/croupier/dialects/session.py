"""The server side of one connection, without a socket or a clock.

Bytes go in, parsed messages come out. It is the counterpart of the player side (player_side.py),
and comparable to the sans-I/O protocols of other networking libraries: the owner of the socket
feeds `receive`, acts on what it yields, and sends what the table's speaker produces.

`receive` may be lazy. The meaning of a message depends on what the table currently expects of the
player, and acting on one message may change that for the next one in the same bytes. So each item
must be acted on before the next is consumed, and a session that takes several messages at once
reads its `Situation` anew for each.

The caller keeps the time: while `quiet_after` is a number, buffered input counts as complete after
that many seconds of silence, and the caller must then call `quiet`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from mypy_extensions import mypyc_attr

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.roster import Place
from croupier.match.ready import Handshake
from croupier.rules.view import View


class Expected(Enum):
    """What a table expects from one of its players."""

    NOTHING = "nothing"
    """It is another player's turn, or the player has no seat yet."""
    ANSWER = "answer"
    READY = "ready"
    """The signal that the player is ready for the next hand."""
    RELOAD = "reload"
    """The player may buy chips."""
    SETTLING = "settling"
    """A hand has ended and its record is not stored yet."""
    OVER = "over"
    """The match is over."""


class Situation(Protocol):
    """The current state of the player's table."""

    @property
    def seated(self) -> bool:
        """Whether the player has a seat at a table."""

    @property
    def expected(self) -> Expected:
        """What the table expects from this player."""

    @property
    def in_hand(self) -> bool:
        """Whether a hand is in progress."""

    @property
    def view(self) -> View:
        """The public view of the current hand; valid while an answer is expected."""

    @property
    def question(self) -> bytes:
        """The last question that was sent to the player."""

    @property
    def someone_broke(self) -> bool:
        """Whether a player of the match has no chips left."""

    @property
    def hands_played(self) -> bool:
        """Whether the match is one of a contest, and all its hands are played."""


# Messages before the player has a seat.


@dataclass(frozen=True, slots=True)
class Room:
    """A request for a room; the first player's request determines the game."""

    id: str
    seats: int
    bots: tuple[str, ...]
    hands: int | None
    """The number of hands; None: until somebody leaves."""


@dataclass(frozen=True, slots=True)
class Hello:
    """A player wants a seat."""

    place: Place
    """The player's identity."""
    listener: Any = None
    """What the dialect's speaker has to know about it."""
    handshake: Handshake | None = None
    """When it signals that it is ready, if its dialect has such a signal."""
    room: Room | None = None
    """The room it asks for, if its dialect has rooms."""
    table: str = ""
    """The only table that it wants to sit at, if it names one."""
    seat: int = 0
    """The seat, from 1, whose player comes to this listener, or 0 for any seat."""
    secret: str = field(default="", repr=False)
    """What it presented as its credential, where the organiser gave it one; never logged."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A spectator wants to watch a room."""

    room: str


@dataclass(frozen=True, slots=True)
class WatchBots:
    """A spectator wants to watch a match between house bots."""

    room: str
    bots: tuple[str, ...]
    hands: int | None
    listener: Any = None


# Messages at a table.


class Answered:
    """The player answered the question.

    Written out, since it is made for every decision: compiled, a dataclass is slower.
    """

    __slots__ = ("answer",)

    def __init__(self, answer: Answer | Illegal) -> None:
        self.answer = answer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answered) and self.answer == other.answer

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Answered({self.answer!r})"


@dataclass(frozen=True, slots=True)
class Ready:
    """The player is ready for the next hand."""


@dataclass(frozen=True, slots=True)
class Reload:
    """The player buys chips."""


@dataclass(frozen=True, slots=True)
class StateRequested:
    """The player asks for the current state."""


@dataclass(frozen=True, slots=True)
class Exit:
    """The player announces that it leaves the match."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stray:
    """A message without meaning at this moment; too many of them close the connection."""

    note: str
    """What the transcript says about it; empty: nothing."""


# The end of a connection.


@dataclass(frozen=True, slots=True)
class Goodbye:
    """The player ends the connection as its protocol defines; the note is for the transcript."""

    note: str


@dataclass(frozen=True, slots=True)
class Farewell:
    """The server's last message: bytes, or a WebSocket close code and reason."""

    reason: str
    message: bytes = b""
    code: int = 0
    note: str = ""
    """The reason as written to the transcript, if it differs."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A violation that the protocol answers with an error and a closed connection."""

    farewell: Farewell
    fault: str = ""
    """If not empty, the player also forfeits the hand, for this reason."""


@dataclass(frozen=True, slots=True)
class Flood:
    """Excessive input: the connection is dropped at once."""

    reason: str


Request = Hello | Watch | WatchBots
Said = Request | Answered | Ready | Reload | StateRequested | Exit | Stray | Goodbye | Wrong | Flood


class RefusalKind(Enum):
    """Why a new connection gets no seat."""

    UNKNOWN = "unknown"
    TAKEN = "taken"
    FULL = "full"
    NOT_UNDERSTOOD = "not understood"
    """Its first message was late or invalid."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a new connection gets no seat, as a kind and a sentence."""

    kind: RefusalKind
    reason: str


@mypyc_attr(allow_interpreted_subclasses=True)
class Session:
    """One connection of a player or spectator, as seen by the server.

    A protocol overrides what it needs: the defaults are those of one whose messages are complete
    when they come, and that ignores what nobody asked for.
    """

    __slots__ = ()

    drops_stale_input = False
    """Whether input received before a question is discarded, since it cannot answer it."""

    @property
    def quiet_after(self) -> float | None:
        """Seconds of silence after which buffered input counts as complete; None: never."""
        return None

    @property
    def partial(self) -> bool:
        """Whether an incomplete message is buffered."""
        return False

    @property
    def held_back(self) -> bool:
        """Whether messages are queued until the table has settled; call `resume` then."""
        return False

    def receive(self, data: bytes, situation: Situation) -> Iterable[Said]:
        """Parse bytes, or one WebSocket message; act on each item before taking the next."""
        raise NotImplementedError

    def quiet(self, situation: Situation) -> Iterable[Said]:
        """Process buffered input after `quiet_after` seconds of silence."""
        return ()

    def resume(self, situation: Situation) -> Iterable[Said]:
        """Process the queued messages."""
        return ()

    def discard(self) -> None:
        """Discard input received before a question."""

    def refuse(self, refusal: Refusal) -> Farewell:
        """Return the message that tells a new connection that it gets no seat."""
        raise NotImplementedError

    def replaced(self) -> bytes:
        """Return the last message to a connection that a newer one of its player replaces."""
        return b""

    def loggable(self, data: bytes) -> bytes:
        """Return a player's bytes for the transcript, without any secret."""
        return data

    def spellings(self, secret: str) -> tuple[str, ...]:
        """Return how a transcript would show the player's credential."""
        return (secret,)
