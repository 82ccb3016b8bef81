"""Between a browser and the referee: one WebSocket, one connection over the private socket."""

import asyncio
import contextlib
import time

import structlog
from starlette.websockets import WebSocket

from croupier.store.codec import CodecError
from croupier.web.http.answers import failure
from croupier.web.live.feed_reader import FeedReader
from croupier.web.seats.seat_view import SeatView

log = structlog.get_logger()

MAX_SEATS = 1000
"""People at a time, at a table or waiting for an answer. A security limit."""

MAX_LINE = 1 << 20
"""Bytes of a message of the referee; the longest is a whole hand."""

PATIENCE_S = 10.0
"""The timeout for sending one message to a browser."""

CLOSED = '{"type":"closed"}'


class Seats:
    """All seats that people have taken on this site."""

    def __init__(self, feed: FeedReader, path: str | None) -> None:
        """`path` is the referee's socket, if there are seats for people."""
        self._feed = feed
        self._path = path
        self._count = 0

    async def sit(self, websocket: WebSocket) -> None:
        """Serve one person until either side closes the connection."""
        name = websocket.path_params["table"]
        table = self._feed.tables.get(name)
        if self._path is None or table is None or not table.humans:
            text = "there is no such table, or people cannot sit down at it"
            await websocket.send_denial_response(failure(404, text))
            return
        if self._count >= MAX_SEATS:
            await websocket.send_denial_response(failure(503, "too many people are here"))
            return
        self._count += 1
        try:
            reader, writer = await asyncio.open_unix_connection(self._path, limit=MAX_LINE)
        except OSError:
            self._count -= 1
            await websocket.send_denial_response(failure(503, "the tables cannot be reached now"))
            return
        try:
            await websocket.accept()
            tasks = [
                asyncio.create_task(_from_referee(websocket, reader, SeatView(name, table))),
                asyncio.create_task(_from_browser(websocket, writer)),
            ]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._count -= 1
            writer.close()


async def _from_browser(websocket: WebSocket, writer: asyncio.StreamWriter) -> None:
    """Pass on what the person says; the referee looks whether it makes sense."""
    while (message := await websocket.receive())["type"] != "websocket.disconnect":
        text = message.get("text")
        if text and "\n" not in text:
            writer.write(text.encode() + b"\n")
            with contextlib.suppress(ConnectionError):
                await writer.drain()


async def _from_referee(websocket: WebSocket, reader: asyncio.StreamReader, view: SeatView) -> None:
    """Show the person what the referee says to it."""
    try:
        while line := await reader.readline():
            message = view.take(line, time.time())
            async with asyncio.timeout(PATIENCE_S):
                await websocket.send_text(message.decode())
    except (TimeoutError, ConnectionError):
        return
    except (CodecError, ValueError) as error:
        log.error("a seat is out of step", reason=str(error))
    await websocket.send_text(CLOSED)
    await websocket.close()
