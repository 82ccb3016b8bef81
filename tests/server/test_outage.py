"""A database that goes away during play costs nobody anything."""

import threading

import pytest

from tests.server.crash import HANDS, PLAYERS, START, Survivor
from tests.support import postgres
from tests.support.hosting import PATIENCE, HostProcess
from tests.support.processes import croupier

pytestmark = pytest.mark.serial

DECISION_MS = 1500


def test_play_waits_for_a_database_that_crashed_and_no_clock_runs_meanwhile(
    postgres_server: postgres.Cluster,
) -> None:
    with postgres.cluster() as own:
        store = own.fresh()
        survivors = [Survivor(pid, name, 3) for pid, name in PLAYERS]
        survivors[0].kill_after = 25
        arguments = [
            *("--rules", "huawei", "--seats", "3", "--bot", "CallAgent", "--hands", str(HANDS)),
            *("--set", f"decision_ms={DECISION_MS}", "--set", "stack=5000", "--set"),
            *("reserve=5000", "--store", store, "--once", "--json", "--seed", "7"),  # nobody is out
        ]
        with HostProcess(*arguments) as host:
            for survivor in survivors:
                survivor.connect(host.port)
            assert survivors[0].reached.wait(PATIENCE), host.log
            own.stop("immediate")
            threading.Event().wait(DECISION_MS / 1000 + 1.0)  # longer than anyone may think
            stopped = [survivor.ended_hands for survivor in survivors]
            own.start()
            for survivor in survivors:
                survivor.wait()
            result = host.result()
            log = host.log
        verified = croupier("verify", result["match"], "--store", store)
    assert "no hand goes on until it can" in log
    assert "the store works again" in log
    assert "not-needed" not in log, "the password of the address"
    assert max(stopped) < HANDS
    assert result["hands"] == HANDS
    assert sum(seat["chips"] for seat in result["seats"]) == 3 * START
    assert [seat["timeouts"] for seat in result["seats"]] == [0, 0, 0]
    assert all(survivor.ended_hands == HANDS for survivor in survivors)
    assert verified.returncode == 0, verified.stdout + verified.stderr
