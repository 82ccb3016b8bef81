"""Rules are data, and data can be wrong."""

from dataclasses import fields
from typing import Any

import pytest

from croupier.rules.rules import CHOICES, FIELD_TYPES, Rules, RulesError
from croupier.rules.sets import HUAWEI, PLAIN, SETS, named


def test_every_field_can_be_set_by_name() -> None:
    assert set(FIELD_TYPES) == {field.name for field in fields(Rules)}
    for rules in SETS.values():
        values = {name: getattr(rules, name) for name in FIELD_TYPES}
        assert Rules().with_fields(values) == rules


def test_the_rule_sets_are_found_by_name() -> None:
    own = ["plain", "huawei", "trend", "room", "room2", "kuhn"]
    games = ["nolimit", "limit", "kuhn2", "kuhn3", "leduc", "leduc-nolimit"]
    assert list(SETS) == own + [f"acpc-{game}" for game in games]
    assert named("huawei") is HUAWEI


def test_plain_is_50_100_with_10000_chips() -> None:
    assert (PLAIN.small_blind, PLAIN.big_blind, PLAIN.stack) == (50, 100, 10_000)


def test_an_unknown_rule_set_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(RulesError, match="unknown rules 'huwei'; did you mean 'huawei'"):
        named("huwei")


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"stak": 5}, "unknown setting 'stak'; did you mean 'stack'"),
        ({"stack": "5"}, "stack is a whole number, not '5'"),
        ({"stack": True}, "stack is a whole number, not True"),
        ({"stack": 2.5}, "stack is a whole number, not 2.5"),
        ({"ask_last": 1}, "ask_last is true or false, not 1"),
        ({"reveal": "al"}, "reveal is one of showdown, all, not 'al'; did you mean 'all'"),
        ({"max_seats": 11}, "max_seats is from 2 to 10, not 11"),
        ({"max_seats": 1}, "max_seats is from 2 to 10, not 1"),
        ({"stack": 0}, "stack is from 1"),
        ({"stack": 10**13}, "stack is from 1 to 1000000000000"),
        ({"small_blind": -1}, "small_blind is from 0"),
        ({"small_blind": 200, "big_blind": 100}, "small_blind 200 is above big_blind 100"),
        ({"small_blind": 20_000, "big_blind": 20_000}, "small_blind 20000 is above the stack"),
        ({"big_blind": 20_000}, "big_blind 20000 is above the stack of 10000"),
        ({"ante": 20_000}, "ante 20000 is above the stack of 10000"),
        ({"raise_cap": -2}, "raise_cap is from -1"),
        ({"pace_ms": -1}, "pace_ms is from 0 to 60000, not -1"),
        ({"pace_ms": 60_001}, "pace_ms is from 0 to 60000, not 60001"),
        ({"ends_below_half": 1}, "ends_below_half is true or false, not 1"),
        ({"short_blind": "post"}, "short_blind is one of nominal, posted, not 'post'; did you"),
        ({"game": "kuhn"}, "kuhn has three cards, so max_seats is 2, not 10"),
        (
            {"heads_up": "no_big", "small_blind": 0, "big_blind": 2},
            "nobody would have to put in a chip",
        ),
    ],
)
def test_impossible_rules_are_refused_with_their_reason(
    values: dict[str, Any], problem: str
) -> None:
    with pytest.raises(RulesError, match=problem):
        PLAIN.with_fields(values)


def test_the_big_blind_follows_the_small_one_unless_it_is_set() -> None:
    assert PLAIN.with_fields({"small_blind": 20}).big_blind == 40
    assert PLAIN.with_fields({"small_blind": 20, "big_blind": 50}).big_blind == 50


def test_every_choice_is_one_that_some_rules_can_have() -> None:
    for key, choices in CHOICES.items():
        for choice in choices:
            extra = {"max_seats": 2} if key == "game" else {}
            assert getattr(PLAIN.with_fields({key: choice, **extra}), key) == choice
