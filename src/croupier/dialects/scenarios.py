"""The scenarios in which the checker tests a program.

A scenario is a short match with chosen cards, opponents and rules, and optionally a twist:
something that the table does to the program. All of them happen in real contests. Scenarios that
several dialects share are here; each dialect lists its own selection.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Twist(Enum):
    """What the table does to the program."""

    NONE = "none"
    SPLIT = "split"
    """Messages arrive in pieces."""
    GLUED = "glued"
    """Several messages arrive at once."""
    LATE = "late"
    """The second question times out at once."""
    GONE = "gone"
    """The server disappears in the middle of a hand."""
    RECONNECT = "reconnect"
    """The connection breaks in the middle of a hand, and the program may reconnect."""


@dataclass(frozen=True)
class Scenario:
    """One short match."""

    name: str
    what: str
    """A description for the program's author."""
    bots: tuple[str, ...] = ("CallAgent",)
    hands: int = 4
    twist: Twist = Twist.NONE
    cards: dict[int, str] = field(default_factory=dict)
    """The boards of some hands, as text; all other cards are dealt at random."""
    hole: dict[int, str] = field(default_factory=dict)
    """The program's own cards in some hands."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Changes to the rules."""


HEADS_UP = Scenario("heads-up", "a match of two", hands=6)
FULL_TABLE = Scenario(
    "full-table",
    "a match of six, with raises before and after you",
    ("RuleAgent", "RandomAgent", "CallAgent", "RuleAgent", "RandomAgent"),
    hands=6,
)
RUN_OUT = Scenario(
    "run-out",
    "everyone is all in before the flop, and the board is dealt without a question",
    ("AllinAgent", "AllinAgent"),
    hands=3,
)
SPLIT_POT = Scenario(
    "split-pot",
    "the board plays, and everyone shares the pot",
    ("CallAgent", "CallAgent"),
    hands=3,
    cards={1: "AsKsQsJsTs", 2: "AhKhQhJhTh", 3: "AcKcQcJcTc"},
)
SIDE_POTS = Scenario(
    "side-pots",
    "stacks of different size are all in, hand after hand",
    ("AllinAgent", "CallAgent", "AllinAgent", "RandomAgent"),
    hands=5,
)
WINNING = Scenario(
    "winning",
    "you hold the best cards and win every showdown",
    hands=3,
    hole={1: "AsAh", 2: "AsAh", 3: "AsAh"},
    cards={1: "AdAc2c7d9h", 2: "AdAc2c7d9h", 3: "AdAc2c7d9h"},
)
PIECES = Scenario(
    "pieces",
    "messages arrive in pieces, many of them a single byte",
    hands=3,
    twist=Twist.SPLIT,
)
GLUED = Scenario("glued", "several messages arrive at once", twist=Twist.GLUED)
LATE = Scenario(
    "late",
    "the table folds you because time is up, and goes on",
    ("CallAgent", "CallAgent"),
    twist=Twist.LATE,
)
ELIMINATION = Scenario(
    "elimination",
    "you lose everything, and the others play on without you",
    ("AllinAgent", "CallAgent"),
    hands=6,
    settings={"reserve": 0, "reloads": 0},
)
RECONNECT = Scenario(
    "reconnect",
    "the connection breaks within a hand; you may come back to your seat",
    ("CallAgent", "CallAgent"),
    twist=Twist.RECONNECT,
)
SERVER_GONE = Scenario(
    "server-gone", "the server goes away within a hand, for good", twist=Twist.GONE
)
