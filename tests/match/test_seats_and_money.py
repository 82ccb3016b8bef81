"""From the first place that is taken to the chips of the last hand."""

import pytest

from croupier.match.chance import SeededChance
from croupier.match.events import (
    BROKE,
    Joined,
    MatchEnded,
    MatchStarted,
    PlayerOut,
    ToppedUp,
)
from croupier.match.match import HAND, OVER, SEATING, Match
from croupier.rules import rules as r
from croupier.rules.events import Event, HandStarted
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, TREND
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

# Before the first hand.


def test_the_match_starts_when_the_last_place_is_taken() -> None:
    match = Match(HUAWEI, 3, FixedSeats())
    assert [type(e) for e in match.join("a", 0.0)] == [Joined]
    assert [type(e) for e in match.join("b", 0.0)] == [Joined]
    assert match.phase == SEATING
    assert [type(e) for e in match.join("c", 0.0)][:3] == [Joined, MatchStarted, HandStarted]
    assert match.phase == HAND


def test_the_seats_are_drawn_from_the_seed() -> None:
    orders = set()
    for number in range(40):
        chance = SeededChance(bytes([number]) * 32)
        match = Match(HUAWEI, 3, chance)
        for name in "abc":
            events = match.join(name, 0.0)
        order = of_kind(events, MatchStarted)[0].order
        assert order == tuple(chance.seats(3)) == seats(events)
        orders.add(order)
    assert len(orders) == 6


def test_after_the_registration_time_two_players_are_enough() -> None:
    match = Match(HUAWEI, 4, FixedSeats(), 100.0)
    match.join("a", 101.0)
    match.join("b", 102.0)
    assert match.deadline == 130.0
    assert match.tick(129.9) == []
    assert seats(match.tick(130.0)) == (0, 1)


def test_after_the_registration_time_one_player_waits_for_a_second() -> None:
    match = Match(HUAWEI, 4, FixedSeats())
    match.join("a", 0.0)
    assert match.tick(30.0) == []
    assert match.phase == SEATING
    assert match.deadline is None
    assert seats(match.join("b", 99.0)) == (0, 1)


def test_after_the_registration_time_nobody_is_waited_for() -> None:
    match = Match(HUAWEI, 4, FixedSeats())
    assert match.tick(30.0) == []
    match.join("a", 31.0)
    assert match.phase == SEATING


def test_nobody_joins_a_running_match() -> None:
    match = opened(2)
    assert match.join("late", 0.0) == []
    assert len(match.players) == 2


@pytest.mark.parametrize("size", [0, 1, 9])
def test_a_table_has_two_to_eight_seats(size: int) -> None:
    with pytest.raises(ValueError, match="seats 2 to 8"):
        Match(HUAWEI, size, FixedSeats())


# Seats and money.


def test_the_previous_small_blind_is_the_next_button() -> None:
    match = opened(4)
    events = next_hand(match)
    assert seats(events) == (1, 2, 3, 0)
    assert seats(next_hand(match)) == (2, 3, 0, 1)


def test_with_two_players_button_and_small_blind_alternate() -> None:
    match = opened(2)
    assert seats(next_hand(match)) == (1, 0)
    assert seats(next_hand(match)) == (0, 1)


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ((0,), (2, 3, 1)),
        ((1,), (2, 3, 0)),
        ((3,), (1, 2, 0)),
        ((0, 1), (3, 2)),
        ((1, 2), (3, 0)),
        ((0, 3), (2, 1)),
    ],
)
def test_the_button_skips_those_who_are_out(
    gone: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    match = opened(4)
    for player in gone:
        match.withdraw(player, 0.0)
    assert seats(next_hand(match)) == expected


def test_the_start_is_the_buy_in_at_the_table_and_the_rest_beside_it() -> None:
    [started] = of_kind(Match(HUAWEI, 2, FixedSeats()).join("a", 0) + opened_events(2), HandStarted)
    assert started.stacks == (2000, 2000)
    assert started.reserves == (8000, 8000)


def opened_events(size: int) -> list[Event]:
    match = Match(HUAWEI, size, FixedSeats())
    return [event for number in range(size) for event in match.join(str(number), 0.0)]


def test_jetton_below_the_big_blind_is_topped_up_to_the_buy_in() -> None:
    match = opened(2)
    match.players[0].stack = 0
    loser = broke_after_all_in(match)
    assert match.players[loser].stack == 2000
    assert match.players[loser].reserve == 6000


def broke_after_all_in(match: Match) -> int:
    """Play a hand in which everyone is all-in; return who lost everything in it."""
    events = finish(match, all_in)
    [topped] = of_kind(events, ToppedUp)
    assert topped.amount == 2000
    return topped.player


def test_a_top_up_takes_no_more_than_the_money_there_is() -> None:
    match = opened(2, reserve=700)
    events = finish(match, all_in)
    [topped] = of_kind(events, ToppedUp)
    assert topped.amount == 700
    assert match.players[topped.player].stack == 700
    assert match.players[topped.player].reserve == 0


def test_a_jetton_of_exactly_a_big_blind_is_not_topped_up_and_one_below_it_is() -> None:
    for stack, topped in ((100, False), (99, True)):
        match = opened(3)
        assert match.hand is not None
        match.hand.stacks[2] = stack
        events = finish(match, folds)
        assert bool(of_kind(events, ToppedUp)) is topped


def test_who_has_less_than_a_big_blind_after_the_top_up_is_out() -> None:
    match = opened(3, reserve=30)
    match.hand.stacks[2] = 60  # type: ignore[union-attr]
    events = finish(match, folds)
    assert [(e.player, e.amount) for e in of_kind(events, ToppedUp)] == [(2, 30)]
    assert [(e.player, e.cause) for e in of_kind(events, PlayerOut)] == [(2, BROKE)]
    assert match.players[2].chips == 90
    assert seats(match.recorded(0.0)) == (1, 0)


def test_where_the_rules_say_so_one_chip_is_enough_to_go_on() -> None:
    match = opened(3, LAPS)
    match.hand.stacks[2] = 1  # type: ignore[union-attr]
    events = finish(match, folds)
    assert of_kind(events, PlayerOut) == []
    assert seats(match.recorded(0.0)) == (1, 2, 0)


def test_the_match_ends_when_fewer_than_two_are_left() -> None:
    match = opened(2, reserve=0)
    events = next_hand(match, all_in)
    [ended] = of_kind(events, MatchEnded)
    assert [row[2] for row in ended.standings] == [4000, 0]
    assert match.phase == OVER


def test_the_match_ends_at_the_hand_limit() -> None:
    match = opened(3, hands=3)
    for _ in range(2):
        assert of_kind(next_hand(match), MatchEnded) == []
    assert of_kind(next_hand(match), MatchEnded)
    assert match.played == 3


def test_after_the_last_hand_nobody_is_topped_up_or_taken_out() -> None:
    match = opened(2, hands=1)
    events = next_hand(match, all_in)
    assert of_kind(events, ToppedUp) == []
    assert of_kind(events, PlayerOut) == []


# Blinds that double.


def small_blinds(match: Match, hands: int) -> list[int]:
    """Return the small blinds of the present hand and the next ones, in which everyone folds."""
    row = []
    for _ in range(hands):
        until_asked(match)
        assert match.hand is not None
        assert match.hand.big_blind == 2 * match.hand.small_blind
        row.append(match.hand.small_blind)
        finish(match, folds)
    return row


def until_asked(match: Match) -> None:
    """Let pass whatever the rules have between two hands."""
    while match.phase != HAND:
        if not match.recorded(0.0):
            assert match.deadline is not None
            match.tick(match.deadline)


@pytest.mark.parametrize("rules", [LAPS, TREND], ids=lambda rules: rules.name)
def test_both_blinds_double_each_time_the_small_blind_has_been_round_the_table(
    rules: Rules,
) -> None:
    assert small_blinds(opened(3, rules), 8) == [10] * 3 + [20] * 3 + [40] * 2


def test_the_lap_ends_where_it_began_though_that_player_is_out() -> None:
    match = opened(4, LAPS)
    match.withdraw(0, 0.0)
    finish(match, folds)
    assert small_blinds(match, 6) == [10, 10, 20, 20, 20, 40], "2, 3, past 0 to 1, 2, 3, 1"


def test_where_the_rules_do_not_say_so_the_blinds_never_grow() -> None:
    match = opened(3)
    for _ in range(12):
        next_hand(match)
    assert match.hand is not None
    assert match.hand.small_blind == 50


def test_a_top_up_never_takes_chips_from_the_table() -> None:
    rules = HUAWEI.with_fields({"blinds_double": r.LAP, "stack": 200, "reserve": 5000})
    match = Match(rules, 2, FixedSeats())
    match.join("a", 0.0)
    match.join("b", 0.0)
    for _ in range(8):
        events = next_hand(match, folds)
        assert all(event.amount > 0 for event in of_kind(events, ToppedUp))
