"""The table of phases and inputs says neither less nor more than is so."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from croupier.match.chance import SeededChance
from croupier.match.match import Match
from croupier.match.phases import (
    BETWEEN_HANDS,
    HAND,
    OVER,
    RETURNING,
    SEATING,
    TABLE,
    Input,
    Phase,
    PhaseError,
    Progress,
)
from croupier.match.ready import Handshake
from croupier.rules.decisions import ALL_IN, CALL, FOLD, Decision, raise_to
from croupier.rules.events import Event
from croupier.rules.sets import HUAWEI, ROOM, TREND
from tests.support.builds import interpreted

Step = tuple[Phase, Input, Phase]
LISTED = {
    (phase, what, later) for phase, row in TABLE.items() for what, to in row.items() for later in to
}


class Watched(Progress):
    """Phases that remember where they led."""

    __slots__ = ("entered",)

    def __init__(self, progress: Progress) -> None:
        super().__init__(progress.phase, progress.deadline)
        self.entered: list[Phase] = []

    def enter(self, phase: Phase, deadline: float | None = None) -> None:
        self.entered.append(phase)
        super().enter(phase, deadline)


class Explorer:
    """A match that gets any input in any phase, and how its phase changed by each."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        base = self.chance.choice([HUAWEI, ROOM, TREND, TREND, TREND])
        self.rules = base.with_fields(
            {
                "hands": self.chance.choice([0, 0, 1]),
                "max_timeouts": self.chance.choice([0, 2]),
                "fault_ends": self.chance.random() < 0.3,
                "absence_ms": self.chance.choice([0, 500]),
                "countdown_s": self.chance.choice([0, 0, 1]),
            }
        )
        self.now = 0.0
        self.match = Match(self.rules, 3, SeededChance(bytes(32)), on_command=seed % 5 == 0)
        self.seen: set[Step] = set()
        self._watch()

    def explore(self, steps: int) -> None:
        """Give the match some inputs, and more often those that bring it on."""
        bring_on = (Input.JOIN, Input.DECIDE, Input.RECORDED)
        for _ in range(steps):
            if self.match.phase is OVER and self.chance.random() < 0.2:
                return
            fitting = list(TABLE[self.match.phase])
            usual = [what for what in bring_on if what in fitting] or fitting
            what = self.chance.choice(self.chance.choice([usual, usual, fitting, list(Input)]))
            if what is not Input.STOP or self.chance.random() < 0.1:
                self.give(what)
            if self.match.phase in BETWEEN_HANDS and self.chance.random() < 0.02:
                self._restart()

    def give(self, what: Input) -> None:
        """Give one input, and look what it does to the phase."""
        match = self.match
        if not match.players and what not in (Input.JOIN, Input.START, Input.TICK):
            return
        before, known, heard = match.phase, self._all_there_is(), what in TABLE[match.phase]
        self.watched.entered.clear()
        events = self._call(what)
        if not heard:
            assert events == [], (before, what)
            assert self._all_there_is() == known, (before, what)
        for later in self.watched.entered[:1]:
            assert later in TABLE[before][what], (before, what)
            self.seen.add((before, what, later))

    def _call(self, what: Input) -> list[Event]:
        match, now = self.match, self.now
        player = self.chance.randrange(max(1, len(match.players)))
        if what is Input.JOIN and match.phase is SEATING and len(match.players) < match.size:
            seat = len(match.players)
            if self.chance.random() < 0.4:
                match.expect_ready(seat, Handshake(first=True, last=self.chance.random() < 0.5))
            if self.chance.random() < 0.3:
                match.never_reloads(seat)
        if what is Input.TICK and match.deadline is not None:
            self.now = now = max(now, match.deadline)
        arguments: dict[Input, tuple[Any, ...]] = {
            Input.JOIN: ("name", now),
            Input.DECIDE: (match.asked, self._decision(), now),
            Input.ILLEGAL: (match.asked, "nonsense", now),
            Input.EXIT: (player, "exit", now),
            Input.EXTEND: (0.1,),
            Input.PAUSE: (),
            Input.WAIT_FOR_ANYONE: (),
            Input.STOP: (),
        }
        for other in (Input.READY, Input.RELOAD, Input.WITHDRAW):
            arguments[other] = (player, now)
        for other in (Input.CONNECTED, Input.DISCONNECTED):
            arguments[other] = (player, now)
        call: Callable[..., list[Event] | None] = getattr(match, what)
        return call(*arguments.get(what, (now,))) or []

    def _decision(self) -> Decision:
        options = self.match.options
        if options is not None and options.max_to and self.chance.random() < 0.1:
            return raise_to(options.max_to, ALL_IN)
        return self.chance.choice([CALL, FOLD, FOLD, FOLD])

    def _restart(self) -> None:
        saved = self.match.state()
        self.match, _ = Match.restore(self.rules, saved, self.match.chance, self.now)
        self._watch()
        assert self.match.phase is RETURNING

    def _watch(self) -> None:
        self.watched = Watched(self.match._progress)
        self.match._progress = self.watched

    def _all_there_is(self) -> tuple[object, ...]:
        match = self.match
        online = [player.online for player in match.players]
        said = sorted(match.ready_list.said)
        events = None if match.hand is None else len(match.hand.events)
        return (
            *(match.phase, match.deadline, match.asked, match.pausing, match.state(), online, said),
            *(events, match._quorum, sorted(match._withdrawn), sorted(match._turn._exited)),
        )


@interpreted
def test_any_input_in_any_phase_is_listed_or_causes_nothing_and_every_way_is_one() -> None:
    """That no other way is gone is checked at every step; that each one is, at the end."""
    missing = set(LISTED)
    for seed in range(20_000):
        explorer = Explorer(seed)
        explorer.explore(60)
        missing -= explorer.seen
        if not missing:
            break
    assert not missing


def test_every_phase_has_a_row_and_every_input_is_heard_somewhere() -> None:
    assert set(TABLE) == set(Phase)
    assert {what for row in TABLE.values() for what in row} == set(Input)
    assert all(callable(getattr(Match, what)) for what in Input)


@pytest.mark.parametrize("phase", Phase)
def test_a_way_that_the_table_does_not_have_cannot_be_gone(phase: Phase) -> None:
    after = {later for before, _, later in LISTED if before is phase}
    for later in Phase:
        progress = Progress(phase, 1.0)
        if later in after:
            progress.enter(later, 2.0)
            assert (progress.phase, progress.deadline) == (later, 2.0)
        else:
            with pytest.raises(PhaseError, match=f"no way from {phase} to {later}"):
                progress.enter(later, 2.0)
            assert (progress.phase, progress.deadline) == (phase, 1.0)


def test_from_every_phase_but_the_last_a_match_can_be_stopped() -> None:
    for phase, row in TABLE.items():
        assert row.get(Input.STOP, ()) == (() if phase is OVER else (OVER,))


def test_the_words_of_the_phases_are_those_that_users_know() -> None:
    assert [str(phase) for phase in Phase] == [
        *("seating", "countdown", "ready", "reload", "returning"),
        *("hand", "interval", "paused", "over"),
    ]
    assert f"{HAND}" == "hand"
