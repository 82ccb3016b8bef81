"""The bare echo beside `room`: the same frames to the same connections, and no poker.

What "the same frames" means: before it listens, the echo lets a room play one lap (as many hands as
players, so that everybody has had every position) by each of the players' scripts, and keeps for
each message of a player which frames it caused and for whom: a state for everyone, and where a hand
ends also a result for everyone. Connections form groups as they come. Every message from one of a
group makes the echo send the frames of the next message of the lap, ready-made, to the connections
of the group, one write each; a fold as a hand's first action leads into the hand of the folders,
and after the last hand of the lap it begins anew.

It is the same event loop, and frames are written to the kernel as the server writes them; of what
it is sent it reads no more than whether it is a fold.
"""

import asyncio
import json
import os
import socket
from dataclasses import dataclass, field
from time import process_time
from typing import Any

import uvloop

from bench.server.child import listen_to_parent, say, settings
from bench.server.room_players import MANY_HANDS, open_files
from bench.server.room_serve import room_door
from bench.server.trend_serve import be_quiet
from croupier.dialects.room.frames import frame
from croupier.dialects.room.reader import V1, V2
from croupier.match.match import HAND, READY
from croupier.server.lobbies.rooms import RoomLobby
from croupier.server.net.client import Client
from croupier.server.net.door import TcpDoor
from croupier.server.net.tcp import TcpLink
from croupier.server.net.transcript import Transcript
from croupier.server.table.house import House, HouseCallbacks

SEED = bytes(range(32))

Step = list[tuple[int, bytes]]
"""Frames as (player, frame)."""


class Recorder(TcpLink):
    """A link without a socket that notes what it would send."""

    def __init__(self, door: TcpDoor, number: int, step: Step) -> None:
        super().__init__(door, Transcript(None))
        self._number = number
        self._step = step
        self.client = self._client = Client(self, door, {})

    def send(self, message: bytes) -> None:
        self._step.append((self._number, message))


@dataclass
class Lap:
    """What a room's players cause: by joining, and by each message of each hand."""

    opening: Step = field(default_factory=list)
    hands: list[list[Step]] = field(default_factory=list)


def message(content: dict[str, Any]) -> bytes:
    """Return the frame of a player's message."""
    return frame(json.dumps(content))


async def record(seats: int, version: int, folding: bool) -> Lap:
    """Play a lap in a room without connections."""
    loop = asyncio.get_running_loop()
    house = House(loop, seed=SEED, callbacks=HouseCallbacks())
    door = room_door(house)
    lobby = door.lobby
    assert isinstance(lobby, RoomLobby)
    step: Step = []
    clients = [Recorder(door, number, step).client for number in range(seats)]
    lap = Lap()
    steps: list[Step] = []

    def caused() -> None:
        steps.append(step[:])
        step.clear()

    hands = {"game_number": MANY_HANDS} if version == V2 else {}
    for number, client in enumerate(clients):
        wish = {"info": "connect", "room_id": 1, "name": f"p{number}", "room_number": seats}
        client.received(message(wish | hands))
        while client.hello is None:
            await asyncio.sleep(0)  # first messages are taken in turns
        caused()
    (game,) = lobby.games.values()
    match = game.table.match
    if version == V1:
        lap.opening, steps = steps[-1], []
    for _ in range(seats):
        if match.phase == READY:
            for client in clients:
                client.received(message({"info": "start"}))
                caused()
        while match.phase == HAND:
            assert match.options is not None
            word = "fold" if folding else "call" if match.options.owed else "check"
            clients[match.asked].received(message({"info": "action", "action": word}))
            caused()
        lap.hands.append(steps)
        steps = []
        while match.phase != READY:
            await asyncio.sleep(0)  # the next hand is prepared in a turn of its own
    house.lag.close()
    return lap


class Group:
    """The connections of one room."""

    def __init__(self, laps: tuple[Lap, Lap], seats: int, version: int) -> None:
        self._calling, self._folding = laps
        self._seats = seats
        self._version = version
        self._fds: list[int] = []
        self._hand = 0
        self._steps = self._calling.hands[0]
        self._at = 0

    def join(self, fd: int) -> bool:
        """Take in the next connection; return whether it is the last one."""
        self._fds.append(fd)
        full = len(self._fds) == self._seats
        if full and self._version == V1:
            self._send(self._calling.opening)
        elif full:
            self._at = self._seats
            self._send(self._steps[self._at - 1])
        return full

    def go_on(self, data: bytes) -> None:
        """Send what the next message causes."""
        if self._at == self._seats and b'"fold"' in data:
            self._steps = self._folding.hands[self._hand]
        step = self._steps[self._at]
        self._at += 1
        if self._at == len(self._steps):
            self._hand = (self._hand + 1) % len(self._calling.hands)
            self._steps = self._calling.hands[self._hand]
            self._at = 0
        self._send(step)

    def _send(self, step: Step) -> None:
        fds = self._fds
        for player, message in step:
            os.write(fds[player], message)


class Hall:
    """All groups; newcomers fill one after the other."""

    def __init__(self, laps: tuple[Lap, Lap], seats: int, version: int) -> None:
        self._script = laps, seats, version
        self._filling = Group(*self._script)

    def join(self, fd: int) -> Group:
        """Return the newcomer's group."""
        group = self._filling
        if group.join(fd):
            self._filling = Group(*self._script)
        return group


class Echo(asyncio.Protocol):
    """A connection; its first frame is its connect."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._group: Group | None = None
        self._fd = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._fd = sock.fileno()

    def data_received(self, data: bytes) -> None:
        if self._group is None:
            self._group = self._hall.join(self._fd)
        else:
            self._group.go_on(data)


def sizes(lap: Lap) -> dict[str, Any]:
    """Return how many frames and bytes a hand causes, on average."""
    frames = [len(frame) for hand in lap.hands for step in hand for _, frame in step]
    return {"frames": len(frames) / len(lap.hands), "bytes": round(sum(frames) / len(lap.hands))}


async def main() -> None:
    """Serve until the parent has heard enough."""
    be_quiet()
    asked = settings()
    open_files()
    seats, version = asked["seats"], asked.get("version", V1)
    laps = (await record(seats, version, False), await record(seats, version, True))
    hall = Hall(laps, seats, version)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Echo(hall), "127.0.0.1", 0, backlog=4096)
    over = listen_to_parent(loop, lambda: {"cpu": process_time()})
    port = server.sockets[0].getsockname()[1]
    say({"port": port, "showdown": sizes(laps[0]), "fold": sizes(laps[1])})
    await over.wait()
    server.close()


if __name__ == "__main__":
    uvloop.run(main())
