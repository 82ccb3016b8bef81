"""The time between attempts to come back to a server, and when it is enough."""

import asyncio

from croupier.client.result import JoinError

FIRST_WAIT = 0.1
LONGEST_WAIT = 5.0
"""Seconds between attempts, doubling.

None is made at once: a server that is being ended may accept it with its last breath, and to be let
in and thrown out again looks like a refusal.
"""


class BackOff:
    """Counts from the moment at which the server was last heard."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._next = FIRST_WAIT

    def reset(self) -> None:
        """Begin anew: the server has said something."""
        self._since = None

    def left(self, limit: float) -> float:
        """Return how many of so many seconds are left."""
        now = asyncio.get_running_loop().time()
        return limit if self._since is None else max(0.0, self._since + limit - now)

    async def wait(self, reason: str, limit: float) -> None:
        """Wait before the next attempt; give up after so many seconds without success."""
        if self._since is None:
            self._since = asyncio.get_running_loop().time()
            self._next = FIRST_WAIT
        left = self.left(limit)
        if left <= 0:
            tried = f"could not come back within {limit:g} s: " if limit else ""
            raise JoinError(f"{tried}{reason}")
        await asyncio.sleep(min(self._next, left))
        self._next = min(2 * self._next, LONGEST_WAIT)
