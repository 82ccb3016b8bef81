"""What is stored after a hand, and the match that is made of it."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.deals import deal
from croupier.match.events import (
    HandVoided,
    MatchEnded,
    Returned,
)
from croupier.match.match import (
    OVER,
    RETURNING,
    Match,
)
from croupier.rules.events import Event, HandStarted
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN
from tests.match.matches import (
    LAPS,
    SEED,
    FixedSeats,
    finish,
    of_kind,
    opened,
    random_policy,
)


class SameCards(FixedSeats):
    """Every hand has the same cards, so that a voided number makes no difference."""

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        return deal(SEED, 1, deck, count)


def course(events: Sequence[Event]) -> list[tuple[object, ...]]:
    """Return events without what a voided hand changes: the numbers."""
    kept: list[tuple[object, ...]] = []
    for event in events:
        fields = event.fields()
        if isinstance(event, HandStarted):
            fields = fields[1:]
        kept.append((type(event).__name__, *map(repr, fields)))
    return kept


@pytest.mark.parametrize("rules", [HUAWEI, LAPS, PLAIN], ids=lambda rules: rules.name)
@given(numbers=st.lists(st.integers(0, 100), min_size=1, max_size=20), size=st.integers(2, 5))
def test_a_match_restored_after_any_hand_goes_on_the_same_way(
    rules: Rules, numbers: list[int], size: int
) -> None:
    rules = rules.with_fields({"hands": 8})
    match = Match(rules, size, SameCards())
    for number in range(size):
        match.join(f"p{number}", 0.0)
    while match.phase != OVER:
        finish(match, random_policy(numbers))
        state = json.loads(json.dumps(match.state()))
        other, events = Match.restore(rules, state, SameCards(), 50.0)
        assert events == [HandVoided(match.number + 1)]
        assert other.phase == RETURNING
        assert other.deadline == 50.0 + rules.return_s
        went_on: list[Event] = []
        for player, entrant in enumerate(other.players):
            if not entrant.out:
                went_on += other.connected(player, 50.0)
        went_on = [event for event in went_on if not isinstance(event, Returned)]
        expected = match.recorded(0.0)
        assert course(went_on) == course(expected)
        assert other.number == match.number + (match.phase != OVER or other.phase == OVER)
        if match.phase != OVER:
            policy = random_policy(numbers[::-1])
            twin = random_policy(numbers[::-1])
            copy, _ = Match.restore(rules, state, SameCards(), 0.0)
            for player, entrant in enumerate(copy.players):
                if not entrant.out:
                    copy.connected(player, 0.0)
            assert course(finish(other, policy)) == course(finish(copy, twin))


def test_after_a_restart_the_next_hand_waits_for_everyone_or_for_the_time() -> None:
    match = opened(3)
    finish(match)
    again, _ = Match.restore(match.rules, match.state(), FixedSeats(), 0.0)
    assert again.connected(0, 1.0) == [Returned(0)]
    assert again.connected(1, 1.0) == [Returned(1)]
    assert of_kind(again.connected(2, 1.0), HandStarted)
    again, _ = Match.restore(match.rules, match.state(), FixedSeats(), 0.0)
    again.connected(0, 1.0)
    assert again.tick(59.9) == []
    events = again.tick(60.0)
    assert of_kind(events, HandStarted)
    assert again.number == 3, "the voided hand's number is never dealt again"


def test_the_state_after_the_last_hand_restores_to_a_match_that_ends() -> None:
    match = opened(2, hands=1)
    finish(match)
    again, _ = Match.restore(match.rules, match.state(), FixedSeats(), 0.0)
    assert of_kind(again.tick(60.0), MatchEnded)


def test_a_match_cut_off_in_its_first_hand_begins_again_with_the_same_blinds() -> None:
    match = opened(3, LAPS)
    state = match.state() | {"number": 0}
    again, _ = Match.restore(match.rules, state, FixedSeats(), 0.0)
    for player in range(3):
        again.connected(player, 1.0)
    assert again.hand is not None
    assert again.hand.small_blind == 10
