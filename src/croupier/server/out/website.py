"""The website of a house: its process, which is started again after a crash, and the feed to it."""

import asyncio

import structlog

from croupier.server.out.feed import Feed
from croupier.server.out.site_process import WebChild, WebPlan

log = structlog.get_logger()

PAUSE_S = 2.0
"""Seconds before a website that has crashed is started again."""


class Website:
    """Keeps the website's process running until it is closed."""

    def __init__(self, plan: WebPlan, loop: asyncio.AbstractEventLoop) -> None:
        self.feed = Feed(loop)
        self._plan = plan
        self._loop = loop
        self._child: WebChild | None = None
        self._closing = False
        self._starter: asyncio.Task[None] | None = None
        """Kept, since a task that nobody refers to may vanish."""

    async def open(self) -> None:
        """Start the process."""
        self._child = WebChild(self._plan)
        await self.feed.open(self._child.feed, self._gone)

    def _gone(self) -> None:
        if not self._closing:
            self._starter = self._loop.create_task(self._open_again())

    async def _open_again(self) -> None:
        """Start a website that has crashed: people at the tables come back to their seats."""
        assert self._child is not None
        if not await asyncio.to_thread(lambda child: child.crashed, self._child):
            return
        log.error("the website has ended", starts_again_in=PAUSE_S)
        await asyncio.sleep(PAUSE_S)
        if not self._closing:
            await self.open()

    def close(self) -> None:
        """End the process."""
        self._closing = True
        self.feed.close()
        if self._child is not None:
            self._child.end()
