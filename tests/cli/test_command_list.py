"""`croupier --help` lists the commands without loading them."""

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from croupier.cli.main import COMMANDS, main

WIDTH = 80


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_listed_with_the_beginning_of_its_own_help(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert command.help is not None
    beginning = COMMANDS[name][1].removesuffix(".")
    assert " ".join(command.help.split()).startswith(beginning)


def test_each_command_is_listed_on_one_line() -> None:
    listed = CliRunner().invoke(main, ["--help"], terminal_width=WIDTH).output
    lines = listed.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == list(COMMANDS)


@pytest.mark.parametrize("name", ["host", "serve", "join", "check", "web"])
def test_a_command_imports_what_it_needs(name: str) -> None:
    """Other tests start commands where the modules of all of them are imported already."""
    command = [sys.executable, "-m", "croupier", name, "--help"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_list_of_commands_loads_none_of_them() -> None:
    script = (
        "import sys; from croupier.cli.main import main;"
        " main(['--help'], standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    *listed, loaded = done.stdout.splitlines()
    assert len(listed) > len(COMMANDS)
    modules = {where.partition(":")[0] for where, _ in COMMANDS.values()}
    costly = {f"croupier.cli.{module}" for module in modules} | {"numpy", "sqlalchemy"}
    assert not costly & set(loaded.split())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_output_for_which_there_is_no_room_is_an_error_of_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "croupier", "rules", "plain"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr == "Error: cannot write the output: No space left on device\n"


def test_whoever_reads_the_output_may_stop_at_any_time() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "croupier", "rules", "plain"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
