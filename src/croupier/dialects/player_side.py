"""What the player's side of a dialect is.

One object per match, without a socket or a clock: bytes of the server go in, steps come out, and
the answer to a question is bytes again. `receive` is lazy on purpose: a question has to be answered
before the next step is taken, since what follows it in the same bytes may rest on the answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from croupier.rules.decisions import Decision, Options
from croupier.rules.view import View


class WireError(ValueError):
    """Something that no server of the dialect says; the text says what."""


def one_line(text: str) -> str:
    """Return words of a server's as they may stand in a sentence of ours."""
    words = " ".join(text.split())[:MAX_WORDS]
    return "".join(character for character in words if character.isprintable())


MAX_WORDS = 200
"""Characters that are passed on of what a server says."""


@dataclass(frozen=True, slots=True)
class Send:
    """These bytes are to be sent."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Question:
    """The bot is asked; its decision goes to `answer`."""

    view: View

    @property
    def options(self) -> Options:
        """What may be decided."""
        assert self.view.options is not None
        return self.view.options


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand is over and brought so many chips."""

    won: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match is over; why, if it did not come to its usual end."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no way on: the player was refused, or has lost his place."""

    reason: str


@dataclass(frozen=True, slots=True)
class ComeBack:
    """The connection is gone and the dialect lets a player take its place again."""

    otherwise: MatchOver | Failed | None = None
    """Where only a restart of the server lets players back: what the loss means without one."""


Step = Send | Question | HandOver | MatchOver | Failed


class PlayerSide(Protocol):
    """One player in one match."""

    @property
    def idle(self) -> bool:
        """Nothing more may come for a long time: the player is out and waits for the end."""

    def hello(self) -> bytes:
        """Return what is said first on a connection, on a new one after a loss too."""

    def receive(self, data: bytes) -> Iterator[Step]:
        """Take bytes, over WebSocket one message; each step is to be done before the next."""

    def answer(self, question: Question, decision: Decision) -> bytes:
        """Return what says a decision that the options of the question allow."""

    def goodbye(self) -> bytes:
        """Return what is said before the player closes the connection, if anything."""

    def lost(self, reason: str, code: int, at_once: bool) -> MatchOver | Failed | ComeBack:
        """Return what it means that the server has closed the connection.

        `reason` and `code` are what WebSocket says of it, empty and 0 elsewhere; `at_once` means
        that it was closed as soon as it was opened.
        """
