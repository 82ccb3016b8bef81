"""The server side of a `kuhn` connection: STRT identifies the client, ANOK asks for a hand."""

from collections import deque
from collections.abc import Iterator
from typing import Final

from croupier.dialects.base import Answer
from croupier.dialects.kuhn import messages as m
from croupier.dialects.kuhn import words
from croupier.dialects.kuhn.decisions import OUT_OF_TURN, decide
from croupier.dialects.kuhn.reader import SILENCE, KuhnReader
from croupier.dialects.roster import Place
from croupier.dialects.session import (
    Answered,
    Expected,
    Farewell,
    Goodbye,
    Hello,
    Ready,
    Refusal,
    RefusalKind,
    Said,
    Session,
    Situation,
    StateRequested,
    Wrong,
)
from croupier.match.ready import Handshake

MAX_QUEUED: Final = 64
"""The most messages queued while a hand is being stored. A security limit."""


class KuhnSession(Session):
    """One connection; clients may send commands ahead of time, so none is dropped."""

    __slots__ = ("_error_text", "_id", "_queue", "_reader")

    def __init__(self, spelling: str | None = None, error_text: bool = False) -> None:
        """Use this spelling, or detect it if None; explain errors if `error_text` is set."""
        self._reader = KuhnReader(spelling)
        self._error_text = error_text
        self._queue: deque[m.Message] = deque()
        self._id = 0

    @property
    def quiet_after(self) -> float | None:
        return SILENCE if self._reader.pending else None

    @property
    def partial(self) -> bool:
        return bool(self._reader.unread)

    @property
    def held_back(self) -> bool:
        return bool(self._queue)

    def receive(self, data: bytes, situation: Situation) -> Iterator[Said]:
        self._queue += self._reader.receive(data)
        return self.resume(situation)

    def quiet(self, situation: Situation) -> Iterator[Said]:
        self._queue += self._reader.flush()
        return self.resume(situation)

    def resume(self, situation: Situation) -> Iterator[Said]:
        while self._queue:
            if situation.expected is Expected.SETTLING or self._waits_for_seat(situation):
                if len(self._queue) > MAX_QUEUED:
                    yield self._fail(m.Wrong(words.WRONG_SYNTAX, "too many commands"))
                return
            yield self._read(self._queue.popleft(), situation)

    def _waits_for_seat(self, situation: Situation) -> bool:
        """Tell whether the next message is for the table that the client has not got yet."""
        for_table = isinstance(self._queue[0], m.Start | m.Anok | m.Action)
        return for_table and bool(self._id) and not situation.seated

    def spellings(self, secret: str) -> tuple[str, ...]:
        number = int(secret)
        if number >= 2**31:
            return (secret,)
        return secret, repr(number.to_bytes(4, "big"))[2:-1]

    def refuse(self, refusal: Refusal) -> Farewell:
        if refusal.kind is RefusalKind.NOT_UNDERSTOOD:
            return Farewell(refusal.reason)  # the client's spelling is unknown
        return self._farewell(m.Wrong(words.WRONG_ID, refusal.reason))

    def _read(self, message: m.Message, situation: Situation) -> Said:
        if isinstance(message, m.Wrong):
            return self._fail(message)
        if isinstance(message, m.Start):
            return self._start(message.id, situation)
        if isinstance(message, m.Anok):
            return self._ante(situation)
        if isinstance(message, m.Action):
            return self._act(message, situation)
        return Goodbye("quit" if isinstance(message, m.Quit) else "the client reported an error")

    def _start(self, number: int, situation: Situation) -> Said:
        if not situation.seated:
            self._id = number
            spelling = self._reader.spelling or words.TEXT
            return Hello(
                Place(str(number), words.NAME),
                spelling,
                Handshake(first=True, last=False),
                secret=str(number),
            )
        if number != self._id:
            return self._fail(m.Wrong(words.WRONG_ID, f"this connection is of {self._id}"))
        if situation.in_hand:
            return self._fail(m.Wrong(words.WRONG_ACTION, "STRT within a hand"))
        return StateRequested()

    def _ante(self, situation: Situation) -> Said:
        if not situation.seated:
            return self._fail(m.Wrong(words.WRONG_ACTION, "ANOK before STRT"))
        if situation.expected is Expected.READY:
            return Ready()
        if situation.expected is Expected.OVER:
            played_out = situation.someone_broke or situation.hands_played
            code = words.NO_COINS if played_out else words.WRONG_ACTION
            return self._fail(m.Wrong(code, "the match is over"))
        return self._fail(m.Wrong(words.WRONG_ACTION, "ANOK within a hand"))

    def _act(self, action: m.Action, situation: Situation) -> Said:
        if situation.expected is not Expected.ANSWER:
            return self._fail(OUT_OF_TURN)
        options = situation.view.options
        assert options is not None
        answer = decide(action, options)
        return Answered(answer) if isinstance(answer, Answer) else self._fail(answer)

    def _fail(self, wrong: m.Wrong) -> Wrong:
        """Report an error and close; within a hand, the client forfeits it."""
        self._queue.clear()
        return Wrong(self._farewell(wrong), fault=wrong.explanation)

    def _farewell(self, wrong: m.Wrong) -> Farewell:
        spelling = self._reader.spelling or words.TEXT
        message = words.error(spelling, wrong.code, wrong.explanation, self._error_text)
        note = f"error {wrong.code}: {wrong.explanation}"
        return Farewell(wrong.explanation, message, note=note)
