"""What a program has to get through, per dialect.

A scenario is a short match with chosen cards, opponents and rules, and perhaps a twist: something
that the table does to the program. All of them are things that happen in a contest.
"""

from dataclasses import dataclass, field
from typing import Any

HUAWEI, TREND, ROOM, KUHN = "huawei", "trend", "room", "kuhn"

SPLIT = "split"
"""Messages come in pieces."""
GLUED = "glued"
"""Messages come several at once."""
LATE = "late"
"""The first question is taken back: time is up."""
GONE = "gone"
"""The server goes away in the middle of a hand."""
RECONNECT = "reconnect"
"""The connection breaks in the middle of a hand, and the program may come back."""


@dataclass(frozen=True)
class Scenario:
    """One short match."""

    name: str
    what: str
    """What it is about, for the author."""
    bots: tuple[str, ...] = ("CallAgent",)
    hands: int = 4
    dialects: tuple[str, ...] = (HUAWEI, TREND, ROOM, KUHN)
    twist: str = ""
    cards: dict[int, str] = field(default_factory=dict)
    """The board of some hands, as text; whatever is not said is dealt by chance."""
    hole: dict[int, str] = field(default_factory=dict)
    """The program's own cards in some hands."""
    settings: dict[str, Any] = field(default_factory=dict)


_HOLDEM = (HUAWEI, TREND, ROOM)
_TCP = (HUAWEI, ROOM, KUHN)

SCENARIOS = (
    Scenario("heads-up", "a match of two", hands=6),
    Scenario(
        "full-table",
        "a match of six, with raises before and after you",
        ("RuleAgent", "RandomAgent", "CallAgent", "RuleAgent", "RandomAgent"),
        hands=6,
        dialects=_HOLDEM,
    ),
    Scenario(
        "run-out",
        "everyone is all in before the flop, and the board is dealt without a question",
        ("AllinAgent", "AllinAgent"),
        hands=3,
        dialects=_HOLDEM,
    ),
    Scenario(
        "split-pot",
        "the board plays, and everyone shares the pot",
        ("CallAgent", "CallAgent"),
        hands=3,
        dialects=_HOLDEM,
        cards={1: "AsKsQsJsTs", 2: "AhKhQhJhTh", 3: "AcKcQcJcTc"},
    ),
    Scenario(
        "side-pots",
        "stacks of different size are all in, hand after hand",
        ("AllinAgent", "CallAgent", "AllinAgent", "RandomAgent"),
        hands=5,
        dialects=(HUAWEI, TREND),
    ),
    Scenario(
        "winning",
        "you hold the best cards and win every showdown",
        ("CallAgent",),
        hands=3,
        dialects=_HOLDEM,
        hole={1: "AsAh", 2: "AsAh", 3: "AsAh"},
        cards={1: "AdAc2c7d9h", 2: "AdAc2c7d9h", 3: "AdAc2c7d9h"},
    ),
    Scenario(
        "pieces",
        "messages arrive in pieces, many of them a single byte",
        hands=3,
        dialects=_TCP,
        twist=SPLIT,
    ),
    Scenario(
        "glued",
        "several messages arrive at once",
        hands=4,
        dialects=_TCP,
        twist=GLUED,
    ),
    Scenario(
        "late",
        "the table folds you because time is up, and goes on",
        ("CallAgent", "CallAgent"),
        hands=4,
        dialects=(HUAWEI, TREND),
        twist=LATE,
    ),
    Scenario(
        "reload",
        "you lose your chips, and get new ones before the next hand",
        ("AllinAgent",),
        hands=6,
        dialects=(TREND,),
        hole={1: "2c7d", 2: "2c7d"},
        cards={1: "AsAhAdKsKh", 2: "AsAhAdKsKh"},
    ),
    Scenario(
        "elimination",
        "you lose everything, and the others play on without you",
        ("AllinAgent", "CallAgent"),
        hands=6,
        dialects=(HUAWEI, TREND),
        settings={"reserve": 0, "reloads": 0},
    ),
    Scenario(
        "no-coins",
        "one of you has no coin left, so there is no next hand",
        hands=200,
        dialects=(KUHN,),
        settings={"stack": 2},
    ),
    Scenario(
        "reconnect",
        "the connection breaks within a hand; you may come back to your seat",
        ("CallAgent", "CallAgent"),
        hands=4,
        dialects=(TREND,),
        twist=RECONNECT,
    ),
    Scenario(
        "server-gone",
        "the server goes away within a hand, for good",
        ("CallAgent",),
        hands=4,
        twist=GONE,
    ),
)


def scenarios_for(dialect: str) -> list[Scenario]:
    """Return the scenarios of a dialect."""
    return [scenario for scenario in SCENARIOS if dialect in scenario.dialects]
