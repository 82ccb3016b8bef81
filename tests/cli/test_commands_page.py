"""docs/commands.md speaks of every command and every option."""

import re
from pathlib import Path

import click
import pytest

from croupier.cli.main import COMMANDS, main

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def commands() -> dict[str, click.Command]:
    """Return all commands by their full names, those of groups included."""
    context = click.Context(main)
    found: dict[str, click.Command] = {}
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                sub = command.get_command(context, inner)
                assert sub is not None
                found[f"{name} {inner}"] = sub
        else:
            found[name] = command
    return found


def sections() -> dict[str, str]:
    """Return the page's text by command."""
    parts = re.split(r"^## croupier (.+)$", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", commands())
def test_every_option_of_a_command_is_documented(name: str) -> None:
    section = sections()[name]
    for parameter in commands()[name].params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert f"`{option}`" in section, f"{option} of croupier {name}"


def test_no_command_is_documented_that_is_not_there() -> None:
    groups = {name.partition(" ")[0] for name in commands() if " " in name}
    assert set(sections()) == set(commands()) | groups


@pytest.mark.parametrize("name", commands())
def test_no_option_is_documented_that_is_not_there(name: str) -> None:
    command = commands()[name]
    options = {option for parameter in command.params for option in parameter.opts}
    written = set(re.findall(r"^\| (.*?) \|", sections()[name], flags=re.MULTILINE))
    for cell in written - {"option"}:
        for option in re.findall(r"`(-[^`]*)`", cell):
            assert option in options


@pytest.mark.parametrize("name", commands())
def test_every_command_says_what_it_does(name: str) -> None:
    command = commands()[name]
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.name} of croupier {name}"
