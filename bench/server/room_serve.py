"""The `room` server of the benchmark: what `croupier host --rules room` runs, without a screen.

Rooms come into being as their players ask for them. Nothing is recorded. If its parent wants it so,
it does not ask the kernel to acknowledge the first piece of a frame at once.
"""

import asyncio
import os
from time import process_time
from typing import Any

import uvloop

from bench.server.child import listen_to_parent, say, settings
from bench.server.room_players import open_files
from bench.server.trend_serve import be_quiet
from croupier.dialects.registry import DIALECTS
from croupier.server.lobbies.rooms import RoomLobby
from croupier.server.net.door import TcpDoor
from croupier.server.net.tcp import TcpLink
from croupier.server.table.game import Game
from croupier.server.table.house import House, HouseCallbacks
from croupier.server.table.limits import Limits

ROOM = DIALECTS["room"]


def room_door(house: House) -> TcpDoor:
    """Return a door to rooms of the usual rules."""
    lobby = RoomLobby(house, ROOM, ROOM.rule_sets, lambda game: None)
    return TcpDoor(ROOM, lobby, house.loop, None)


class Counts:
    """What has happened in all rooms."""

    def __init__(self, house: House) -> None:
        self.hands = 0
        self.opened = 0
        self.ended = 0
        self._house = house

    def open(self, game: Game) -> None:
        self.opened += 1

    def hand(self, game: Game) -> None:
        self.hands += 1

    def result(self, result: dict[str, Any]) -> None:
        self.ended += 1

    def report(self) -> dict[str, Any]:
        """Return all of it, with what the process has used."""
        return {
            "cpu": process_time(),
            "rss": resident(),
            "clients": len(self._house.clients),
            "hands": self.hands,
            "opened": self.opened,
            "ended": self.ended,
        }


def resident() -> int:
    """Return how many bytes of memory this process has."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def main() -> None:
    """Serve until the parent has heard enough."""
    be_quiet()
    if not settings().get("acknowledge", True):
        TcpLink.acknowledge = lambda self: None  # type: ignore[method-assign]
    open_files()
    loop = asyncio.get_running_loop()
    callbacks = HouseCallbacks()
    limits = Limits(rooms_per_address=Limits.rooms)  # all of them are opened from this machine
    house = House(loop, limits=limits, callbacks=callbacks)
    counts = Counts(house)
    callbacks.opened, callbacks.hand, callbacks.result = counts.open, counts.hand, counts.result
    server = await room_door(house).listen("127.0.0.1", 0)
    over = listen_to_parent(loop, counts.report)
    say({"port": server.sockets[0].getsockname()[1]})
    await over.wait()
    server.close()
    house.close()


if __name__ == "__main__":
    uvloop.run(main())
