"""A match with programs: who plays, what becomes of those who do not, and what is left behind."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.bots import AllinAgent, Bot, CallAgent, RandomAgent
from croupier.deals import Stream
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, ROOM2, TREND
from croupier.rules.view import View
from croupier.running.referee import referee
from croupier.server.arena.sandbox import find_problem
from croupier.server.table.task import MatchTask, Played, Player
from croupier.store.records import HandRecord, MatchRecord, Record, ResultRecord
from tests.support.hosting import PATIENCE, wait_for_end

SEED = bytes(range(32))
CROUPIER = f"{sys.executable} -m croupier join"

HUAWEI_BOT = """\
import os, socket, sys

host, port, pid, key, manner = sys.argv[1:]
print("in", os.getcwd(), sorted(os.listdir()), flush=True)
print("sees", [name for name in os.environ if name.startswith("CROUPIER_")], flush=True)
if manner == "exits":
    sys.exit("no poker today")
server = socket.create_connection((host, int(port)))
if manner == "wrong":
    key = "wrong"
if manner != "silent":
    server.sendall(f"reg: {pid} {key} \\n".encode())
text, asked = b"", 0
while b"game-over" not in text:
    data = server.recv(4096)
    if not data:
        break
    text += data
    if b"/inquire" in text:
        text = text.rpartition(b"/inquire")[2]
        asked += 1
        if manner == "crashes" and asked == 3:
            sys.exit("something went wrong")
        if manner == "floods":
            try:
                while True:
                    server.sendall(b"x" * 65536)
            except OSError:
                sys.exit("nobody listens")
        server.sendall(b"check \\n")
if manner == "stays":
    import subprocess
    import signal
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    print("child", child.pid, flush=True)
    child.wait()
"""


def join(dialect: str, bot: str = "CallAgent", setting: str = "", more: str = "") -> str:
    """Return the command of a program that plays one of our bots."""
    return f"{CROUPIER} {dialect}://{{host}}:{{port}}{setting} --bot {bot} --name {{key}} {more}"


def script(manner: str) -> str:
    """Return the command of the program above, by a path in the contest's folder."""
    return f"{sys.executable} bot.py {{host}} {{port}} {{pid}} {{key}} {manner}"


def program(team: str, command: str, dialect: str = "huawei") -> Player:
    return Player(team, command=command, dialect=dialect)


def task(folder: Path, *players: Player, rules: Rules = PLAIN, hands: int = 5) -> MatchTask:
    contest = folder / "contest"
    contest.mkdir()
    (contest / "bot.py").write_text(HUAWEI_BOT, "utf-8")
    return MatchTask(
        name="final/r1.2/1.1",
        place="contest final",
        rules=rules.with_fields({"hands": hands}),
        players=players,
        seed=SEED,
        secret=True,
        recorded=True,
        folder=str(contest),
        output=str(folder / "output"),
        arrive_s=PATIENCE,
        transcripts=str(folder / "transcripts"),
        boxed=not find_problem(),
    )


def played(
    one: MatchTask, bots: Mapping[int, Bot] | None = None, records: list[Record] | None = None
) -> Played:
    """Play a match to its end."""
    on_record = None if records is None else records.append
    return asyncio.run(asyncio.wait_for(referee(one, bots or {}, on_record), PATIENCE))


def output_of(folder: Path, team: str) -> str:
    """Return what a team's program printed."""
    (path,) = (folder / "output").glob(f"*_{team}~*.log")
    return path.read_text("utf-8")


@pytest.mark.parametrize("boxed", [True, False])
@pytest.mark.parametrize(
    ("dialect", "rules", "more"),
    [
        ("huawei", HUAWEI, ""),
        ("trend", TREND.with_fields({"countdown_s": 0, "reload_ms": 0}), ""),
        ("room", ROOM2, "--games 5"),
        ("kuhn", KUHN, "--games 5"),
    ],
)
def test_programs_of_every_dialect_play_to_the_end(
    tmp_path: Path, dialect: str, rules: Rules, more: str, boxed: bool
) -> None:
    if boxed and find_problem():
        pytest.skip(find_problem())
    one = task(
        tmp_path,
        program("Ada", join(dialect, more=more), dialect),
        program("Bob", join(dialect, more=more), dialect),
        rules=rules,
    )
    result = played(replace(one, boxed=boxed))
    assert result.hands == 5
    assert [player.forfeit for player in result.players] == ["", ""]
    assert sum(player.chips for player in result.players) == 0
    assert not any(player.faults or player.timeouts for player in result.players)
    assert result.digest


def test_programs_of_several_dialects_and_bots_play_together(tmp_path: Path) -> None:
    one = task(
        tmp_path,
        Player("Ada", bot="CallAgent"),
        program("Bob", join("huawei")),
        program("Cid", join("trend"), "trend"),
        Player("Dee", bot="AllinAgent"),
    )
    result = played(one, {0: CallAgent(), 3: AllinAgent()})
    assert result.hands == 5
    assert [player.forfeit for player in result.players] == [""] * 4
    assert sum(player.chips for player in result.players) == 0


def test_the_same_match_has_the_same_digest_whoever_arrives_first(tmp_path: Path) -> None:
    digests = set()
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        slow = "sh -c 'sleep 0.3; exec \"$@\"' slow " if number else ""
        one = task(
            folder,
            program("Ada", slow + join("huawei", "AllinAgent")),
            program("Bob", join("huawei", "CallAgent")),
            Player("Cid", bot="RandomAgent"),
        )
        digests.add(played(one, {2: RandomAgent(Stream(SEED, "bot 2"))}).digest)
    assert len(digests) == 1


def test_records_are_passed_on_as_they_are_made(tmp_path: Path) -> None:
    records: list[Record] = []
    one = task(tmp_path, program("Ada", join("huawei")), Player("Bob", bot="CallAgent"))
    result = played(one, {1: CallAgent()}, records)
    first, *hands, last = records
    assert isinstance(first, MatchRecord)
    assert (first.values["seed"], first.values["secret"]) == (SEED, 1)
    assert first.values["place"] == "contest final"
    assert [type(hand) for hand in hands] == [HandRecord] * 5
    assert isinstance(last, ResultRecord)
    assert result.match_id == last.match_id == first.values["id"]


@pytest.mark.parametrize("boxed", [True, False])
def test_a_program_runs_in_an_empty_folder_without_our_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, boxed: bool
) -> None:
    if boxed and find_problem():
        pytest.skip(find_problem())
    monkeypatch.setenv("CROUPIER_ADMIN_TOKEN", "a secret of the organiser")
    one = task(tmp_path, program("Ada", script("plays")), Player("Bob", bot="CallAgent"))
    assert played(replace(one, boxed=boxed), {1: CallAgent()}).hands == 5
    where, sees = output_of(tmp_path, "Ada").splitlines()
    folder, files = where.removeprefix("in ").split(" ", 1)
    assert files == "[]"
    assert not Path(folder).exists(), "it is removed afterwards"
    assert sees == "sees []"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (script("exits"), "ended with status 1: no poker today"),
        ("./nobody {host}", "not found"),
        ("./bot {prot}", "cannot be started"),
        ("./bot '", "cannot be started"),
        ("", "cannot be started"),
    ],
)
def test_a_program_that_does_not_take_its_seat_forfeits_at_once(
    tmp_path: Path, command: str, reason: str
) -> None:
    one = task(tmp_path, program("Ada", command), program("Bob", join("huawei")))
    result = played(one)
    ada, bob = result.players
    assert result.hands == 0
    assert reason in ada.forfeit
    assert bob.forfeit == ""
    assert ada.rank > bob.rank


@pytest.mark.parametrize("manner", ["silent", "wrong"])
def test_a_program_that_does_not_say_who_it_is_does_not_arrive(tmp_path: Path, manner: str) -> None:
    one = task(
        tmp_path,
        program("Ada", script(manner)),
        Player("Bob", bot="CallAgent"),
        Player("Cid", bot="CallAgent"),
    )
    # Without a box others reach its port, so it has to present the key that its command takes.
    one = replace(one, arrive_s=1.0, boxed=one.boxed and manner == "silent")
    result = played(one, {1: CallAgent(), 2: CallAgent()})
    assert result.hands == 5, "the others play without it"
    ada, *others = result.players
    assert ada.rank == 3
    if manner == "silent":
        assert ada.forfeit == "did not arrive within 1 s"
    assert [other.forfeit for other in others] == ["", ""]


NAMED_BY_ITSELF = """\
import socket, sys

server = socket.create_connection((sys.argv[1], int(sys.argv[2])))
server.sendall(b"reg: 77 iceking need_notify \\n")
while b"game-over" not in (data := server.recv(4096)) and data:
    if b"inquire/" in data:
        server.sendall(b"check \\n")
"""


@pytest.mark.parametrize("boxed", [True, False])
def test_a_program_that_takes_no_key_plays_by_its_own_name(tmp_path: Path, boxed: bool) -> None:
    bob = program("Bob", join("huawei"))
    one = task(tmp_path, program("Ada", f"{sys.executable} own.py {{host}} {{port}}"), bob)
    Path(one.folder, "own.py").write_text(NAMED_BY_ITSELF, "utf-8")
    result = played(replace(one, boxed=boxed and one.boxed))
    assert (result.hands, [player.forfeit for player in result.players]) == (5, ["", ""])


def test_a_program_that_crashes_breaks_off_and_the_others_play_on(tmp_path: Path) -> None:
    one = task(
        tmp_path, program("Ada", script("crashes")), program("Bob", join("huawei")), hands=20
    )
    result = played(one)
    ada, bob = result.players
    assert result.hands == 20
    assert (ada.forfeit, bob.forfeit) == ("broke off", "")
    assert ada.timeouts
    assert bob.chips > 0


def test_a_program_that_floods_is_cut_off(tmp_path: Path) -> None:
    one = task(tmp_path, program("Ada", script("floods")), program("Bob", join("huawei")))
    result = played(one)
    ada, bob = result.players
    assert result.hands == 5
    assert (ada.forfeit, bob.forfeit) == ("broke off", "")
    assert "nobody listens" in output_of(tmp_path, "Ada")


def test_a_program_that_stays_is_ended_with_its_children(tmp_path: Path) -> None:
    one = task(tmp_path, program("Ada", script("stays")), Player("Bob", bot="CallAgent"))
    one = replace(one, boxed=False)  # numbers of processes in a box say nothing outside
    assert played(one, {1: CallAgent()}).players[0].forfeit == ""
    child = int(output_of(tmp_path, "Ada").split("child ")[1])
    wait_for_end(child)


KILLED = """
import asyncio, os, signal, sys
from croupier.running.referee import referee
from croupier.server.table.task import MatchTask
from tests.running.test_referee import forever
asyncio.run(referee(forever(sys.argv[1]), {}))
"""


def forever(folder: str) -> MatchTask:
    """Return a match that does not end by itself."""
    rules = PLAIN.with_fields({"decision_ms": 600_000})
    players = [program(team, script("silent")) for team in ("Ada", "Bob")]
    return task(Path(folder), *players, rules=rules)


def test_no_program_is_left_when_its_referee_is_killed(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], cwd=root, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        started = (re.search(r"program started .*process=(\d+)", line) for line in process.stdout)
        found = filter(None, started)
        pids = [int(next(found)[1]) for _ in range(2)]
        process.kill()
        process.wait(PATIENCE)
    for pid in pids:
        wait_for_end(pid)


class Failing(Bot):
    def decide(self, view: View) -> None:  # type: ignore[override]
        raise KeyError("a mistake")


def test_what_a_bot_does_wrong_is_a_fault(tmp_path: Path) -> None:
    one = task(tmp_path, program("Ada", join("huawei")), Player("Bob", bot="bob.py:Failing"))
    result = played(one, {1: Failing()})
    assert result.hands == 5
    assert result.players[1].faults >= 5
    assert result.players[1].forfeit == ""


def test_transcripts_hold_the_names_of_teams_but_no_key(tmp_path: Path) -> None:
    plays = join("huawei", setting="?pid={pid}")
    keeps = f"sh -c 'echo key $1; shift; exec \"$@\"' keeps {{key}} {plays}"
    one = task(tmp_path, program("Ada", keeps), Player("Bob", bot="CallAgent"))
    played(one, {1: CallAgent()})
    key = output_of(tmp_path, "Ada").split()[1]
    (path,) = (tmp_path / "transcripts").iterdir()
    assert path.name.endswith("-1001-Ada.log")
    text = path.read_text("utf-8")
    assert "inquire" in text
    assert key not in text + path.name
