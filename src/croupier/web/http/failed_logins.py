"""Limit how failed logins are written to the audit log: promptly, counted, and in few rows.

A flood of guesses must neither fill the store nor keep its writer busy. The first failure from an
address is written immediately; further ones within a minute become one more row with their count.
Addresses beyond the first few of a minute are counted together.
"""

import time
from collections import Counter
from collections.abc import Callable

WINDOW_S = 60.0
MAX_ADDRESSES = 10
"""The number of addresses with their own rows in a window. A security limit."""

OTHERS = "other addresses"
REFUSED = "refused"

Row = tuple[str, str]
"""The address and the outcome."""


class FailedLogins:
    """Count failed logins; the caller writes the rows that the methods return."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = 0.0
        self._seen: set[str] = set()
        """The addresses that have their own row in this window."""
        self._more: Counter[str] = Counter()
        """The number of failures not written yet, by address."""

    @property
    def remaining_s(self) -> float:
        """The time until the window ends."""
        return max(0.0, self._ends - self._clock())

    def record(self, address: str) -> list[Row]:
        """Count a failure; return the rows to write now."""
        rows = self.flush() if not self.remaining_s else []
        if not self._seen:
            self._ends = self._clock() + WINDOW_S
        who = address if address in self._seen or len(self._seen) < MAX_ADDRESSES else OTHERS
        if who in self._seen:
            self._more[who] += 1
            return rows
        self._seen.add(who)
        return [*rows, (who, REFUSED)]

    def flush(self) -> list[Row]:
        """Return the rows for unwritten failures and end the window."""
        rows = [(who, f"{REFUSED}, {count} more times") for who, count in self._more.items()]
        self._more.clear()
        self._seen.clear()
        return rows
