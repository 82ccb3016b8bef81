"""A program that follows the betting of `acpc` by itself plays whole matches without a fault."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.hosting import PATIENCE, HostProcess

PROGRAM = Path(__file__).parent / "programs" / "acpc_follows_the_betting.py"
HANDS = 60


@pytest.mark.parametrize("bots", [("RandomAgent",), ("RuleAgent", "AllinAgent", "RandomAgent")])
def test_one_that_follows_the_betting_by_itself_plays_to_the_end_without_a_correction(
    bots: tuple[str, ...],
) -> None:
    arguments = ["--rules", "acpc-nolimit", "--hands", str(HANDS), "--once", "--json"]
    arguments += ["--seats", str(1 + len(bots)), "--seed", "wild"]
    arguments += [word for bot in bots for word in ("--bot", bot)]
    # With `strict` an answer that has to be corrected would be a fault and end the match.
    with HostProcess(*arguments, dialect="acpc", setting="strict=true") as host:
        done = subprocess.run(
            [sys.executable, PROGRAM, "127.0.0.1", str(host.port)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{HANDS} hands\n", "")
        result = host.result()
    assert result["hands"] == HANDS
    assert not any(seat["timeouts"] or seat["faults"] for seat in result["seats"])
