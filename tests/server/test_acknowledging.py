"""What is not answered for now is acknowledged at once, over TCP and over WebSocket.

A program that writes a message in two pieces without TCP_NODELAY waits for that with the second,
and one that speaks out of turn waits with its answer.

The kernel tells whether it puts acknowledgements off: it does once bytes went both ways, and it
does not after it was asked to acknowledge at once.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import pytest

from croupier.dialects.registry import DIALECTS
from croupier.rules.sets import HUAWEI, KUHN
from croupier.server.lobbies.challenges import ChallengeLobby
from croupier.server.lobbies.prepared import TableLobby
from croupier.server.lobbies.rooms import RoomLobby
from croupier.server.lobbies.routing import RoutingLobby
from croupier.server.lobbies.table_plan import TablePlan
from croupier.server.net.door import TcpDoor, WebSocketDoor
from croupier.server.net.tcp import TcpLink
from croupier.server.table.house import House
from tests.support.rooming import START, action, connect, frame

QUICK_ACK = getattr(socket, "TCP_QUICKACK", None)
pytestmark = pytest.mark.skipif(QUICK_ACK is None, reason="this system has no TCP_QUICKACK")

Doors = Callable[[House], TcpDoor]


def room(house: House) -> TcpDoor:
    dialect = DIALECTS["room"]
    return TcpDoor(dialect, RoomLobby(house, dialect, dialect.rule_sets, print), house.loop, None)


def huawei(house: House) -> TcpDoor:
    lobby = TableLobby(house, TablePlan(HUAWEI, 2, ["CallAgent"]), print)
    lobby.open()
    main = RoutingLobby(None, {"": lobby}, {}, {})
    return TcpDoor(DIALECTS["huawei"], main, house.loop, None)


def kuhn(house: House) -> TcpDoor:
    dialect = DIALECTS["kuhn"]
    lobby = ChallengeLobby(house, dialect, KUHN, "call", print)
    return TcpDoor(dialect, lobby, house.loop, None)


ROOM_HELLO = frame(connect(1, bots=["CallAgent"]))
ROOM_START = frame(START)
FIRST_PIECES = [
    (room, b"", ROOM_HELLO[:4]),
    (room, ROOM_HELLO, ROOM_START[:4]),
    (room, ROOM_HELLO, ROOM_START + frame(action("call"))[:9]),
    (huawei, b"", b"reg: 7"),
    (huawei, b"reg: 7 seven \n", b"rai"),
    (kuhn, b"", b"ST"),
    (kuhn, b"STRT 7\n", b"AN"),
]
WHOLE = [
    (room, ROOM_HELLO, ROOM_START),
    (huawei, b"reg: 7 seven \n", b"call \n"),
    (kuhn, b"STRT 7\n", b"ANOK"),
]


class Watched(TcpLink):
    """A connection that counts how often the kernel is asked to acknowledge at once."""

    asked = 0

    def acknowledge(self) -> None:
        type(self).asked += 1
        super().acknowledge()


async def asked_after(make: Doors, before: bytes, piece: bytes) -> tuple[int, bool]:
    """Return how often a piece leads to an acknowledgement at once, and whether they are quick."""
    loop = asyncio.get_running_loop()
    house = House(loop, seed=bytes(32))
    door = make(house)
    taken = asyncio.Event()
    made: list[Watched] = []

    class Here(Watched):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            made.append(self)
            super().connection_made(transport)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            taken.set()

        @property
        def quick(self) -> bool:
            assert self._transport is not None
            assert QUICK_ACK is not None
            sock: Any = self._transport.get_extra_info("socket")
            return bool(sock.getsockopt(socket.IPPROTO_TCP, QUICK_ACK))

    door.link_type = Here
    server = await door.listen("127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    if before:
        writer.write(before)
        await reader.read(65536)
        taken.clear()
    Here.asked = 0
    writer.write(piece)
    await taken.wait()
    (connection,) = made
    assert isinstance(connection, Here)
    found = Here.asked, connection.quick
    writer.close()
    server.close()
    await door.drain()
    house.close()
    return found


@pytest.fixture(params=["asyncio", "uvloop"])
def runner(request: pytest.FixtureRequest) -> asyncio.Runner:
    if request.param == "asyncio":
        return asyncio.Runner()
    uvloop = pytest.importorskip("uvloop")
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


@pytest.mark.parametrize(("make", "before", "piece"), FIRST_PIECES)
def test_the_first_piece_of_a_message_is_acknowledged_at_once(
    runner: asyncio.Runner, make: Doors, before: bytes, piece: bytes
) -> None:
    with runner:
        assert runner.run(asked_after(make, before, piece)) == (1, True)


@pytest.mark.parametrize(("make", "before", "message"), WHOLE)
def test_a_whole_message_is_left_to_the_kernel(
    runner: asyncio.Runner, make: Doors, before: bytes, message: bytes
) -> None:
    with runner:
        asked, _ = runner.run(asked_after(make, before, message))
    assert asked == 0


def test_a_message_that_nobody_asked_for_is_acknowledged_at_once(runner: asyncio.Runner) -> None:
    with runner:
        asked, _ = runner.run(asked_after(huawei, b"reg: 7 seven \n", b"call \ncall \n"))
    assert asked == 1


UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PING = b"\x89\x80\0\0\0\0"


async def is_quick_after(piece: bytes) -> bool:
    """Return whether acknowledgements are quick after a piece over WebSocket."""
    loop = asyncio.get_running_loop()
    taken = asyncio.Event()
    made: list[Any] = []

    class Here(WebSocketDoor):
        def connection(self) -> Any:
            upgrade: Any = super().connection()
            take = upgrade.buffer_updated

            def updated(size: int) -> None:
                take(size)
                taken.set()

            upgrade.buffer_updated = updated
            made.append(upgrade)
            return upgrade

    door = Here(DIALECTS["trend"], RoutingLobby(None, {}, {}, {}), loop, None)
    server = await door.listen("127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    writer.write(UPGRADE)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(PING)
    await reader.readexactly(2)  # bytes go both ways
    taken.clear()
    writer.write(piece)
    await taken.wait()
    assert QUICK_ACK is not None
    sock = made[0].transport.underlying_transport.get_extra_info("socket")
    quick = bool(sock.getsockopt(socket.IPPROTO_TCP, QUICK_ACK))
    writer.close()
    server.close()
    await door.drain()
    return quick


FIRST_FRAME = b"\x01\x81\0\0\0\0{"
"""The first frame of a text message in several."""


@pytest.mark.parametrize("piece", [PING[:1], PING[:2], PING[:5], FIRST_FRAME])
def test_the_first_piece_of_a_message_is_acknowledged_at_once_over_websocket(
    runner: asyncio.Runner, piece: bytes
) -> None:
    with runner:
        assert runner.run(is_quick_after(piece))
