"""Rules of a user's own, in a TOML file."""

import tomllib
from pathlib import Path
from typing import Any

from croupier.rules.rules import Rules, RulesError
from croupier.rules.sets import named


def read_rules_file(path: Path) -> tuple[Rules, dict[str, Any]]:
    """Return the rule set that a file is based on, and what it says itself."""
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RulesError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesError(f"{path} is not TOML: {error}") from None
    base = values.pop("base", "plain")
    if not isinstance(base, str):
        raise RulesError(f"base is the name of a rule set, not {base!r}")
    values.setdefault("name", path.stem)
    return named(base), values


def read_rules(path: Path) -> Rules:
    """Return the rules of a file."""
    base, values = read_rules_file(path)
    return base.with_fields(values)
