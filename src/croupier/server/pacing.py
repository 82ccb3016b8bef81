"""A connection that leaves a gap between two messages.

Many programs take whatever one `recv` returns for one message. They live on the time that their
original server left between two messages, so a listener can leave it too:

- The first message of a burst leaves at once. Each further one leaves no earlier than the gap after
  the one before it, in order, with one write each.
- What waits is as good as sent: `close` lets it leave first, `drop` does not, and it counts as
  unread by the player.
- A connection with nothing waiting has no timer.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter

from croupier.server.connection import MAX_UNSENT, Connection, Door
from croupier.server.transcript import Transcript

SHORTEST_TIMER = 0.001
"""Seconds; uvloop's timers count in milliseconds, and one of less than half of one does not wait at
all, so that a loop would be busy with waiting."""


class PacedConnection(Connection):
    """Queues what comes too early after the message before it."""

    __slots__ = ("_ending", "_flush_due", "_free_at", "_gap", "_queue", "_queued", "_timer")

    def __init__(self, gap: float, door: Door, transcript: Transcript) -> None:
        super().__init__(door, transcript)
        self._gap = gap
        self._free_at = 0.0
        """When the next message may leave, by perf_counter: the loop's own clock is too coarse."""
        self._queue: deque[tuple[bytes, Callable[[], None], Callable[[], None]]] = deque()
        """Messages that wait, each with what is called just before and after it leaves."""
        self._queued = 0
        """Their bytes."""
        self._timer: asyncio.TimerHandle | None = None
        self._ending = False
        """It is closed as soon as the queue is empty."""
        self._flush_due = False
        """The transcript goes to the disk as soon as the queue is empty."""

    def send(self, message: bytes) -> None:
        if not self.closed:
            self._leave_or_wait(message, _nothing, _nothing)

    def ask(self, question: bytes, before: Callable[[], None], after: Callable[[], None]) -> None:
        if self.closed:
            after()
        else:
            self._leave_or_wait(question, before, after)

    def flush_transcript(self) -> None:
        super().flush_transcript()
        self._flush_due = bool(self._queue)

    def drop(self, reason: str) -> None:
        if self._ending:
            self._cut_off(reason)
        else:
            super().drop(reason)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_queue()
        super().connection_lost(exc)

    def _leave_or_wait(
        self, message: bytes, before: Callable[[], None], after: Callable[[], None]
    ) -> None:
        wait = self._free_at - perf_counter()
        if not self._queue and wait <= 0:
            self._leave(message, before, after)
            return
        self._queue.append((message, before, after))
        self._queued += len(message)
        assert self._transport is not None
        if self._queued + self._transport.get_write_buffer_size() > MAX_UNSENT:
            self._cut_off(f"more than {MAX_UNSENT} bytes unread")
        elif self._timer is None:
            self._wait(wait)

    def _leave(self, message: bytes, before: Callable[[], None], after: Callable[[], None]) -> None:
        before()
        if self._ending or not self.closed:
            self._write(message)
            self._free_at = perf_counter() + self._gap
        after()

    def _wait(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(seconds, SHORTEST_TIMER), self._go_on)

    def _go_on(self) -> None:
        """Let the next message leave; a timer may have fired early, so the clock decides."""
        self._timer = None
        wait = self._free_at - perf_counter()
        if wait <= 0:
            message, before, after = self._queue.popleft()
            self._queued -= len(message)
            self._leave(message, before, after)
            wait = self._gap
        if self._queue:
            self._wait(wait)
            return
        if self._flush_due:
            self.flush_transcript()
        if self._ending:
            self._ending = False
            self._end()

    def _end(self) -> None:
        if self._queue:
            self._ending = True
        else:
            super()._end()

    def _cut_off(self, reason: str) -> None:
        self._forget_queue()
        super()._cut_off(reason)

    def _forget_queue(self) -> None:
        self._queue.clear()
        self._queued = 0
        self._ending = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _nothing() -> None:
    """Do nothing."""
