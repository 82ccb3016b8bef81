"""The server side of a `huawei` connection: a registration, then an answer to each inquire."""

from collections.abc import Iterator

from croupier.dialects.base import Illegal
from croupier.dialects.huawei.reader import (
    BLANK,
    MAX_UNREAD,
    SILENCE,
    HuaweiReader,
    decide,
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

DISCARDED = "discarded: it came before the question"


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

    def receive(self, data: bytes, situation: Situation) -> Iterator[Said]:
        if not self._registered:
            messages = self._reader.receive(data)
            if messages:
                yield self._register(messages[0])
            elif self._reader.overflowed:
                yield _refused("too much input without a registration")
        elif situation.expected is not Expected.ANSWER:
            self._stray += len(data)
            if self._stray > MAX_UNREAD:
                yield Flood("too much input that nobody asked for")
            else:
                # The newline of an answer may follow it.
                yield Stray(DISCARDED if data.strip(BLANK) else "")
        elif len(data) > MAX_UNREAD:
            yield Flood("more input than any answer has")
        else:
            messages = self._reader.receive(data)
            if any(messages[1:]):
                yield Stray(DISCARDED)
            if messages:
                yield self._answer(messages[0], situation)
            elif self._reader.overflowed:
                yield Flood("an endless message")

    def quiet(self, situation: Situation) -> Iterator[Said]:
        if not self._registered:
            for message in self._reader.flush():
                yield self._register(message)
        elif situation.expected is Expected.ANSWER:
            for message in self._reader.flush():
                yield self._answer(message, situation)

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
