"""Matches whose players say when they are ready, for tests.

The handshakes are those of the two versions of `room`: `start` before every hand, and `ready` after
every hand.
"""

from collections.abc import Sequence
from typing import Any

from croupier.match.match import (
    HAND,
    INTERVAL,
    READY,
    Match,
)
from croupier.match.ready import Handshake
from croupier.rules.decisions import CALL, FOLD
from croupier.rules.events import FOLDED, Acted, Event
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN, ROOM
from tests.match.matches import FixedSeats, of_kind

BEFORE = Handshake(first=True, last=False)
"""Version 1."""
AFTER = Handshake(first=False, last=True)
"""Version 2."""
FORGIVING = PLAIN.with_fields({"hands": 0})
"""Rules under which a match goes on after a fault; players are waited for 5 s."""


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


def play_on(match: Match) -> list[Event]:
    """Let everyone who is asked call until the hand has ended."""
    events: list[Event] = []
    while match.phase == HAND:
        events += match.decide(match.asked, CALL, 0.0)
    return events
