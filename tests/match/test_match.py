"""Hands in a row: seats, money, clocks, faults, and the end."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.deals import deal
from croupier.match.chance import SeededChance
from croupier.match.events import (
    BROKE,
    TIMEOUTS,
    WITHDRAWN,
    Faulted,
    HandVoided,
    Joined,
    Left,
    MatchEnded,
    MatchStarted,
    Paused,
    PlayerOut,
    Resumed,
    Returned,
    TimedOut,
    ToppedUp,
    TurnExtended,
)
from croupier.match.match import HAND, INTERVAL, OVER, PAUSED, RETURNING, SEATING, Match
from croupier.match.standings import standings
from croupier.match.view import MatchView
from croupier.rules import rules as r
from croupier.rules.decisions import ALL_IN, CALL, FOLD, Decision, raise_to
from croupier.rules.events import Acted, Event, HandEnded, HandStarted, PotDiscarded
from croupier.rules.hand import NOBODY
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, TREND

SEED = bytes(range(32))
LAPS = PLAIN.with_fields(
    {"name": "laps", "stacks": r.CARRY, "stack": 1000, "small_blind": 10, "blinds_double": r.LAP}
)
"""Plain rules with stacks that carry over and blinds that double with each lap."""
E = TypeVar("E", bound=Event)
Policy = Callable[[Match], Decision]


class FixedSeats:
    """Cards from a seed, seats in the order of joining: player 0 is the first small blind."""

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        return deal(SEED, hand, deck, count)

    def seats(self, players: int) -> list[int]:
        return list(range(players))


def opened(size: int, rules: Rules = HUAWEI, **fields: object) -> Match:
    """Return a match in its first hand."""
    match = Match(rules.with_fields(dict(fields)), size, FixedSeats(), 0.0)
    for number in range(size):
        match.join(f"p{number}", 0.0)
    return match


def of_kind(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def checks(match: Match) -> Decision:
    return CALL


def folds(match: Match) -> Decision:
    return FOLD


def all_in(match: Match) -> Decision:
    options = match.options
    assert options is not None
    return raise_to(options.max_to, ALL_IN) if options.max_to and options.all_in else CALL


def finish(match: Match, policy: Policy = checks) -> list[Event]:
    """Play the present hand to its end."""
    number = match.number
    events: list[Event] = []
    while match.phase == HAND and match.number == number:
        events += match.decide(match.asked, policy(match), 0.0)
    return events


def next_hand(match: Match, policy: Policy = checks) -> list[Event]:
    """Play the present hand to its end and begin the next."""
    return finish(match, policy) + match.recorded(0.0)


def seats(events: Sequence[Event]) -> tuple[int, ...]:
    """Return the players of the hand that began last; the first is the small blind."""
    return of_kind(events, HandStarted)[-1].players


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


# The clock.


def test_late_is_a_fold_and_a_timeout() -> None:
    match = opened(3)
    assert match.asked == 2
    assert match.deadline == 0.5
    assert match.tick(0.499) == []
    events = match.tick(0.5)
    assert events[0] == TimedOut(2, 1, absent=False)
    assert of_kind(events, Acted)[0].action == "fold"
    assert match.players[2].timeouts == 1


def test_the_time_begins_when_the_question_has_gone_out() -> None:
    match = opened(3)
    match.start_clock(7.0)
    assert match.deadline == 7.5


def test_a_decision_out_of_turn_changes_nothing() -> None:
    match = opened(3)
    before = json.dumps(match.state())
    assert match.hand is not None
    events = len(match.hand.events)
    for player in (0, 1, 3, -1, NOBODY):
        assert match.decide(player, CALL, 0.0) == []
        assert match.illegal(player, "x", 0.0) == []
    assert json.dumps(match.state()) == before
    assert len(match.hand.events) == events
    assert match.asked == 2


def test_more_time_moves_the_deadline_and_is_told() -> None:
    match = opened(3)
    assert match.extend(0.25) == [TurnExtended(2, 250)]
    assert match.tick(0.5) == []
    assert match.tick(0.75)


def test_an_illegal_answer_is_a_fold_but_no_timeout() -> None:
    match = opened(3)
    events = match.illegal(2, "foo", 0.0)
    assert events[0] == Faulted(2, "foo")
    assert of_kind(events, Acted)[0].action == "fold"
    assert match.players[2].timeouts == 0
    assert match.players[2].faults == 1


def test_a_decision_that_the_rules_refuse_is_a_fold_but_no_timeout() -> None:
    match = opened(3)
    events = match.decide(2, raise_to(101), 0.0)
    assert isinstance(events[0], Faulted)
    assert of_kind(events, Acted)[0].action == "fold"
    assert match.players[2].timeouts == 0


def late_for(match: Match, player: int, hands: int) -> list[Event]:
    """Let a player be late once in each of some hands; the others fold."""
    events: list[Event] = []
    for _ in range(hands):
        number = match.number
        while match.phase == HAND and match.number == number:
            if match.asked == player:
                assert match.deadline is not None
                events += match.tick(match.deadline)
            else:
                events += match.decide(match.asked, CALL, 0.0)
        events += match.recorded(0.0)
    return events


def test_the_tenth_timeout_takes_a_player_out_with_all_his_chips() -> None:
    match = opened(3)
    events = late_for(match, 2, 9)
    assert [e.count for e in of_kind(events, TimedOut)] == list(range(1, 10))
    assert of_kind(events, PlayerOut) == []
    before = match.players[2].chips
    events = late_for(match, 2, 1)
    [out] = of_kind(events, PlayerOut)
    assert (out.player, out.cause) == (2, TIMEOUTS)
    assert out.discarded <= before
    assert match.players[2].chips == 0
    assert 2 not in seats(events)


def test_the_timeouts_are_counted_over_the_whole_match() -> None:
    match = opened(3)
    late_for(match, 2, 4)
    next_hand(match)
    late_for(match, 2, 5)
    assert match.players[2].timeouts == 9
    assert not match.players[2].out


def test_where_the_rules_say_so_no_number_of_timeouts_takes_a_player_out() -> None:
    match = opened(3, PLAIN)
    assert of_kind(late_for(match, 2, 25), PlayerOut) == []


# Coming and going.


def test_who_goes_when_asked_folds_at_once() -> None:
    match = opened(3)
    events = match.disconnected(2, 0.1)
    assert events[:2] == [Left(2), TimedOut(2, 1, absent=True)]
    assert match.asked == 0


def test_who_goes_when_not_asked_folds_when_his_turn_comes() -> None:
    match = opened(3)
    assert match.disconnected(0, 0.1) == [Left(0)]
    assert match.asked == 2
    events = match.decide(2, CALL, 0.2)
    assert TimedOut(0, 1, absent=True) in events
    assert match.asked == 1


def test_who_is_gone_folds_at_once_at_each_turn_and_counts_as_late() -> None:
    match = opened(3)
    match.disconnected(0, 0.0)
    for number in range(1, 10):
        finish(match)
        assert match.players[0].timeouts == number
        match.recorded(0.0)
    events = finish(match)
    assert of_kind(events, PlayerOut)[0].cause == TIMEOUTS


def test_a_match_that_everyone_has_left_comes_to_its_end() -> None:
    match = opened(3)
    for player in range(3):
        match.disconnected(player, 0.0)
    for _ in range(30):
        match.recorded(0.0)
    assert match.phase == OVER
    assert all(entrant.chips == 0 for entrant in match.players)


def test_who_is_back_is_asked_again() -> None:
    match = opened(3)
    match.disconnected(0, 0.0)
    assert match.connected(0, 0.0) == [Returned(0)]
    assert match.connected(0, 0.0) == []
    match.decide(2, CALL, 0.0)
    assert match.asked == 0


def test_who_is_out_may_come_back_to_watch_but_has_no_seat() -> None:
    match = opened(3)
    match.disconnected(0, 0.0)
    match.withdraw(0, 0.0)
    finish(match)
    assert match.connected(0, 0.0) == [Returned(0)]
    match.recorded(0.0)
    assert 0 not in match.order


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


# Pauses and withdrawals.


def test_a_pause_begins_after_the_hand_and_ends_with_the_next() -> None:
    match = opened(3)
    assert match.pause() == []
    assert match.phase == HAND
    finish(match)
    assert match.recorded(0.0) == [Paused()]
    assert match.phase == PAUSED
    assert match.recorded(0.0) == []
    assert match.tick(10**9) == []
    events = match.resume(0.0)
    assert events[0] == Resumed()
    assert seats(events) == (1, 2, 0)


def test_a_pause_that_is_taken_back_in_time_never_begins() -> None:
    match = opened(3)
    match.pause()
    assert match.resume(0.0) == []
    assert of_kind(next_hand(match), HandStarted)


def test_pausing_twice_and_resuming_twice_is_once() -> None:
    match = opened(3)
    match.pause()
    match.pause()
    finish(match)
    match.recorded(0.0)
    assert match.pause() == []
    match.resume(0.0)
    assert match.resume(0.0) == []
    assert match.phase == HAND


def test_a_match_that_is_to_end_is_not_paused() -> None:
    match = opened(2, hands=1)
    match.pause()
    assert of_kind(next_hand(match), MatchEnded)


def test_who_withdraws_when_asked_folds_at_once_and_is_gone_after_the_hand() -> None:
    match = opened(3)
    events = match.withdraw(2, 0.0)
    assert of_kind(events, Acted)[0].action == "fold"
    assert not match.players[2].out
    events = finish(match)
    assert [(e.player, e.cause) for e in of_kind(events, PlayerOut)] == [(2, WITHDRAWN)]
    assert match.players[2].timeouts == 0


def test_who_withdraws_out_of_turn_folds_when_his_turn_comes() -> None:
    match = opened(3)
    assert match.withdraw(0, 0.0) == []
    assert match.asked == 2
    events = match.decide(2, CALL, 0.0)
    assert [(e.seat, e.action) for e in of_kind(events, Acted)] == [(2, "call"), (0, "fold")]
    assert seats(next_hand(match)) == (2, 1)


def test_who_withdraws_between_hands_is_gone_at_once() -> None:
    match = opened(3)
    finish(match)
    assert match.phase == INTERVAL
    assert [type(e) for e in match.withdraw(1, 0.0)] == [PlayerOut]
    assert match.withdraw(1, 0.0) == []
    assert seats(match.recorded(0.0)) == (2, 0)


def test_who_withdraws_in_a_pause_and_leaves_one_behind_ends_the_match() -> None:
    match = opened(2)
    match.pause()
    next_hand(match)
    assert [type(e) for e in match.withdraw(0, 0.0)] == [PlayerOut, MatchEnded]
    assert match.phase == OVER


def test_a_stop_voids_the_hand_and_ends_the_match_with_the_books_before_it() -> None:
    match = opened(3)
    match.decide(2, raise_to(1000), 0.0)
    events = match.stop()
    assert events[0] == HandVoided(1)
    [ended] = of_kind(events, MatchEnded)
    assert {row[2] for row in ended.standings} == {10_000}
    assert match.stop() == []


# The ranking.


@dataclass
class Books:
    hands: int
    chips: int
    reloads: int = 0
    out: str = ""


def ranks(*books: tuple[int, ...], rules: Rules = PLAIN) -> list[tuple[int, int]]:
    rows = standings([Books(row[0], row[1], sum(row[2:])) for row in books], rules)
    return [(rank, player) for rank, player, _, _ in rows]


def test_stacks_that_were_not_bought_count_in_the_ranking() -> None:
    assert ranks((5, 2990, 2), (5, 1010, 0), rules=TREND) == [(1, 1), (2, 0)]


def test_ties_share_a_rank_and_the_next_one_is_left_out() -> None:
    assert ranks((5, 100), (5, 300), (5, 100), (5, 50)) == [(1, 1), (2, 0), (2, 2), (4, 3)]


def test_hands_survived_come_before_chips() -> None:
    assert ranks((3, 900), (5, 0), (4, 10)) == [(1, 1), (2, 2), (3, 0)]


def test_the_same_chips_after_different_numbers_of_hands_are_no_tie() -> None:
    assert ranks((3, 0), (5, 0), (3, 0)) == [(1, 1), (2, 0), (2, 2)]


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


# Records.


def random_policy(numbers: list[int]) -> Policy:
    row = iter(numbers * 1000)

    def choose(match: Match) -> Decision:
        options = match.options
        assert options is not None
        number = next(row)
        decisions = [CALL, CALL, CALL, FOLD]
        if options.max_to and options.raise_:
            decisions.append(raise_to(options.min_to, "raise"))
        if options.max_to and options.all_in:
            decisions.append(raise_to(options.max_to, ALL_IN))
        return decisions[number % len(decisions)]

    return choose


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


# Any input at any time.

STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *["decide"] * 12,
                *["stray", "illegal", "late", "early", "leave", "return", "withdraw"],
                *["pause", "resume", "recorded", "recorded", "recorded", "extend", "clock", "join"],
            ]
        ),
        st.integers(0, 7),
        st.integers(0, 100),
    ),
    max_size=150,
)


def step(match: Match, what: str, player: int, number: int, now: float) -> list[Event]:
    """Give a match one input."""
    if what == "decide" and match.options is not None:
        return match.decide(match.asked, random_policy([number])(match), now)
    if what == "stray":
        return match.decide(player, raise_to(number * 10), now)
    if what == "illegal":
        return match.illegal(match.asked, "garbage", now)
    if what == "late" and match.deadline is not None:
        return match.tick(match.deadline)
    if what == "early":
        return match.tick(now)
    if what == "leave":
        return match.disconnected(player, now)
    if what == "return":
        return match.connected(player, now)
    if what == "withdraw" and number < 10:
        return match.withdraw(player, now)
    if what == "pause":
        return match.pause()
    if what == "resume":
        return match.resume(now)
    if what == "recorded":
        return match.recorded(now)
    if what == "extend":
        return match.extend(number / 1000)
    if what == "clock":
        match.start_clock(now)
    if what == "join":
        return match.join("late", now)
    return []


def chips_in(match: Match) -> int:
    """Return all chips that are in the match; those of a hand in play count as before it."""
    return sum(player.chips for player in match.players)


@pytest.mark.parametrize("rules", [HUAWEI, LAPS, KUHN], ids=lambda rules: rules.name)
@given(size=st.integers(2, 8), steps=STEPS)
def test_no_input_raises_and_no_chip_appears_or_vanishes(
    rules: Rules, size: int, steps: list[tuple[str, int, int]]
) -> None:
    size = min(size, rules.max_seats)
    rules = rules.with_fields({"hands": 12, "max_timeouts": 3})
    match = Match(rules, size, FixedSeats())
    events: list[Event] = []
    for number in range(size):
        events += match.join(f"p{number}", 0.0)
    total = chips_in(match)
    view = MatchView(rules)
    seen = 0
    for now, (what, player, number) in enumerate(steps):
        events += step(match, what, player % size, number, now / 100)
        for event in events[seen:]:
            view.see(event)
        seen = len(events)
        if match.phase == HAND:
            assert match.asked != NOBODY
            assert match.players[match.asked].online
            assert not match.players[match.asked].out
            assert match.deadline is not None
        else:
            assert match.asked == NOBODY
        if match.phase != HAND:
            gone = sum(event.amount for event in of_kind(events, PotDiscarded))
            gone += sum(event.discarded for event in of_kind(events, PlayerOut))
            assert chips_in(match) + gone == total
            assert all(player.stack >= 0 and player.reserve >= 0 for player in match.players)
    assert len(of_kind(events, MatchEnded)) == (match.phase == OVER)
    assert len(of_kind(events, HandEnded)) == match.played
    for player, out in enumerate(view.out):
        assert out == bool(match.players[player].out)


def test_who_withdraws_takes_all_he_won_with_him_where_stacks_are_reset() -> None:
    match = opened(3, PLAIN)
    next_hand(match, all_in)
    total = chips_in(match)
    winner = max(range(3), key=lambda player: match.players[player].chips)
    match.withdraw(winner, 0.0)
    events = finish(match, folds)
    gone = sum(event.discarded for event in of_kind(events, PlayerOut))
    assert chips_in(match) + gone == total
