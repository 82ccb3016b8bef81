"""The server side of an `acpc` connection: a version, then an answer to each state that asks.

An answer repeats the state that it answers. A line with any other state is skipped, so whatever
comes too early, too late or twice does no harm.
"""

from collections.abc import Iterator
from typing import Final

from croupier.dialects.acpc.reader import LineReader, decide, parse_version, printable_name
from croupier.dialects.acpc.words import NAME, State, answers, split
from croupier.dialects.base import Illegal
from croupier.dialects.roster import Place
from croupier.dialects.session import (
    Answered,
    Expected,
    Farewell,
    Hello,
    Refusal,
    Said,
    Session,
    Situation,
    Stray,
    Wrong,
)

MAJOR: Final = 2
NAMELESS: Final = "player"
NOT_ASKED: Final = "skipped: nobody asked"
NOT_THE_STATE: Final = "skipped: not the present state"
NO_STATE: Final = "skipped: no answer, which is the state, a colon and the action"


class AcpcSession(Session):
    """One connection."""

    __slots__ = ("_greeted", "_name", "_question", "_reader", "_seat", "_state", "_strict")

    def __init__(self, strict: bool = False, seat: int = 0, name: str = "") -> None:
        """With `strict` an answer that would be corrected is a fault.

        `seat` is the seat, from 1, of which this is the port, or 0; `name` that of its player.
        """
        self._reader = LineReader()
        self._greeted = False
        self._strict = strict
        self._seat = seat
        self._name = name
        self._question = b""
        self._state: State | None = None
        """The state of the question."""

    @property
    def partial(self) -> bool:
        return self._reader.partial

    def receive(self, data: bytes, situation: Situation) -> Iterator[Said]:
        for line in self._reader.receive(data):
            if not self._greeted:
                yield self._hello(line)
            elif line[:1] in ("#", ";"):
                yield Stray("")
            elif situation.expected is not Expected.ANSWER:
                yield Stray(NOT_ASKED)
            else:
                yield self._answer(line, situation)

    def refuse(self, refusal: Refusal) -> Farewell:
        return Farewell(refusal.reason)  # the protocol has no message for it

    def _hello(self, line: str) -> Hello | Wrong:
        version = parse_version(line)
        if version is None:
            return Wrong(Farewell("the first line is not VERSION:2.0.0"))
        if version.major != MAJOR:
            return Wrong(Farewell(f"version {version.major} has another grammar than {MAJOR}"))
        self._greeted = True
        name = self._name or printable_name(version.words) or NAMELESS
        return Hello(Place(name, NAME), secret=version.words, seat=self._seat)

    def _answer(self, line: str, situation: Situation) -> Answered | Stray:
        said = split(line)
        if said is None:
            return Stray(NO_STATE)
        if not answers(said[0], self._asked(situation.question)):
            return Stray(NOT_THE_STATE)
        answer = decide(said[1], situation.view)
        if self._strict and answer.correction:
            return Answered(Illegal(answer.correction))
        return Answered(answer)

    def _asked(self, question: bytes) -> State:
        """Return the state of a question, which is read once."""
        if self._state is None or question is not self._question:
            found = split(question.decode("ascii").rstrip())
            assert found is not None
            self._question, self._state = question, found[0]
        return self._state
