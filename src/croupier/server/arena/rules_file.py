"""Rules files: a user's own rules in TOML, or a game definition."""

import json
import tomllib
from pathlib import Path
from typing import Any

from croupier.rules.definition import read_definition
from croupier.rules.rules import Rules, RulesError, value_problem
from croupier.rules.sets import named

DEFINITION = ".game"
ENDINGS = (".toml", DEFINITION)


def is_rules_file(source: str) -> bool:
    """Tell whether rules are given as a file, not by name."""
    return source.endswith(ENDINGS)


def read_rules_file(path: Path) -> tuple[Rules, dict[str, Any]]:
    """Return the rule set that a file is based on, and the fields that it sets."""
    try:
        text = path.read_text("utf-8")
        if path.suffix == DEFINITION:
            return read_definition(text, path.stem), {}
        values = tomllib.loads(text)
    except OSError as error:
        raise RulesError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        kind = "a game definition" if path.suffix == DEFINITION else "TOML"
        raise RulesError(f"{path} is not {kind}: {error}") from None
    base = values.pop("base", "plain")
    if not isinstance(base, str):
        raise RulesError(f"base is the name of a rule set, not {base!r}")
    values.setdefault("name", path.stem)
    return named(base), values


def rules_from(source: str, folder: Path) -> tuple[Rules | None, list[str]]:
    """Return the rules that a name or a file of a folder gives, if any, and what is wrong."""
    try:
        if not is_rules_file(source):
            return named(source), []
        base, values = read_rules_file(folder / source)
    except RulesError as error:
        return None, [str(error)]
    rules, problems = apply(base, values)
    return rules, [f"{source}: {problem}" for _, problem in problems]


def rules_text(rules: Rules) -> str:
    """Return rules as the text of a rules file, with every field."""
    # What JSON writes of texts, numbers, lists and truth values is TOML as well.
    fields = (f"{key} = {json.dumps(value)}\n" for key, value in rules.as_dict().items())
    return "".join(fields)


def apply(base: Rules, values: dict[str, Any]) -> tuple[Rules, list[tuple[str, str]]]:
    """Return rules with all valid fields set, and the problems of the others.

    Each problem is a key and a text.
    """
    problems: list[tuple[str, str]] = []
    good: dict[str, Any] = {}
    for key, value in values.items():
        if not value_problem(key, value):
            good[key] = value
        else:
            problems.append((key, _complaint(base, {key: value})))
    while complaint := _complaint(base, good):
        # The culprit is the field without which the complaint changes or goes away.
        culprit = next(
            (key for key in good if _complaint(base, _without(good, key)) != complaint),
            next(iter(good)),
        )
        problems.append((culprit, complaint))
        del good[culprit]
    return base.with_fields(good), problems


def _complaint(base: Rules, values: dict[str, Any]) -> str:
    try:
        base.with_fields(values)
    except RulesError as error:
        return str(error)
    return ""


def _without(values: dict[str, Any], key: str) -> dict[str, Any]:
    return {other: value for other, value in values.items() if other != key}
