"""The server's side of one connection, without a socket or a clock.

Bytes go in, what the player said comes out. It is the counterpart of the player's side
(player_side.py), and of the sans-I/O protocols of other networking libraries: whoever owns the
socket feeds `receive`, does what comes out of it, and sends what the speaker of the table says.

`receive` is lazy on purpose. What a message means depends on what the table expects of the player
at that moment, and acting on one message may change that for the next in the same bytes. So each
item has to be acted on before the next is taken, and a session looks at its `Situation` anew for
each message.

Time is kept by the caller: while `quiet_after` is a number, something is waiting that counts as
complete once the player has been quiet for so many seconds, and `quiet` is due then.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.roster import Place
from croupier.match.ready import Handshake
from croupier.rules.view import View


class Expected(Enum):
    """What a table waits for from one of its players."""

    NOTHING = "nothing"
    """It is somebody else's turn, or the player has no seat yet."""
    ANSWER = "answer"
    READY = "ready"
    """The player's word that the next hand may begin."""
    RELOAD = "reload"
    """The player may buy chips."""
    SETTLING = "settling"
    """A hand has ended and its record is not stored yet."""
    OVER = "over"
    """The match is over."""


class Situation(Protocol):
    """How things stand at the player's table, now."""

    @property
    def seated(self) -> bool:
        """The player has a seat at a table."""

    @property
    def expected(self) -> Expected:
        """What the table waits for from this player."""

    @property
    def in_hand(self) -> bool:
        """A hand is being played."""

    @property
    def view(self) -> View:
        """The present hand as everyone may see it; of use while an answer is expected."""

    @property
    def someone_broke(self) -> bool:
        """A player of the match has no chips left."""


# What a player says before it has a seat.


@dataclass(frozen=True, slots=True)
class Room:
    """The room that a player asks for; who comes first decides what is played in it."""

    id: str
    seats: int
    bots: tuple[str, ...]
    hands: int | None
    """How many hands are played; None: until somebody leaves."""


@dataclass(frozen=True, slots=True)
class Hello:
    """A player wants a seat."""

    place: Place
    """Who it is."""
    listener: Any = None
    """What the speaker of the dialect has to know of it."""
    handshake: Handshake | None = None
    """When it says that it is ready, if its dialect has a word for that."""
    room: Room | None = None
    """The room it names, if its dialect has rooms."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Somebody wants to watch a room."""

    room: str


@dataclass(frozen=True, slots=True)
class WatchBots:
    """Somebody wants to watch house bots play among themselves."""

    room: str
    bots: tuple[str, ...]
    hands: int | None
    listener: Any = None


# What a player says at a table.


@dataclass(frozen=True, slots=True)
class Answered:
    """The player answered the question."""

    answer: Answer | Illegal


@dataclass(frozen=True, slots=True)
class Ready:
    """The player waits for the next hand."""


@dataclass(frozen=True, slots=True)
class Reload:
    """The player buys chips."""


@dataclass(frozen=True, slots=True)
class StateWanted:
    """The player wants to be told again how things stand."""


@dataclass(frozen=True, slots=True)
class Exit:
    """The player leaves the match, and says so."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stray:
    """Something that means nothing now; too much of it ends the connection."""

    reason: str


# How a conversation ends.


@dataclass(frozen=True, slots=True)
class Goodbye:
    """The player closes the conversation in the words of its protocol; the note is for us."""

    note: str


@dataclass(frozen=True, slots=True)
class Farewell:
    """The last words of the server: bytes, or over WebSocket a close code and a reason."""

    reason: str
    message: bytes = b""
    code: int = 0
    note: str = ""
    """How the transcript puts the reason, where it has words of its own for it."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something that the protocol answers with an error and a closed connection."""

    farewell: Farewell
    fault: str = ""
    """If not empty, it also costs the player the hand, for this reason."""


@dataclass(frozen=True, slots=True)
class Flood:
    """More input than anybody needs: the connection is cut at once."""

    reason: str


Request = Hello | Watch | WatchBots
Said = Request | Answered | Ready | Reload | StateWanted | Exit | Stray | Goodbye | Wrong | Flood


class RefusalKind(Enum):
    """Why a newcomer gets no seat."""

    UNKNOWN = "unknown"
    TAKEN = "taken"
    FULL = "full"
    NOT_UNDERSTOOD = "not understood"
    """It has not said in time, or in words that the protocol has, what it wants."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a newcomer gets no seat, as a kind and a sentence."""

    kind: RefusalKind
    reason: str


class Session(Protocol):
    """One connection of a player or spectator, as the server hears it."""

    @property
    def drops_stale_input(self) -> bool:
        """What came before a question never answers it, so that it is thrown away unread."""

    @property
    def quiet_after(self) -> float | None:
        """After how many seconds of silence what is waiting counts as complete; None: never."""

    @property
    def partial(self) -> bool:
        """The beginning of a message has come, and not its end."""

    @property
    def held_back(self) -> bool:
        """Messages are waiting for the table to settle; `resume` is due when it has."""

    def receive(self, data: bytes, situation: Situation) -> Iterator[Said]:
        """Take bytes, over WebSocket one message; act on each item before taking the next."""

    def quiet(self, situation: Situation) -> Iterator[Said]:
        """Take it that the player has been quiet for `quiet_after` seconds."""

    def resume(self, situation: Situation) -> Iterator[Said]:
        """Go on with what was held back."""

    def discard(self) -> None:
        """Forget what came before a question."""

    def refuse(self, refusal: Refusal) -> Farewell:
        """Return how a newcomer is told that it gets no seat."""

    def loggable(self, data: bytes) -> bytes:
        """Return bytes of the player as a transcript may keep them, without any secret."""
