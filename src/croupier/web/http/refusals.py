"""Failed logins as they are written down: soon, with their number, and never more than a few rows.

A flood of guesses must neither fill the store nor keep its writer busy, so the first failure of an
address is written at once and what follows from there within a minute is one more row, which says
how many there were. Addresses beyond the first few of a minute are counted together.
"""

import time
from collections import Counter
from collections.abc import Callable

WINDOW_S = 60.0
MAX_ADDRESSES = 10
"""That have rows of their own within the window. A security limit."""

OTHERS = "other addresses"
REFUSED = "refused"

Row = tuple[str, str]
"""Who it was, and what came of it."""


class Refusals:
    """Counts failures; a row that it returns is to be written."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = 0.0
        self._seen: set[str] = set()
        """Who has a row of his own in this window."""
        self._more: Counter[str] = Counter()
        """What is not written yet, by address."""

    @property
    def due_s(self) -> float:
        """How long it is until the window ends."""
        return max(0.0, self._ends - self._clock())

    def note(self, address: str) -> list[Row]:
        """Take in a failure; return what is to be written now."""
        rows = self.rest() if not self.due_s else []
        if not self._seen:
            self._ends = self._clock() + WINDOW_S
        who = address if address in self._seen or len(self._seen) < MAX_ADDRESSES else OTHERS
        if who in self._seen:
            self._more[who] += 1
            return rows
        self._seen.add(who)
        return [*rows, (who, REFUSED)]

    def rest(self) -> list[Row]:
        """Return what was counted and not written, and begin anew."""
        rows = [(who, f"{REFUSED}, {count} more times") for who, count in self._more.items()]
        self._more.clear()
        self._seen.clear()
        return rows
