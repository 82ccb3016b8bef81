"""docs/rules.md names every rule, with the values that the rule sets have."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from croupier.rules.rules import Rules
from croupier.rules.sets import SETS

PAGE = (Path(__file__).parent.parent / "docs" / "rules.md").read_text("utf-8")
NAMES = [field.name for field in fields(Rules) if field.name != "name"]


def section(heading: str) -> list[list[str]]:
    """Return the rows of a section's table, as cells."""
    text = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.*) \|$", text, re.M)
    return [row.split(" | ") for row in rows]


def written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(written, value))
    return f"{value:,}".replace("-", "−") if isinstance(value, int) else f"`{value}`"


def test_every_setting_is_explained_once_in_order() -> None:
    head, *rows = section("The settings")
    assert head == ["rule", "what it says"]
    assert [row[0] for row in rows] == [f"`{name}`" for name in NAMES]
    assert all(len(row[1]) > 10 for row in rows)


def test_every_value_of_every_rule_set_is_right() -> None:
    head, *rows = section("Their values")
    assert head == ["rule", *(f"`{name}`" for name in SETS)]
    assert [row[0] for row in rows] == [f"`{name}`" for name in NAMES]
    for name, row in zip(NAMES, rows, strict=True):
        assert row[1:] == [written(getattr(rules, name)) for rules in SETS.values()], name


@pytest.mark.parametrize("name", SETS)
def test_every_rule_set_is_introduced(name: str) -> None:
    assert f"`{name}`" in PAGE.split("## The rule sets\n")[1].split("\n## ")[0]
