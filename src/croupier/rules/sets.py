"""The named rule sets: plain no-limit hold'em and the games of the protocols.

A table may play any of the hold'em sets in any hold'em dialect that can express it.
"""

from typing import Any

from croupier.rules import rules as r
from croupier.rules.rules import Rules, RulesError, nearest

PLAIN = Rules()

HUAWEI = Rules(
    name="huawei",
    max_seats=8,
    stack=2000,
    stacks=r.CARRY,
    reserve=8000,
    out_below_big_blind=True,
    hands=500,
    decision_ms=500,
    max_timeouts=10,
    heads_up=r.NO_BIG,
    short_all_in_reopens=True,
    raise_unanswered=True,
    ask_last=True,
    ask_lone=True,
)

TREND = Rules(
    name="trend",
    stack=1000,
    stacks=r.CARRY,
    hands=100,
    reloads=2,
    absence_ms=10_000,
    countdown_s=3,
    small_blind=10,
    big_blind=20,
    blinds_double=r.LAP,
    short_blind=r.POSTED,
    rotation=r.SMALL_BLIND,
    min_raise=r.ANY,
    verb_cap=4,
    short_all_in_reopens=True,
    small_opening=True,
    raise_unanswered=True,
    reveal=r.ALL,
)

ROOM = Rules(
    name="room",
    stack=20_000,
    hands=0,
    decision_ms=300_000,
    fault_ends=True,
    ready_ms=300_000,
    later_start=r.AFTER_SMALL_BLIND,
    min_raise=r.ROOM,
    short_all_in_reopens=True,
    raise_unanswered=True,
)

ROOM2 = Rules(
    name="room2",
    stack=20_000,
    hands=0,
    decision_ms=300_000,
    fault_ends=True,
    ready_ms=300_000,
    later_start=r.AFTER_SMALL_BLIND,
    raise_cap=4,
    short_all_in_reopens=True,
    raise_unanswered=True,
)

KUHN = Rules(
    name="kuhn",
    game=r.KUHN,
    max_seats=2,
    stack=20,
    stacks=r.CARRY,
    hands=0,
    decision_ms=60_000,
    fault_ends=True,
    ready_ms=60_000,
    closing_s=60,
    small_blind=0,
    big_blind=1,
    ante=1,
    heads_up=r.NO_BIG,
    fixed_bet=1,
    raise_cap=1,
    raise_unanswered=True,
    ask_all_in=True,
)

_DOYLE: dict[str, Any] = {
    "seating": r.ARRIVAL,
    "hands": 3000,
    "decision_ms": 600_000,
    "hand_ms": 600_000,
    "average_ms": 7000,
    "fault_ends": True,
    "registration_s": 10**6,  # a definition is for a number of players: the table has to be full
    "action_cap": 64,
    "short_all_in_reopens": True,
    "free_fold": False,
}
"""What all games of the Annual Computer Poker Competition have in common."""

ACPC_NOLIMIT = Rules(name="acpc-nolimit", stack=20_000, **_DOYLE)

ACPC_LIMIT = Rules(
    name="acpc-limit",
    stack=1000,  # more than anybody can lose in a hand
    small_blind=5,
    big_blind=10,
    fixed_bet=(10, 10, 20, 20),
    raise_cap=(3, 4, 4, 4),
    **_DOYLE,
)

_ANTES: dict[str, Any] = {
    "game": r.CUSTOM,
    "hole_cards": 1,
    "small_blind": 0,
    "big_blind": 1,
    "ante": 1,
    "ante_only": True,
} | _DOYLE

ACPC_KUHN2 = Rules(
    name="acpc-kuhn2", ranks=3, suits=1, streets=(0,), max_seats=2,
    stack=10, fixed_bet=(1,), raise_cap=(1,), **_ANTES,
)  # fmt: skip

ACPC_KUHN3 = Rules(
    name="acpc-kuhn3", ranks=4, suits=1, streets=(0,), max_seats=3,
    stack=10, fixed_bet=(1,), raise_cap=(1,), **_ANTES,
)  # fmt: skip

ACPC_LEDUC = Rules(
    name="acpc-leduc", ranks=3, suits=2, streets=(0, 1), max_seats=2,
    stack=100, fixed_bet=(2, 4), raise_cap=(2, 2), **_ANTES,
)  # fmt: skip

ACPC_LEDUC_NOLIMIT = Rules(
    name="acpc-leduc-nolimit", ranks=3, suits=2, streets=(0, 1), max_seats=2,
    stack=1200, **(_ANTES | {"big_blind": 100, "ante": 100}),
)  # fmt: skip

SETS: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        PLAIN, HUAWEI, TREND, ROOM, ROOM2, KUHN,
        ACPC_NOLIMIT, ACPC_LIMIT, ACPC_KUHN2, ACPC_KUHN3, ACPC_LEDUC, ACPC_LEDUC_NOLIMIT,
    )
}  # fmt: skip


def named(name: str) -> Rules:
    """Return the rule set with this name."""
    try:
        return SETS[name]
    except KeyError:
        raise RulesError(
            f"unknown rules {name!r}{nearest(name, SETS)} (there are {', '.join(SETS)},"
            " or a file that ends in .toml or .game)"
        ) from None
