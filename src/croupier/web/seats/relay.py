"""Between a browser and the referee: one WebSocket, one connection over the private socket."""

import asyncio
import contextlib
import time
from collections.abc import Sequence

import msgspec
import structlog
from starlette.websockets import WebSocket

from croupier.server.table.limits import Quota
from croupier.store.codec import CodecError
from croupier.web.http.answers import failure
from croupier.web.http.origin import visitor_of
from croupier.web.live.feed_reader import FeedReader
from croupier.web.seats.seat_view import SeatView

log = structlog.get_logger()

MAX_SEATS = 1000
"""People at a time, at a table or waiting for an answer. A security limit."""

MAX_SEATS_PER_ADDRESS = 50
"""People of one address, such as a school's. A security limit."""

MAX_LINE = 1 << 20
"""Bytes of a message of the referee; the longest is a whole hand."""

PATIENCE_S = 10.0
"""The timeout for sending one message to a browser."""

CLOSED = '{"type":"closed"}'


class _Said(msgspec.Struct):
    """A message of a browser, of which only the kind matters here."""

    type: str = ""


_decode_said = msgspec.json.Decoder(_Said).decode


class Seats:
    """All seats that people have taken on this site."""

    def __init__(self, feed: FeedReader, path: str | None, proxies: Sequence[str]) -> None:
        """`path` is the referee's socket, if there are seats for people."""
        self._feed = feed
        self._path = path
        self._proxies = proxies
        self._quota = Quota(MAX_SEATS, MAX_SEATS_PER_ADDRESS)

    async def sit(self, websocket: WebSocket) -> None:
        """Serve one person until either side closes the connection."""
        name = websocket.path_params["table"]
        table = self._feed.tables.get(name)
        if self._path is None or table is None or not table.humans:
            text = "there is no such table, or people cannot sit down at it"
            await websocket.send_denial_response(failure(404, text))
            return
        address = visitor_of(websocket, self._proxies)
        refusal = self._quota.refusal(address, "seats")
        if refusal:
            await websocket.send_denial_response(failure(503, refusal))
            return
        self._quota.add(websocket, address)
        try:
            reader, writer = await asyncio.open_unix_connection(self._path, limit=MAX_LINE)
        except OSError:
            self._quota.discard(websocket)
            await websocket.send_denial_response(failure(503, "the tables cannot be reached now"))
            return
        try:
            await websocket.accept()
            view = SeatView(name, table)
            tasks = [
                asyncio.create_task(_from_referee(websocket, reader, view)),
                asyncio.create_task(_from_browser(websocket, writer, view)),
            ]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._quota.discard(websocket)
            writer.close()


async def _from_browser(websocket: WebSocket, writer: asyncio.StreamWriter, view: SeatView) -> None:
    """Pass on what the person says; the referee looks whether it makes sense."""
    while (message := await websocket.receive())["type"] != "websocket.disconnect":
        text = message.get("text")
        if text and "\n" not in text:
            view.dismissed = view.dismissed or _is_leave(text)
            writer.write(text.encode() + b"\n")
            with contextlib.suppress(ConnectionError):
                await writer.drain()


def _is_leave(text: str) -> bool:
    try:
        return _decode_said(text).type == "leave"
    except msgspec.DecodeError:
        return False


async def _from_referee(websocket: WebSocket, reader: asyncio.StreamReader, view: SeatView) -> None:
    """Show the person what the referee says to it.

    A connection that ends without a reason is one that broke: the seat is kept, and the page comes
    back to it.
    """
    try:
        while line := await reader.readline():
            message = view.take(line, time.time())
            async with asyncio.timeout(PATIENCE_S):
                await websocket.send_text(message.decode())
    except (TimeoutError, ConnectionError):
        return
    except (CodecError, ValueError) as error:
        log.error("a seat is out of step", reason=str(error))
    if view.over or view.dismissed:
        await websocket.send_text(CLOSED)
    await websocket.close()
