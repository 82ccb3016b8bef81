"""Talks without ever listening."""

import time

from player import Player


class NeverReads(Player):
    def run(self) -> None:
        while True:
            self.answer()
            time.sleep(0.001)


NeverReads().run()
