"""Raises by one chip, but not before its fourth question."""

from player import Player


class ErrsLater(Player):
    def answer(self) -> None:
        if self.asked < 4:
            super().answer()
        else:
            self.connection.sendall(b"raise 1 \n")


ErrsLater().run()
