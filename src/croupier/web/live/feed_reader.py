"""Read the referee's feed: lines of JSON over a socket inherited from the referee.

The feed contains only what the audience may see. When the referee's end of the socket closes, the
referee is gone and the site stops too.
"""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import structlog

from croupier.dialects.dialect import Transport
from croupier.dialects.registry import DIALECTS
from croupier.match.events import MatchEnded
from croupier.rules.events import HandStarted
from croupier.rules.rules import Rules
from croupier.store.codec import decode
from croupier.store.queries import State
from croupier.web.live.schemas import Bound, Listener, TablePlayer
from croupier.web.live.table import LiveTable

log = structlog.get_logger()

MAX_LINE = 1 << 27
"""The maximum line length in bytes: with a delay, the end of a match releases 100 hands at once."""

SLICE_S = 0.01
"""How long to read the feed before yielding to spectators."""


class Listen(msgspec.Struct, tag_field="kind", tag="listen"):
    """A port is open."""

    dialect: str
    address: str
    port: int
    tls: bool = False


class ResumedTable(msgspec.Struct):
    """The players' connections when a match resumes after a crash."""

    returning: bool
    """Whether the next hand waits for players to reconnect."""
    online: list[bool]


class Opened(msgspec.Struct, tag_field="kind", tag="table"):
    """A match opened or started, or a player joined."""

    table: str
    match: str
    rules: dict[str, Any]
    seats: int
    players: list[TablePlayer]
    bound: Bound = Bound()
    humans: bool = False
    resumed: ResumedTable | None = None


class Happened(msgspec.Struct, tag_field="kind", tag="events"):
    """Events of a match, in order."""

    table: str
    match: str
    at: float
    events: msgspec.Raw


class Skipped(msgspec.Struct, tag_field="kind", tag="skipped"):
    """The referee skipped events of a match."""

    table: str
    match: str


class Closed(msgspec.Struct, tag_field="kind", tag="closed"):
    """A table has closed."""

    table: str


Message = Listen | Opened | Happened | Skipped | Closed
_decoder = msgspec.json.Decoder(Message)

FindBooks = Callable[[str, int | None], Awaitable[State | None]]
"""Look up the books of a match after a hand, or after the last visible one."""

OnOver = Callable[[str], None]
"""A callback that receives the id of a match that is over."""


class FeedReader:
    """All live tables and listeners, as reported by the referee."""

    def __init__(self, find_books: FindBooks, on_over: OnOver) -> None:
        self.tables: dict[str, LiveTable] = {}
        self.listeners: list[Listener] = []
        self._find_books = find_books
        self._on_over = on_over

    async def follow(self, connection: socket.socket) -> None:
        """Process the feed until the referee is gone."""
        reader, writer = await asyncio.open_unix_connection(sock=connection, limit=MAX_LINE)
        try:
            pause = time.monotonic() + SLICE_S
            while line := await reader.readline():
                await self.process(line)
                # Reading a buffered line does not yield to the event loop.
                if time.monotonic() > pause:
                    await asyncio.sleep(0)
                    pause = time.monotonic() + SLICE_S
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def process(self, line: bytes) -> None:
        """Process one line."""
        match _decoder.decode(line):
            case Listen() as listen:
                self.listeners.append(_listener(listen))
            case Opened() as opened:
                await self._opened(opened)
            case Happened() as happened:
                await self._happened(happened)
            case Skipped(table, match):
                self._at(table, match, LiveTable.skipped)
            case Closed(table):
                if (gone := self.tables.pop(table, None)) is not None:
                    gone.close()

    async def _opened(self, told: Opened) -> None:
        table = self.tables.setdefault(told.table, LiveTable(told.table))
        table.humans, table.bound = told.humans, told.bound
        rules = Rules().with_fields(told.rules)
        resumed = told.resumed
        if resumed is None or table.public.match_id == told.match:
            table.open(told.match, rules, told.seats, told.players)
            return
        books = await self._find_books(told.match, None)
        online, returning = resumed.online, resumed.returning
        table.resume(told.match, rules, told.players, books, online, returning=returning)

    def _at(self, name: str, match: str, act: Callable[[LiveTable], None]) -> None:
        table = self.tables.get(name)
        if table is not None and table.public.match_id == match:
            act(table)

    async def _happened(self, told: Happened) -> None:
        table = self.tables.get(told.table)
        if table is None or table.public.match_id != told.match:
            log.warning("events of a match that is not open", table=told.table, match=told.match)
            return
        for event in decode(bytes(told.events)):
            books = None
            if isinstance(event, HandStarted) and table.has_missed(event):
                books = await self._find_books(told.match, event.hand - 1)
            table.see(event, told.at, books)
            if isinstance(event, MatchEnded):
                self._on_over(told.match)


_SCHEMES = {
    (Transport.TCP, False): "",
    (Transport.TCP, True): "tls",
    (Transport.WEBSOCKET, False): "ws",
    (Transport.WEBSOCKET, True): "wss",
}
"""By transport, and whether it is encrypted."""


def _listener(told: Listen) -> Listener:
    dialect = DIALECTS[told.dialect]
    scheme = _SCHEMES[dialect.transport, told.tls]
    return Listener(told.dialect, told.address, told.port, scheme, dialect.about, dialect.guide)
