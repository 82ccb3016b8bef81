"""The acpc dialect over real sockets: seats by port, definitions, `strict`; harm to nobody."""

import re
from pathlib import Path

from tests.arena.arenas import ArenaProcess, is_playing, names
from tests.support.acpcing import Caller, is_refused
from tests.support.contests import ended
from tests.support.hosting import HostProcess
from tests.support.processes import Program, croupier

HOST = ("--rules", "acpc-nolimit", "--once", "--json", "--hands", "4", "--seed", "7")
ADDRESS = r"listening: acpc [\d.]+:(\d+)"

ARENA = """
[[table]]
name = "final"
rules = "acpc-nolimit"
dialects = ["acpc"]
seats = 2
repeat = false
set = { hands = 4 }

[[listen]]
dialect = "acpc"
ports = [0, 0]
names = ["Ann", "Bob"]
"""


def check_seats(ann: Caller, bob: Caller) -> None:
    """See that each has played four hands, and in its own seat."""
    for caller in (bob, ann):
        caller.start()
    for seat, caller in enumerate((ann, bob)):
        states = caller.ended()
        assert states[0].startswith(f"MATCHSTATE:{seat}:0::")
        assert len(states) == 4 * 9
        assert states[-1].split(":")[2:4] == ["3", "cc/cc/cc/cc"]


def test_each_port_leads_to_its_seat_and_the_match_ends_with_the_connections() -> None:
    other = ("--listen", "acpc:0,seat=2,name=Bob")
    with HostProcess(*HOST, *other, dialect="acpc", setting="seat=1,name=Ann") as host:
        second = int(host.wait_for(ADDRESS).group(1))
        assert is_refused(second, b"HELLO\r\n")  # the seat is still free
        bob = Caller(second, action="x")  # comes first, and waits for the seat before it
        check_seats(Caller(host.port), bob)
        result = host.result()
    assert {seat["name"] for seat in result["seats"]} == {"Ann", "Bob"}
    # An action that nobody knows is a call, and no fault.
    assert not any(seat["timeouts"] or seat["faults"] for seat in result["seats"])


def test_ports_of_an_arena_lead_to_its_seats(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, ARENA, listen="") as arena:
        first, second = (int(port) for port in re.findall(ADDRESS, "".join(arena.lines)))
        assert is_refused(first, b"version:2.0.0\r\n")
        bob = Caller(second)
        check_seats(Caller(first), bob)
        row = arena.wait_until(lambda row: not is_playing(row), "final")
        assert names(row) == ["Ann", "Bob"]


def test_where_corrections_are_faults_the_first_one_ends_the_match_after_the_hand() -> None:
    with HostProcess(*HOST, "--bot", "CallAgent", dialect="acpc", setting="strict=true") as host:
        caller = Caller(host.port, "Eve", action="x")
        caller.start()
        states = caller.ended()
        result = host.result()
    assert {state.split(":")[2] for state in states} == {"0"}
    assert "f" in states[-1].split(":")[3]  # something was owed, before the flop
    assert result["hands"] == 1
    assert {seat["name"]: seat["faults"] for seat in result["seats"]} == {"Eve": 1, "CallAgent0": 0}


def test_a_definition_is_all_that_a_host_and_its_players_need(tmp_path: Path) -> None:
    definition = tmp_path / "small.game"
    definition.write_text(croupier("rules", "acpc-leduc", "--format", "game").stdout, "utf-8")
    game = ("--rules", str(definition))
    with HostProcess(*game, *HOST[2:], dialect="acpc") as host:
        address = f"acpc://127.0.0.1:{host.port}"
        players = [
            Program("croupier", "join", address, *game, "--bot", bot, "--name", name)
            for name, bot in (("Ann", "RandomAgent"), ("Bob", "CallAgent"))
        ]
        result = host.result()
        assert [ended(player)[0] for player in players] == [0, 0]
    assert result["hands"] == 4
    assert {seat["name"] for seat in result["seats"]} == {"Ann", "Bob"}
    assert not any(seat["timeouts"] or seat["faults"] for seat in result["seats"])
