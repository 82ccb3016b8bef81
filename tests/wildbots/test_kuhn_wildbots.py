"""Programs with the habits of real ones play Kuhn poker without an error."""

import subprocess
import sys
from pathlib import Path

import pytest

from croupier.dialects.registry import DIALECTS
from tests.support.hosting import PATIENCE
from tests.support.kuhning import SPELLINGS, KuhnHost, fresh_id, seat_of_client

PROGRAMS = Path(__file__).parent / "programs"
HANDS = 50


def run(program: str, *arguments: object) -> tuple[int, str, str]:
    """Run a program; return its exit code and what it has written."""
    done = subprocess.run(
        [sys.executable, PROGRAMS / f"{program}.py", "127.0.0.1", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_program_that_opens_a_new_connection_for_every_hand_plays_without_an_error(
    spelling: str,
) -> None:
    number = fresh_id()
    with KuhnHost() as host:
        done = run("kuhn_connection_per_hand", host.port, number, HANDS, spelling)
        assert done == (0, f"{HANDS} hands\n", "")
        results = [host.result_of(number) for _ in range(HANDS)]
    for result in results:
        seat = seat_of_client(result)
        assert (result["hands"], seat["timeouts"], seat["faults"]) == (1, 0, 0)


@pytest.mark.serial
def test_a_program_that_reads_one_message_per_recv_plays_without_an_error() -> None:
    # As in `huawei`, a longer gap decides where the machine is too busy for the usual one.
    for gap_ms in (5, 20, 80):
        with KuhnHost("--set", "stack=1000", listen=f"kuhn:0,gap_ms={gap_ms}") as host:
            done = run("kuhn_one_message_per_recv", host.port, fresh_id(), HANDS)
        if not done[0]:
            break
    assert done == (0, f"{HANDS} hands\n", "")


def test_there_is_a_gap_unless_the_listener_says_otherwise() -> None:
    assert DIALECTS["kuhn"].gap_ms
    with KuhnHost("--set", "stack=1000", listen="kuhn:0,gap_ms=0") as host:
        code, _, said = run("kuhn_one_message_per_recv", host.port, fresh_id(), 1000)
    assert (code, said[:15]) == (1, "expected one of")
