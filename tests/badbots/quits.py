"""Goes away in the middle of a hand."""

import sys

from player import Player


class Quits(Player):
    def answer(self) -> None:
        if self.asked == 2:
            sys.exit()
        super().answer()


Quits().run()
