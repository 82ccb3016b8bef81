"""Report the progress of a session to the user."""

import time
from typing import TextIO

from croupier.client.result import Result

LINE_EVERY = 0.2
"""Seconds between two updates of the hand count on a terminal."""


class Progress:
    """Receive the progress of a session; this base class ignores it."""

    def say(self, text: str) -> None:
        """Report that something has happened."""

    def hand(self, result: Result) -> None:
        """Report the end of a hand, with the result so far."""

    def clear(self) -> None:
        """Remove transient output so that other text can be written."""


class ProgressLines(Progress):
    """Write a line per report and, on a terminal, a running count of hands below them."""

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
        """Update the hand count, at most once per `LINE_EVERY` seconds."""
        now = time.monotonic()
        if not self._live or now < self._next_count:
            return
        self._next_count = now + LINE_EVERY
        self._counting = True
        self._out.write(f"\r\x1b[K{result.hands:,} hands, {result.chips_won:+,} chips")
        self._out.flush()

    def clear(self) -> None:
        """Erase the hand count."""
        if self._counting:
            self._counting = False
            self._out.write("\r\x1b[K")
            self._out.flush()
