"""The causes of faults, by which they are counted: few, and never in a player's own words.

The reason of a fault says in full what was wrong, and often quotes the player. Results, pages and
metrics count faults by `cause_of` their reason, so that no player can fill a table or a label with
words of its own.
"""

import re

ABSENT = "absent"
LATE = "late"
OTHER = "other"

MAX_CAUSE = 80
"""Characters."""

_QUOTED = re.compile(
    r"""(?<!\w)b?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|['"].*)|-?\d+(?:\.\d+)?""", re.DOTALL
)
"""A text as `repr` writes it, its end perhaps cut off, or a number."""

_FOREIGN = re.compile("[^ -~…]")
"""No reason of ours has such a character, so it came from the player."""

_GAP = "…"


def cause_of(reason: str) -> str:
    """Return what faults of the same kind have in common.

    An ellipsis stands for each quotation and number; what follows a colon is left out.
    """
    text = _QUOTED.sub(_GAP, reason).partition(":")[0]
    text = _FOREIGN.split(text, maxsplit=1)[0].strip()
    text = text.removeprefix(f"{_GAP} is ")[:MAX_CAUSE].strip()
    return text if text.strip(_GAP) else OTHER


def cause_of_timeout(absent: bool) -> str:
    """Return the cause of a timeout of a player who was connected, or was not."""
    return ABSENT if absent else LATE
