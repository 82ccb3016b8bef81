"""Whatever a server does, the client ends with one clear line, and never hangs."""

import json
import socket

import pytest

from croupier.bots import CallAgent
from croupier.client.result import JoinError
from croupier.client.runner import run
from croupier.dialects.room.frames import frame
from tests.client.servers import HEAR, HOLD, RESET, Line, TcpServer, WebSocketServer
from tests.support.hosting import HostProcess

SOON = 0.3
"""Seconds of patience, where the server is to try it."""
LATER = 30.0

HUAWEI_HAND = (
    b"seat/ \nbutton: 7 2000 0 \nsmall blind: 8 2000 0 \n/seat \nblind/ \n8: 50 \n/blind \n"
    b"hold/ \nSPADES 10 \nHEARTS A \n/hold \n"
    b"inquire/ \n8 1950 0 50 blind \ntotal pot: 50 \n/inquire \n"
)
ROOM_STATE = frame(
    '{"position": 0, "action_position": 0, "legal_actions": ["fold", "call"], "raise_range": [],'
    ' "private_card": ["As", "Kd"], "public_card": [], "action_history": [[]], "info": "state"}'
)
PEER = json.dumps({"eventName": "__new_peer", "data": []}).encode()


def complaint(url: str, patience: float = LATER, retry: float = 0.3) -> str:
    """Return the one line with which the client gives up."""
    with pytest.raises(JoinError) as caught:
        run(CallAgent(), url, patience=patience, retry=retry)
    text = str(caught.value)
    assert text
    assert "\n" not in text
    assert caught.value.result is not None
    return text


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    for dialect in ("huawei", "trend", "room", "kuhn"):
        text = complaint(f"{dialect}://127.0.0.1:{port}")
        assert text == f"cannot connect to 127.0.0.1:{port}: Connection refused"


def test_an_unknown_host() -> None:
    assert complaint("kuhn://no-such-host.invalid:1").startswith("cannot connect to no-such-host")


@pytest.mark.parametrize(
    ("dialect", "script"),
    [
        ("huawei", [HEAR, HOLD]),
        ("huawei", [HEAR, HUAWEI_HAND, HEAR, HOLD]),
        ("huawei", [HEAR, HUAWEI_HAND[:20], HOLD]),
        ("room", [HEAR, HOLD]),
        ("room", [HEAR, ROOM_STATE, HEAR, HOLD]),
        ("room", [HEAR, b"\x20\x00\x00\x00", HOLD]),
        ("kuhn", [HEAR, HOLD]),
        ("kuhn", [HEAR, b"STKS 20 20\n", HEAR, b"DEAL '0'\n", HOLD]),
    ],
)
def test_silence(dialect: str, script: list[bytes | str | None]) -> None:
    with TcpServer(script) as server:
        url = f"{dialect}://127.0.0.1:{server.port}?{'pid=7' if dialect == 'huawei' else ''}"
        assert complaint(url, SOON) == f"the server has said nothing for {SOON:g} s"


def test_silence_over_websocket() -> None:
    with WebSocketServer([HEAR, PEER, HOLD]) as server:
        text = complaint(f"trend://127.0.0.1:{server.port}", SOON)
        assert text == f"the server has said nothing for {SOON:g} s"


@pytest.mark.parametrize("dialect", ["huawei", "room", "kuhn"])
@pytest.mark.parametrize(
    "garbage",
    [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x00\xff" * 50, b"A" * 100_000, b"\n{}\n" * 9],
)
def test_garbage(dialect: str, garbage: bytes) -> None:
    with TcpServer([HEAR, garbage, HOLD]) as server:
        text = complaint(f"{dialect}://127.0.0.1:{server.port}")
        assert text.startswith(f"the server does not speak {dialect}: ")


@pytest.mark.parametrize("garbage", [b"hello", b"[]", b'{"eventName":"__action"}', b"7" * 50_000])
def test_garbage_over_websocket(garbage: bytes) -> None:
    with WebSocketServer([HEAR, garbage, HOLD]) as server:
        text = complaint(f"trend://127.0.0.1:{server.port}")
        assert text.startswith("the server does not speak trend: ")


@pytest.mark.parametrize(
    "answer",
    [
        [b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"],
        [b"SSH-2.0-OpenSSH_9.6\r\n"],
        [b"\x00\xff" * 50],
        [],
        [RESET],
    ],
    ids=["web", "other", "garbage", "closes", "resets"],
)
def test_no_websocket_where_trend_is_expected(answer: list[Line]) -> None:
    with TcpServer([HEAR, *answer]) as server:
        text = complaint(f"trend://127.0.0.1:{server.port}")
    place = f"cannot connect to 127.0.0.1:{server.port}"
    assert text.startswith(f"{place}: that server does not speak WebSocket")


@pytest.mark.parametrize("rules", ["huawei", "room", "kuhn"])
def test_the_port_of_another_dialect_where_trend_is_expected(rules: str) -> None:
    seats = ("--seats", "2") if rules == "huawei" else ()
    with HostProcess("--rules", rules, *seats, dialect=rules) as host:
        text = complaint(f"trend://127.0.0.1:{host.port}")
    assert "that server does not speak WebSocket" in text


def test_a_message_without_end_is_not_waited_for() -> None:
    with WebSocketServer([HEAR, b"x" * (2 * 1024 * 1024)]) as server:
        assert "1048576" in complaint(f"trend://127.0.0.1:{server.port}")


@pytest.mark.parametrize("dialect", ["huawei", "room", "kuhn"])
def test_a_connection_that_is_closed_at_once_is_a_refusal(dialect: str) -> None:
    with TcpServer([HEAR]) as server:
        assert "closed the connection" in complaint(f"{dialect}://127.0.0.1:{server.port}")


def test_the_reason_of_a_refusal_is_passed_on() -> None:
    error = frame('{"info": "error", "text": "room 7 is full"}')
    with TcpServer([HEAR, error]) as server:
        url = f"room://127.0.0.1:{server.port}/7"
        assert complaint(url) == "the server says: room 7 is full"
    with TcpServer([HEAR, b"ERRO WID\n"]) as server:
        url = f"kuhn://127.0.0.1:{server.port}"
        assert complaint(url) == "the server reports an error: WID, wrong id"
    with WebSocketServer([HEAR], close=(4003, "unknown player")) as server:
        url = f"trend://127.0.0.1:{server.port}"
        assert complaint(url) == "the server refused the player: unknown player"


def test_a_server_that_closes_in_the_middle_of_a_hand() -> None:
    with TcpServer([HEAR, ROOM_STATE, HEAR]) as server:
        text = complaint(f"room://127.0.0.1:{server.port}")
        assert text.startswith(
            "the connection was lost in the middle of a hand; could not come back"
        )
    script = [HEAR, b"STKS 20 20\n", HEAR, b"DEAL '0'\nCARD 'J'\n", HEAR]
    with TcpServer(script) as server:
        text = complaint(f"kuhn://127.0.0.1:{server.port}")
        assert text == "the connection was lost in the middle of a hand"
    with TcpServer([HEAR, HUAWEI_HAND, HEAR], [HEAR]) as server:
        text = complaint(f"huawei://127.0.0.1:{server.port}?pid=7")
        assert "does not take the player back" in text
    with TcpServer([HEAR, HUAWEI_HAND, HEAR]) as server:
        text = complaint(f"huawei://127.0.0.1:{server.port}?pid=7")
        assert text.startswith("could not come back within 0.3 s: cannot connect")
