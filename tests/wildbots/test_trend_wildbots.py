"""Programs with the habits of those that were written for the original `trend` server."""

import json
import subprocess
import sys
from pathlib import Path

from tests.support.hosting import PATIENCE, HostProcess

PROGRAMS = Path(__file__).parent / "programs"


def test_a_program_that_reads_win_money_of_everyone_plays_while_others_are_out() -> None:
    arguments = ["--rules", "trend", "--listen", "trend:0", "--seats", "4", "--seed", "wild"]
    arguments += ["--set", "reloads=0", "--set", "countdown_s=0", "--once", "--json"]
    # Three put everything in at once; whoever of them is left needs many rounds to take the blinds
    # of the fourth, who always folds.
    actions = {"ann": "allin", "ben": "allin", "cat": "call", "dan": "fold"}
    with HostProcess(*arguments) as host:
        port = host.wait_for(r"listening: trend [\d.]+:(\d+)").group(1)
        command = [sys.executable, str(PROGRAMS / "trend_reads_win_money.py"), port]
        programs = [
            subprocess.Popen(
                [*command, name, action],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for name, action in actions.items()
        ]
        try:
            said = [program.communicate(timeout=PATIENCE) for program in programs]
        finally:
            for program in programs:
                program.kill()
                program.wait()
        for program, (_, errors) in zip(programs, said, strict=True):
            assert program.returncode == 0, errors
        result = host.result()
    for output, _ in said:
        counted = json.loads(output)
        assert counted["rounds"] == result["hands"]
        assert counted["rounds_with_dead"] > 1
    for seat in result["seats"]:
        assert (seat["timeouts"], seat["faults"]) == (0, 0)
