"""What several help texts say of dialects, rules and bots, from the registries."""

from croupier.bots import HOUSE_BOTS, KUHN_BOTS
from croupier.dialects.dialect import Dialect
from croupier.dialects.registry import DIALECTS
from croupier.rules.sets import SETS


def listed(words: list[str], last: str = "or") -> str:
    """Return words with commas between, and another word before the last."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


DIALECT_NAMES = listed(list(DIALECTS))
RULE_SETS = ", ".join(SETS)
BOTS = (
    f"BOT is a house bot ({', '.join(HOUSE_BOTS)}; in Kuhn poker also"
    f" {listed(list(KUHN_BOTS), 'and')}) or path/to/file.py:ClassName, a class with decide(view) ->"
    " decision."
)


def per_dialect(say: str) -> str:
    """Return what each dialect says in one of its help fields, grouped."""
    groups: dict[str, list[str]] = {}
    for dialect in DIALECTS.values():
        words = _words(dialect, say)
        if words:
            groups.setdefault(words, []).append(dialect.name)
    return ", ".join(f"in {listed(names, 'and')} {words}" for words, names in groups.items())


def _words(dialect: Dialect, say: str) -> str:
    text: str = getattr(dialect, say)
    return text


ADDRESS_EXAMPLES = ", ".join(
    dialect.address_example for dialect in DIALECTS.values() if "?" in dialect.address_example
)
