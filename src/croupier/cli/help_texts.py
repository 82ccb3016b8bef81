"""Phrases on dialects, rules and bots that help texts share, made from the registries."""

from croupier.bots import HOUSE_BOTS, KUHN_BOTS
from croupier.dialects.dialect import Dialect
from croupier.dialects.registry import DIALECTS
from croupier.rules.sets import SETS


def listed(words: list[str], last: str = "or") -> str:
    """Join words with commas, and with `last` before the last one."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


DIALECT_NAMES = listed(list(DIALECTS))
RULE_SETS = ", ".join(SETS)
BOTS = (
    f"BOT is a house bot ({', '.join(HOUSE_BOTS)}; in Kuhn poker also"
    f" {listed(list(KUHN_BOTS), 'and')}) or path/to/file.py:ClassName, a class with decide(view) ->"
    " decision."
)


def per_dialect(help_field: str) -> str:
    """Return the texts of one help field of all dialects, grouped by text."""
    groups: dict[str, list[str]] = {}
    for dialect in DIALECTS.values():
        words = _help_text(dialect, help_field)
        if words:
            groups.setdefault(words, []).append(dialect.name)
    return ", ".join(f"in {listed(names, 'and')} {words}" for words, names in groups.items())


def _help_text(dialect: Dialect, help_field: str) -> str:
    text: str = getattr(dialect, help_field)
    return text


ADDRESS_EXAMPLES = ", ".join(
    dialect.address_example for dialect in DIALECTS.values() if "?" in dialect.address_example
)
