"""Links that deliver messages as a network may: in pieces, or several at once."""

import asyncio
from collections import deque

from croupier.dialects.session import Farewell
from croupier.server.net.door import TcpDoor
from croupier.server.net.tcp import TcpLink
from croupier.server.net.transcript import Transcript

PIECE_EVERY = 0.0005
"""Seconds between two pieces."""
SINGLE_BYTES = 8
"""Bytes at the beginning of a message that are sent one by one."""
PARTS = 32
"""After those, each piece is a byte and this fraction of what is left of the message."""
GLUE_FOR = 0.03
"""Seconds for which messages are collected."""


class Delivery(TcpLink):
    """A link that decides when its messages are sent."""

    def delivered(self, message: bytes) -> None:
        """Note that the last byte of a message has been sent."""


class PiecewiseLink(Delivery):
    """Write messages in pieces, with a pause after each, so that they arrive separately.

    The first and last bytes of a message are sent one by one, since that is where programs look for
    its length or its end; the pieces in between are larger, or a long message would take seconds.
    """

    def __init__(self, door: TcpDoor, transcript: Transcript) -> None:
        super().__init__(door, transcript)
        self._queue: deque[bytes] = deque()
        self._written = 0
        """Bytes of the first message in the queue that have been written."""
        self._closing = False
        self._timer: asyncio.TimerHandle | None = None

    def send(self, message: bytes) -> None:
        self._queue.append(message)
        if self._timer is None:
            self._write_piece()

    def close(self, farewell: Farewell | None = None) -> None:
        if farewell is not None and farewell.message:
            self.send(farewell.message)
        self._closing = True
        if not self._queue:
            super().close()

    def _write_piece(self) -> None:
        self._timer = None
        message, begin = self._queue[0], self._written
        left = len(message) - begin
        size = 1 if begin < SINGLE_BYTES else 1 + left // PARTS
        super().send(message[begin : begin + size])
        self._written += size
        if self._written >= len(message):
            self._written = 0
            self.delivered(self._queue.popleft())
        if self._queue and not self.closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(PIECE_EVERY, self._write_piece)
        elif self._closing:
            super().close()


class GluedLink(Delivery):
    """Collect messages for a moment and write them together."""

    def __init__(self, door: TcpDoor, transcript: Transcript) -> None:
        super().__init__(door, transcript)
        self._queue = b""
        self._timer: asyncio.TimerHandle | None = None

    def send(self, message: bytes) -> None:
        self._queue += message
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GLUE_FOR, self._flush)

    def close(self, farewell: Farewell | None = None) -> None:
        self._flush()
        super().close(farewell)

    def _flush(self) -> None:
        self._timer = None
        queue, self._queue = self._queue, b""
        if queue:
            super().send(queue)
            self.delivered(queue)
