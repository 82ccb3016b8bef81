"""Connections that deliver messages as a network may: in pieces, or several at once."""

import asyncio

from croupier.server.connection import Connection, Door
from croupier.server.transcript import Transcript

PIECE_EVERY = 0.0005
GLUE_FOR = 0.03


class PiecewiseConnection(Connection):
    """Writes byte by byte, with a pause after each, so that they arrive apart."""

    def __init__(self, door: Door, transcript: Transcript) -> None:
        super().__init__(door, transcript)
        self._queue = b""
        self._closing = False
        self._timer: asyncio.TimerHandle | None = None

    def send(self, message: bytes) -> None:
        self._queue += message
        if self._timer is None:
            self._write_piece()

    def close(self) -> None:
        self._closing = True
        if not self._queue:
            super().close()

    def _write_piece(self) -> None:
        self._timer = None
        piece, self._queue = self._queue[:1], self._queue[1:]
        super().send(piece)
        if self._queue and not self.closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(PIECE_EVERY, self._write_piece)
        elif self._closing:
            super().close()


class GluedConnection(Connection):
    """Gathers messages for a moment and writes them together."""

    def __init__(self, door: Door, transcript: Transcript) -> None:
        super().__init__(door, transcript)
        self._queue = b""
        self._timer: asyncio.TimerHandle | None = None

    def send(self, message: bytes) -> None:
        self._queue += message
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GLUE_FOR, self._flush)

    def close(self) -> None:
        self._flush()
        super().close()

    def _flush(self) -> None:
        self._timer = None
        queue, self._queue = self._queue, b""
        if queue:
            super().send(queue)
