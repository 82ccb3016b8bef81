"""A contest of teams that connect by `acpc` with their keys, and of programs that `run` starts."""

import shlex
import sys
import threading
from pathlib import Path

from tests.support.acpcing import Caller, is_refused
from tests.support.contests import (
    CUP,
    ContestFolder,
    connecting,
    ended,
    ports,
    program,
    stage,
)
from tests.support.hosting import PATIENCE

PROGRAM = Path(__file__).parents[1] / "wildbots" / "programs" / "acpc_follows_the_betting.py"
RUN = f"{shlex.quote(sys.executable)} {shlex.quote(str(PROGRAM))} {{host}} {{port}} {{key}}"
TEXT = (
    CUP
    + 'rules = "acpc-nolimit"\n'
    + connecting("Ann", "acpc")
    + '\n[[team]]\nname = "Bob"\ndialect = "acpc"\n'
    + program("Cid", RUN, "acpc")
    + program("Dan", RUN, "acpc")
    + stage("round-robin", 4)
)


class Team(threading.Thread):
    """Comes back for its next match until nobody listens any more."""

    def __init__(self, port: int, key: str) -> None:
        super().__init__(daemon=True)
        self.states: list[str] = []
        self._port, self._key = port, key

    def run(self) -> None:
        while True:
            try:
                caller = Caller(self._port, self._key)
            except ConnectionError:
                return
            caller.run()
            self.states += caller.states


def test_the_word_after_the_version_is_the_key_and_programs_that_are_started_play_with_theirs(
    tmp_path: Path,
) -> None:
    contest = ContestFolder(tmp_path, TEXT)
    keys = {row["team"]: row["key"] for row in contest.json("keys")}
    assert {"Ann", "Bob"} <= keys.keys()
    run = contest.start("--workers", "2")
    assert run.stderr is not None
    port = int(ports(run.stderr, 1)["acpc"])
    for wrong in (b"VERSION:2.0.0\r\n", b"VERSION:2.0.0 wrong\r\n", b"VERSION:2.0.0 Ann\r\n"):
        assert is_refused(port, wrong)
    teams = [Team(port, keys[name]) for name in ("Ann", "Bob")]
    for team in teams:
        team.start()
    code, output, errors = ended(run)
    assert code == 0, errors
    for team in teams:
        team.join(PATIENCE)
        first = [state.split(":")[2] for state in team.states if "::" in state]
        assert sorted(first) == sorted("0123" * 3)  # four hands against each of the others
    (one,) = contest.json("standings")["stages"]
    assert [(line["matches"], line["forfeits"]) for line in one["standings"]] == [(3, 0)] * 4
    assert "is verified" in contest.done("verify")
    assert not any(key in errors + output for key in keys.values())
