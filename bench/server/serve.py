"""The server of the benchmark: many tables in one process, made of what `croupier host` uses.

One door leads every newcomer to the table that his pid names, and all tables share one store. With
`timed` every connection notes when a message came in and when the question it caused went out.
`gap_ms` is the listener's.
"""

import asyncio
import logging
import sys
from dataclasses import replace
from functools import partial
from time import monotonic, process_time, time
from typing import Any

import structlog
import uvloop

from bench.server.child import listen_to_parent, say, settings
from bench.server.players import FIRST_PID
from croupier.dialects.base import Outgoing
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.match.chance import SeededChance
from croupier.match.events import TurnExtended
from croupier.match.match import Match
from croupier.match.view import MatchView
from croupier.rules.events import Event
from croupier.rules.sets import HUAWEI
from croupier.server.huawei import HuaweiClient, HuaweiDoor, HuaweiOptions
from croupier.server.lag import LagMonitor
from croupier.server.lobby import Newcomer, Refusal
from croupier.server.memory import collect_seldom
from croupier.server.pacing import PacedConnection
from croupier.server.seating import Place
from croupier.server.table import Table
from croupier.store.log import Writer
from croupier.store.schema import open_store

RULES = replace(
    HUAWEI, stack=100_000, reserve=0, hands=0, max_timeouts=0, registration_s=60, decision_ms=500
)
"""So many chips that no match ends, in stacks as long on the wire as the usual ones."""

SEED = bytes(range(32))


class Watcher:
    """Hears all events of a table and counts how often the server gave a player more time."""

    def __init__(self) -> None:
        self.extended = 0

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Say nothing."""
        self.extended += type(event) is TurnExtended
        return ()

    def resumed(self, view: MatchView) -> None:
        """Nothing is ever resumed here."""


class Floor:
    """The tables; newcomers go where their pid says."""

    def __init__(self, tables: int, seats: int, store: str, lag: LagMonitor, timed: bool) -> None:
        loop = asyncio.get_running_loop()
        self._seats = seats
        self.hands = 0
        self.writer: Writer | None = None
        if store:
            self.writer = Writer(open_store(store), loop.call_soon_threadsafe)
        self.games: list[tuple[Table, dict[int, str], dict[int, Listener]]] = []
        self.matches: list[Match] = []
        self.watcher = Watcher()
        for number in range(tables):
            chance = SeededChance(number.to_bytes(2, "big") + SEED[2:])
            match = Match(RULES, seats, chance, loop.time())
            table = Table(
                match,
                f"table-{number}",
                f"table-{number}",
                {seat: str(seat) for seat in range(seats)},
                loop,
                lag,
                writer=self.writer,
                wall_clock=time,
                on_hand=self._count_hand,
            )
            pids: dict[int, str] = {}
            listeners: dict[int, Listener] = {}
            table.speakers.append(HuaweiSpeaker(pids, listeners))
            if timed:
                table.speakers.append(self.watcher)
            self.games.append((table, pids, listeners))
            self.matches.append(match)

    def _count_hand(self, table: Table) -> None:
        self.hands += 1

    def admit(self, client: Newcomer, place: Place) -> Table | Refusal:
        """Seat a newcomer."""
        pid = place.pid or ""
        table, pids, listeners = self.games[(int(pid) - FIRST_PID) // self._seats]
        player = len(pids)
        pids[player] = pid
        listeners[player] = client.listener
        client.table = table
        table.join(place.name, client)
        return table

    def report(self) -> dict[str, Any]:
        """Return what has happened so far."""
        return {
            "cpu": process_time(),
            "hands": self.hands,
            "started": sum(match.number > 0 for match in self.matches),
            "faults": sum(entrant.faults for match in self.matches for entrant in match.players),
            "extended": self.watcher.extended,
            "timeouts": {
                entrant.name: entrant.timeouts
                for match in self.matches
                for entrant in match.players
                if entrant.timeouts
            },
        }


class TimedConnection(PacedConnection):
    """Notes, per table, how long a question takes from the message that caused it."""

    __slots__ = ()

    came: dict[Table | None, float] = {}  # noqa: RUF012
    delays: list[float] = []  # noqa: RUF012

    def data_received(self, data: bytes) -> None:
        owner = self.owner
        if isinstance(owner, HuaweiClient) and owner.table and owner.table.is_asked(owner):
            self.came[owner.table] = monotonic()
        super().data_received(data)

    def _write(self, message: bytes) -> None:
        super()._write(message)
        if message.startswith(b"inquire/") and isinstance(self.owner, HuaweiClient):
            # A question after a timeout has no message as its cause.
            came = self.came.pop(self.owner.table, None)
            if came is not None:
                self.delays.append(monotonic() - came)


async def main() -> None:
    """Serve until the parent has heard enough."""
    collect_seldom()
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    asked = settings()
    loop = asyncio.get_running_loop()
    lag = LagMonitor(loop)
    timed = asked.get("timed", False)
    floor = Floor(asked["tables"], asked["seats"], asked["store"], lag, timed)
    gap_ms = asked["gap_ms"]
    door = HuaweiDoor(floor, loop, None, HuaweiOptions(gap_ms))
    if timed:
        door.connection_type = partial(TimedConnection, gap_ms / 1000)
    server = await loop.create_server(door.connection, "127.0.0.1", 0, backlog=1024)
    over = listen_to_parent(loop, lambda: floor.report() | {"delays": TimedConnection.delays})
    say({"port": server.sockets[0].getsockname()[1]})
    await over.wait()
    server.close()
    lag.close()
    if floor.writer is not None:
        floor.writer.close()


if __name__ == "__main__":
    uvloop.run(main())
