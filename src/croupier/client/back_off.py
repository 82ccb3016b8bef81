"""Back off between attempts to reconnect to a server, and give up after a limit."""

import asyncio

from croupier.client.result import JoinError

FIRST_WAIT = 0.1
LONGEST_WAIT = 5.0
"""Seconds between attempts, doubling.

The first attempt waits as well: a server that is shutting down may still accept a connection and
close it again, which would look like a refusal.
"""


class BackOff:
    """Exponential back-off, measured from the first failure since the server last sent anything."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._next = FIRST_WAIT

    def reset(self) -> None:
        """Start over, because the server has sent something."""
        self._since = None

    def remaining(self, limit: float) -> float:
        """Return how many of `limit` seconds remain."""
        now = asyncio.get_running_loop().time()
        return limit if self._since is None else max(0.0, self._since + limit - now)

    async def wait(self, reason: str, limit: float) -> None:
        """Wait before the next attempt; raise JoinError after `limit` seconds without success."""
        if self._since is None:
            self._since = asyncio.get_running_loop().time()
            self._next = FIRST_WAIT
        remaining = self.remaining(limit)
        if remaining <= 0:
            tried = f"could not come back within {limit:g} s: " if limit else ""
            raise JoinError(f"{tried}{reason}")
        await asyncio.sleep(min(self._next, remaining))
        self._next = min(2 * self._next, LONGEST_WAIT)
