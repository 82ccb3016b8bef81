"""Between hands: who is waited for, and for how long."""

import pytest

from croupier.match.events import (
    LEFT,
    LEFT_BETWEEN,
    NOT_READY,
    WITHDRAWN,
    Broken,
    CountedDown,
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
from croupier.rules.decisions import CALL
from croupier.rules.events import HandEnded, HandStarted
from croupier.rules.sets import ROOM, TREND
from tests.match.handshakes import (
    AFTER,
    BEFORE,
    FORGIVING,
    between,
    fold_out,
    folded,
    in_hand,
    kinds,
    match_of,
    opened,
    play_on,
    say,
)
from tests.match.matches import FixedSeats, of_kind

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


# Who may leave between two hands.


def test_who_may_leave_between_two_hands_breaks_nothing_and_is_waited_for() -> None:
    match = between(BEFORE, 2)
    match.expect_return(0)
    assert match.disconnected(0, 1.0) == [Left(0)]
    assert say(match, 1) == []
    assert match.connected(0, 2.0) == [Returned(0)]
    assert kinds(say(match, 0))[0] is HandStarted


def test_who_may_leave_may_do_so_before_the_hand_is_recorded() -> None:
    match = in_hand(BEFORE, 2)
    match.expect_return(0)
    while match.phase == HAND:
        match.decide(match.asked, CALL, 0.0)
    assert match.phase == INTERVAL
    assert match.disconnected(0, 0.0) == [Left(0)]
    assert match.recorded(0.0) == []
    assert match.phase == READY


def test_who_has_left_and_come_back_has_to_say_again_that_it_is_ready() -> None:
    match = between(BEFORE, 2)
    match.expect_return(0)
    say(match, 0)
    match.disconnected(0, 1.0)
    match.connected(0, 2.0)
    assert say(match, 1) == []
    assert match.phase == READY


def test_who_has_left_and_does_not_come_back_in_time_ends_the_match() -> None:
    match = between(BEFORE, 2)
    match.expect_return(0)
    match.disconnected(0, 1.0)
    say(match, 1)
    assert match.deadline is not None
    assert match.tick(match.deadline)[0] == Broken(0, LEFT_BETWEEN)
    assert match.deserters == [0]


def test_who_may_leave_between_two_hands_may_not_within_one() -> None:
    match = in_hand(BEFORE, 2)
    match.expect_return(match.asked)
    asked = match.asked
    match.disconnected(asked, 1.0)
    assert match.broken == Broken(asked, LEFT)
    assert not match.awaits(asked)


def test_after_the_last_hand_nobody_who_left_is_waited_for() -> None:
    match = in_hand(BEFORE, 2, hands=1)
    match.expect_return(0)
    play_on(match)
    match.disconnected(0, 1.0)
    assert not match.awaits(0)
    assert kinds(match.recorded(1.0)) == [MatchEnded]
    assert match.deserters == []


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


# Coming back.


def test_who_comes_back_is_waited_for_as_before_the_first_hand() -> None:
    """A player that has heard no result has nothing to say `ready` to."""
    match = match_of([BEFORE, AFTER, None], FORGIVING)
    say(match, 0)
    match.disconnected(0, 0.0)
    match.disconnected(1, 0.0)
    fold_out(match)
    fold_out(match)
    assert match.phase == HAND, "nobody who is away is waited for"
    match.pause()
    fold_out(match)
    assert match.phase == PAUSED
    match.connected(0, 0.0)
    match.connected(1, 0.0)
    match.resume(0.0)
    fold_out(match)
    assert match.phase == READY
    say(match, 1)
    assert match.phase == READY
    say(match, 0)
    assert match.phase == HAND


@pytest.mark.parametrize(("handshake", "waits"), [(BEFORE, True), (AFTER, False)])
def test_after_a_restart_the_first_version_says_start_and_the_second_nothing(
    handshake: Handshake, waits: bool
) -> None:
    match = in_hand(handshake, 2)
    fold_out(match)
    again, _ = Match.restore(ROOM, match.state(), FixedSeats(), 0.0)
    for player in (0, 1):
        again.ready_list.handshakes[player] = handshake
        again.connected(player, 0.0)
    assert again.phase == (READY if waits else HAND)
    if waits:
        say(again, 0, 1)
    assert again.phase == HAND
    fold_out(again)
    assert again.phase == READY, "from then on it is as usual"


def test_after_a_restart_between_the_last_hand_and_the_goodbye_nobody_is_waited_for() -> None:
    match = in_hand(AFTER, 2, hands=1)
    fold_out(match)
    assert match.phase == READY
    again, _ = Match.restore(match.rules, match.state(), FixedSeats(), 0.0)
    for player in (0, 1):
        again.ready_list.handshakes[player] = AFTER
        again.connected(player, 0.0)
    assert again.phase == OVER


# Stops.


def test_a_stop_while_players_are_waited_for_ends_the_match_and_voids_nothing() -> None:
    match = between(BEFORE, 2)
    assert kinds(match.stop()) == [Stopped, MatchEnded]
    assert say(match, 0, 1) == []
    assert match.phase == OVER
