"""What RFC 6455 forbids is answered with the close code that it asks for."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from croupier.dialects.registry import DIALECTS
from croupier.dialects.session import Hello, Refusal, Watch, WatchBots
from croupier.server.lobbies.routing import RoutingLobby
from croupier.server.net.client import MAX_STRAY, Client, Lobby
from croupier.server.net.door import WebSocketDoor

PATIENCE = 30
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TEXT, PART, REST, BINARY, CLOSE, PING, PONG = 0x81, 0x01, 0x80, 0x82, 0x88, 0x89, 0x8A
PROTOCOL_ERROR, INVALID_TEXT, NO_JOIN = 1002, 1007, 4001


def frame(first: int, payload: bytes = b"") -> bytes:
    """Return a masked frame, with a mask of zeros."""
    assert len(payload) < 126
    return bytes([first, 0x80 | len(payload), 0, 0, 0, 0]) + payload


@asynccontextmanager
async def connected(
    lobby: Lobby | None = None,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Connect to a door of its own."""
    loop = asyncio.get_running_loop()
    (dialect,) = (one for one in DIALECTS.values() if one.transport.value == "ws")
    door = WebSocketDoor(dialect, lobby or RoutingLobby(None, {}, {}, {}), loop, None)
    server = await door.listen("127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    yield reader, writer
    writer.close()
    server.close()


async def answer(sent: bytes) -> tuple[int, bytes]:
    """Return the opcode and the payload with which a door answers."""
    async with connected() as (reader, writer):
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(sent)
        opcode, size = await reader.readexactly(2)
        return opcode, await reader.readexactly(size)


def run(scenario: Coroutine[Any, Any, tuple[int, bytes]]) -> tuple[int, bytes]:
    return asyncio.run(asyncio.wait_for(scenario, PATIENCE))


def close_code(*frames: bytes) -> int:
    opcode, payload = run(answer(b"".join(frames)))
    assert opcode == CLOSE
    return int.from_bytes(payload[:2], "big")


@pytest.mark.parametrize("bit", [0x40, 0x20, 0x10], ids=hex)
@pytest.mark.parametrize("kind", [TEXT, BINARY, PART, PING, PONG, CLOSE], ids=hex)
def test_reserved_bits_are_a_protocol_error(bit: int, kind: int) -> None:
    assert close_code(frame(kind | bit)) == PROTOCOL_ERROR


def test_a_continuation_of_nothing_is_a_protocol_error() -> None:
    assert close_code(frame(REST, b"{}")) == PROTOCOL_ERROR
    assert close_code(frame(0x00, b"{}")) == PROTOCOL_ERROR


@pytest.mark.parametrize("kind", [TEXT, PART, BINARY], ids=hex)
def test_a_message_within_another_is_a_protocol_error(kind: int) -> None:
    assert close_code(frame(PART, b"{"), frame(kind, b"}")) == PROTOCOL_ERROR
    assert close_code(frame(PART, b""), frame(kind, b"}")) == PROTOCOL_ERROR


@pytest.mark.parametrize("code", [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535])
def test_a_forbidden_close_code_is_a_protocol_error(code: int) -> None:
    assert close_code(frame(CLOSE, code.to_bytes(2, "big"))) == PROTOCOL_ERROR


@pytest.mark.parametrize("code", [1000, 1001, 1011, 3000, 4999])
def test_an_allowed_close_code_is_returned(code: int) -> None:
    assert close_code(frame(CLOSE, code.to_bytes(2, "big"))) == code


@pytest.mark.parametrize("first", [0x83, 0x8B, 0x08, 0x09], ids=hex)
def test_unknown_opcodes_and_control_frames_in_pieces_are_a_protocol_error(first: int) -> None:
    assert close_code(frame(first)) == PROTOCOL_ERROR


def test_an_unmasked_frame_is_a_protocol_error() -> None:
    assert close_code(b"\x81\x00") == PROTOCOL_ERROR


def test_text_that_is_not_utf_8_is_invalid_text_in_one_frame_or_several() -> None:
    assert close_code(frame(TEXT, b"\xff")) == INVALID_TEXT
    assert close_code(frame(PART, b"\xc3"), frame(REST, b"(")) == INVALID_TEXT
    assert close_code(frame(TEXT, b"\xed\xa0\x80")) == INVALID_TEXT
    assert close_code(frame(CLOSE, b"\x03\xe8\xff")) == INVALID_TEXT


def test_a_character_may_be_cut_into_two_pieces() -> None:
    assert close_code(frame(PART, b"\xc3"), frame(REST, b"\xbc")) == NO_JOIN


def test_a_ping_between_the_pieces_of_a_message_is_answered() -> None:
    assert run(answer(frame(PART, b"{") + frame(PING, b"still there?"))) == (PONG, b"still there?")


async def handshake(request: bytes) -> bytes:
    """Return the head of the answer to an upgrade."""
    async with connected() as (reader, writer):
        writer.write(request)
        return await reader.readuntil(b"\r\n\r\n")


def answered(request: bytes) -> bytes:
    return asyncio.run(asyncio.wait_for(handshake(request), PATIENCE))


@pytest.mark.parametrize(
    ("connection", "status"),
    [
        (b"keep-alive, Upgrade", b"101"),
        (b"upgrade,keep-alive", b"101"),
        (b"UPGRADE", b"101"),
        (b"keep-alive", b"400"),
        (b"upgrades", b"400"),
    ],
)
def test_an_upgrade_may_be_one_of_several_words(connection: bytes, status: bytes) -> None:
    request = UPGRADE.replace(b"Connection: Upgrade", b"Connection: " + connection)
    assert answered(request).split()[1] == status


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (b"Sec-WebSocket-Protocol: echo-protocol\r\n", b"echo-protocol"),
        (b"sec-websocket-protocol:  chat , superchat\r\n", b"chat"),
        (b"Sec-WebSocket-Protocol: a b, c/d, json\r\n", b"json"),
        (b"Sec-WebSocket-Protocol: \r\n", None),
        (b"", None),
    ],
)
def test_the_first_subprotocol_that_is_offered_is_agreed_on(
    offered: bytes, chosen: bytes | None
) -> None:
    head = answered(UPGRADE.removesuffix(b"\r\n") + offered + b"\r\n")
    assert head.startswith(b"HTTP/1.1 101 ")
    found = [line for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-pr")]
    assert found == ([] if chosen is None else [b"Sec-WebSocket-Protocol: " + chosen])


class Open:
    """A lobby that lets everyone in, and leads nobody anywhere."""

    keyed = False
    in_contest = False

    def __init__(self) -> None:
        self.clients: list[Client] = []

    def enter(self, client: Client, hello: Hello) -> Refusal | None:
        self.clients.append(client)
        return None

    def watch(self, client: Client, wish: Watch) -> Refusal | None:
        raise AssertionError

    def watch_bots(self, client: Client, wish: WatchBots) -> Refusal | None:
        raise AssertionError


def test_who_answers_every_message_that_asks_nothing_is_not_cut_off() -> None:
    answers, rounds = 500, 1 + 2 * MAX_STRAY // 500

    async def scenario() -> tuple[int, bytes]:
        lobby = Open()
        async with connected(lobby) as (reader, writer):
            writer.write(UPGRADE)
            await reader.readuntil(b"\r\n\r\n")
            writer.write(frame(TEXT, b'{"eventName":"__join","data":{"playerName":"a"}}'))
            for _ in range(rounds):
                writer.write(frame(TEXT, b"{}") * answers + frame(PING))
                assert await reader.readexactly(2) == bytes([PONG, 0])
                (client,) = lobby.clients
                for _ in range(answers):
                    client.send(b"{}")
                await reader.readexactly(answers * 4)
            writer.write(frame(TEXT, b"{}") * (MAX_STRAY + 1))
            with suppress(ConnectionResetError):
                return 0, await reader.read()
            return 0, b""

    assert run(scenario()) == (0, b""), "who says more than that is"
