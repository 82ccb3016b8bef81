"""A link that leaves a gap between two messages.

Many programs take the result of one `recv` for one message. They rely on the time that their
original server left between two messages, so a listener can do the same:

- The first message of a burst is sent at once. Each further one is sent no earlier than the gap
  after the one before it, in order, with one write each.
- Queued messages count as sent: `close` sends them first, `drop` discards them, and their bytes
  count as unread by the player.
- A connection with an empty queue has no timer.
- A queue of more than MAX_WAITING messages is shortened at once: the player has sent that many
  commands ahead, and does not read one message at a time.
"""

import asyncio
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Final

from croupier.server.net.tcp import MAX_UNSENT, TcpLink
from croupier.server.net.transcript import Transcript

if TYPE_CHECKING:
    from croupier.server.net.door import TcpDoor

SHORTEST_TIMER: Final = 0.001
"""Seconds; uvloop's timers count in milliseconds and round down what is below half of one, so a
shorter timer would keep the loop spinning."""

MAX_WAITING: Final = 1000
"""Messages; no hand of any game has as many at once."""


class PacedLink(TcpLink):
    """Queues messages that come too soon after the last one."""

    __slots__ = ("_ending", "_flush_due", "_free_at", "_gap", "_queue", "_queued", "_timer")

    def __init__(self, gap: float, door: "TcpDoor", transcript: Transcript) -> None:
        super().__init__(door, transcript)
        self._gap = gap
        self._free_at = 0.0
        """When the next message may be sent, by perf_counter: the loop's clock is too coarse."""
        self._queue: deque[tuple[bytes, bool]] = deque()
        """Messages that wait, each with whether it is a question."""
        self._queued = 0
        """Bytes in the queue."""
        self._timer: asyncio.TimerHandle | None = None
        self._ending = False
        """The connection is closed as soon as the queue is empty."""
        self._flush_due = False
        """The transcript is flushed as soon as the queue is empty."""

    def send(self, message: bytes) -> None:
        if not self.closed:
            self._send_or_queue(message, False)

    def ask(self, question: bytes) -> None:
        if not self.closed:
            self._send_or_queue(question, True)
        elif self._client is not None:
            self._client.question_left()

    def flush_transcript(self) -> None:
        super().flush_transcript()
        self._flush_due = bool(self._queue)

    def drop(self, reason: str) -> None:
        if self._ending:
            self._drop(reason)
        else:
            super().drop(reason)

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_queue()
        super().connection_lost(exc)

    @property
    def _has_queue(self) -> bool:
        return bool(self._queue)

    def _send_or_queue(self, message: bytes, asks: bool) -> None:
        wait = self._free_at - perf_counter()
        if not self._queue and wait <= 0:
            self._send_now(message, asks)
            return
        self._queue.append((message, asks))
        self._queued += len(message)
        assert self._transport is not None
        if self._queued + self._transport.get_write_buffer_size() > MAX_UNSENT:
            self._drop(f"more than {MAX_UNSENT} bytes unread")
        elif len(self._queue) > MAX_WAITING:
            self._send_oldest()
        elif self._timer is None:
            self._start_timer(wait)

    def _send_oldest(self) -> None:
        message, asks = self._queue.popleft()
        self._queued -= len(message)
        self._send_now(message, asks)

    def _send_now(self, message: bytes, asks: bool) -> None:
        client = self._client if asks else None
        if client is not None:
            client.about_to_ask()
        if self._ending or not self.closed:
            self._write(message)
            self._free_at = perf_counter() + self._gap
        if client is not None:
            client.question_left()

    def _start_timer(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(seconds, SHORTEST_TIMER), self._send_next)

    def _send_next(self) -> None:
        """Send the next message, unless the timer has fired early."""
        self._timer = None
        wait = self._free_at - perf_counter()
        if wait <= 0:
            self._send_oldest()
            wait = self._gap
        if self._queue:
            self._start_timer(wait)
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

    def _abort(self, reason: str) -> None:
        self._clear_queue()
        super()._abort(reason)

    def _clear_queue(self) -> None:
        self._queue.clear()
        self._queued = 0
        self._ending = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
