"""The `trend` server of the benchmark: many tables of ten in one process, without a store.

One door leads newcomers to table after table, as they come. Nobody buys chips, blinds stay as they
are and stacks outlast any measurement, so that no match ends.
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
from croupier.dialects.registry import DIALECTS
from croupier.dialects.roster import Place
from croupier.dialects.session import Hello, Refusal, RefusalKind, Watch, WatchBots
from croupier.match.chance import SeededChance
from croupier.match.match import HAND, INTERVAL, Match
from croupier.rules.rules import NEVER
from croupier.rules.sets import TREND
from croupier.server.arena.gc_tuning import tune_garbage_collector
from croupier.server.net.client import Client
from croupier.server.net.door import WebSocketDoor
from croupier.server.table.connected import ConnectedPlayer
from croupier.server.table.lag import LagMonitor
from croupier.server.table.seating import Seating
from croupier.server.table.table import Table

SEATS = 10

RULES = replace(
    TREND,
    stack=100_000,
    reloads=0,
    hands=0,
    countdown_s=0,
    registration_s=60,
    blinds_double=NEVER,
)

SEED = bytes(range(32))


class Floor:
    """The tables; newcomers fill one after the other."""

    keyed = False
    in_contest = False

    def __init__(self, tables: int, lag: LagMonitor) -> None:
        loop = asyncio.get_running_loop()
        self.hands = 0
        self.games: list[tuple[Table, Seating]] = []
        self._admitted = 0
        for number in range(tables):
            chance = SeededChance(number.to_bytes(2, "big") + SEED[2:])
            table = Table(
                Match(RULES, SEATS, chance, loop.time()),
                f"table-{number}",
                f"table-{number}",
                {seat: str(seat) for seat in range(SEATS)},
                loop,
                lag,
                writer=None,
                wall_clock=time,
                on_hand=self._count_hand,
            )
            self.games.append((table, Seating(str(number + 1))))

    def _count_hand(self, table: Table) -> None:
        self.hands += 1

    def enter(self, client: Client, hello: Hello) -> Refusal | None:
        """Seat a newcomer."""
        client.table, _ = self.games[self._admitted // SEATS]
        self.admit(client, hello.place)
        return None

    def admit(self, player: ConnectedPlayer, place: Place) -> None:
        """Give the next place to a player."""
        table, seating = self.games[self._admitted // SEATS]
        self._admitted += 1
        speaker = seating.listen(seating.give(place), place.dialect, None)
        if speaker is not None:
            table.add_speaker(speaker)
        table.join(place.name, player)

    def watch(self, client: Client, wish: Watch) -> Refusal | None:
        """Refuse: nobody watches a benchmark."""
        return Refusal(RefusalKind.UNKNOWN, "nothing to watch")

    def watch_bots(self, client: Client, wish: WatchBots) -> Refusal | None:
        """Refuse: nobody watches a benchmark."""
        return Refusal(RefusalKind.UNKNOWN, "nothing to watch")

    def report(self) -> dict[str, Any]:
        """Return what has happened so far."""
        matches = [table.match for table, _ in self.games]
        players = [entrant for match in matches for entrant in match.players]
        return {
            "cpu": process_time(),
            "hands": self.hands,
            "running": sum(match.phase in (HAND, INTERVAL) for match in matches),
            "faults": sum(entrant.faults for entrant in players),
            "timeouts": sum(entrant.timeouts for entrant in players),
            "gone": sum(bool(entrant.out) or not entrant.online for entrant in players),
        }


def be_quiet() -> None:
    """Log no more than what is wrong, and collect garbage as a server does."""
    tune_garbage_collector()
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


async def main() -> None:
    """Serve until the parent has heard enough."""
    be_quiet()
    asked = settings()
    loop = asyncio.get_running_loop()
    lag = LagMonitor(loop)
    floor = Floor(asked["tables"], lag)
    server = await WebSocketDoor(DIALECTS["trend"], floor, loop, None).listen("127.0.0.1", 0)
    over = listen_to_parent(loop, floor.report)
    say({"port": server.sockets[0].getsockname()[1]})
    await over.wait()
    server.close()
    lag.close()


if __name__ == "__main__":
    uvloop.run(main())
