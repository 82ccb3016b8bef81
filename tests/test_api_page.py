"""docs/api.md names what programs may rely on, and all of it is there."""

import importlib
import re
from pathlib import Path

import click
import pytest

import croupier
from croupier.cli.main import COMMANDS, main

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
PROMISED = re.findall(r"^\| `(croupier\.[\w.]+)` \|", PAGE, re.M)


@pytest.mark.parametrize("name", PROMISED)
def test_every_promised_name_can_be_imported(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    assert hasattr(importlib.import_module(module), attribute)


def test_the_package_exports_exactly_what_is_promised_of_it() -> None:
    of_the_package = {name.split(".")[1] for name in PROMISED if name.count(".") == 1}
    assert of_the_package == set(croupier.__all__)


def test_every_command_that_prints_json_is_promised() -> None:
    context = click.Context(main)
    found = set()
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        group = command if isinstance(command, click.Group) else None
        for sub in group.list_commands(context) if group else [""]:
            one = group.get_command(context, sub) if group else command
            assert one is not None
            if any("--json" in parameter.opts for parameter in one.params):
                found.add(f"croupier {name} {sub}".strip())
    assert set(re.findall(r"^\| `(croupier [\w -]+)` \|", PAGE, re.M)) == found


def test_the_readme_leads_there() -> None:
    assert "(docs/api.md)" in (ROOT / "README.md").read_text("utf-8")
