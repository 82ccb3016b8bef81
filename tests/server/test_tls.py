"""Listeners with TLS keep every promise of those without."""

import asyncio
import gc
import re
import socket
import ssl
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from croupier.bots import CallAgent
from croupier.client.result import JoinError
from croupier.client.runner import run as join
from croupier.dialects.registry import DIALECTS
from croupier.match.events import TimedOut
from croupier.rules.sets import HUAWEI
from croupier.server.arena.arena import Arena
from croupier.server.arena.plan import ArenaPlan, ArenaTable, ListenPlan, Program
from croupier.server.lobbies.routing import RoutingLobby
from croupier.server.lobbies.table_plan import TablePlan
from croupier.server.net.door import Door, door_for
from croupier.server.net.tls import MAX_SILENT, tls_with
from croupier.server.net.turns import Turns
from croupier.server.table.house import HouseCallbacks
from tests.support.certificates import CERT, tls_files
from tests.support.hosting import MESSAGE, PATIENCE

HERE = "127.0.0.1"


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Any:
    factory = None
    if request.param == "uvloop":
        factory = pytest.importorskip("uvloop").new_event_loop

    def runner(coroutine: Any) -> Any:
        with asyncio.Runner(loop_factory=factory) as one:
            return one.run(asyncio.wait_for(coroutine, PATIENCE))

    return runner


class TlsPlayer:
    """A player whose socket is read in a thread, and written to at once."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.reads: list[bytes] = []
        self.sock: ssl.SSLSocket

    async def connect(self, hello: bytes = b"reg: 1001 guest \n") -> None:
        await asyncio.to_thread(self._connect)
        self.sock.sendall(hello)

    def _connect(self) -> None:
        trusted = ssl.create_default_context(cafile=CERT)
        plain = socket.create_connection((HERE, self._port), PATIENCE)
        self.sock = trusted.wrap_socket(plain, server_hostname=HERE)

    async def until(self, what: bytes) -> None:
        """Read until a message has come."""
        while not any(what in read for read in self.reads):
            read = await asyncio.to_thread(self.sock.recv, 1 << 16)
            assert read, self.reads
            self.reads.append(read)


Scenario = Callable[[TlsPlayer, list[object]], Awaitable[None]]


async def hosted(files: Any, scenario: Scenario, **settings: int) -> list[object]:
    """Host a match of one hand against a house bot; return its events."""
    rules = HUAWEI.with_fields({"hands": 1, "closing_s": 0} | settings)
    ports: asyncio.Queue[int] = asyncio.Queue()
    events: list[object] = []
    plan = ArenaPlan(
        [ListenPlan("huawei", 0, tls=files)],
        [ArenaTable(TablePlan(rules, 2, ["CallAgent"]))],
        is_host=True,
        once=True,
    )
    host = Arena(
        plan,
        None,
        on_listening=lambda scheme, address, port: ports.put_nowait(port),
        callbacks=HouseCallbacks(
            opened=lambda game: setattr(game.table, "feed", events.append),
        ),
    )
    running = asyncio.create_task(host.run())
    player = TlsPlayer(await ports.get())
    await player.connect()
    await scenario(player, events)
    await running
    player.sock.close()
    return events


@pytest.mark.serial
def test_an_answer_that_arrived_while_the_loop_was_busy_counts(run: Any, tmp_path: Path) -> None:
    async def scenario(player: TlsPlayer, events: list[object]) -> None:
        await player.until(b"inquire/")
        player.sock.sendall(b"fold \n")
        time.sleep(0.3)  # the deadline passes before the loop can read it
        await player.until(b"game-over")

    events = run(hosted(tls_files(tmp_path), scenario, decision_ms=200))
    assert not any(isinstance(event, TimedOut) for event in events)


@pytest.mark.serial
def test_input_that_came_before_a_question_does_not_answer_it(run: Any, tmp_path: Path) -> None:
    async def scenario(player: TlsPlayer, events: list[object]) -> None:
        await player.until(b"inquire/")
        player.sock.sendall(b"call \nfold \n")  # the second is sent before the next question
        await player.until(b"game-over")

    events = run(hosted(tls_files(tmp_path), scenario, decision_ms=200))
    assert sum(isinstance(event, TimedOut) for event in events) >= 1


def test_a_message_is_one_record(run: Any, tmp_path: Path) -> None:
    async def scenario(player: TlsPlayer, events: list[object]) -> None:
        await player.until(b"inquire/")
        player.sock.sendall(b"fold \n")
        await player.until(b"game-over")
        # An SSL socket never returns more than one record at a time.
        assert len(player.reads) > 4
        for read in player.reads:
            assert re.fullmatch(MESSAGE, read), read

    run(hosted(tls_files(tmp_path), scenario))


def test_a_player_who_is_sent_away_hears_why_and_the_end(run: Any, tmp_path: Path) -> None:
    async def scenario() -> bytes:
        async with Listening("room", tls_files(tmp_path)) as port:
            player = TlsPlayer(port)
            await player.connect(b"\x00\x00\x00\x02{}")
            heard = b""
            # It ends with close_notify: a cut connection would raise an error.
            while more := await asyncio.to_thread(player.sock.recv, 1 << 16):
                heard += more
            player.sock.close()
            return heard

    assert b"error" in run(scenario())


@pytest.mark.parametrize("dialect", ["room", "trend"])  # over TCP, and as a WebSocket
def test_the_session_of_a_lost_connection_is_not_left_to_the_garbage_collector(
    dialect: str, run: Any, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with Listening(dialect, tls_files(tmp_path)) as port:
            player = TlsPlayer(port)
            await player.connect(b"\x00\x00\x00\x02{}")
            player.sock.close()

    gc.collect()
    gc.disable()
    try:
        run(scenario())
        left = [one for one in gc.get_objects() if isinstance(one, ssl.SSLObject)]
    finally:
        gc.enable()
    assert not left


class Listening:
    """A door with TLS, behind which there is no table."""

    def __init__(self, dialect: str, files: Any, time_to_speak: float = 30.0) -> None:
        self._files = files
        self._dialect = DIALECTS[dialect]
        self._time_to_speak = time_to_speak
        self.door: Door

    async def __aenter__(self) -> int:
        loop = asyncio.get_running_loop()
        lobby = RoutingLobby(None, {}, {}, {})
        self.door = door_for(self._dialect, lobby, loop, None, time_to_speak=self._time_to_speak)
        tls = tls_with(self._files, Turns(loop))
        self._server = await self.door.listen(HERE, 0, tls)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def __aexit__(self, *error: object) -> None:
        self._server.close()
        await self.door.drain()


async def end_of(reader: asyncio.StreamReader) -> bytes:
    """Read until the server closes the connection."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


@pytest.mark.parametrize("dialect", ["huawei", "trend"])
@pytest.mark.parametrize(
    "words",
    [b"reg: 1001 guest \n", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x04\x01\x00\x00\x00"],
)
def test_whoever_does_not_speak_tls_is_cut_off_and_in_the_log(
    dialect: str, words: bytes, run: Any, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with Listening(dialect, tls_files(tmp_path)) as port:
            reader, writer = await asyncio.open_connection(HERE, port)
            writer.write(words)
            await end_of(reader)
            writer.close()

    with capture_logs() as logs:
        run(scenario())
    (line,) = (line for line in logs if line["event"] == "cut off")
    assert line["reason"].startswith("no TLS: ")


def test_a_connection_that_never_begins_a_handshake_has_its_time(run: Any, tmp_path: Path) -> None:
    async def scenario() -> bytes:
        async with Listening("huawei", tls_files(tmp_path), time_to_speak=0.05) as port:
            reader, writer = await asyncio.open_connection(HERE, port)
            writer.write(b"\x16\x03")
            heard = await end_of(reader)
            writer.close()
            return heard

    assert run(scenario()) == b""


def test_bytes_without_a_message_have_a_limit(run: Any, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Listening("huawei", tls_files(tmp_path)) as port:
            reader, writer = await asyncio.open_connection(HERE, port)
            # The beginning of a handshake that never comes to its end.
            record = b"\x16\x03\x01\x40\x00" + b"\x01\x00\xff\xff" + bytes(0x4000 - 4)
            for _ in range(MAX_SILENT // len(record) + 2):
                writer.write(record)
            await end_of(reader)
            writer.close()

    with capture_logs() as logs:
        run(scenario())
    assert [line["event"] for line in logs] == ["cut off"]


@pytest.mark.parametrize("dialect", ["huawei", "trend"])
def test_any_bytes_after_the_handshake_harm_nobody(dialect: str, run: Any, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Listening(dialect, tls_files(tmp_path)) as port:
            player = TlsPlayer(port)
            await player.connect(b"\xff" * 100)
            broken = player.sock.detach()
            with socket.socket(fileno=broken) as raw:
                raw.settimeout(PATIENCE)
                raw.sendall(
                    b"\x17\x03\x03\x00\x20" + b"x" * 32
                )  # a record that decrypts to nothing
                while await asyncio.to_thread(_read, raw):
                    pass
            again = TlsPlayer(port)
            await again.connect(b"hello \n")
            again.sock.close()

    run(scenario())


def _read(raw: socket.socket) -> bytes:
    try:
        return raw.recv(1 << 16)
    except ConnectionError:
        return b""


# Players of ours.


class Served:
    """A table over TLS in a loop of its own thread, until the match is over."""

    def __init__(self, dialect: str, files: Any, programs: list[Program] | None = None) -> None:
        rules = DIALECTS[dialect].rules.with_fields({"hands": 2, "closing_s": 0})
        house = ["CallAgent"] if not programs else []
        self.ports: asyncio.Queue[int] = asyncio.Queue()
        plan = ArenaPlan(
            [ListenPlan(dialect, 0, tls=files)],
            [ArenaTable(TablePlan(rules, 2, house), programs or [])],
            is_host=True,
            once=True,
            output=files.cert.parent / "programs",
        )
        self.arena = Arena(
            plan,
            None,
            on_listening=lambda scheme, address, port: self.ports.put_nowait(port),
        )


@pytest.mark.parametrize("dialect", ["huawei", "room"])
def test_a_bot_of_ours_joins_over_tls(dialect: str, tmp_path: Path) -> None:
    async def scenario() -> Any:
        served = Served(dialect, tls_files(tmp_path))
        running = asyncio.create_task(served.arena.run())
        address = f"{dialect}+tls://localhost:{await served.ports.get()}"
        with pytest.raises(JoinError, match="certificate is not trusted: self-signed"):
            await asyncio.to_thread(join, CallAgent, address)
        result = await asyncio.to_thread(join, CallAgent, address, ca=CERT)
        await running
        return result

    assert asyncio.run(scenario()).hands == 2


def test_a_websocket_of_ours_reaches_a_listener_with_tls(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Listening("trend", tls_files(tmp_path)) as port:
            with pytest.raises(JoinError, match="no table"):
                await asyncio.to_thread(
                    join, CallAgent, f"trend+tls://127.0.0.1:{port}", ca=CERT, retry=0
                )

    asyncio.run(scenario())


def test_programs_that_the_server_starts_come_in_without_tls(tmp_path: Path) -> None:
    async def scenario() -> bool:
        croupier = f"{sys.executable} -m croupier"
        command = f"{croupier} join huawei://{{host}}:{{port}}?pid={{pid}} --bot CallAgent"
        served = Served("huawei", tls_files(tmp_path), [Program(command, "huawei")] * 2)
        await served.arena.run()
        return served.arena.completed

    assert asyncio.run(asyncio.wait_for(scenario(), PATIENCE))


def test_a_ca_goes_with_an_address_of_tls() -> None:
    with pytest.raises(JoinError, match=r"huawei\+tls://127.0.0.1:6000"):
        join(CallAgent, "huawei://127.0.0.1:6000", ca=CERT)
