"""Does not notice that the game is over."""

import time

from player import Player

Player().run()
time.sleep(600)
