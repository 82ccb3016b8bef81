"""Answers with something that is no action."""

from player import Player


class Garbage(Player):
    def answer(self) -> None:
        self.connection.sendall(b"\xff\x00 bluff! \n")


Garbage().run()
