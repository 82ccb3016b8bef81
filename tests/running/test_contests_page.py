"""docs/contests.md: every key and every format is on it, and its session is run as it stands."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from croupier.cli.contest import COMMANDS
from croupier.cli.contest import command as contest_group
from croupier.contest.formats.knockout import LEVEL_LIMIT
from croupier.contest.formats.registry import FORMATS
from croupier.contest.standings import TIE_BREAKS
from croupier.dialects.registry import DIALECTS
from croupier.running.contest_example import EXAMPLE
from croupier.running.contest_reader import CONTEST_KEYS, read_contest
from croupier.running.stage_reader import STAGE_KEYS
from croupier.running.team_lists import COLUMNS
from croupier.running.team_reader import TEAM_KEYS
from tests.support.processes import run

PAGE = (Path(__file__).parents[2] / "docs" / "contests.md").read_text("utf-8")
FILES = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


def part(heading: str) -> str:
    """Return what stands under a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", PAGE, re.M | re.S)
    assert found is not None, heading
    return found[1]


def rows(heading: str) -> dict[str, list[str]]:
    """Return the table under a heading: by what its first cells name, the others."""
    table: dict[str, list[str]] = {}
    for line in re.findall(r"^\| (`.*) \|$", part(heading), re.M):
        first, *others = (cell.strip() for cell in line.split("|"))
        for name in re.findall(r"`\[*([\w-]+)\]*`", first):
            table[name] = others
    return table


@pytest.mark.parametrize(
    ("heading", "keys"),
    [("The file", CONTEST_KEYS), ("team", TEAM_KEYS), ("stage", STAGE_KEYS)],
)
def test_every_key_of_the_file_is_on_it_and_no_other(heading: str, keys: tuple[str, ...]) -> None:
    assert sorted(rows(heading)) == sorted(keys)


def test_every_format_is_on_it_with_its_own_keys() -> None:
    table = rows("Formats")
    assert list(table) == list(FORMATS)
    for name, format in FORMATS.items():
        _, keys = table[name]
        assert sorted(re.findall(r"`([a-z_]+)`(?=:| as above)", keys)) == sorted(format.keys)
    assert f"up to {LEVEL_LIMIT}," in table["knockout"][0]


def test_every_key_is_explained_in_the_example_too() -> None:
    for key in (*CONTEST_KEYS, *TEAM_KEYS, *STAGE_KEYS):
        assert re.search(rf"^(# )?(\[\[)?{key}( =|\]\])", EXAMPLE, re.M), key


def test_defaults_are_those_of_the_program() -> None:
    plan = read_contest(FILES[0].replace("ada.py:Ada", "CallAgent"))
    shown = {key: cells[0].strip("`") for key, cells in rows("The file").items()}
    for key in ("bind", "durability"):
        assert shown[key] == f'"{getattr(plan, key)}"'
    for key in ("arrive_s", "program_arrive_s"):
        assert float(shown[key]) == getattr(plan, key)
    assert shown["output"] == f'"{plan.output.name}"'
    assert shown["record"] == f'"{plan.plan.record}"'
    assert float(shown["forfeit_stacks"]) == plan.plan.forfeit_stacks
    stage = plan.plan.stages[1]
    assert (stage.seats, stage.sets, stage.advance) == (2, 1, 0)


def test_lists_of_teams_have_the_columns_that_it_names() -> None:
    listed = ", ".join(f"`{column}`" for column in COLUMNS)
    assert listed in rows("The file")["teams"][1]


def test_the_order_of_standings_is_the_one_on_it() -> None:
    assert {name: cells[0] for name, cells in rows("How a standing is ordered").items()} == (
        TIE_BREAKS
    )


def test_it_says_what_to_tell_the_teams_of_every_dialect() -> None:
    assert list(rows("Teams that connect by themselves")) == list(DIALECTS)


def test_every_command_that_directs_a_contest_is_on_it() -> None:
    directing = [name for name, (where, _) in COMMANDS.items() if where.startswith("directing:")]
    text = part("Directing a contest")
    for name in directing:
        assert re.search(rf"`(croupier contest )?{name}\b", text), name


def test_commands_and_options_that_it_names_exist() -> None:
    context = click.Context(contest_group)
    for text in re.findall(r"croupier contest ([^`\n]*)", PAGE):
        name, *words = text.split()
        command = contest_group.get_command(context, name.rstrip(",:;"))
        assert command is not None, text
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, text


def test_every_link_leads_somewhere() -> None:
    docs = Path(__file__).parents[2] / "docs"
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        path, _, anchor = target.partition("#")
        text = (docs / path).read_text("utf-8") if path else PAGE
        headings = re.findall(r"^#+ (.*)$", text, re.M)
        assert not anchor or anchor in [h.lower().replace(" ", "-") for h in headings], target


# The session.


def session() -> list[tuple[str, list[str]]]:
    """Return the commands of the page, each with the lines that it answers."""
    found: list[tuple[str, list[str]]] = []
    for line in part("Five minutes").splitlines():
        if line.startswith("    $ "):
            found.append((line.removeprefix("    $ "), []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line.removeprefix("    "))
    return found


def answer(folder: Path, command: str) -> list[str]:
    """Run a command of the page in a folder and return the lines that it prints."""
    done = run(*shlex.split(command), cwd=folder)
    assert done.returncode == 0, done.stderr
    return [line.rstrip() for line in done.stdout.splitlines()]


def test_the_session_goes_as_shown(tmp_path: Path) -> None:
    (tmp_path / "ada.py").write_text(PROGRAMS[0])
    (tmp_path / "contest.toml").write_text(FILES[0])
    commands = session()
    assert len(commands) == 8
    for command, shown in commands:
        printed = answer(tmp_path, command)
        left = iter(printed)
        for line in shown:
            if line.endswith("..."):
                line = line.removesuffix("...")
                assert any(given.startswith(line) for given in left) if line else True
            else:
                assert line in left, (command, line, printed)
    digest = subprocess.run(
        [sys.executable, "-c", PROGRAMS[1]], cwd=tmp_path, capture_output=True, text=True
    ).stdout.strip()
    assert f"    digest {digest}\n" in PAGE


def test_teams_are_told_how_to_join_with_a_class() -> None:
    table = rows("Teams that connect by themselves")
    for name, dialect in DIALECTS.items():
        commands = re.findall(r"croupier join [^`;]*", table[name][0])
        assert len(commands) == 1
        words = shlex.split(commands[0])
        assert words[2].startswith(f"{name}://HOST:PORT")
        assert words[3:7] == ["--bot", "FILE.py:Class", "--name", "KEY"]
        assert ("while true" in table[name][0]) or not dialect.games_are_hands
