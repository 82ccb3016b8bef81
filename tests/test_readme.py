"""The README is a session that a reader can paste: every command and program in it is run."""

import contextlib
import io
import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from croupier.dialects.registry import DIALECTS
from croupier.rules.sets import SETS, named

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
SESSION = re.findall(r"^    \$ croupier (play .*)\n    (.*)$", README, re.M)
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.S)


@pytest.mark.parametrize(("arguments", "answer"), SESSION)
def test_each_command_answers_as_printed(
    arguments: str, answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot.py").write_text(next(text for text in PROGRAMS if "class MyBot" in text))
    result = CliRunner().invoke(main, shlex.split(arguments))
    assert result.exit_code == 0, result.output
    assert "its first fault" not in result.stderr
    assert answer.removesuffix("...") in result.stdout


def test_a_contest_begins_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (answer,) = re.findall(r"^    \$ croupier contest init\n    (.*)$", README, re.M)
    result = CliRunner().invoke(main, ["contest", "init"])
    assert result.output == f"{answer}\n"
    assert CliRunner().invoke(main, ["contest", "check"]).exit_code == 0


def test_its_first_screen_has_a_door_for_everyone() -> None:
    first = README.partition("\n## ")[0]
    for command in ("contest init", "contest run", "new-bot", "check", "play", "export"):
        assert f"croupier {command} " in first or f"croupier {command}`" in first
        assert main.get_command(click.Context(main), command.split()[0]) is not None
    for name in DIALECTS:
        assert f"[`{name}`](docs/protocols/{name}.md)" in first


def test_the_library_example_prints_what_its_comments_say() -> None:
    program = next(text for text in PROGRAMS if "from croupier" in text)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, {})
    assert printed.getvalue().splitlines() == re.findall(r"\)  # (.*)$", program, re.M)


def test_the_rules_example_is_valid() -> None:
    for text in re.findall(r"```toml\n(.*?)```", README, re.S):
        values = tomllib.loads(text)
        named(values.pop("base")).with_fields(values)


def test_every_rule_set_is_described() -> None:
    for name in SETS:
        assert f"`{name}`" in README
