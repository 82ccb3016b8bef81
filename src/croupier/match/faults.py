"""The causes by which faults are counted: a small set that never quotes a player.

The reason of a fault describes it in full and often quotes the player. Results, pages and metrics
count faults by `cause_of` their reason, so that no player can inject text into tables or labels.
"""

import re
from typing import Final

ABSENT: Final = "absent"
LATE: Final = "late"
OTHER: Final = "other"

MAX_CAUSE: Final = 80
"""The longest cause, in characters."""

_QUOTED: Final = re.compile(
    r"""(?<!\w)b?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|['"].*)|-?\d+(?:\.\d+)?""", re.DOTALL
)
"""A string as `repr` writes it, possibly truncated, or a number."""

_FOREIGN: Final = re.compile("[^ -~…]")
"""A character that no reason of the server contains, so it came from the player."""

_GAP: Final = "…"


def cause_of(reason: str) -> str:
    """Return the part of a reason that all faults of its kind share.

    Quotations and numbers become an ellipsis; everything after a colon is dropped.
    """
    text = _QUOTED.sub(_GAP, reason).partition(":")[0]
    text = _FOREIGN.split(text, maxsplit=1)[0].strip()
    text = text.removeprefix(f"{_GAP} is ")[:MAX_CAUSE].strip()
    return text if text.strip(_GAP) else OTHER


def cause_of_timeout(absent: bool) -> str:
    """Return the cause of a timeout of a connected or `absent` player."""
    return ABSENT if absent else LATE
