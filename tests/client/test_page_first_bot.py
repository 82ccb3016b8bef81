"""docs/first-bot.md says what is so."""

import re
from dataclasses import fields
from pathlib import Path

from croupier.cli.join import command
from croupier.cli.new_bot import BOT
from croupier.client.address import HANDS, parse_address
from croupier.client.result import Result
from croupier.client.runner import PATIENCE
from croupier.dialects.registry import DIALECTS
from croupier.rules.view import View

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "first-bot.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


def test_the_bot_of_the_page_is_the_one_that_new_bot_writes() -> None:
    assert BOT.partition("\n\n")[2] == PROGRAMS[0]


def test_its_programs_are_python() -> None:
    for program in PROGRAMS:
        compile(program, "first-bot.md", "exec")


def test_every_option_of_join_is_on_it() -> None:
    options = {name for parameter in command.params for name in parameter.opts if name[0] == "-"}
    assert options == set(re.findall(r"^\| `(--[a-z]+)` \|", PAGE, re.M))
    assert f"({PATIENCE:.0f})" in PAGE
    assert f"(both {HANDS})" in PAGE


def test_the_keys_of_the_json_object_are_on_it() -> None:
    keys = ["bot", *(field.name for field in fields(Result) if field.name != "first_fault")]
    assert f"one object: `{', '.join(keys)}`" in PAGE


def test_its_addresses_are_right_and_name_every_setting() -> None:
    addresses = [parse_address(text) for text in re.findall(r"`(\w+://HOST:[^`]+)`", PAGE)]
    assert [address.dialect for address in addresses] == list(DIALECTS.values())
    assert all(address.port == address.dialect.port for address in addresses)
    for address in addresses:
        named = set(address.settings) | set(re.findall(r"`(version)=1`", PAGE))
        assert set(address.dialect.settings) <= named


def test_every_part_of_a_view_is_on_it() -> None:
    parts = {name for name in View.__slots__ if name[0] != "_"}
    parts |= {name for name, value in vars(View).items() if isinstance(value, property)}
    # What a bot that is asked knows anyway, or what is not so before the hand is over.
    parts -= {"_asked", "actor", "cards", "over", "undealt"}
    assert parts <= set(re.findall(r"`view\.(\w+)", PAGE))
