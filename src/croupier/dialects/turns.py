"""Classification of surplus answers by what a program had received when it sent them."""

from typing import Protocol

TWICE = "two answers to one question"
OUT_OF_TURN = "an answer out of turn: the last state did not ask this player"
TOO_MANY = "more answers than questions"
"""Used when messages arrived together, so that it is unknown which of them was answered."""

SURPLUS = (TWICE, OUT_OF_TURN, TOO_MANY)


class Turns(Protocol):
    """Tracks what one program was sent and what it answered."""

    def delivered(self, message: bytes, together: bool) -> None:
        """Note that a message was sent, possibly `together` with those before it."""

    def heard(self, data: bytes) -> list[str]:
        """Parse bytes from the program; return what is wrong with the answers among them."""

    def asks(self, message: bytes) -> bool:
        """Tell whether a server message asks its recipient to act."""
