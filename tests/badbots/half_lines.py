"""Sends the beginning of an answer and leaves it at that."""

from player import Player


class HalfLines(Player):
    def answer(self) -> None:
        self.connection.sendall(b"cal")


HalfLines().run()
