"""Between hands: who is waited for, for how long, and what becomes of a match that someone breaks.

The handshakes are those of the two versions of `room`: `start` before every hand, and `ready` after
every hand.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.deals import deal
from croupier.match.events import (
    LATE,
    LEFT,
    LEFT_BETWEEN,
    NOT_READY,
    WITHDRAWN,
    Broken,
    CountedDown,
    Faulted,
    Left,
    MatchEnded,
    MatchStarted,
    NotReady,
    Paused,
    PlayerOut,
    Reloaded,
    ReloadOpened,
    Resumed,
    Returned,
    Stopped,
    TimedOut,
)
from croupier.match.match import (
    COUNTDOWN,
    HAND,
    INTERVAL,
    OVER,
    PAUSED,
    READY,
    RELOAD,
    REPEAT_S,
    Match,
)
from croupier.match.ready import Handshake
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.events import FOLDED, Acted, Event, HandEnded, HandStarted
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN, ROOM, TREND

SEED = bytes(range(32))
BEFORE = Handshake(first=True, last=False)
"""Version 1."""
AFTER = Handshake(first=False, last=True)
"""Version 2."""
FORGIVING = PLAIN.with_fields({"hands": 0})
"""Rules under which a match goes on after a fault; players are waited for 5 s."""

E = TypeVar("E", bound=Event)


class FixedSeats:
    """Cards from a seed, seats in the order of joining."""

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        return deal(SEED, hand, deck, count)

    def seats(self, players: int) -> list[int]:
        return list(range(players))


def opened(
    handshakes: Sequence[Handshake | None], rules: Rules = ROOM, **fields: Any
) -> tuple[Match, list[Event]]:
    """Return a match whose players have all joined, and the events of the last joining."""
    match = Match(rules.with_fields(fields), len(handshakes), FixedSeats(), 0.0)
    for player, handshake in enumerate(handshakes):
        if handshake is not None:
            match.expect_ready(player, handshake)
    events: list[Event] = []
    for player in range(len(handshakes)):
        events = match.join(f"p{player}", 0.0)
    return match, events


def match_of(handshakes: Sequence[Handshake | None], rules: Rules = ROOM, **fields: Any) -> Match:
    return opened(handshakes, rules, **fields)[0]


def of_kind(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def kinds(events: Sequence[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


def say(match: Match, *players: int, now: float = 0.0) -> list[Event]:
    """Let players say that they are ready; return what the last of them causes."""
    events: list[Event] = []
    for player in players:
        events = match.ready(player, now)
    return events


def fold_out(match: Match, now: float = 0.0) -> list[Event]:
    """Let everyone fold until the hand has ended and is recorded; return what follows it."""
    while match.phase == HAND:
        match.decide(match.asked, FOLD, now)
    assert match.phase == INTERVAL
    return match.recorded(now)


def folded(events: Sequence[Event]) -> list[int]:
    """Return the seats that folded."""
    return [event.seat for event in of_kind(events, Acted) if event.action == FOLDED]


def in_hand(handshake: Handshake, size: int, rules: Rules = ROOM, **fields: Any) -> Match:
    """Return a match in its first hand."""
    match = match_of([handshake] * size, rules, **fields)
    if handshake.first:
        say(match, *range(size))
    assert match.phase == HAND
    return match


def between(handshake: Handshake, size: int, rules: Rules = ROOM, **fields: Any) -> Match:
    """Return a match after its first hand, in which nobody is ready for the second."""
    match = in_hand(handshake, size, rules, **fields)
    fold_out(match)
    assert match.phase == READY
    return match


# Who is waited for.


def test_where_no_dialect_has_a_word_for_it_nobody_is_waited_for() -> None:
    match, events = opened([None, None])
    assert of_kind(events, HandStarted)
    assert HandStarted in kinds(fold_out(match))


def test_version_1_is_waited_for_before_every_hand_the_first_included() -> None:
    match, events = opened([BEFORE] * 3)
    assert kinds(events)[1:] == [MatchStarted]
    for _ in range(3):
        assert match.phase == READY
        assert say(match, 2, 0) == []
        assert kinds(say(match, 1))[0] is HandStarted
        fold_out(match)


def test_version_1_is_not_waited_for_after_the_last_hand() -> None:
    match = match_of([BEFORE] * 2, hands=2)
    say(match, 0, 1)
    assert MatchEnded not in kinds(fold_out(match))
    say(match, 0, 1)
    assert kinds(fold_out(match)) == [MatchEnded]


def test_version_2_is_not_waited_for_before_the_first_hand() -> None:
    _, events = opened([AFTER] * 3)
    assert of_kind(events, HandStarted)


def test_version_2_is_waited_for_after_every_hand_the_last_included() -> None:
    match = match_of([AFTER] * 2, hands=2)
    assert fold_out(match) == []
    assert say(match, 0) == []
    assert kinds(say(match, 1))[0] is HandStarted
    assert fold_out(match) == []
    assert match.phase == READY
    assert say(match, 1) == []
    assert kinds(say(match, 0)) == [MatchEnded]


def test_house_bots_beside_a_program_are_not_waited_for() -> None:
    match, events = opened([None, BEFORE, None])
    assert not of_kind(events, HandStarted)
    assert kinds(say(match, 1))[0] is HandStarted


def test_both_versions_in_one_room_are_waited_for_each_in_its_way() -> None:
    match = match_of([BEFORE, AFTER], hands=2)
    assert kinds(say(match, 0))[0] is HandStarted
    assert fold_out(match) == []
    assert say(match, 0) == []
    assert kinds(say(match, 1))[0] is HandStarted
    assert fold_out(match) == []
    assert kinds(say(match, 1)) == [MatchEnded]


def test_who_says_it_twice_says_it_once() -> None:
    match = match_of([BEFORE] * 2)
    assert say(match, 0, 0, 0) == []
    assert kinds(say(match, 1))[0] is HandStarted


def test_who_has_no_word_for_it_cannot_say_it_for_others() -> None:
    match = match_of([None, BEFORE])
    assert say(match, 0) == []
    assert match.phase == READY


@pytest.mark.parametrize("handshake", [BEFORE, AFTER])
def test_who_says_it_during_the_hand_need_not_say_it_again(handshake: Handshake) -> None:
    match = in_hand(handshake, 2)
    assert say(match, 0) == []
    assert match.phase == HAND
    assert fold_out(match) == []
    assert kinds(say(match, 1))[0] is HandStarted
    # It counted for that hand only.
    assert fold_out(match) == []
    assert say(match, 1) == []
    assert match.phase == READY


def test_who_says_it_before_everyone_has_joined_need_not_say_it_again() -> None:
    match = Match(ROOM, 2, FixedSeats())
    for player in (0, 1):
        match.expect_ready(player, BEFORE)
    match.join("a", 0.0)
    assert match.ready(0, 0.0) == []
    match.join("b", 0.0)
    assert kinds(match.ready(1, 0.0))[0] is HandStarted


def test_if_all_are_early_the_next_hand_follows_at_once() -> None:
    match = in_hand(BEFORE, 2)
    say(match, 0, 1)
    assert kinds(fold_out(match))[0] is HandStarted


# Who is late.


def test_before_the_time_is_over_nothing_happens() -> None:
    match = between(BEFORE, 2)
    assert match.deadline == 300.0
    assert match.tick(299.9) == []


@pytest.mark.parametrize("handshake", [BEFORE, AFTER])
def test_where_a_fault_ends_the_match_who_is_late_ends_it(handshake: Handshake) -> None:
    match = between(handshake, 3)
    say(match, 0, 2)
    events = match.tick(300.0)
    assert events[:2] == [NotReady(1), Broken(1, NOT_READY)]
    assert kinds(events[2:]) == [MatchEnded]
    assert match.phase == OVER
    assert match.deadline is None


def test_it_may_happen_before_the_first_hand() -> None:
    match = match_of([BEFORE] * 2)
    say(match, 1)
    assert match.tick(300.0)[:2] == [NotReady(0), Broken(0, NOT_READY)]


def test_if_several_are_late_the_first_is_named_as_the_cause() -> None:
    match = between(BEFORE, 3)
    say(match, 1)
    events = match.tick(300.0)
    assert of_kind(events, NotReady) == [NotReady(0), NotReady(2)]
    assert of_kind(events, Broken) == [Broken(0, NOT_READY)]


def test_after_the_last_hand_who_is_late_breaks_nothing() -> None:
    match = match_of([AFTER] * 2, hands=1)
    fold_out(match)
    assert kinds(match.tick(300.0)) == [MatchEnded]


def test_otherwise_who_is_late_is_dealt_in_and_folded_when_asked() -> None:
    match = between(BEFORE, 3, FORGIVING)
    assert match.deadline == 5.0
    say(match, 0, 1)
    events = match.tick(5.0)
    assert events[0] == NotReady(2)
    (started,) = of_kind(events, HandStarted)
    assert sorted(started.players) == [0, 1, 2]
    assert Broken not in kinds(events)
    while match.phase == HAND and not of_kind(events, TimedOut):
        assert match.asked != 2
        events += match.decide(match.asked, CALL, 5.0)
    assert of_kind(events, TimedOut) == [TimedOut(2, 1, absent=False)]
    assert folded(events) == [started.players.index(2)]


def test_who_was_late_plays_the_hand_after_that() -> None:
    match = between(BEFORE, 2, FORGIVING)
    say(match, 0)
    match.tick(5.0)
    fold_out(match, 5.0)
    say(match, 0, 1, now=5.0)
    asked = set()
    while match.phase == HAND:
        asked.add(match.asked)
        match.decide(match.asked, CALL, 5.0)
    assert asked == {0, 1}


def test_a_hand_in_which_all_are_late_is_over_at_once() -> None:
    match = between(BEFORE, 3, FORGIVING)
    events = match.tick(5.0)
    assert len(of_kind(events, NotReady)) == 3
    assert len(of_kind(events, HandEnded)) == 1
    assert match.phase == INTERVAL
    match.recorded(5.0)
    assert (match.phase, match.deadline) == (READY, 10.0)


# Who leaves.


def play_on(match: Match) -> list[Event]:
    """Let everyone who is asked call until the hand has ended."""
    events: list[Event] = []
    while match.phase == HAND:
        events += match.decide(match.asked, CALL, 0.0)
    return events


def test_who_leaves_when_asked_folds_and_the_match_ends_after_the_hand() -> None:
    match = in_hand(BEFORE, 3)
    assert match.asked == 2
    events = match.disconnected(2, 0.0)
    assert events[:2] == [Left(2), TimedOut(2, 1, absent=True)]
    assert folded(events) == [2]
    assert match.phase == HAND
    events = play_on(match)
    assert of_kind(events, HandEnded)
    assert Broken not in kinds(events)
    assert match.phase == INTERVAL
    events = match.recorded(0.0)
    assert events[0] == Broken(2, LEFT)
    assert kinds(events[1:]) == [MatchEnded]
    assert match.phase == OVER


def test_who_leaves_out_of_turn_folds_when_asked_and_the_match_ends_after_the_hand() -> None:
    match = in_hand(AFTER, 3)
    assert match.disconnected(1, 0.0) == [Left(1)]
    events = play_on(match)
    assert folded(events) == [1]
    assert match.recorded(0.0)[0] == Broken(1, LEFT)
    assert match.phase == OVER


def test_who_leaves_after_he_folded_ends_the_match_too() -> None:
    match = in_hand(BEFORE, 3)
    match.decide(2, FOLD, 0.0)
    match.disconnected(2, 0.0)
    assert folded(play_on(match)) == []
    assert match.recorded(0.0)[0] == Broken(2, LEFT)


@pytest.mark.parametrize("handshake", [BEFORE, AFTER])
def test_who_leaves_between_hands_ends_the_match_at_once(handshake: Handshake) -> None:
    match = between(handshake, 3)
    events = match.disconnected(1, 0.0)
    assert events[:2] == [Left(1), Broken(1, LEFT_BETWEEN)]
    assert kinds(events[2:]) == [MatchEnded]


def test_who_leaves_before_the_first_hand_ends_the_match() -> None:
    match = match_of([BEFORE] * 2)
    assert match.disconnected(0, 0.0)[1] == Broken(0, LEFT_BETWEEN)
    assert match.phase == OVER


def test_who_leaves_while_the_hand_is_being_recorded_ends_the_match_when_it_is() -> None:
    match = in_hand(BEFORE, 2)
    match.decide(match.asked, FOLD, 0.0)
    assert match.phase == INTERVAL
    assert match.disconnected(0, 0.0) == [Left(0)]
    assert match.recorded(0.0)[0] == Broken(0, LEFT_BETWEEN)


@pytest.mark.parametrize("recorded_first", [True, False])
def test_who_leaves_after_the_last_hand_breaks_nothing(recorded_first: bool) -> None:
    match = match_of([AFTER] * 2, hands=1)
    match.decide(match.asked, FOLD, 0.0)
    if recorded_first:
        match.recorded(0.0)
    events = match.disconnected(0, 0.0)
    assert Broken not in kinds(events)
    if not recorded_first:
        match.recorded(0.0)
    assert kinds(say(match, 1)) == [MatchEnded]


def test_under_forgiving_rules_nobody_waits_for_who_has_left() -> None:
    match = between(BEFORE, 3, FORGIVING)
    say(match, 0, 1)
    events = match.disconnected(2, 0.0)
    assert events[0] == Left(2)
    assert of_kind(events, HandStarted)
    assert match.phase == HAND


def test_a_lost_connection_and_a_timeout_of_one_player_are_one_cause() -> None:
    match = in_hand(BEFORE, 3)
    match.tick(300.0)
    match.disconnected(2, 300.0)
    play_on(match)
    assert of_kind(match.recorded(300.0), Broken) == [Broken(2, LATE)]


# Faults.


def test_a_fault_folds_and_ends_the_match_after_the_hand() -> None:
    match = in_hand(BEFORE, 3)
    events = match.illegal(2, "nonsense", 0.0)
    assert events[0] == Faulted(2, "nonsense")
    assert folded(events) == [2]
    play_on(match)
    events = match.recorded(0.0)
    assert events[0] == Broken(2, "nonsense")
    assert kinds(events[1:]) == [MatchEnded]


def test_a_decision_that_the_rules_refuse_is_such_a_fault() -> None:
    match = in_hand(BEFORE, 2)
    asked = match.asked
    (fault,) = of_kind(match.decide(asked, raise_to(101), 0.0), Faulted)
    assert match.recorded(0.0)[0] == Broken(asked, fault.reason)


def test_a_late_decision_folds_and_ends_the_match_after_the_hand() -> None:
    match = in_hand(BEFORE, 2)
    asked = match.asked
    assert match.tick(300.0)[0] == TimedOut(asked, 1, absent=False)
    assert match.recorded(300.0)[0] == Broken(asked, LATE)


def test_the_first_fault_of_a_hand_is_the_cause() -> None:
    match = in_hand(BEFORE, 3)
    match.illegal(2, "first", 0.0)
    match.illegal(0, "second", 0.0)
    assert of_kind(match.recorded(0.0), Broken) == [Broken(2, "first")]


def test_a_fault_in_the_last_hand_is_told_and_nobody_is_waited_for() -> None:
    match = match_of([AFTER] * 2, hands=1)
    match.illegal(match.asked, "nonsense", 0.0)
    assert kinds(match.recorded(0.0)) == [Broken, MatchEnded]


@pytest.mark.parametrize("what", ["illegal", "late", "left", "exit"])
def test_under_forgiving_rules_a_match_goes_on_after_a_fault(what: str) -> None:
    match = in_hand(BEFORE, 3, FORGIVING)
    if what == "illegal":
        match.illegal(2, "nonsense", 0.0)
    elif what == "late":
        match.tick(5.0)
    elif what == "left":
        match.disconnected(2, 0.0)
    else:
        match.exit(2, "exit", 0.0)
    play_on(match)
    assert match.recorded(5.0) == []
    assert match.phase == READY
    waited_for = (0, 1) if what == "left" else (0, 1, 2)
    events = say(match, *waited_for, now=5.0)
    assert kinds(events)[0] is HandStarted
    assert Broken not in kinds(events)


# Exit.


def test_who_exits_when_asked_folds_and_the_match_ends_after_the_hand() -> None:
    match = in_hand(AFTER, 3)
    events = match.exit(2, "exit", 0.0)
    assert events[0] == Faulted(2, "exit")
    assert folded(events) == [2]
    play_on(match)
    assert match.recorded(0.0)[0] == Broken(2, "exit")
    assert match.phase == OVER


def test_who_exits_out_of_turn_ends_the_match_after_the_hand() -> None:
    match = in_hand(AFTER, 3)
    assert match.exit(0, "exit", 0.0) == []
    assert match.phase == HAND
    match.disconnected(0, 0.0)
    play_on(match)
    assert of_kind(match.recorded(0.0), Broken) == [Broken(0, "exit")]


def test_who_exits_out_of_turn_is_folded_when_asked() -> None:
    match = in_hand(AFTER, 3)
    match.exit(0, "exit", 0.0)
    events = match.decide(2, CALL, 0.0)
    assert folded(events) == [0]
    assert match.asked == 1


def test_under_forgiving_rules_who_has_exited_is_asked_no_more() -> None:
    match = in_hand(BEFORE, 3, FORGIVING)
    match.exit(0, "exit", 0.0)
    for number in (1, 2, 3):
        assert (match.phase, match.number) == (HAND, number)
        while match.phase == HAND:
            assert match.asked in (1, 2)
            match.decide(match.asked, CALL, 0.0)
        match.recorded(0.0)
        say(match, 0, 1, 2)


def test_under_forgiving_rules_who_exits_and_comes_back_is_asked_again() -> None:
    match = in_hand(BEFORE, 3, FORGIVING)
    match.exit(2, "exit", 0.0)
    match.disconnected(2, 0.0)
    play_on(match)
    match.connected(2, 0.0)
    match.recorded(0.0)
    say(match, 0, 1, 2)
    asked = set()
    while match.phase == HAND:
        asked.add(match.asked)
        match.decide(match.asked, CALL, 0.0)
    assert asked == {0, 1, 2}


def test_who_exits_between_hands_ends_the_match_at_once() -> None:
    match = between(AFTER, 2)
    events = match.exit(1, "exit", 0.0)
    assert events[0] == Broken(1, "exit")
    assert kinds(events[1:]) == [MatchEnded]


def test_who_exits_when_the_match_is_over_is_too_late() -> None:
    match = between(AFTER, 2)
    match.exit(1, "exit", 0.0)
    assert match.exit(0, "exit", 0.0) == []
    assert match.disconnected(1, 0.0) == [Left(1)]


def test_who_exits_while_the_hand_is_being_recorded_ends_the_match_when_it_is() -> None:
    match = in_hand(AFTER, 2)
    match.decide(match.asked, FOLD, 0.0)
    assert match.exit(0, "exit", 0.0) == []
    assert match.recorded(0.0)[0] == Broken(0, "exit")


# Pauses.


def test_a_pause_asked_for_while_players_are_waited_for_begins_when_all_are_ready() -> None:
    match = between(BEFORE, 2)
    assert match.pause() == []
    assert say(match, 0) == []
    assert say(match, 1) == [Paused()]
    assert match.phase == PAUSED
    assert match.deadline is None
    events = match.resume(1000.0)
    assert kinds(events)[:2] == [Resumed, HandStarted]


def test_a_pause_before_the_first_hand_keeps_it_back() -> None:
    match = match_of([BEFORE] * 2)
    match.pause()
    assert say(match, 0, 1) == [Paused()]
    assert kinds(match.resume(0.0))[:2] == [Resumed, HandStarted]


def test_a_pause_taken_back_while_players_are_waited_for_never_begins() -> None:
    match = between(BEFORE, 2)
    match.pause()
    assert match.resume(0.0) == []
    assert match.phase == READY
    assert kinds(say(match, 0, 1))[0] is HandStarted


def test_a_pause_does_not_stop_the_time_of_who_is_waited_for() -> None:
    match = between(BEFORE, 2)
    match.pause()
    say(match, 0)
    assert match.tick(300.0)[:2] == [NotReady(1), Broken(1, NOT_READY)]


def test_who_leaves_in_a_pause_ends_the_match() -> None:
    match = between(BEFORE, 2)
    match.pause()
    say(match, 0, 1)
    assert match.disconnected(1, 0.0)[1] == Broken(1, LEFT_BETWEEN)


def test_who_exits_in_a_pause_ends_the_match() -> None:
    match = between(BEFORE, 2)
    match.pause()
    say(match, 0, 1)
    assert match.exit(1, "exit", 0.0)[0] == Broken(1, "exit")


def test_who_is_ready_before_a_pause_ends_is_not_late_any_more() -> None:
    match = between(BEFORE, 2, FORGIVING)
    match.pause()
    say(match, 1)
    assert kinds(match.tick(5.0)) == [NotReady, Paused]
    say(match, 0, now=60.0)
    match.resume(100.0)
    assert match.asked == 0


# Withdrawals.


def test_who_is_withdrawn_while_others_are_waited_for_is_gone_at_once() -> None:
    match = between(BEFORE, 3)
    assert of_kind(match.withdraw(2, 0.0), PlayerOut) == [PlayerOut(2, WITHDRAWN, 20_000)]
    assert match.phase == READY
    (started,) = of_kind(say(match, 0, 1), HandStarted)
    assert sorted(started.players) == [0, 1]


def test_if_only_he_was_waited_for_the_next_hand_begins() -> None:
    match = between(BEFORE, 3)
    say(match, 0, 1)
    (started,) = of_kind(match.withdraw(2, 0.0), HandStarted)
    assert sorted(started.players) == [0, 1]


def test_one_who_is_left_alone_while_waiting_ends_the_match() -> None:
    match = between(BEFORE, 2)
    assert kinds(match.withdraw(1, 0.0)) == [PlayerOut, MatchEnded]


def test_a_withdrawal_breaks_nothing() -> None:
    match = in_hand(BEFORE, 3)
    match.withdraw(2, 0.0)
    play_on(match)
    assert Broken not in kinds(match.recorded(0.0))
    assert match.phase == READY


def test_who_is_withdrawn_during_the_countdown_has_no_seat_in_the_first_hand() -> None:
    match, events = opened([None] * 3, ROOM, countdown_s=2)
    assert events[1:] == [CountedDown(2)]
    assert match.withdraw(1, 0.5) == []
    assert match.phase == COUNTDOWN
    events = match.tick(1.0) + match.tick(2.0)
    assert of_kind(events, PlayerOut) == [PlayerOut(1, WITHDRAWN, 20_000)]
    assert of_kind(events, HandStarted)[0].players == (0, 2)


def test_one_who_is_left_alone_after_the_countdown_ends_the_match() -> None:
    match = match_of([None] * 2, ROOM, countdown_s=1)
    match.withdraw(1, 0.5)
    assert kinds(match.tick(1.0)) == [MatchStarted, PlayerOut, MatchEnded]


def test_who_is_withdrawn_during_the_countdown_is_not_waited_for() -> None:
    match = match_of([BEFORE] * 3, ROOM, countdown_s=1)
    match.withdraw(1, 0.5)
    match.tick(1.0)
    (started,) = of_kind(say(match, 0, 2, now=1.0), HandStarted)
    assert started.players == (0, 2)


def reloading() -> Match:
    """Return a match of three in its reload window."""
    match = match_of([None] * 3, TREND, countdown_s=0)
    events = fold_out(match)
    assert kinds(events) == [ReloadOpened]
    assert match.phase == RELOAD
    return match


def test_who_is_withdrawn_while_chips_are_sold_is_gone_at_once() -> None:
    match = reloading()
    match.reload(0, 0.0)
    assert kinds(match.withdraw(2, 0.0)) == [PlayerOut]
    assert match.phase == RELOAD
    (started,) = of_kind(match.tick(3.0), HandStarted)
    assert sorted(started.players) == [0, 1]


def test_if_only_he_kept_the_window_open_it_closes() -> None:
    match = reloading()
    match.reload(0, 0.0)
    match.reload(1, 0.0)
    assert of_kind(match.withdraw(2, 0.0), HandStarted)


def test_who_answers_last_may_buy_twice() -> None:
    match = reloading()
    for player in (0, 1, 2):
        assert kinds(match.reload(player, 1.0)) == [Reloaded]
    assert match.phase == RELOAD
    assert kinds(match.reload(2, 1.0 + REPEAT_S / 2)) == [Reloaded]
    assert match.deadline == 1.0 + REPEAT_S, "nobody else is kept waiting by it"
    assert of_kind(match.tick(1.0 + REPEAT_S), HandStarted)
    assert [player.reloads for player in match.players] == [1, 1, 2]


def test_one_who_is_left_alone_while_chips_are_sold_ends_the_match() -> None:
    match = reloading()
    match.withdraw(0, 0.0)
    assert kinds(match.withdraw(1, 0.0)) == [PlayerOut, MatchEnded]


# Stops.


def test_a_stop_while_players_are_waited_for_ends_the_match_and_voids_nothing() -> None:
    match = between(BEFORE, 2)
    assert kinds(match.stop()) == [Stopped, MatchEnded]
    assert say(match, 0, 1) == []
    assert match.phase == OVER


# Any input at any time.


@settings(max_examples=200, deadline=None)
@given(
    handshakes=st.lists(st.sampled_from([None, BEFORE, AFTER]), min_size=2, max_size=5),
    rules=st.sampled_from([ROOM, FORGIVING]),
    hands=st.integers(0, 4),
    steps=st.lists(
        st.tuples(
            st.sampled_from(
                [
                    *("ready", "ready", "recorded", "recorded", "call", "call", "fold", "illegal"),
                    *("exit", "leave", "back", "tick", "pause", "resume", "withdraw"),
                ]
            ),
            st.integers(0, 4),
        ),
        max_size=60,
    ),
)
def test_no_input_raises_and_a_broken_match_ends_once_and_after_its_hand(
    handshakes: list[Handshake | None],
    rules: Rules,
    hands: int,
    steps: list[tuple[str, int]],
) -> None:
    match, events = opened(handshakes, rules, hands=hands)
    size = len(handshakes)
    now = 0.0
    for what, number in steps:
        player = number % size
        now += 1.0
        if what == "ready":
            events += match.ready(player, now)
        elif what in ("call", "fold"):
            events += match.decide(match.asked, CALL if what == "call" else FOLD, now)
        elif what == "illegal":
            events += match.illegal(match.asked, "nonsense", now)
        elif what == "exit":
            events += match.exit(player, "exit", now)
        elif what == "leave":
            events += match.disconnected(player, now)
        elif what == "back":
            events += match.connected(player, now)
        elif what == "tick":
            now = max(now, match.deadline or 0.0)
            events += match.tick(now)
        elif what == "pause":
            events += match.pause()
        elif what == "resume":
            events += match.resume(now)
        elif what == "withdraw":
            events += match.withdraw(player, now)
        else:
            events += match.recorded(now)
    assert (match.phase == OVER) == (len(of_kind(events, MatchEnded)) == 1)
    started, ended = of_kind(events, HandStarted), of_kind(events, HandEnded)
    assert len(started) - len(ended) == (match.phase == HAND)
    broken = of_kind(events, Broken)
    assert len(broken) <= 1
    if broken:
        assert rules is ROOM
        after = kinds(events[events.index(broken[0]) + 1 :])
        assert after[0] is MatchEnded
        assert set(after[1:]) <= {Left, Returned}
    if rules is FORGIVING:
        assert not broken
    # Whoever is waited for has a clock: a match never stands still for ever.
    if match.phase in (READY, HAND, RELOAD):
        assert match.deadline is not None
