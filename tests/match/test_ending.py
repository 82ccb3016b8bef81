"""Who leaves or errs, and what becomes of a match that someone breaks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.match.events import (
    LATE,
    LEFT,
    LEFT_BETWEEN,
    Broken,
    Faulted,
    Left,
    MatchEnded,
    Returned,
    TimedOut,
)
from croupier.match.match import HAND, INTERVAL, OVER, READY, RELOAD, Match
from croupier.match.ready import Handshake
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.events import HandEnded, HandStarted
from croupier.rules.rules import Rules
from croupier.rules.sets import ROOM
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
from tests.match.matches import of_kind

# Who leaves.


@pytest.mark.parametrize("goes", ["disconnected", "exit"])
def test_a_player_that_is_out_already_breaks_nothing_by_leaving(goes: str) -> None:
    match = between(BEFORE, 3)
    match.withdraw(1, 0.0)
    if goes == "exit":
        assert match.exit(1, "exit", 0.0) == []
    assert kinds(match.disconnected(1, 0.0)) == [Left]
    say(match, 0, 2)
    assert match.phase == HAND


def test_who_leaves_before_the_last_hand_is_over_and_stays_away_deserts() -> None:
    match = in_hand(BEFORE, 3, FORGIVING, hands=2)
    for player in (0, 1):
        match.disconnected(player, 0.0)
    match.connected(1, 0.0)
    assert match.deserters == [0]
    fold_out(match)
    assert match.deserters == [0]


def test_who_leaves_after_the_last_hand_does_not_desert() -> None:
    match = in_hand(AFTER, 2, FORGIVING, hands=1)
    play_on(match)
    match.disconnected(0, 0.0)
    match.recorded(0.0)
    match.disconnected(1, 0.0)
    assert (match.phase, match.deserters) == (OVER, [])
    assert match.hands_played


def test_who_is_out_does_not_desert() -> None:
    match = between(BEFORE, 3)
    match.withdraw(1, 0.0)
    match.disconnected(1, 0.0)
    assert match.deserters == []


def test_after_a_restart_everyone_has_to_return() -> None:
    match = between(BEFORE, 2, FORGIVING)
    resumed, _ = Match.restore(match.rules, match.state(), match.chance, 0.0)
    assert resumed.deserters == [0, 1]
    resumed.connected(1, 0.0)
    assert resumed.deserters == [0]


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


def test_who_exits_after_it_is_out_has_left_for_good_and_nothing_happens() -> None:
    match = in_hand(BEFORE, 3, FORGIVING)
    match.withdraw(0, 0.0)
    play_on(match)
    match.recorded(0.0)
    assert match.players[0].out
    assert not match.has_exited(0)
    assert match.exit(0, "exit", 0.0) == []
    assert match.has_exited(0)


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


# Any input at any time.


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


def test_a_match_that_was_broken_in_a_hand_and_stopped_is_on_record_as_ending() -> None:
    """The books see who left, and expect no further hand."""
    match = in_hand(BEFORE, 3)
    match.disconnected(1, 0.0)
    assert match.phase == HAND
    match.stop()
    assert match.state()["ending"]
