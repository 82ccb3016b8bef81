"""Programs with the habits of real ones play Kuhn poker without an error."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.hosting import PATIENCE
from tests.support.kuhning import SPELLINGS, KuhnHost, fresh_id, seat_of_client

PROGRAM = Path(__file__).parent / "programs" / "kuhn_connection_per_hand.py"
HANDS = 50


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_program_that_opens_a_new_connection_for_every_hand_plays_without_an_error(
    spelling: str,
) -> None:
    number = fresh_id()
    with KuhnHost() as host:
        done = subprocess.run(
            [
                sys.executable,
                PROGRAM,
                "127.0.0.1",
                str(host.port),
                str(number),
                str(HANDS),
                spelling,
            ],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{HANDS} hands\n", "")
        results = [host.result_of(number) for _ in range(HANDS)]
    for result in results:
        seat = seat_of_client(result)
        assert (result["hands"], seat["timeouts"], seat["faults"]) == (1, 0, 0)
