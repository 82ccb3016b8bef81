"""No input raises, in whatever order they come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.match.events import (
    MatchEnded,
    PlayerOut,
)
from croupier.match.match import HAND, OVER, Match
from croupier.match.view import MatchView
from croupier.rules.decisions import raise_to
from croupier.rules.events import Event, HandEnded, PotDiscarded
from croupier.rules.hand import NOBODY
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN
from tests.match.matches import LAPS, FixedSeats, chips_in, of_kind, random_policy

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
