"""The turn as seen by a program that is being checked.

The server treats a second answer as the answer to the next question if that has been asked in the
meantime, so whether it is illegal is a matter of timing. What the program had received when it
answered tells the two cases apart.
"""

from croupier.dialects.room import reader
from croupier.dialects.room.frames import BadFrame, FrameReader
from croupier.dialects.turns import OUT_OF_TURN, TOO_MANY, TWICE


class RoomTurns:
    """Tracks what one program was sent and what it answered."""

    def __init__(self) -> None:
        self._delivered = FrameReader()
        self._heard = FrameReader()
        self._in_hand = False
        self._asked = False
        self._others = 0
        """The number of states since the last answer that asked another player."""
        self._together = False
        """Whether the last question was sent together with such a state."""

    def delivered(self, message: bytes, together: bool) -> None:
        """Note that a message was sent, possibly `together` with those before it."""
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
        """Parse bytes from the program; return what is wrong with the answers among them."""
        notes = []
        for frame in self._heard.receive(data):
            if isinstance(frame, BadFrame) or "action" not in frame:
                continue
            if reader.is_start(frame) or reader.is_exit(frame):
                continue
            if self._asked:
                self._asked = False
                self._others = 0
            elif self._in_hand:  # between hands any frame may mean ready
                notes.append(OUT_OF_TURN if self._others else TOO_MANY if self._together else TWICE)
        return notes

    def asks(self, message: bytes) -> bool:
        """Tell whether a server message asks its recipient to act."""
        (frame,) = FrameReader().receive(message)
        return not isinstance(frame, BadFrame) and asks(frame)


def asks(frame: dict[str, object]) -> bool:
    """Tell whether a server frame asks its recipient to act."""
    return frame.get("info") == "state" and frame.get("action_position") == frame.get("position")
