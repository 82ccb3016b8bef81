"""The interface of a dialect's player side.

One object per match, without a socket or a clock: bytes from the server go in, steps come out, and
the answer to a question is encoded as bytes. `receive` is deliberately lazy: a question must be
answered before the next step is consumed, since what follows in the same bytes may depend on the
answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from croupier.rules.decisions import Decision, Options
from croupier.rules.view import View


class WireError(ValueError):
    """A violation of the protocol by the server; the message describes it."""


def one_line(text: str) -> str:
    """Return text from a server in a form that is safe to quote in a message."""
    words = " ".join(text.split())[:MAX_WORDS]
    return "".join(character for character in words if character.isprintable())


MAX_WORDS = 200
"""How many characters of a server's text are quoted."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send these bytes."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Question:
    """Ask the bot; its decision goes to `answer`."""

    view: View

    @property
    def options(self) -> Options:
        """The options to decide among."""
        assert self.view.options is not None
        return self.view.options


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand is over, with the chips it won or lost."""

    won: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match is over; the reason is empty if it ended normally."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """The player cannot continue: it was refused, or has lost its place."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reconnect:
    """The connection is lost, and the dialect lets the player reconnect to its place."""

    otherwise: MatchOver | Failed | None = None
    """What the loss means unless the server was restarted, if reconnecting requires a restart."""


@dataclass(frozen=True, slots=True)
class Committed:
    """The server has told what it is bound to; it does so to players that gave a nonce."""

    commitment: str


def digest_of(value: object) -> str:
    """Return a commitment from a message."""
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise WireError("a commitment has 64 hexadecimal digits")
    return value


_DIGEST = re.compile("[0-9a-f]{64}")

Step = Send | Question | HandOver | MatchOver | Failed | Committed


class PlayerSide(Protocol):
    """One player in one match."""

    @property
    def idle(self) -> bool:
        """Whether the player is out and only waits for the end, so a long silence is normal."""

    def hello(self) -> bytes:
        """Return the first message of a connection, including each reconnection."""

    def receive(self, data: bytes) -> Iterator[Step]:
        """Parse bytes, or one WebSocket message; finish each step before taking the next."""

    def answer(self, question: Question, decision: Decision) -> bytes:
        """Encode a decision that the options of the question allow."""

    def goodbye(self) -> bytes:
        """Return what to send before the player closes the connection, if anything."""

    def lost(self, reason: str, code: int, at_once: bool) -> MatchOver | Failed | Reconnect:
        """Return what the loss of the connection means.

        `reason` and `code` are those of the WebSocket close, empty and 0 elsewhere; `at_once` means
        that the connection was closed as soon as it was opened.
        """
