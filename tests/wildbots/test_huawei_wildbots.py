"""Programs with the habits of real ones play whole matches of `huawei` without a fault."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.hosting import PATIENCE, HostProcess

PROGRAMS = Path(__file__).parent / "programs"
HANDS = 30

ONE_PER_RECV = "reads_one_message_per_recv"
FIXED_BUFFER = "sends_a_fixed_buffer"
FRACTION = "raises_with_a_fraction"


def play(program: str, gap_ms: int) -> dict[str, Any]:
    """Seat a program with two house bots; return what became of it."""
    arguments = ["--hands", str(HANDS), "--set", "reserve=1000000", "--once", "--json"]
    arguments += ["--seats", "3", "--bot", "RuleAgent", "--bot", "CallAgent"]
    with HostProcess(*arguments, setting=f"gap_ms={gap_ms}") as host:
        command = [sys.executable, str(PROGRAMS / f"{program}.py"), "127.0.0.1", str(host.port)]
        with subprocess.Popen([*command, "1001"]) as started:
            try:
                result = host.result()
                assert started.wait(PATIENCE) == 0
            finally:
                started.kill()
    assert result["hands"] == HANDS
    (seat,) = (seat for seat in result["seats"] if seat["dialect"] == "huawei")
    return dict(seat)


@pytest.mark.parametrize("program", [FIXED_BUFFER, FRACTION])
def test_it_plays_a_whole_match_without_a_timeout_or_fault(program: str) -> None:
    seat = play(program, 1)
    assert (seat["timeouts"], seat["faults"], seat["hands_survived"]) == (0, 0, HANDS)


@pytest.mark.serial
def test_who_reads_one_message_per_recv_plays_a_whole_match_without_a_timeout_or_fault() -> None:
    # A program that a busy machine does not let run for as long as the gap reads two messages at
    # once, gap or not. So a longer one decides before it is called a fault of the server.
    for gap_ms in (5, 20, 80):
        seat = play(ONE_PER_RECV, gap_ms)
        if not seat["timeouts"]:
            break
    assert (seat["timeouts"], seat["faults"], seat["hands_survived"]) == (0, 0, HANDS)
