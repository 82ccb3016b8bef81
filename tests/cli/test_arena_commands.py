"""`croupier init`, `croupier check-config` and `croupier serve`, up to where an arena runs."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli import serve
from croupier.cli.main import main
from croupier.server.arena.example import EXAMPLE
from croupier.server.arena.file import read_arena
from croupier.server.arena.plan import ArenaPlan

WRONG = """\
bind = "127.0.0.1"
metrics = -1

[[listen]]
dialect = "hauwei"

[[table]]
seats = 4
minimum = 5
repaet = true
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def refused(*arguments: str) -> list[str]:
    """Return the lines with which a command refuses."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr.strip().splitlines()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# init.


def test_init_writes_a_commented_example_that_is_valid() -> None:
    result = run("init")
    assert result.exit_code == 0
    assert result.stdout == "arena.toml is written; run it with: croupier serve arena.toml\n"
    assert Path("arena.toml").read_text("utf-8") == EXAMPLE
    assert run("check-config", "arena.toml").exit_code == 0


def test_init_takes_a_name_and_leaves_what_is_there_as_it_is() -> None:
    assert run("init", "mine.toml").exit_code == 0
    Path("mine.toml").write_text("# precious")
    (line,) = refused("init", "mine.toml")
    assert "mine.toml exists already" in line
    assert Path("mine.toml").read_text() == "# precious"
    (line,) = refused("init", "no/such/folder/arena.toml")
    assert "cannot write" in line


# check-config.


def test_check_config_says_what_is_in_a_file_that_is_fine() -> None:
    run("init")
    result = run("check-config", "arena.toml")
    assert result.stdout == (
        "arena.toml is fine: listeners huawei:6000, trend:3000, room:18888, kuhn:1212,"
        " acpc:16177; tables huawei, trend, acpc\n"
    )


def test_check_config_of_an_empty_file_is_fine_and_says_that_it_is_nothing() -> None:
    Path("arena.toml").write_text("")
    result = run("check-config", "arena.toml")
    assert result.exit_code == 0
    assert "listeners none; tables none" in result.stdout


@pytest.mark.parametrize("command", ["check-config", "serve"])
def test_all_mistakes_are_listed_each_with_its_line_and_key(command: str) -> None:
    Path("arena.toml").write_text(WRONG)
    first, *rest = refused(command, "arena.toml")
    assert first.endswith("arena.toml cannot be used:")
    assert [line.partition(": ")[0] for line in rest] == ["line 2", "line 5", "line 9", "line 10"]
    assert rest[0].startswith("line 2: metrics: is a port, not -1")
    assert rest[1].startswith("line 5: listen[0].dialect: ")
    assert rest[2] == "line 9: table[0].minimum: is from 1 to 4, not 5"
    assert rest[3] == "line 10: table[0].repaet: unknown key; did you mean 'repeat'?"


@pytest.mark.parametrize("command", ["check-config", "serve"])
def test_a_file_that_is_missing_no_text_or_no_toml_is_said_to_be(command: str) -> None:
    (line,) = refused(command, "nowhere.toml")
    assert "cannot read nowhere.toml: No such file or directory" in line
    assert "croupier init" in line
    (line,) = refused(command, ".")
    assert "cannot read .: Is a directory" in line
    Path("latin.toml").write_bytes("bind = 'café'\n".encode("latin-1"))
    (line,) = refused(command, "latin.toml")
    assert "latin.toml is not UTF-8 text" in line
    Path("broken.toml").write_text("bind = '127.0.0.1'\n[[table\n")
    lines = refused(command, "broken.toml")
    assert "not TOML" in lines[-1]
    assert "line 2" in lines[-1]
    assert not list(Path().glob("*.db*")), "nothing is made before the file is understood"


def test_a_byte_order_mark_is_no_mystery() -> None:
    Path("arena.toml").write_bytes(b"\xef\xbb\xbf" + EXAMPLE.encode())
    result = run("check-config", "arena.toml")
    assert result.exit_code in (0, 2)
    assert "Traceback" not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_check_config_needs_a_file() -> None:
    assert run("check-config").exit_code == 2


# serve.


def test_serve_without_a_file_runs_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[ArenaPlan] = []
    monkeypatch.setattr(serve, "run_arena", lambda plan, *_: plans.append(plan))
    assert run("serve").exit_code == 0
    assert run("init", "arena.toml").exit_code == 0
    assert run("serve", "arena.toml", "--seed", "abc").exit_code == 0
    without, with_file = plans
    example = read_arena(EXAMPLE)
    for plan in plans:
        assert plan.listen == example.listen
        assert [table.plan.name for table in plan.tables] == ["huawei", "trend", "acpc"]
        assert plan.on_demand == example.on_demand
    assert without.seed is None
    assert with_file.seed is not None
    assert without.control == Path("croupier.sock")


def test_open_tables_start_ten_seconds_after_the_first_player_with_house_bots() -> None:
    for table in read_arena(EXAMPLE).tables:
        plan = table.plan
        assert (plan.minimum, plan.wait_s) == (1, 10)
        assert len(plan.fill) + 1 == plan.seats
        assert plan.repeat
        assert not plan.on_command
