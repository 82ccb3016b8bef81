"""Who is asked, for how long, and who is folded unasked."""

import json

from croupier.match.events import (
    TIMEOUTS,
    Faulted,
    Left,
    PlayerOut,
    Returned,
    TimedOut,
    TurnExtended,
)
from croupier.match.match import (
    HAND,
    OVER,
    Match,
)
from croupier.rules.decisions import CALL, raise_to
from croupier.rules.events import Acted, Event
from croupier.rules.hand import NOBODY
from croupier.rules.sets import PLAIN
from tests.match.matches import (
    finish,
    next_hand,
    of_kind,
    opened,
    seats,
)

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


# Who may come back.


def test_whoever_is_away_when_its_turn_comes_has_time_to_return_and_then_all_of_its_time() -> None:
    match = opened(3, absence_ms=2000)
    match.disconnected(0, 0.0)
    assert of_kind(match.decide(2, CALL, 1.0), TimedOut) == []
    assert (match.asked, match.deadline) == (0, 3.0)
    match.start_clock(1.5)
    assert match.deadline == 3.0, "no question has gone out"
    assert match.connected(0, 2.0) == [Returned(0)]
    assert (match.asked, match.deadline) == (0, 2.5)
    assert match.tick(2.5)[0] == TimedOut(0, 1, absent=False)


def test_whoever_does_not_return_in_time_is_folded_as_absent() -> None:
    match = opened(3, absence_ms=2000)
    match.disconnected(0, 0.0)
    match.decide(2, CALL, 1.0)
    assert match.tick(2.9) == []
    assert match.tick(3.0)[0] == TimedOut(0, 1, absent=True)
    assert match.asked == 1


def test_where_players_may_return_a_connection_that_is_lost_does_not_end_the_turn() -> None:
    match = opened(3, absence_ms=2000)
    assert match.disconnected(2, 0.1) == [Left(2)]
    assert (match.asked, match.deadline) == (2, 0.5)
    assert match.connected(2, 0.2) == [Returned(2)]
    assert match.deadline == 0.5, "nobody gains time by it"
    assert match.tick(0.5)[0] == TimedOut(2, 1, absent=False)


# People.


def test_a_person_has_the_time_of_people_and_the_others_keep_theirs() -> None:
    match = opened(3, human_ms=30_000)
    match.expect_human(0)
    assert (match.asked, match.deadline) == (2, 0.5)
    match.decide(2, CALL, 1.0)
    assert (match.asked, match.deadline) == (0, 31.0)
    match.start_clock(2.0)
    assert match.deadline == 32.0
    match.decide(0, CALL, 3.0)
    assert (match.asked, match.deadline) == (1, 3.5)


def test_a_person_who_loads_the_page_again_keeps_the_turn() -> None:
    match = opened(3, human_ms=30_000)
    match.expect_human(0)
    match.decide(2, CALL, 1.0)
    assert match.disconnected(0, 2.0) == [Left(0)]
    assert match.connected(0, 3.0) == [Returned(0)]
    assert (match.asked, match.deadline) == (0, 31.0)


def test_a_person_who_is_away_is_waited_for_once_and_again_after_it_was_back() -> None:
    match = opened(3, human_ms=30_000)
    match.expect_human(0)
    match.disconnected(0, 0.0)
    match.decide(2, CALL, 1.0)
    assert match.deadline == 31.0
    assert match.tick(31.0)[0] == TimedOut(0, 1, absent=True)
    next_hand(match)
    finish(match)
    assert match.players[0].timeouts == 2, "it was folded unasked"
    match.connected(0, 40.0)
    match.disconnected(0, 41.0)
    match.recorded(42.0)
    while match.asked != 0:
        match.decide(match.asked, CALL, 42.0)
    assert match.deadline == 72.0
