"""The player's side tells a bot what the engine would tell it, wherever the dialect says so.

What it does not say is in docs/first-bot.md; the exceptions here are the same, in code.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from croupier.deals import seed_from_text
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.dialects.registry import DIALECTS
from croupier.dialects.room.reader import V1, V2
from croupier.rules import rules as r
from croupier.rules.decisions import ALL_IN, BET, RAISE, Decision
from croupier.rules.events import Acted
from croupier.rules.rules import Rules
from croupier.rules.sets import ACPC_LIMIT, ACPC_NOLIMIT, HUAWEI, KUHN, PLAIN, ROOM, ROOM2, TREND
from croupier.rules.view import View
from tests.dialects.table import (
    Compare,
    Told,
    WireTable,
    acpc_side,
    huawei_side,
    kuhn_side,
    room_side,
    some_decision,
    trend_side,
)
from tests.support.builds import attributes_of

RAISES = (BET, RAISE, ALL_IN)


def state(view: View) -> dict[str, Any]:
    fields = {name: getattr(view, name) for name in attributes_of(View) if not name.startswith("_")}
    return fields | {"history": view.history, "last": view.last}


def plain_verb(event: Any) -> Any:
    """Return an action without the verb of a raise."""
    if isinstance(event, Acted) and event.action in RAISES:
        return Acted(event.seat, RAISE, event.added, event.to, event.all_in)
    return event


class Comparison:
    """Compares views and remembers who is who."""

    def __init__(self) -> None:
        self._who: dict[tuple[int, str, int], int] = {}

    def __call__(self, dialect: str, told: View, real: View) -> None:
        if dialect == "room1" and real.rules.stacks == r.CARRY:
            # Neither who is still in nor what they have is said, apart from ranges.
            cards_are_told(dialect, told, real)
            return
        self._same_players(dialect, told, real)
        was_told, is_real = state(told), state(real)
        del was_told["players"], is_real["players"]
        if dialect != "trend":  # one word for every raise
            for side in (was_told, is_real):
                side["history"] = [(street, plain_verb(done)) for street, done in side["history"]]
                side["last"] = [plain_verb(done) for done in side["last"]]
        if dialect != "trend" and real.rules.small_opening:  # there is no word for it
            assert was_told.pop("options").small_to == 0
            del is_real["options"]
        if dialect == "trend":  # a plain raise is said as a bet, with limits of its own
            options, allowed = was_told.pop("options"), is_real.pop("options")
            for field in ("owed", "call", "max_to", "bet", "raise_", "all_in", "small_to"):
                assert getattr(options, field) == getattr(allowed, field), field
            least = told.bets[told.seat] + told.big_blind
            assert options.min_to == min(max(allowed.min_to, least), allowed.max_to)
        if dialect != "huawei" and real.rules.reserve:
            assert told.reserves == ()
            del was_told["reserves"], is_real["reserves"]
        if dialect == "huawei" and real.rules.reloads:
            del was_told["reserves"], is_real["reserves"]  # what can still be bought is in it
        assert was_told == is_real

    def _same_players(self, dialect: str, told: View, real: View) -> None:
        """The numbers are the player's own, but the same player has the same one."""
        receiver = real.players[real.seat]
        assert len(set(told.players)) == len(told.players)
        for number, player in zip(told.players, real.players, strict=True):
            assert self._who.setdefault((receiver, dialect, number), player) == player


def cards_are_told(dialect: str, told: View, real: View) -> None:
    assert told.hole == real.hole
    assert told.board == real.board
    assert told.street == real.street


def price_is_untold(told: View, real: View) -> bool:
    """Tell whether what a short big blind asks for is a matter of rules that the player lacks."""
    big_seat = 1 if len(real.stacks) > 2 else 0
    short = not real.stacks[big_seat] and real.put[big_seat] < real.big_blind
    return short and told.rules.short_blind != real.rules.short_blind


def figures_are_told(dialect: str, told: View, real: View) -> None:
    """What every table shows, whatever its rules are and whether the player knows them."""
    cards_are_told(dialect, told, real)
    if dialect == "room1" or (dialect != "trend" and price_is_untold(told, real)):
        return
    for field in ("seat", "stacks", "bets", "put", "folded", "high", "pot"):
        assert getattr(told, field) == getattr(real, field), field
    options, allowed = told.options, real.options
    assert options is not None
    assert allowed is not None
    assert (options.owed, options.call) == (allowed.owed, allowed.call)
    if options.max_to and allowed.max_to:
        assert options.max_to == allowed.max_to


def play(
    rules: Rules,
    sides: dict[int, Told],
    seats: int,
    seed: str,
    compare: Compare | None = None,
) -> WireTable:
    """Play a match with random decisions; every view is compared with what it should be."""
    exact = compare is None
    table = WireTable(rules, seats, sides, seed_from_text(seed), compare or Comparison(), exact)
    chance = Random(seed)

    def decide(view: View) -> Decision:
        return some_decision(view, chance)

    table.run(decide, decide)
    return table


def won_as_told(table: WireTable) -> None:
    for player, side in table.sides.items():
        entrant, rules = table.match.players[player], table.match.rules
        bought = entrant.reloads * rules.stack
        assert sum(side.won) == entrant.chips - rules.stack - rules.reserve - bought
        assert len(side.won) == entrant.hands
        assert side.over or side.dialect in ("room1", "kuhn", "acpc")


seeds = st.integers(0, 10**9).map(str)
stacks = st.sampled_from([150, 300, 1000, 2000, 20_000])


@given(seeds, st.integers(2, 8), stacks)
def test_huawei_at_its_own_rules(seed: str, seats: int, stack: int) -> None:
    rules = HUAWEI.with_fields({"stack": stack, "reserve": 2 * stack, "hands": 6})
    sides = {player: huawei_side(player, rules) for player in range(seats)}
    table = play(rules, sides, seats, seed)
    won_as_told(table)


@given(seeds, st.integers(2, 10), st.sampled_from([45, 100, 300, 1000]))
def test_trend_at_its_own_rules(seed: str, seats: int, stack: int) -> None:
    rules = TREND.with_fields({"stack": stack, "hands": 12})
    sides = {player: trend_side(player, rules) for player in range(seats)}
    table = play(rules, sides, seats, seed)
    won_as_told(table)


@given(seeds, st.integers(2, 10), st.sampled_from([V1, V2]), stacks)
def test_room_at_its_own_rules(seed: str, seats: int, version: int, stack: int) -> None:
    rules = (ROOM if version == V1 else ROOM2).with_fields({"stack": stack, "hands": 6})
    sides = {player: room_side(player, rules, version, seats) for player in range(seats)}
    table = play(rules, sides, seats, seed)
    won_as_told(table)


@given(seeds, st.sampled_from([TEXT, BINARY]), st.sampled_from([1, 2, 3, 20]))
def test_kuhn_at_its_own_rules(seed: str, spelling: str, stack: int) -> None:
    rules = KUHN.with_fields({"stack": stack, "hands": 12})
    table = play(rules, {1: kuhn_side(rules, spelling)}, 2, seed)
    won_as_told(table)


@given(seeds, st.integers(2, 10), st.sampled_from(DIALECTS["acpc"].rule_sets))
def test_acpc_at_its_own_games(seed: str, seats: int, base: Rules) -> None:
    rules = base.with_fields({"hands": 6})
    seats = min(seats, rules.max_seats)
    table = play(rules, {player: acpc_side(rules) for player in range(seats)}, seats, seed)
    won_as_told(table)


@given(
    seeds,
    st.integers(2, 8),
    st.sampled_from([PLAIN, HUAWEI, TREND, ROOM, ROOM2]),
    st.sampled_from([r.RESET, r.CARRY]),
    st.sampled_from([200, 1000, 5000]),
)
def test_all_dialects_at_one_table_of_known_rules(
    seed: str, seats: int, base: Rules, carry: str, stack: int
) -> None:
    rules = replace(base, stack=stack, stacks=carry, max_seats=10, hands=6)
    sides = dict(mixed_sides(seats, seed, rules, rules, rules, rules))
    play(rules, sides, seats, seed)


@given(
    seeds,
    st.integers(2, 8),
    st.sampled_from([PLAIN, HUAWEI, TREND, ROOM, ROOM2]),
    st.sampled_from([r.RESET, r.CARRY]),
    st.sampled_from([200, 1000, 5000]),
)
def test_all_dialects_at_one_table_of_rules_that_nobody_told(
    seed: str, seats: int, base: Rules, carry: str, stack: int
) -> None:
    rules = replace(base, stack=stack, stacks=carry, max_seats=10, hands=6)
    sides = dict(mixed_sides(seats, seed, HUAWEI, TREND, ROOM, ROOM2))
    play(rules, sides, seats, seed, figures_are_told)


@given(seeds, st.integers(2, 6), st.sampled_from([ACPC_NOLIMIT, ACPC_LIMIT]))
def test_acpc_with_other_dialects_at_its_games(seed: str, seats: int, base: Rules) -> None:
    rules = base.with_fields({"hands": 4})
    others = dict(mixed_sides(seats, seed, rules, rules, rules, rules))
    # Where raises are fixed, the ranges of room do not show stacks.
    compare = cards_are_told if any(rules.fixed_bets) else figures_are_told
    table = play(rules, others | {0: acpc_side(rules)}, seats, seed, compare)
    assert table.match.broken is None


def mixed_sides(
    seats: int, seed: str, huawei: Rules, trend: Rules, room: Rules, room2: Rules
) -> Iterator[tuple[int, Told]]:
    """Give each seat to a player of some dialect, with the rules that it believes in."""
    chance = Random(seed)
    for player in range(seats):
        kind = chance.randrange(5)
        if kind == 0:
            yield player, huawei_side(player, huawei)
        elif kind == 1:
            yield player, trend_side(player, trend)
        elif kind == 2:
            yield player, room_side(player, room, V1, seats)
        elif kind == 3:
            yield player, room_side(player, room2, V2, seats)
