"""The spelling of states, which both sides share.

`MATCHSTATE:<position>:<hand>:<betting>:<cards>`; an answer is the state, a colon and an action. A
position is the seat, and a state is one line that ends in CR LF.
"""

import re
from typing import Final, NamedTuple

NAME: Final = "acpc"
HEADER: Final = "MATCHSTATE"
MAX_LINE: Final = 4095
"""The most bytes of a line, with its end."""

CALL, FOLD, RAISE = "c", "f", "r"

_SPELLINGS: Final = str.maketrans({"k": CALL, "b": RAISE, "/": None})
_BETTING: Final = re.compile(r"(?:[cf]|r[0-9]*)*")
_ZEROS: Final = re.compile(r"r0+(?=[0-9])")


class State(NamedTuple):
    """A state by its meaning: two spellings of the same state are alike."""

    position: int
    hand: int
    betting: str
    """The actions, without the ends of rounds."""
    cards: tuple[str, ...]
    """The hole-card fields, the last one with the board; in lower case, without slashes."""


def split(line: str) -> tuple[State, str | None] | None:
    """Return the state of a line and the action after it; None if it is no state.

    The action is None if there is no colon after the state.
    """
    parts = line.split(":", 5)
    if len(parts) < 5 or parts[0] != HEADER or not _are_numbers(parts[1], parts[2]):
        return None
    betting = parts[3].lower().translate(_SPELLINGS)
    position, cards = int(parts[1]), parts[4].lower().replace("/", "").split("|")
    if not _BETTING.fullmatch(betting) or position >= len(cards):
        return None
    state = State(position, int(parts[2]), _ZEROS.sub(RAISE, betting), tuple(cards))
    return state, parts[5] if len(parts) > 5 else None


def _are_numbers(*texts: str) -> bool:
    return all(text.isascii() and text.isdigit() and len(text) < 20 for text in texts)


def answers(said: State, asked: State) -> bool:
    """Tell whether an answer repeats the state that was asked about.

    Slashes may be missing or doubled, and the fields of other players may hold anything.
    """
    position, last = asked.position, len(asked.cards) - 1
    if said[:3] != asked[:3] or len(said.cards) != len(asked.cards):
        return False
    if said.cards[position] != asked.cards[position]:
        return False
    # In a question the last field has the board alone, unless it is the player's own.
    return position == last or said.cards[last].endswith(asked.cards[last])
