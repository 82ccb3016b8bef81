"""Thinks for longer than it may."""

import time

from player import Player


class Slow(Player):
    def answer(self) -> None:
        time.sleep(0.8)
        super().answer()


Slow().run()
