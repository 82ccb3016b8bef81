"""How late the event loop itself is, so that no player is charged for it."""

import asyncio
from typing import Final

PERIOD: Final = 0.005
TOLERATED: Final = 0.020
"""Seconds; less is noise, more is the server's fault and must not time a player out."""


class LagMonitor:
    """Adds up by how much the loop was late, while the time of any player runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._total = 0.0
        self._until = 0.0
        self._expected = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, until: float) -> None:
        """Measure the loop up to a time; an idle server has no timer."""
        if until > self._until:
            self._until = until
        if self._timer is None:
            self._schedule(self._loop.time())

    def _schedule(self, now: float) -> None:
        self._expected = now + PERIOD
        self._timer = self._loop.call_at(self._expected, self._tick)

    def _tick(self) -> None:
        now = self._loop.time()
        self._total += self._late(now)
        self._timer = None
        if now < self._until:
            self._schedule(now)

    def _late(self, now: float) -> float:
        late = now - self._expected
        return late if late > TOLERATED else 0.0

    def total(self, now: float) -> float:
        """Return the total lateness so far, including that of the overdue tick."""
        return self._total if self._timer is None else self._total + self._late(now)

    def close(self) -> None:
        """Stop watching."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
