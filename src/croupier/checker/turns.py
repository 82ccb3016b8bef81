"""Whose turn it is in `room`, as the program sees it.

The server takes a second answer for the answer to the next question, if that has been asked
meanwhile, and calls it illegal or not as chance will have it. Here the question is held back for a
moment, so that it is known what the program had seen when it spoke.
"""

import asyncio
from collections import deque

from croupier.checker.delivery import Delivery, GluedConnection, PiecewiseConnection
from croupier.dialects.room import reader
from croupier.dialects.room.frames import BadFrame, FrameReader
from croupier.server.connection import Connection, Door
from croupier.server.transcript import Transcript

HOLD_FOR = 0.03
"""Seconds in which a surplus answer shows itself."""

TWICE = "two answers to one question"
OUT_OF_TURN = "an answer out of turn: the last state did not ask this player"
TOO_MANY = "more answers than questions"
"""Where states arrive together it cannot be told which of them was answered."""

SURPLUS = (TWICE, OUT_OF_TURN, TOO_MANY)


class Turns:
    """Follows what has been delivered to one program, and what it says to that."""

    def __init__(self) -> None:
        self._delivered = FrameReader()
        self._heard = FrameReader()
        self._in_hand = False
        self._asked = False
        self._others = 0
        """States since the last answer that asked another player."""
        self._together = False
        """The last question came together with such a state."""

    def delivered(self, message: bytes, together: bool) -> None:
        """Note that a message has left; `together` with those before it."""
        for frame in self._delivered.receive(message):
            if isinstance(frame, BadFrame):
                continue
            self._in_hand = frame.get("info") == "state"
            if asks(frame):
                self._asked = True
                self._together = together and self._others > 0
            elif self._in_hand:
                self._others += 1

    def heard(self, data: bytes) -> list[str]:
        """Take bytes of the program; return what is wrong with the answers among them."""
        notes = []
        for frame in self._heard.receive(data):
            if isinstance(frame, BadFrame) or "action" not in frame:
                continue
            if reader.is_start(frame) or reader.is_exit(frame):
                continue
            if self._asked:
                self._asked = False
                self._others = 0
            elif self._in_hand:  # between hands any frame may say that the player is ready
                notes.append(OUT_OF_TURN if self._others else TOO_MANY if self._together else TWICE)
        return notes


def asks(frame: dict[str, object]) -> bool:
    """Tell whether a frame of the server asks whoever gets it."""
    return frame.get("info") == "state" and frame.get("action_position") == frame.get("position")


class _Watched(Delivery):
    """Notes in the transcript when the program speaks out of turn."""

    together = False
    """Messages arrive several at once."""

    def __init__(self, door: Door, transcript: Transcript) -> None:
        super().__init__(door, transcript)
        self._turns = Turns()

    def delivered(self, message: bytes) -> None:
        self._turns.delivered(message, self.together)

    def data_received(self, data: bytes) -> None:
        if self.closed:
            return
        self.transcript.add(">", data)
        for note in self._turns.heard(data):
            self.transcript.add("#", note)
        self.owner.received(self, data)


class PiecewiseRoomConnection(_Watched, PiecewiseConnection):
    """Delivers messages in pieces."""


class GluedRoomConnection(_Watched, GluedConnection):
    """Delivers messages several at once."""

    together = True


class HeldRoomConnection(_Watched):
    """Holds messages back for a moment, and a question once more after what precedes it."""

    def __init__(self, door: Door, transcript: Transcript) -> None:
        super().__init__(door, transcript)
        self._queue: deque[bytes] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def send(self, message: bytes) -> None:
        self._queue.append(message)
        self._arm()

    def close(self) -> None:
        while self._queue:
            self._write()
        super().close()

    def _arm(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HOLD_FOR, self._flush)

    def _flush(self) -> None:
        self._timer = None
        written = 0
        while self._queue:
            if written and _is_question(self._queue[0]):
                self._arm()
                return
            self._write()
            written += 1

    def _write(self) -> None:
        message = self._queue.popleft()
        Connection.send(self, message)
        self.delivered(message)


def _is_question(message: bytes) -> bool:
    (frame,) = FrameReader().receive(message)
    return not isinstance(frame, BadFrame) and asks(frame)
