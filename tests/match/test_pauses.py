"""What an organiser asks for: pauses, withdrawals and stops."""

from croupier.match.events import (
    WITHDRAWN,
    HandVoided,
    MatchEnded,
    Paused,
    PlayerOut,
    Resumed,
)
from croupier.match.match import HAND, INTERVAL, OVER, PAUSED
from croupier.rules.decisions import CALL, raise_to
from croupier.rules.events import Acted, HandStarted
from croupier.rules.sets import PLAIN
from tests.match.matches import all_in, chips_in, finish, folds, next_hand, of_kind, opened, seats


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


def test_who_withdraws_takes_all_he_won_with_him_where_stacks_are_reset() -> None:
    match = opened(3, PLAIN)
    next_hand(match, all_in)
    total = chips_in(match)
    winner = max(range(3), key=lambda player: match.players[player].chips)
    match.withdraw(winner, 0.0)
    events = finish(match, folds)
    gone = sum(event.discarded for event in of_kind(events, PlayerOut))
    assert chips_in(match) + gone == total
