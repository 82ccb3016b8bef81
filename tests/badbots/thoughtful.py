"""Takes its time, though not too much, and says check where nobody has bet since the deal.

Nothing is wrong with it. But its answers would be wrong for any question but their own.
"""

import time

from player import Player


class Thoughtful(Player):
    def answer(self) -> None:
        time.sleep(0.2)
        self.connection.sendall(b"call \n" if b"hold/" in self.before else b"check \n")


Thoughtful().run()
