"""What the referee tells the site: lines of JSON over a socket that was inherited from it.

The referee has cut everything down to what the audience may see. When its end of the socket closes
it is gone, and the site ends too.
"""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import structlog

from croupier.match.events import MatchEnded
from croupier.rules.events import HandStarted
from croupier.rules.rules import Rules
from croupier.store.codec import decode
from croupier.store.queries import State
from croupier.web.scene_shapes import TablePlayer
from croupier.web.shapes import Listener
from croupier.web.table import LiveTable

log = structlog.get_logger()

MAX_LINE = 1 << 27
"""Bytes: with a delay, a match that ends brings a hundred hands at once."""

SLICE_S = 0.01
"""How long the feed is read before spectators get their turn."""


class Listen(msgspec.Struct, tag_field="kind", tag="listen"):
    """A port is open."""

    dialect: str
    address: str
    port: int


class Recovered(msgspec.Struct):
    """A match that was recovered from its record after a crash: who is here."""

    returning: bool
    """The next hand waits for those who are not."""
    online: list[bool]


class Opened(msgspec.Struct, tag_field="kind", tag="table"):
    """A match opens, someone joins, or it starts."""

    table: str
    match: str
    rules: dict[str, Any]
    seats: int
    players: list[TablePlayer]
    resumed: Recovered | None = None


class Happened(msgspec.Struct, tag_field="kind", tag="events"):
    """Events of a match, in order."""

    table: str
    match: str
    at: float
    events: msgspec.Raw


class Skipped(msgspec.Struct, tag_field="kind", tag="skipped"):
    """Events were left out."""

    table: str
    match: str


class Closed(msgspec.Struct, tag_field="kind", tag="closed"):
    """A table is gone."""

    table: str


Message = Listen | Opened | Happened | Skipped | Closed
_decoder = msgspec.json.Decoder(Message)

FindBooks = Callable[[str, int | None], Awaitable[State | None]]
"""Looks up the books of a match after a hand, or after the last one that may be seen."""

OnOver = Callable[[str], None]
"""Is told which match is over."""


class Feed:
    """All live tables and listeners, as the referee tells of them."""

    def __init__(self, find_books: FindBooks, on_over: OnOver) -> None:
        self.tables: dict[str, LiveTable] = {}
        self.listeners: list[Listener] = []
        self._find_books = find_books
        self._on_over = on_over

    async def follow(self, connection: socket.socket) -> None:
        """Take in everything that is told until the referee is gone."""
        reader, writer = await asyncio.open_unix_connection(sock=connection, limit=MAX_LINE)
        try:
            pause = time.monotonic() + SLICE_S
            while line := await reader.readline():
                await self.take(line)
                # A line that is there already is read without giving way to anyone.
                if time.monotonic() > pause:
                    await asyncio.sleep(0)
                    pause = time.monotonic() + SLICE_S
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def take(self, line: bytes) -> None:
        """Take in one line."""
        match _decoder.decode(line):
            case Listen(dialect, address, port):
                self.listeners.append(Listener(dialect, address, port))
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
        rules = Rules().with_fields(told.rules)
        resumed = told.resumed
        if resumed is None or table.stage.match_id == told.match:
            table.open(told.match, rules, told.seats, told.players)
            return
        books = await self._find_books(told.match, None)
        online, returning = resumed.online, resumed.returning
        table.resume(told.match, rules, told.players, books, online, returning=returning)

    def _at(self, name: str, match: str, act: Callable[[LiveTable], None]) -> None:
        table = self.tables.get(name)
        if table is not None and table.stage.match_id == match:
            act(table)

    async def _happened(self, told: Happened) -> None:
        table = self.tables.get(told.table)
        if table is None or table.stage.match_id != told.match:
            log.warning("events of a match that is not open", table=told.table, match=told.match)
            return
        for event in decode(bytes(told.events)):
            books = None
            if isinstance(event, HandStarted) and table.has_missed(event):
                books = await self._find_books(told.match, event.hand - 1)
            table.saw(event, told.at, books)
            if isinstance(event, MatchEnded):
                self._on_over(told.match)
