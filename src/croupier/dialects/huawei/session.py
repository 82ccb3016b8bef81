"""The server side of a `huawei` connection: a registration, then an answer to each inquire."""

from collections.abc import Iterable
from typing import Final

from croupier.dialects.base import Illegal
from croupier.dialects.huawei.reader import (
    BLANK,
    MAX_UNREAD,
    SILENCE,
    HuaweiReader,
    decide,
    has_end,
    parse_registration,
)
from croupier.dialects.huawei.speaker import Listener
from croupier.dialects.huawei.words import NAME
from croupier.dialects.roster import Place
from croupier.dialects.session import (
    Answered,
    Expected,
    Farewell,
    Flood,
    Hello,
    Refusal,
    Said,
    Session,
    Situation,
    Stray,
    Wrong,
)

DISCARDED: Final = "discarded: it came before the question"

MAX_STRAY: Final = 64 * 1024
"""The most unsolicited input between two questions, in bytes. A security limit, with room for
programs that answer every message, and that send a buffer of fixed size each time."""


class HuaweiSession(Session):
    """One connection; only input received after an inquire answers it."""

    __slots__ = ("_reader", "_registered", "_stray")

    drops_stale_input = True

    def __init__(self) -> None:
        self._reader = HuaweiReader()
        self._registered = False
        self._stray = 0
        """The number of unsolicited bytes since the last question."""

    @property
    def quiet_after(self) -> float | None:
        return SILENCE if self._reader.pending else None

    @property
    def partial(self) -> bool:
        return self._reader.partial

    def receive(self, data: bytes, situation: Situation) -> Iterable[Said]:
        reader = self._reader
        if not self._registered:
            messages = reader.receive(data)
            if messages:
                return (self._register(messages[0]),)
            if reader.overflowed:
                return (_refused("too much input without a registration"),)
            return ()
        if situation.expected is not Expected.ANSWER:
            self._stray += len(data)
            if self._stray > MAX_STRAY:
                return (Flood("too much input that nobody asked for"),)
            # The newline of an answer may follow it.
            return (Stray(DISCARDED if data.strip(BLANK) else ""),)
        if len(data) > MAX_UNREAD:
            # An answer ends before that; what follows is the rest of its buffer.
            data = data[: MAX_UNREAD + 1]
            if not has_end(data):
                return (Flood("more input than any answer has"),)
        messages = reader.receive(data)
        if messages:
            answered = self._answer(messages[0], situation)
            more = len(messages) > 1 and any(messages[1:])
            return (Stray(DISCARDED), answered) if more else (answered,)
        return (Flood("an endless message"),) if reader.overflowed else ()

    def quiet(self, situation: Situation) -> Iterable[Said]:
        if not self._registered:
            return [self._register(message) for message in self._reader.flush()]
        if situation.expected is Expected.ANSWER:
            return [self._answer(message, situation) for message in self._reader.flush()]
        return ()

    def discard(self) -> None:
        self._reader.discard()
        self._stray = 0

    def refuse(self, refusal: Refusal) -> Farewell:
        return Farewell(refusal.reason)  # the protocol has no message for it

    def _register(self, message: bytes) -> Hello | Wrong:
        registration = parse_registration(message)
        if isinstance(registration, Illegal):
            return _refused(registration.reason)
        self._registered = self._reader.registered = True
        self._reader.discard()
        return Hello(
            Place(registration.name, NAME, registration.pid, nonce=registration.nonce),
            Listener(registration.notify, registration.bets),
            secret=registration.name,
        )

    def _answer(self, message: bytes, situation: Situation) -> Answered:
        # Any further input was sent before the next question.
        self._reader.discard()
        view = situation.view
        assert view.options is not None
        return Answered(decide(message, view.options, view.high))


def _refused(reason: str) -> Wrong:
    return Wrong(Farewell(reason))
