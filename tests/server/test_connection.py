"""A connection with a real socket at both ends."""

import asyncio
import socket
from collections.abc import Callable

import pytest

from croupier.dialects.registry import DIALECTS
from croupier.server.net.tcp import MAX_UNSENT, TcpLink
from croupier.server.net.transcript import Transcript
from tests.support.builds import interpreted

pytestmark = interpreted


class Owner:
    """A door and a client in one, that remembers what it was told."""

    def __init__(self) -> None:
        self.data = b""
        self.dialect = DIALECTS["huawei"]
        self.patient = True
        self.gone = asyncio.Event()
        self.closed = asyncio.Event()
        self.got = asyncio.Event()
        self.before: Callable[[], object] = lambda: None
        self.after: Callable[[], object] = lambda: None

    def cut_off(self, link: TcpLink, reason: str) -> None:
        pass

    def opened(self, link: TcpLink, descriptor: int) -> "Owner":
        return self

    def let_linger(self, connection: TcpLink) -> bool:
        return self.patient

    def ended(self, connection: TcpLink) -> None:
        self.closed.set()

    def received(self, data: bytes) -> None:
        self.data += data
        self.got.set()

    def says_no_more(self) -> bool:
        return False

    def about_to_ask(self) -> None:
        self.before()

    def question_left(self) -> None:
        self.after()

    def lost(self) -> None:
        self.gone.set()


async def connect(owner: Owner) -> tuple[TcpLink, socket.socket, asyncio.Server]:
    loop = asyncio.get_running_loop()
    made: list[TcpLink] = []

    def factory() -> TcpLink:
        made.append(TcpLink(owner, Transcript(None)))  # type: ignore[arg-type]
        return made[-1]

    server = await loop.create_server(factory, "127.0.0.1", 0)  # type: ignore[arg-type]
    client = socket.socket()
    client.setblocking(False)
    await loop.sock_connect(client, server.sockets[0].getsockname())
    while not made or not made[0].address:
        await asyncio.sleep(0)
    return made[0], client, server


@pytest.fixture(params=["asyncio", "uvloop"])
def runner(request: pytest.FixtureRequest) -> asyncio.Runner:
    if request.param == "asyncio":
        return asyncio.Runner()
    uvloop = pytest.importorskip("uvloop")
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


def test_a_player_who_does_not_read_is_cut_off(runner: asyncio.Runner) -> None:
    async def scenario() -> None:
        owner = Owner()
        connection, client, server = await connect(owner)
        message = b"x" * 65536
        sent = 0
        while not owner.gone.is_set():
            connection.send(message)
            sent += len(message)
            await asyncio.sleep(0)
            assert sent < 64 * 1024 * 1024, "it would go on for ever"
        assert sent > MAX_UNSENT
        assert connection.closed
        client.close()
        server.close()

    with runner:
        runner.run(scenario())


def test_messages_arrive_in_order_also_when_the_reader_is_slow(runner: asyncio.Runner) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        owner = Owner()
        connection, client, server = await connect(owner)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        expected = b""
        received = b""
        for number in range(400):
            message = f"{number};".encode() * 500
            connection.send(message)
            expected += message
            if number % 4 == 3:
                received += await loop.sock_recv(client, 1 << 20)
        connection.close()
        while data := await loop.sock_recv(client, 1 << 20):
            received += data
        assert received == expected
        client.close()
        server.close()

    with runner:
        runner.run(scenario())


def test_what_waits_in_the_kernel_can_be_polled(runner: asyncio.Runner) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        owner = Owner()
        connection, client, server = await connect(owner)
        await loop.sock_sendall(client, b"check")
        polled = connection.poll()
        await loop.sock_sendall(client, b"!")
        while b"!" not in owner.data:
            owner.got.clear()
            await owner.got.wait()
        assert polled + owner.data == b"check!"
        assert connection.poll() == b""
        client.close()
        await owner.gone.wait()
        assert connection.poll() == b""
        connection.send(b"into the void")
        server.close()

    with runner:
        runner.run(scenario())


def test_who_still_talks_when_he_is_sent_away_hears_the_last_word_and_no_reset(
    runner: asyncio.Runner,
) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        owner = Owner()
        connection, client, server = await connect(owner)
        connection.send(b"goodbye")
        connection.close()
        await owner.gone.wait()
        for _ in range(3):
            await loop.sock_sendall(client, b"start")
            await asyncio.sleep(0)
        assert await loop.sock_recv(client, 100) == b"goodbye"
        assert await loop.sock_recv(client, 100) == b""
        assert not owner.data
        assert not owner.closed.is_set()
        client.close()
        await owner.closed.wait()
        server.close()

    with runner:
        runner.run(scenario())


def test_a_socket_is_closed_also_if_the_other_side_never_does(
    runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.net.tcp.LINGER", 0.01)

    async def scenario() -> None:
        owner = Owner()
        connection, client, server = await connect(owner)
        connection.close()
        await owner.closed.wait()
        client.close()
        server.close()

    with runner:
        runner.run(scenario())


def test_where_too_many_linger_a_socket_is_closed_at_once(runner: asyncio.Runner) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        owner = Owner()
        owner.patient = False
        connection, client, server = await connect(owner)
        connection.send(b"goodbye")
        connection.close()
        await owner.closed.wait()
        assert owner.gone.is_set()
        assert await loop.sock_recv(client, 100) == b"goodbye"
        assert await loop.sock_recv(client, 100) == b""
        client.close()
        server.close()

    with runner:
        runner.run(scenario())
