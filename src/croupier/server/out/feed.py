"""The feed of the website: the events that the audience may see, as lines of JSON.

Events are batched, so that the cost to the server hardly depends on the number of spectators. If a
table is faster than anyone can watch, or the website does not keep up, whole hands are skipped, and
the line before the next one says so.
"""

import asyncio
import socket
import time
from collections.abc import Callable
from typing import Any

import msgspec

from croupier.match.audience import Audience
from croupier.match.events import Joined, MatchStarted
from croupier.match.match import RETURNING, SEATING
from croupier.rules.events import HAND_EVENTS, Event, HandStarted
from croupier.server.table.game import Game
from croupier.store.codec import encode

GATHER = 0.1
"""Seconds for which events are batched."""

MAX_EVENTS = 400
"""Events of one table in a batch; if there are more, only the last hand is told."""

MAX_UNREAD = 1 << 20
"""Bytes that the website may leave unread before hands are skipped."""

_json = msgspec.json.Encoder().encode


class _Reader(asyncio.Protocol):
    """The website's end of the stream; it says nothing, and may be gone."""

    def __init__(self, on_lost: Callable[[], None]) -> None:
        self._on_lost = on_lost

    def connection_lost(self, exc: Exception | None) -> None:
        self._on_lost()


class Feed:
    """One stream of lines for all tables of a house."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._tables: dict[str, TableFeed] = {}
        self._changed: dict[TableFeed, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._listening: list[bytes] = []

    async def open(
        self, connection: socket.socket, on_lost: Callable[[], None] = lambda: None
    ) -> None:
        """Write to this socket from now on, beginning with all that is open already."""
        connection.setblocking(False)
        self._transport, _ = await self._loop.create_connection(
            lambda: _Reader(on_lost), sock=connection
        )
        for line in self._listening:
            self._write(line)
        for table in self._tables.values():
            table.begin_again()
            self.changed(table)

    def close(self) -> None:
        """Flush what is left and end the stream."""
        self._flush()
        if self._transport is not None:
            self._transport.close()

    def listening(self, dialect: str, address: str, port: int, tls: bool) -> None:
        """Tell the website where players can connect."""
        told = {"kind": "listen", "dialect": dialect, "address": address, "port": port, "tls": tls}
        self._listening.append(_json(told))
        self._write(self._listening[-1])

    def attach(self, game: Game) -> None:
        """Report a game from now on, in place of an earlier game of the same name."""
        table = TableFeed(self, game)
        self._tables[game.name] = table
        game.table.feed = table.tell
        self.changed(table)

    def detach(self, game: Game) -> None:
        """Report that a table is closed, unless another game has its name now."""
        self._flush()
        table = self._tables.get(game.name)
        if table is not None and table.game is game:
            del self._tables[game.name]
            self._write(_json({"kind": "closed", "table": game.name}))

    def changed(self, table: "TableFeed") -> None:
        """Schedule a flush: a table has something to report."""
        if self._tables.get(table.game.name) is not table:
            return
        self._changed[table] = None
        if self._timer is None:
            self._timer = self._loop.call_later(GATHER, self._flush)

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        changed, self._changed = self._changed, {}
        transport = self._transport
        if transport is None:
            return
        for table in changed:
            if transport.get_write_buffer_size() > MAX_UNREAD:
                table.skip_hands()
            for line in table.lines():
                self._write(line)

    def _write(self, line: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(line + b"\n")


class TableFeed:
    """What is to be reported of one game."""

    def __init__(self, feed: Feed, game: Game) -> None:
        self.game = game
        self._feed = feed
        self._audience = Audience(game.policy)
        self._resumed = _resumed(game)
        self._described = False
        self._waiting: list[Event] = []
        self._skipped = False

    def tell(self, event: Event) -> None:
        """Queue what the audience may see after an event of the table."""
        kind = type(event)
        if kind is Joined or kind is MatchStarted:
            self._described = False
        if kind is not Joined:
            self._waiting += self._audience.release(event)
        self._feed.changed(self)

    def begin_again(self) -> None:
        """Tell a website that knows nothing yet; the present hand is not told from its middle."""
        self._resumed = _resumed(self.game)
        self._described = False
        self._waiting = []
        self._skipped = self._resumed is not None

    def skip_hands(self) -> None:
        """Drop the hands in the queue, except for the last one if its start is there."""
        events = self._waiting
        starts = [place for place, event in enumerate(events) if type(event) is HandStarted]
        last = starts[-1] if starts else len(events)
        self._waiting = [e for e in events[:last] if type(e) not in HAND_EVENTS] + events[last:]
        self._skipped = True

    def lines(self) -> list[bytes]:
        """Return the lines that are due."""
        head = {"table": self.game.name, "match": self.game.table.id}
        lines = []
        if not self._described:
            self._described = True
            lines.append(_json(self._description()))
        if len(self._waiting) > MAX_EVENTS:
            self.skip_hands()
        if self._skipped:
            self._skipped = False
            lines.append(_json({"kind": "skipped", **head}))
        if self._waiting:
            events = msgspec.Raw(encode(self._waiting))
            self._waiting = []
            lines.append(_json({"kind": "events", **head, "at": time.time(), "events": events}))
        return lines

    def _description(self) -> dict[str, Any]:
        game = self.game
        return {
            "kind": "table",
            "table": game.name,
            "match": game.table.id,
            "rules": game.table.match.rules.as_dict(),
            "seats": game.table.match.size,
            "began": game.began,
            "bound": {
                "commitment": game.commitment,
                "opening": game.opening.number,
                "announced": game.opening.announced,
                "beacon": game.chance.beacon,
                "secret": game.secret,
            },
            "humans": game.humans,
            "players": [
                {"name": game.seating.names[player], "dialect": place.dialect}
                for player, place in enumerate(game.seating.places)
            ],
            "resumed": self._resumed,
        }


def _resumed(game: Game) -> dict[str, Any] | None:
    """Return what no event will report of a match resumed after a crash; None for a new one.

    It is a snapshot from when the feed begins, to which the events from then on apply. The chips
    are in the store, where the site reads as much of them as may be seen. With a delay, the
    audience may not know yet who is connected now.
    """
    match, policy = game.table.match, game.policy
    if match.phase == SEATING:
        return None
    online = [True if policy.delay else player.online for player in match.players]
    return {"returning": match.phase == RETURNING and not policy.delay, "online": online}
