"""After which set a fixture of two teams is decided, where the stage says when to stop."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

import numpy as np

from croupier.contest.adjusting import add_units
from croupier.contest.estimates import Estimates
from croupier.contest.fixtures import DEAL_GROUPS, Fixture, MatchResult, matches_of
from croupier.contest.plan import DUPLICATE, StagePlan
from croupier.contest.rates import add_results
from croupier.contest.stopping import LEAST_UNITS, Look, Stop, look
from croupier.rules.rules import Rules
from croupier.stats import RateEstimate


def looked_at(
    stage: StagePlan, fixture: Fixture, played: Sequence[MatchResult]
) -> tuple[int, Look | None]:
    """Return how many sets of a fixture were looked at, and what the last look has shown.

    `played` are its results in the order of their names. It is looked at after each whole set,
    until one decides, so the answer does not depend on the order in which matches ended. There is
    no look before the first whole set, and none where the stage does not say when to stop.
    """
    if stage.stop is None or len(fixture.teams) != 2:
        return 0, None
    size = len(matches_of(fixture, stage)) // fixture.sets
    return _looked_at(stage, stage.stop, fixture.teams[0], size, tuple(played))


@lru_cache(maxsize=1 << 16)
def _looked_at(
    stage: StagePlan, stop: Stop, team: str, size: int, played: tuple[MatchResult, ...]
) -> tuple[int, Look | None]:
    """Return the same, of sets of so many matches.

    A course is computed again and again, and looks at all fixtures each time: the answers are kept.
    """
    number, last = 0, None
    estimate = RateEstimate()
    known: Estimates | None = None
    for set_number, found in groupby(played, lambda one: one.name.set):
        results = tuple(found)
        if set_number != number + 1 or len(results) != size:
            break
        number += 1
        if stage.coefficients:
            known = _after(stage, team, known, results)
            last = looked(known, stop, stage.rules)
        else:
            add_results(estimate, stage, results, team)
            last = look(estimate, stop, stage.rules.stack / stage.rules.big_blind)
        if last.decision:
            break
    return number, last


@lru_cache(maxsize=1 << 12)
def _after(
    stage: StagePlan, team: str, before: Estimates | None, results: tuple[MatchResult, ...]
) -> Estimates:
    """Return what is known about a team after one more set, without luck.

    Kept, so that the next set of a fixture does not cost as much as all before it.
    """
    known = Estimates(1, np.array(stage.coefficients)) if before is None else before.copied()
    add_units(known, stage, results, (team,))
    return known


def looked(estimates: Estimates, stop: Stop, rules: Rules) -> Look:
    """Return what the rate of the first player shows so far, without luck where that is known."""
    raw = estimates.raw[0]
    found = look(estimates.adjusted[0], stop, rules.stack / rules.big_blind)
    identical = raw.groups > 1 and raw.rate == 0 and raw.error == 0
    return Look(found.rate, found.half, found.decision, identical)


def stop_problems(stage: StagePlan) -> list[str]:
    """Return why a stage cannot be played until something is shown."""
    if stage.seats != 2:
        return [f"needs tables of 2 seats, not {stage.seats}"]
    if stage.carried:
        return [
            "needs stacks that are reset before each hand, and those of"
            f" {stage.rules.name} carry over"
        ]
    units = min(stage.hands, DEAL_GROUPS) if stage.deals == DUPLICATE else stage.hands
    if stage.sets < 2 or units * stage.sets < LEAST_UNITS:
        return [
            "needs more sets: `sets` is the most that are played, at least 2 and enough for"
            f" {LEAST_UNITS} {'deals' if stage.deals == DUPLICATE else 'hands'}"
        ]
    return []
