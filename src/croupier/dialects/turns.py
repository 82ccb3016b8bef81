"""Answers that nobody asked for, told apart by what a program had seen when it spoke."""

from typing import Protocol

TWICE = "two answers to one question"
OUT_OF_TURN = "an answer out of turn: the last state did not ask this player"
TOO_MANY = "more answers than questions"
"""Where messages arrive together it cannot be told which of them was answered."""

SURPLUS = (TWICE, OUT_OF_TURN, TOO_MANY)


class Turns(Protocol):
    """Follows one program: what was delivered to it, and what it says to that."""

    def delivered(self, message: bytes, together: bool) -> None:
        """Note that a message has left; `together` with those before it."""

    def heard(self, data: bytes) -> list[str]:
        """Take bytes of the program; return what is wrong with the answers among them."""

    def asks(self, message: bytes) -> bool:
        """Tell whether a message of the server asks whoever gets it."""
