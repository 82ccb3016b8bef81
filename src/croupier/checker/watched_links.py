"""Links that notice when a program answers without having been asked.

In dialects that can tell (`Dialect.turns`), a question is held back for a moment, so that the
checker knows what the program had received when it spoke.
"""

import asyncio
from collections import deque

from croupier.checker.delivery import Delivery, GluedLink, PiecewiseLink
from croupier.dialects.session import Farewell
from croupier.server.net.door import TcpDoor
from croupier.server.net.tcp import TcpLink
from croupier.server.net.transcript import Transcript

HOLD_FOR = 0.03
"""Seconds to wait for a surplus answer before the next question is sent."""


class WatchedLink(Delivery):
    """Note in the transcript when the program speaks out of turn."""

    together = False
    """Whether several messages are delivered at once."""

    def __init__(self, door: TcpDoor, transcript: Transcript) -> None:
        super().__init__(door, transcript)
        assert door.dialect.turns is not None
        self._turns = door.dialect.turns()

    def delivered(self, message: bytes) -> None:
        self._turns.delivered(message, self.together)

    def data_received(self, data: bytes) -> None:
        if not self.closed and self._client is not None:
            self._client.note_input(data)
            for note in self._turns.heard(data):
                self.transcript.add("#", note)
            self._client.take(data)


class WatchedPiecewiseLink(WatchedLink, PiecewiseLink):
    """Deliver messages in pieces."""


class WatchedGluedLink(WatchedLink, GluedLink):
    """Deliver several messages at once."""

    together = True


class WatchedHeldLink(WatchedLink):
    """Hold messages back for a moment, and a question once more after the messages before it."""

    def __init__(self, door: TcpDoor, transcript: Transcript) -> None:
        super().__init__(door, transcript)
        self._queue: deque[bytes] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def send(self, message: bytes) -> None:
        self._queue.append(message)
        self._arm()

    def close(self, farewell: Farewell | None = None) -> None:
        while self._queue:
            self._release()
        super().close(farewell)

    def _arm(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HOLD_FOR, self._flush)

    def _flush(self) -> None:
        self._timer = None
        written = 0
        while self._queue:
            if written and self._turns.asks(self._queue[0]):
                self._arm()
                return
            self._release()
            written += 1

    def _release(self) -> None:
        message = self._queue.popleft()
        TcpLink.send(self, message)
        self.delivered(message)
