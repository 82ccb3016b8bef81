"""A team's rate in a contest, over what is independent of everything else.

Where stacks carry over that is a match, and otherwise a hand; but the same deal in all matches of a
duplicate set is one unit. A result says what was won in each of at most 100 groups of deals, so
that long matches have short results: the groups of a set are then its units.
"""

from collections.abc import Iterable, Sequence

from croupier.contest.fixtures import DEAL_GROUPS, MatchResult, SeatResult
from croupier.contest.plan import DUPLICATE, StagePlan
from croupier.stats import RateEstimate


def rate_of(stage: StagePlan, results: Iterable[MatchResult], team: str) -> RateEstimate:
    """Return the rate of a team in matches of a stage, in big blinds per hand."""
    estimate = RateEstimate()
    add_results(estimate, stage, results, team)
    return estimate


def add_results(
    estimate: RateEstimate, stage: StagePlan, results: Iterable[MatchResult], team: str
) -> None:
    """Add what a team won in matches of a stage; those of a set belong into the same call."""
    sets: dict[tuple[str, int], list[tuple[SeatResult, int]]] = {}
    for result in results:
        seat = result.of(team)
        if seat is None:  # it was withdrawn, and the others played on
            continue
        if stage.carried:
            estimate.add(seat.bb, result.hands)
        elif stage.deals == DUPLICATE:
            key = result.name.fixture, result.name.set
            sets.setdefault(key, []).append((seat, result.hands))
        else:
            estimate.merge(result.hands, seat.bb, seat.bb2)
    for matches in sets.values():
        for total, number in by_groups(matches):
            if number or total:  # a twin that was broken off has no hand in some groups
                estimate.add(total, number)


def by_groups(matches: Sequence[tuple[SeatResult, int]]) -> list[tuple[float, int]]:
    """Return what a team won in each group of deals of a set, and in how many hands.

    `matches` are its results with the hands that were played.
    """
    totals, hands = [0.0] * DEAL_GROUPS, [0] * DEAL_GROUPS
    for seat, played in matches:
        # What a forfeit costs is in no hand: it is spread evenly.
        rest = (seat.bb - sum(seat.groups)) / played if played else 0.0
        whole, more = divmod(played, DEAL_GROUPS)
        for group in range(min(played, DEAL_GROUPS)):
            of_group = whole + (group < more)
            hands[group] += of_group
            totals[group] += rest * of_group
        for group, won in enumerate(seat.groups):
            totals[group] += won
    return list(zip(totals, hands, strict=True))
