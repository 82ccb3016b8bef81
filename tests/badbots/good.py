"""Nothing is wrong with this one."""

from player import Player

Player().run()
