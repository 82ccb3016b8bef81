"""A match that ends once fewer than half of its players are in."""

import pytest

from croupier.match.events import MatchEnded
from croupier.match.match import OVER, Match
from croupier.rules.sets import TREND
from tests.match.matches import (
    LAPS,
    FixedSeats,
    all_in,
    finish,
    folds,
    next_hand,
    of_kind,
    opened,
    seats,
)


@pytest.mark.parametrize(("size", "last"), [(2, 1), (3, 1), (4, 1), (5, 2), (9, 4), (10, 4)])
def test_a_match_may_end_once_fewer_than_half_of_those_who_started_are_in(
    size: int, last: int
) -> None:
    match = opened(size, LAPS, ends_below_half=True)
    for player in range(size - last - 1):
        match.withdraw(player, 0.0)
    events = next_hand(match, folds)
    left = last + 1
    assert len(seats(events)) == left, "with half of them or more the next hand begins"
    assert not of_kind(events, MatchEnded)
    match.withdraw(size - 1, 0.0)
    (ended,) = of_kind(next_hand(match, folds), MatchEnded)
    assert match.phase == OVER
    assert sum(not player.out for player in match.players) == last
    assert len(ended.standings) == size


def test_a_match_ends_below_half_when_players_have_lost_their_chips() -> None:
    match = opened(10, LAPS, ends_below_half=True)
    left = 10
    while match.phase != OVER:
        assert 2 * left >= 10
        next_hand(match, all_in)
        left = sum(not player.out for player in match.players)
    assert 2 * left < 10


def test_a_match_does_not_end_below_half_unless_the_rules_say_so() -> None:
    match = opened(10, LAPS)
    for player in range(8):
        match.withdraw(player, 0.0)
    assert len(seats(next_hand(match, folds))) == 2
    assert not TREND.ends_below_half


def test_a_match_that_ends_below_half_does_so_after_a_restart_too() -> None:
    match = opened(5, LAPS, ends_below_half=True)
    for player in range(3):
        match.withdraw(player, 0.0)
    finish(match, folds)
    again, _ = Match.restore(match.rules, match.state(), FixedSeats(), 0.0)
    assert of_kind(again.tick(again.deadline or 0.0), MatchEnded)
