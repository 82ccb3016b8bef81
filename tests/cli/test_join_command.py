"""`croupier join` and `croupier new-bot` as a user runs them."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import main
from croupier.client.progress import ProgressLines
from croupier.client.result import Result as Played
from croupier.dialects.room.frames import frame
from tests.client.servers import HEAR, HOLD, Line, TcpServer
from tests.support.hosting import PATIENCE, HostProcess

HAND = (
    b"seat/ \nbutton: 7 2000 0 \nsmall blind: 8 2000 0 \n/seat \nblind/ \n8: 50 \n/blind \n"
    b"hold/ \nSPADES 10 \nHEARTS A \n/hold \n"
    b"inquire/ \n8 1950 0 50 blind \ntotal pot: 50 \n/inquire \n"
)
END = b"pot-win/ \n8: 100 \n/pot-win \n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["join", *arguments])


def refused(*arguments: str, code: int = 2) -> str:
    """Run and return the one line with which the command refuses."""
    result = run(*arguments)
    assert result.exit_code == code, result.output
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


def test_json_is_one_object_with_the_documented_keys() -> None:
    with HostProcess("--rules", "kuhn", "--seed", "7", "--once", "--json", dialect="kuhn") as host:
        url = f"kuhn://127.0.0.1:{host.port}"
        result = run(url, "--bot", "nash", "--games", "30", "--seed", "7", "--json")
        seats = {seat["dialect"]: seat for seat in host.result()["seats"]}
    assert result.exit_code == 0, result.output
    value = json.loads(result.stdout)
    assert list(value) == [
        "bot",
        "dialect",
        "address",
        "matches",
        "hands",
        "chips_won",
        "faults",
        "ended",
        "interrupted",
        "commitment",
    ]
    assert (value["bot"], value["hands"], value["matches"]) == ("nash", 30, 1)
    assert value["chips_won"] == seats["kuhn"]["chips"] - 20


def test_one_line_says_what_was_won() -> None:
    with TcpServer([HEAR, HAND, HEAR, END, b"game-over \n", HOLD]) as server:
        result = run(f"huawei://127.0.0.1:{server.port}?pid=7", "--bot", "CallAgent")
    assert result.exit_code == 0
    assert result.stdout == (
        f"CallAgent won -50 chips in 1 hands, 1 match of huawei at 127.0.0.1:{server.port}\n"
    )


def test_a_bot_of_the_users_own_and_its_first_fault(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import croupier\n\nclass Mine(croupier.Bot):\n    def decide(self, view):\n        1 / 0\n"
    )
    with TcpServer([HEAR, HAND, HEAR, END, b"game-over \n", HOLD]) as server:
        url = f"huawei://127.0.0.1:{server.port}?pid=7"
        result = run(url, "--bot", f"{tmp_path / 'bot.py'}:Mine", "--name", "kobe")
    assert server.heard[0][:2] == [b"reg: 7 kobe need_notify need_bet \n", b"fold \n"]
    assert "Mine, its first fault" in result.stderr
    assert "ZeroDivisionError" in result.stderr
    assert "1 faults" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("tend://h:1", "--bot", "CallAgent"), "did you mean 'trend'?"),
        (("trend://h:x", "--bot", "CallAgent"), "a port is a number"),
        (("trend://h:1", "--bot", "CalAgent"), "did you mean 'CallAgent'?"),
        (("trend://h:1", "--bot", "nash"), "unknown bot 'nash'"),
        (("trend://h:1", "--bot", "no.py:Bot"), "there is no bot file no.py"),
        (("trend://h:1", "--bot", "CallAgent", "--rules", "plan"), "did you mean 'plain'?"),
        (("trend://h:1", "--bot", "CallAgent", "--rules", "kuhn"), "cannot be played in trend"),
        (("kuhn://h:1", "--bot", "nash", "--nonce", "x"), "kuhn has no room for a nonce"),
        (("trend://h:1", "--bot", "CallAgent", "--nonce", "a b"), "without blanks, not 'a b'"),
        (("trend://h:1", "--bot", "CallAgent", "--nonce", ""), "1 to 64 printable"),
        (("room://h:1?seats=1", "--bot", "CallAgent"), "seats is a number from 2 to 10"),
    ],
)
def test_a_wrong_argument_is_refused_with_one_line(
    arguments: tuple[str, ...], problem: str
) -> None:
    assert problem in refused(*arguments)


def test_nan_is_no_time_to_wait() -> None:
    result = CliRunner().invoke(
        main, ["join", "trend://h:1", "--bot", "CallAgent", "--retry", "nan"]
    )
    assert (result.exit_code, "nan is no number of seconds" in result.stderr) == (2, True)


def test_a_server_that_is_not_there_is_one_line_and_exit_code_1() -> None:
    with TcpServer([]) as server:
        pass
    line = refused(f"kuhn://127.0.0.1:{server.port}", "--bot", "nash", code=1)
    assert line == f"Error: cannot connect to 127.0.0.1:{server.port}: Connection refused"


def test_what_was_played_until_a_failure_is_told() -> None:
    script: list[Line] = [HEAR, b"STKS 20 20\n", HEAR, b"DEAL '0'\nCARD 'J'\n", HEAR]
    script += [b"CHCK\nSHOW 'Q'\nSTKS 19 21\n", HEAR, b"DEAL '0'\nwhat?\n", HOLD]
    with TcpServer(script) as server:
        result = run(f"kuhn://127.0.0.1:{server.port}", "--bot", "call", "--quiet")
    assert result.exit_code == 1
    assert "won -1 chips in 1 hands" in result.stdout
    assert result.stderr == "Error: the server does not speak kuhn: b'what?\\n' is no command\n"


def test_why_a_match_ended_early_is_told() -> None:
    state = frame(
        '{"position": 0, "action_position": 1, "legal_actions": ["fold", "call"],'
        ' "raise_range": [], "private_card": ["As", "Kd"], "public_card": [],'
        ' "action_history": [[]], "info": "state"}'
    )
    result_frame = frame('{"win_money": [50, -50], "info": "result"}')
    with TcpServer([HEAR, state, result_frame, HEAR]) as server:
        url = f"room://127.0.0.1:{server.port}?version=1"
        result = run(url, "--bot", "CallAgent", "--games", "9", "--retry", "0")
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("\nthe match ended early: the server closed the room\n")


def test_ctrl_c_says_goodbye_and_tells_what_was_won() -> None:
    script: list[Line] = [HEAR, b"STKS 20 20\n", HEAR, b"DEAL '0'\nCARD 'J'\n", HEAR]
    script += [b"CHCK\nSHOW 'Q'\nSTKS 19 21\n", HEAR, b"DEAL '1'\nCARD 'K'\n", HEAR, HOLD]
    with TcpServer(script) as server:
        command = [sys.executable, "-m", "croupier", "join", f"kuhn://127.0.0.1:{server.port}"]
        with subprocess.Popen(
            [*command, "--bot", "call", "--json", "--quiet"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            server.wait_for_line(8)
            os.kill(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert err == b""
    value = json.loads(out)
    assert (value["interrupted"], value["hands"], value["chips_won"]) == (True, 1, -1)
    assert server.heard[0][-1] == b"QUIT\n"


def test_how_it_gets_on_is_told_on_standard_error_unless_it_has_to_be_quiet() -> None:
    for quiet in (False, True):
        with TcpServer([HEAR, HAND, HEAR, END, b"game-over \n", HOLD]) as server:
            url = f"huawei://127.0.0.1:{server.port}?pid=7"
            result = run(url, "--bot", "CallAgent", *(["--quiet"] if quiet else []))
        connected = f"connected to 127.0.0.1:{server.port}, waiting for the first hand"
        assert result.stderr == ("" if quiet else f"{connected}\nthe match has begun\n")
        assert len(result.stdout.splitlines()) == 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_hands_are_counted_on_a_terminal_and_nowhere_else() -> None:
    terminal, file = Terminal(), io.StringIO()
    for out in (terminal, file):
        lines = ProgressLines(out)
        for hands in range(1, 1000):
            lines.hand(Played("huawei", "h:1", hands=hands, chips_won=-50))
        lines.say("the match is over")
    assert terminal.getvalue().startswith("\r\x1b[K1 hands, -50 chips")
    assert terminal.getvalue().endswith("\r\x1b[Kthe match is over\n")
    assert terminal.getvalue().count("hands") < 100
    assert file.getvalue() == "the match is over\n"


@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_a_bot_that_ends_the_program_is_named(tmp_path: Path, quiet: tuple[str, ...]) -> None:
    (tmp_path / "bot.py").write_text(
        "import sys, croupier\n\nclass Mine(croupier.Bot):\n"
        "    def decide(self, view):\n        sys.exit(5)\n"
    )
    with TcpServer([HEAR, HAND, HEAR]) as server:
        url = f"huawei://127.0.0.1:{server.port}?pid=7"
        result = run(url, "--bot", f"{tmp_path / 'bot.py'}:Mine", *quiet)
    assert result.exit_code == 5
    assert result.stderr.endswith("Mine itself has ended the program: sys.exit(5)\n")


def test_the_port_of_another_dialect_is_one_line_and_exit_code_1() -> None:
    with TcpServer([HEAR]) as server:
        line = refused(f"trend://127.0.0.1:{server.port}", "--bot", "CallAgent", code=1)
    assert "that server does not speak WebSocket" in line


# A bot to begin with.


def new_bot(directory: Path) -> Result:
    return CliRunner().invoke(main, ["new-bot", str(directory)])


def test_a_new_bot_has_ten_lines_and_its_test_passes(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "mine"
    result = new_bot(folder)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "bot.py", "test_bot.py"]
    assert len((folder / "bot.py").read_text().splitlines()) == 10
    for command in (["test_bot.py"], ["-m", "pytest", "-q", "-p", "no:cacheprovider"]):
        done = subprocess.run(
            [sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_new_bot_is_typed(tmp_path: Path) -> None:
    new_bot(tmp_path)
    # Here, where `make static` has just looked at everything that a bot imports.
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *map(str, tmp_path.glob("*.py"))],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"MYPYPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 source files" in done.stdout


def test_a_new_bot_plays_in_every_dialect(tmp_path: Path) -> None:
    new_bot(tmp_path)
    bot = f"{tmp_path / 'bot.py'}:MyBot"
    for dialect, more, host_arguments in (
        ("huawei", "", ("--seats", "2", "--bot", "CallAgent", "--hands", "3")),
        ("trend", "", ("--seats", "2", "--bot", "CallAgent", "--hands", "3")),
        ("room", "/1?bots=CallAgent", ()),
        ("kuhn", "", ()),
    ):
        quick = ("--set", "countdown_s=0", "--set", "reloads=0") if dialect == "trend" else ()
        with HostProcess(
            *("--rules", dialect, *host_arguments, *quick, "--once", "--json"),
            # With these deals nobody goes broke before the last hand.
            *("--set", "decision_ms=60000", "--seed", "lasting"),
            dialect=dialect,
        ) as host:
            url = f"{dialect}://127.0.0.1:{host.port}{more}"
            games = ("--games", "3") if dialect in ("room", "kuhn") else ()
            result = run(url, "--bot", bot, *games, "--json")
        assert result.exit_code == 0, result.output
        value = json.loads(result.stdout)
        assert (value["bot"], value["hands"], value["faults"]) == ("MyBot", 3, 0)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("precious")
    result = new_bot(tmp_path)
    assert result.exit_code == 2
    assert result.stderr == f"Error: {tmp_path} has a bot.py already\n"
    assert [path.name for path in tmp_path.iterdir()] == ["bot.py"]
    assert (tmp_path / "bot.py").read_text() == "precious"


def test_a_folder_without_a_name_is_not_the_present_one(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["new-bot", ""])
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: name the folder that the bot is written to\n",
    )


def test_a_directory_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = new_bot(tmp_path / "file")
    assert result.exit_code == 2
    assert "cannot write" in result.stderr
