"""How late the event loop itself is, so that no player pays for it."""

import asyncio

PERIOD = 0.005
TOLERATED = 0.020
"""Lateness below this is noise; above it, it is the server's fault and nobody's timeout."""


class LagMonitor:
    """Adds up by how much the loop was late."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._total = 0.0
        self._expected = loop.time() + PERIOD
        self._timer = loop.call_at(self._expected, self._tick)

    def _tick(self) -> None:
        now = self._loop.time()
        self._total += self._late(now)
        self._expected = now + PERIOD
        self._timer = self._loop.call_at(self._expected, self._tick)

    def _late(self, now: float) -> float:
        late = now - self._expected
        return late if late > TOLERATED else 0.0

    def total(self, now: float) -> float:
        """Return all lateness so far, the present one included."""
        return self._total + self._late(now)

    def close(self) -> None:
        """Stop watching."""
        self._timer.cancel()
