"""Load rules from a name or a file, with `--set key=value` on top."""

from pathlib import Path
from typing import Any

from croupier.cli.errors import BadArgumentError
from croupier.rules.rules import FIELD_TYPES, Rules, RulesError, nearest
from croupier.rules.sets import named
from croupier.server.arena.rules_file import is_rules_file, read_rules_file

ALIASES = {"chips": "stack"}
"""Names that protocols use for some settings."""


def load_rules(source: str, settings: tuple[str, ...], defaults: dict[str, Any]) -> Rules:
    """Return the rules that the options describe.

    `defaults` overrides fields of the rule set, but not what a file or a setting says itself.
    """
    try:
        if is_rules_file(source):
            base, own = read_rules_file(Path(source))
        else:
            base, own = named(source), {}
        return base.with_fields(defaults | own | dict(map(_parse_setting, settings)))
    except RulesError as error:
        prefix = f"{source}: " if is_rules_file(source) and source not in str(error) else ""
        raise BadArgumentError(f"{prefix}{error}") from None


def _parse_setting(setting: str) -> tuple[str, Any]:
    key, equals, text = setting.partition("=")
    if not equals:
        raise RulesError(f"a setting is written key=value, not {setting!r}")
    key = ALIASES.get(key, key)
    if key not in FIELD_TYPES:
        raise RulesError(f"unknown setting {key!r}{nearest(key, FIELD_TYPES)}")
    kind = FIELD_TYPES[key]
    if kind is tuple:
        try:
            numbers = [int(number) for number in text.split(",")]
        except ValueError:
            raise RulesError(f"{key} is whole numbers with commas between, not {text!r}") from None
        return key, numbers if len(numbers) > 1 else numbers[0]
    if kind is int:
        try:
            return key, int(text)
        except ValueError:
            raise RulesError(f"{key} is a whole number, not {text!r}") from None
    if kind is bool:
        if text not in ("true", "false"):
            raise RulesError(f"{key} is true or false, not {text!r}")
        return key, text == "true"
    return key, text
