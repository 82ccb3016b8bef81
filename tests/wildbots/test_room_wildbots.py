"""Programs of `room` with the habits of real ones play whole matches without a fault."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.hosting import PATIENCE, HostProcess
from tests.support.rooming import V2, RoomHost, play_hand

PROGRAMS = Path(__file__).parent / "programs"
HOST = "127.0.0.1"


@contextmanager
def program(name: str, *arguments: Any) -> Iterator[subprocess.Popen[str]]:
    """Start a program; it is ended with the block, if it has not ended by itself."""
    command = [sys.executable, str(PROGRAMS / f"{name}.py"), *map(str, arguments)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def output_of(process: subprocess.Popen[str]) -> str:
    """Wait for a program, which must not fail; return what it has written."""
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    return output


def check(result: dict[str, Any], hands: int) -> None:
    """See that a match was played to its end without a fault."""
    assert result["hands"] == hands
    assert [(seat["timeouts"], seat["faults"]) for seat in result["seats"]] == [(0, 0)] * len(
        result["seats"]
    )


@pytest.mark.parametrize("version", [1, 2])
def test_one_that_writes_header_and_body_apart_plays_to_the_end(version: int) -> None:
    hands = 30
    bots = ["LooseAggressive", "LoosePassive", "TightAggressive", "TightPassive"]
    with RoomHost("--once", "--json") as host:
        arguments = (HOST, host.port, "apart", version, hands, *bots)
        with program("writes_header_and_body_apart", *arguments) as process:
            assert output_of(process) == f"{hands} hands\n"
            check(host.result(), hands)


def test_one_that_watches_a_v2_room_before_it_is_full_sees_every_hand() -> None:
    hands = 3
    with RoomHost("--once", "--json") as host:
        room = host.new_room()
        wish = {"info": "connect", "room_id": room, "room_number": 2, "game_number": hands}
        guests = [host.guest(wish | {"name": "a", "bots": []})]
        host.wait_until_known(room)
        with program("watches_a_v2_room", HOST, host.port, room) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "watching\n"
            host.is_known(room)  # a round trip: the server has let it in
            guests.append(host.guest(wish | {"name": "b", "bots": []}))
            for _ in range(hands):
                results = play_hand(guests)
                for guest in guests:
                    guest.go_on()
            for guest in guests:
                assert guest.version == V2
                guest.rest()
            lines = output_of(process).splitlines()
        assert len(lines) == hands
        total = json.loads(lines[-1].removeprefix("hand "))
        assert sum(total.values()) == 0
        assert {player["name"] for player in results[0]["players"]} == set(total)
        check(host.result(), hands)


def test_one_that_watches_house_bots_play_v2_sees_every_hand() -> None:
    with RoomHost("--once", "--json") as host:
        bots = ["LooseAggressive", "TightPassive"]
        with program("watches_a_v2_room", HOST, host.port, 9, *bots) as process:
            lines = output_of(process).splitlines()
        assert len(lines) == 1 + 5
        check(host.result(), 5)


@pytest.mark.parametrize("version", [1, 2])
def test_one_that_reconnects_after_kill_9_plays_the_match_to_its_end(
    tmp_path: Path, version: int
) -> None:
    hands = 12
    with socket.create_server((HOST, 0)) as listener:
        port: int = listener.getsockname()[1]
    arguments = (
        *("--listen", f"room:{port}", "--rules", "room", "--seats", "3", "--bot", "RuleAgent"),
        *("--hands", str(hands), "--once", "--json", "--store", str(tmp_path / "croupier.db")),
    )

    def start() -> HostProcess:
        host = HostProcess(*arguments, dialect="room")
        host.wait_for(rf"listening: room [\d.]+:{port}")
        return host

    name = "reconnects_when_the_server_was_killed"
    with start() as host:
        with (
            program(name, HOST, port, "ann", version, hands, 8) as ann,
            program(name, HOST, port, "bob", version, hands) as bob,
        ):
            assert ann.stdout is not None
            assert ann.stdout.readline() == "asked\n"
            host.kill()
            with start() as again:
                for process in (ann, bob):
                    assert output_of(process) == f"{hands} hands\n"
                check(again.result(), hands)
