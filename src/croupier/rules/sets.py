"""The named rule sets: plain no-limit hold'em and the games of the four protocols.

A table may play any of the hold'em sets in any hold'em dialect.
"""

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

SETS: dict[str, Rules] = {rules.name: rules for rules in (PLAIN, HUAWEI, TREND, ROOM, ROOM2, KUHN)}


def named(name: str) -> Rules:
    """Return the rule set with this name."""
    try:
        return SETS[name]
    except KeyError:
        raise RulesError(
            f"unknown rules {name!r}{nearest(name, SETS)} (there are {', '.join(SETS)},"
            " or a file that ends in .toml)"
        ) from None
