"""After which set a fixture of two teams is decided, where the stage says when to stop."""

from collections.abc import Sequence
from itertools import groupby

from croupier.contest.fixtures import DEAL_GROUPS, Fixture, MatchResult, matches_of
from croupier.contest.plan import DUPLICATE, StagePlan
from croupier.contest.rates import add_results
from croupier.contest.stopping import LEAST_UNITS, look
from croupier.stats import RateEstimate


def decided_after(stage: StagePlan, fixture: Fixture, played: Sequence[MatchResult]) -> int | None:
    """Return the number of the set that decided a fixture; None: it is not decided.

    `played` are its results in the order of their names. It is looked at after each whole set, so
    the answer does not depend on the order in which matches ended.
    """
    if stage.stop is None or len(fixture.teams) != 2:
        return None
    size = len(matches_of(fixture, stage)) // fixture.sets
    stack = stage.rules.stack / stage.rules.big_blind
    estimate = RateEstimate()
    for number, (set_number, found) in enumerate(groupby(played, lambda one: one.name.set), 1):
        results = list(found)
        if set_number != number or len(results) != size:
            return None
        add_results(estimate, stage, results, fixture.teams[0])
        if look(estimate, stage.stop, stack).decision:
            return number
    return None


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
