"""What is seen of a session while it lasts."""

import time
from typing import TextIO

from croupier.client.result import Result

LINE_EVERY = 0.2
"""Seconds between two counts of the hands on a terminal."""


class Progress:
    """Hears how a session gets on; this one keeps it to itself."""

    def say(self, text: str) -> None:
        """Take note of something that has happened."""

    def hand(self, result: Result) -> None:
        """Take note that a hand is over, and of what was won so far."""

    def clear(self) -> None:
        """Make room for somebody else's words."""


class ProgressLines(Progress):
    """Writes a line for everything that happens, and on a terminal counts the hands below it."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._live = out.isatty()
        self._counting = False
        self._next_count = 0.0

    def say(self, text: str) -> None:
        """Write a line."""
        self.clear()
        self._out.write(f"{text}\n")
        self._out.flush()

    def hand(self, result: Result) -> None:
        """Write anew how many hands were played, now and then."""
        now = time.monotonic()
        if not self._live or now < self._next_count:
            return
        self._next_count = now + LINE_EVERY
        self._counting = True
        self._out.write(f"\r\x1b[K{result.hands:,} hands, {result.chips_won:+,} chips")
        self._out.flush()

    def clear(self) -> None:
        """Remove the count, so that something else can be written there."""
        if self._counting:
            self._counting = False
            self._out.write("\r\x1b[K")
            self._out.flush()
