"""Raises by one chip."""

from player import Player


class RaisesTooLittle(Player):
    def answer(self) -> None:
        self.connection.sendall(b"raise 1 \n")


RaisesTooLittle().run()
