"""Serve spectators of live tables over WebSocket.

At each tick of its table, a spectator gets the newest scene with all lines since its last message.
One that reads too slowly is dropped; it may reconnect and continue after the last line it knows.
"""

import asyncio
from collections.abc import Sequence

import structlog
from starlette.websockets import WebSocket

from croupier.server.table.limits import Quota
from croupier.web.http.answers import failure
from croupier.web.http.origin import visitor_of
from croupier.web.http.parameters import BadParameterError, whole_number
from croupier.web.live.feed_reader import FeedReader
from croupier.web.live.table import LiveTable

log = structlog.get_logger()

PATIENCE_S = 10.0
"""The timeout for sending one message to a spectator."""

MAX_SPECTATORS = 5000
"""A security limit."""

MAX_SPECTATORS_PER_ADDRESS = 1000
"""A hall full of people may share an address. A security limit."""

CLOSED = '{"type":"closed"}'


class Spectators:
    """All spectators of the site."""

    def __init__(
        self, feed: FeedReader, patience_s: float = PATIENCE_S, proxies: Sequence[str] = ()
    ) -> None:
        self._feed = feed
        self._proxies = proxies
        self._quota = Quota(MAX_SPECTATORS, MAX_SPECTATORS_PER_ADDRESS)
        self._patience_s = patience_s
        self._watching: dict[LiveTable, int] = {}
        self._tick_tasks: dict[LiveTable, asyncio.Task[None]] = {}

    async def watch(self, websocket: WebSocket) -> None:
        """Serve one spectator until it disconnects, is dropped or its table closes."""
        table = self._feed.tables.get(websocket.path_params["table"])
        try:
            after = whole_number(websocket.query_params, "after", None, high=1 << 53)
        except BadParameterError as error:
            await websocket.send_denial_response(failure(400, str(error)))
            return
        if table is None:
            await websocket.send_denial_response(failure(404, "there is no such table"))
            return
        address = visitor_of(websocket, self._proxies)
        refusal = self._quota.refusal(address, "spectators")
        if refusal:
            await websocket.send_denial_response(failure(503, refusal))
            return
        self._quota.add(websocket, address)
        try:
            await websocket.accept()
            await self._serve(websocket, table, after)
        finally:
            self._quota.discard(websocket)

    async def _serve(self, websocket: WebSocket, table: LiveTable, after: int | None) -> None:
        self._enter(table)
        tasks = [
            asyncio.create_task(_send(websocket, table, after, self._patience_s)),
            asyncio.create_task(_wait_for_disconnect(websocket)),
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
        if table not in self._tick_tasks:
            self._tick_tasks[table] = asyncio.create_task(table.run_ticks())

    def _leave(self, table: LiveTable) -> None:
        self._watching[table] -= 1
        if not self._watching[table]:
            del self._watching[table]
            self._tick_tasks.pop(table).cancel()


async def _wait_for_disconnect(websocket: WebSocket) -> None:
    """Wait for the spectator to disconnect; ignore what it sends."""
    while (await websocket.receive())["type"] != "websocket.disconnect":
        pass


async def _send(
    websocket: WebSocket, table: LiveTable, after: int | None, patience_s: float
) -> None:
    """Send what is new until the table closes or the spectator is too slow.

    A spectator that is too slow would not read a closing message either, so it gets none.
    """
    sent = after
    first = True
    try:
        while True:
            ticks = table.ticks
            if first or sent != table.seq:
                data = table.message(sent)
                sent, first = table.seq, False
                async with asyncio.timeout(patience_s):
                    await websocket.send_text(data.decode())
            if ticks != table.ticks:
                continue  # there was a tick in the meantime
            if table.closed:
                await websocket.send_text(CLOSED)
                await websocket.close()
                return
            await table.next_tick()
    except TimeoutError:
        client = websocket.client
        log.info(
            "cut off",
            address=client.host if client is not None else "",
            reason=f"a spectator has not read for {patience_s:g} s",
        )
