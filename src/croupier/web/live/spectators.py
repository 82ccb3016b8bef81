"""Spectators of live tables, over WebSocket.

Each gets the newest scene at the beat of his table, with all lines since his last message. A
spectator who takes too long to read is dropped; he may come back and say where he was.
"""

import asyncio
import contextlib

from starlette.websockets import WebSocket

from croupier.web.http.answers import failure
from croupier.web.http.parameters import BadParameterError, whole
from croupier.web.live.feed_reader import FeedReader
from croupier.web.live.table import LiveTable

PATIENCE_S = 10.0
"""How long a spectator may take to read one message."""

MAX_SPECTATORS = 5000
"""A security limit."""

GONE = '{"type":"closed"}'


class Spectators:
    """All spectators."""

    def __init__(self, feed: FeedReader, patience_s: float = PATIENCE_S) -> None:
        self._feed = feed
        self._patience_s = patience_s
        self._watching: dict[LiveTable, int] = {}
        self._beats: dict[LiveTable, asyncio.Task[None]] = {}

    async def watch(self, websocket: WebSocket) -> None:
        """Serve one spectator from his request to his end."""
        table = self._feed.tables.get(websocket.path_params["table"])
        try:
            after = whole(websocket.query_params, "after", None, high=1 << 53)
        except BadParameterError as error:
            await websocket.send_denial_response(failure(400, str(error)))
            return
        if table is None:
            await websocket.send_denial_response(failure(404, "there is no such table"))
            return
        if sum(self._watching.values()) >= MAX_SPECTATORS:
            await websocket.send_denial_response(failure(503, "there are too many spectators"))
            return
        await websocket.accept()
        self._enter(table)
        tasks = [
            asyncio.create_task(_send(websocket, table, after, self._patience_s)),
            asyncio.create_task(_hear(websocket)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._leave(table)

    def _enter(self, table: LiveTable) -> None:
        self._watching[table] = self._watching.get(table, 0) + 1
        if table not in self._beats:
            self._beats[table] = asyncio.create_task(table.beat())

    def _leave(self, table: LiveTable) -> None:
        self._watching[table] -= 1
        if not self._watching[table]:
            del self._watching[table]
            self._beats.pop(table).cancel()


async def _hear(websocket: WebSocket) -> None:
    """Wait until the spectator is gone; he has nothing to say."""
    while (await websocket.receive())["type"] != "websocket.disconnect":
        pass


async def _send(
    websocket: WebSocket, table: LiveTable, after: int | None, patience_s: float
) -> None:
    """Send what is new until the table is gone or the spectator too slow.

    Who is too slow would not read a farewell either: his connection is closed without one.
    """
    sent = after
    first = True
    with contextlib.suppress(TimeoutError):
        while True:
            ticks = table.ticks
            if first or sent != table.seq:
                data = table.message(sent)
                sent, first = table.seq, False
                async with asyncio.timeout(patience_s):
                    await websocket.send_text(data.decode())
            if ticks != table.ticks:
                continue  # there was a beat meanwhile
            if table.closed:
                await websocket.send_text(GONE)
                await websocket.close()
                return
            await table.next_tick()
