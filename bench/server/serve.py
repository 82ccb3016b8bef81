"""The server of the benchmark: many tables in one process, made of what `croupier host` uses.

One door leads every newcomer to the table that his pid names, and all tables share one store. With
`timed` the players have the usual time. `gap_ms` is the listener's.
"""

import asyncio
import logging
import sys
from dataclasses import replace
from time import process_time, time
from typing import Any

import structlog
import uvloop

from bench.server.child import listen_to_parent, say, settings
from bench.server.players import FIRST_PID
from croupier.dialects.base import Outgoing, Speaker
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.dialects.registry import DIALECTS
from croupier.dialects.session import Hello, Refusal, RefusalKind, Watch, WatchBots
from croupier.match.chance import SeededChance
from croupier.match.events import TurnExtended
from croupier.match.match import Match
from croupier.match.view import MatchView
from croupier.rules.events import Event
from croupier.rules.sets import HUAWEI
from croupier.server.arena.gc_tuning import tune_garbage_collector
from croupier.server.net.client import Client
from croupier.server.net.door import TcpDoor
from croupier.server.table.counters import Counters
from croupier.server.table.lag import LagMonitor
from croupier.server.table.table import Table
from croupier.store.schema import open_store
from croupier.store.writer import Writer

RULES = replace(
    HUAWEI, stack=100_000, reserve=0, hands=0, max_timeouts=0, registration_s=60, decision_ms=500
)
"""So many chips that no match ends, in stacks as long on the wire as the usual ones."""

UNTIMED = replace(RULES, decision_ms=60_000)
"""Where nobody thinks, and a busy machine is not to blame anyone."""

SEED = bytes(range(32))


class Watcher(Speaker):
    """Hears all events of a table and counts how often the server gave a player more time."""

    def __init__(self) -> None:
        self.extended = 0

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Say nothing."""
        self.extended += type(event) is TurnExtended
        return ()


class Floor:
    """The tables; newcomers go where their pid says."""

    keyed = False
    in_contest = False

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
        self.counters = Counters()
        for number in range(tables):
            chance = SeededChance(number.to_bytes(2, "big") + SEED[2:])
            match = Match(RULES if timed else UNTIMED, seats, chance, loop.time())
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
                counters=self.counters,
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

    def enter(self, client: Client, hello: Hello) -> Refusal | None:
        """Seat a newcomer."""
        pid = hello.place.pid or ""
        table, pids, listeners = self.games[(int(pid) - FIRST_PID) // self._seats]
        player = len(pids)
        pids[player] = pid
        listeners[player] = hello.listener
        client.table = table
        table.join(hello.place.name, client)
        return None

    def watch(self, client: Client, wish: Watch) -> Refusal | None:
        """Refuse: nobody watches a benchmark."""
        return Refusal(RefusalKind.UNKNOWN, "nothing to watch")

    def watch_bots(self, client: Client, wish: WatchBots) -> Refusal | None:
        """Refuse: nobody watches a benchmark."""
        return Refusal(RefusalKind.UNKNOWN, "nothing to watch")

    def report(self) -> dict[str, Any]:
        """Return what has happened so far."""
        return {
            "cpu": process_time(),
            "hands": self.hands,
            "started": sum(match.number > 0 for match in self.matches),
            "faults": sum(entrant.faults for match in self.matches for entrant in match.players),
            "extended": self.watcher.extended,
            "delays": self.counters.delays.counts,
            "timeouts": {
                entrant.name: entrant.timeouts
                for match in self.matches
                for entrant in match.players
                if entrant.timeouts
            },
        }


async def main() -> None:
    """Serve until the parent has heard enough."""
    tune_garbage_collector()
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
    door = TcpDoor(DIALECTS["huawei"], floor, loop, None, {"gap_ms": gap_ms})
    server = await door.listen("127.0.0.1", 0)
    over = listen_to_parent(loop, floor.report)
    say({"port": server.sockets[0].getsockname()[1]})
    await over.wait()
    server.close()
    lag.close()
    if floor.writer is not None:
        floor.writer.close()


if __name__ == "__main__":
    uvloop.run(main())
