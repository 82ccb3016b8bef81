"""The connected clients of a house, until the last of them is gone."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator

from croupier.server.net.client import Client


class Clients:
    """Tracks clients while they are connected, and lets them leave when a house closes."""

    def __init__(self) -> None:
        self._connected: set[Client] = set()
        self._all_lost = asyncio.Event()
        self._drain_cancelled = False

    def __len__(self) -> int:
        return len(self._connected)

    def __iter__(self) -> Iterator[Client]:
        return iter(self._connected)

    def track(self, client: Client, on_lost: Callable[[], None] = lambda: None) -> None:
        """Track a client until its connection is lost; then call `on_lost`."""

        def lost() -> None:
            self._connected.discard(client)
            on_lost()
            if not self._connected:
                self._all_lost.set()

        self._connected.add(client)
        client.on_lost = lost

    def stop_draining(self) -> None:
        """Close all connections without draining them, or cut a running drain short."""
        self._drain_cancelled = True
        self._all_lost.set()

    async def drain(self, seconds: float) -> None:
        """Wait a limited time for players to close their connections, then close the rest."""
        if self._connected and not self._drain_cancelled:
            self._all_lost.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_lost.wait(), seconds)
        for client in list(self._connected):
            client.close()
        await asyncio.sleep(0)
