"""The vocabulary of the protocol, and its messages as bytes.

Every line ends with one space and a newline: real programs compare whole lines.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from croupier.cards import long
from croupier.rules.decisions import ALL_IN, BET, RAISE
from croupier.rules.events import CALLED, CHECKED, FOLDED, Acted, Posted

NAME: Final = "huawei"

HAND_NAMES: Final[tuple[str, ...]] = (
    "HIGH_CARD",
    "ONE_PAIR",
    "TWO_PAIR",
    "THREE_OF_A_KIND",
    "STRAIGHT",
    "FLUSH",
    "FULL_HOUSE",
    "FOUR_OF_A_KIND",
    "STRAIGHT_FLUSH",
)

STREETS: Final[tuple[str, ...]] = ("hold", "flop", "turn", "river")
GAME_OVER: Final = b"game-over \n"

_ACTIONS: Final = {
    FOLDED: "fold",
    CHECKED: "check",
    CALLED: "call",
    BET: "raise",
    RAISE: "raise",
    ALL_IN: "all_in",
}


def block(name: str, lines: Iterable[str]) -> bytes:
    """Return a message with its opening and closing lines."""
    body = " \n".join([f"{name}/", *lines])
    return f"{body} \n/{name} \n".encode("ascii")


def commitment(digest: str) -> bytes:
    """Return the message for a player that gave a nonce; the original protocol has none."""
    return block("commitment", [digest])


def cards(row: Sequence[int]) -> list[str]:
    """Return cards as lines."""
    return [long(card) for card in row]


def action(last: Posted | Acted) -> str:
    """Return the word for a player's last action."""
    if type(last) is Posted:
        return "blind"
    assert type(last) is Acted
    return "all_in" if last.all_in else _ACTIONS[last.action]
