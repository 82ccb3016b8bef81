"""A host that is killed in the middle of a match, and goes on.

`python -m tests.server.crash --points 50 --seed 1` does it any number of times.
"""

import argparse
import random
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from typing import Any

from tests.support.hosting import PATIENCE, HostProcess, Player
from tests.support.processes import croupier

HANDS = 60
PLAYERS = (("1001", "ann"), ("1002", "bob"))
START = 10_000


@dataclass
class Crash:
    """What came of a match with crashes."""

    result: dict[str, Any]
    points: int
    announced: int
    """How many hands the players saw end."""
    verified: subprocess.CompletedProcess[str]


class Survivor:
    """A player who comes back each time the server is there again."""

    def __init__(self, pid: str, name: str, seed: int) -> None:
        self.pid = pid
        self.name = name
        self.answers = random.Random(f"{seed} {pid}")
        self.ended_hands = 0
        self.messages = 0
        self.player: Player | None = None
        self.over = False
        self._thread: threading.Thread | None = None
        self.reached = threading.Event()
        self.kill_after = -1

    def connect(self, port: int) -> None:
        self.player = Player(port, f"{self.pid} {self.name}")
        self._thread = threading.Thread(target=self._play, args=(self.player,), daemon=True)
        self._thread.start()

    def _play(self, player: Player) -> None:
        while (message := player.next()) is not None:
            self.messages += 1
            if message.startswith(b"pot-win/"):
                self.ended_hands += 1
            if self.messages == self.kill_after:
                self.reached.set()
            if message == b"game-over \n":
                self.over = True
                self.reached.set()
                return
            if message.startswith(b"inquire/"):
                reply = self.answers.choice([b"call \n", b"call \n", b"check \n", b"raise 40 \n"])
                try:
                    player.send(reply)
                except OSError:
                    return

    def wait(self) -> None:
        assert self._thread is not None
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        assert self.player is not None
        self.player.close()


def crash(store: str, seed: int, points: int) -> Crash:
    """Play a match that is killed at so many points, to its end."""
    rng = random.Random(seed)
    arguments = [
        *("--rules", "huawei", "--seats", "3", "--bot", "CallAgent", "--hands", str(HANDS)),
        *("--set", "decision_ms=20000", "--set", "stack=5000", "--set", "reserve=5000"),
        *("--store", store, "--once", "--json", "--seed", str(seed)),
    ]
    survivors = [Survivor(pid, name, seed) for pid, name in PLAYERS]
    for _ in range(points):
        killer = survivors[0]
        killer.reached.clear()
        killer.kill_after = killer.messages + rng.randint(1, 60)
        with HostProcess(*arguments) as host:
            for survivor in survivors:
                survivor.connect(host.port)
            assert killer.reached.wait(PATIENCE), host.log
            if killer.over:
                raise AssertionError("the match was over before all crashes")
            host.kill()
        for survivor in survivors:
            survivor.wait()
    with HostProcess(*arguments) as host:
        for survivor in survivors:
            survivor.connect(host.port)
        for survivor in survivors:
            survivor.wait()
        result = host.result()
    verified = croupier("verify", result["match"], "--store", store)
    announced = max(survivor.ended_hands for survivor in survivors)
    return Crash(result, points, announced, verified)


def check(outcome: Crash) -> None:
    """Assert that nothing was lost."""
    result = outcome.result
    assert result["hands"] == HANDS
    assert sum(seat["chips"] for seat in result["seats"]) == 3 * START
    assert all(seat["timeouts"] == 0 for seat in result["seats"]), result
    # Every hand that the players saw end stands; at each crash at most one was stored but not yet
    # announced.
    assert HANDS - outcome.points <= outcome.announced <= HANDS
    assert outcome.verified.returncode == 0, outcome.verified.stdout + outcome.verified.stderr


def main() -> None:
    """Crash hosts until all points are used up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    done = 0
    while done < arguments.points:
        points = min(5, arguments.points - done)
        with tempfile.TemporaryDirectory() as folder:
            check(crash(f"{folder}/crash.db", arguments.seed + done, points))
        done += points
        print(f"{done} of {arguments.points} crashes survived", flush=True)


if __name__ == "__main__":
    main()
