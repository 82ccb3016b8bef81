"""Rates of teams without the luck of the cards, from what the results of a contest say of it.

A result has the terms of each team's luck summed over its groups of deals (`fixtures.DEAL_GROUPS`):
a hand each in matches of at most 100 hands, more in longer ones, and the whole match where stacks
carry over. A unit is such a group, over all matches of a set where deals are duplicate; and a set
counts when all its matches are played. Units are in the order of rounds, fixtures and sets, whoever
finished first.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from croupier.contest.coefficients import frozen, luck_problem
from croupier.contest.estimates import HAND, MATCH, SET, Adjusted, Estimates, Share
from croupier.contest.fixtures import DEAL_GROUPS, MatchResult, SeatResult
from croupier.contest.luck import TERMS, LuckTerms
from croupier.contest.plan import DUPLICATE, ContestPlan, StagePlan
from croupier.contest.rates import by_groups
from croupier.stats import RateEstimate

_FLOAT = np.dtype("<f4")


def with_coefficients(plan: ContestPlan) -> ContestPlan:
    """Return a plan whose stages have the coefficients that apply to them."""
    if not plan.coefficients:
        return plan
    stages = []
    for stage in plan.stages:
        if takes_luck_out(plan, stage):
            weights = frozen(stage.rules.game, stage.deals, stage.seats, plan.coefficients)
            stage = replace(stage, coefficients=tuple(map(float, weights)))
        stages.append(stage)
    return replace(plan, stages=tuple(stages))


def takes_luck_out(plan: ContestPlan, stage: StagePlan) -> bool:
    """Tell whether luck is taken out of the rates of a stage.

    Unless the file says so it is where a hand costs more than its luck: where a team is a program
    or connects by itself. Where the places in a match decide it is not: it is chips that were won
    by luck.
    """
    if stage.luck is not None:
        return stage.luck
    costly = any(not team.bot for team in plan.teams)
    return costly and not stage.by_places and not luck_problem(stage.rules)


def unit_of(stage: StagePlan) -> str:
    """Return what is independent of everything else in a stage: a hand, a set or a match."""
    if stage.carried:
        return MATCH
    return SET if stage.deals == DUPLICATE else HAND


# Luck in a result.


def packed_luck(terms: LuckTerms) -> bytes:
    """Return the terms of a team's luck, one row for each group, as a result has them."""
    return zlib.compress(terms.astype(_FLOAT).tobytes())


def unpacked_luck(luck: bytes, columns: int) -> LuckTerms:
    """Return the terms that a result has; ValueError if it has none."""
    most = DEAL_GROUPS * columns * _FLOAT.itemsize
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(luck, most + 1)
        terms = np.frombuffer(data, _FLOAT).reshape(-1, columns).astype(np.float64)
    except (zlib.error, ValueError):
        raise ValueError("the luck of a result cannot be read") from None
    if not unpacker.eof or len(data) > most or not np.isfinite(terms).all():
        raise ValueError("the luck of a result cannot be read")
    return terms


# Estimates.


@lru_cache(maxsize=1024)
def estimates_of(
    stage: StagePlan, results: tuple[MatchResult, ...], teams: tuple[str, ...]
) -> Estimates:
    """Return the rates of teams over the matches that all of them played."""
    weights = np.array(stage.coefficients) if stage.coefficients else None
    estimates = Estimates(len(teams), weights)
    add_units(estimates, stage, results, teams)
    return estimates


def adjusted(
    stage: StagePlan, results: Sequence[MatchResult], team: str, *others: str
) -> Adjusted | None:
    """Return the rate of a team without luck, over the matches that it shared with others.

    None if the stage does not take luck out.
    """
    if not stage.coefficients:
        return None
    return estimates_of(stage, tuple(results), (team, *others)).shown(0)


def adjusted_so_far(
    stage: StagePlan, team: str
) -> Callable[[Sequence[MatchResult]], Adjusted | None]:
    """Return what takes the results of one round after the other, and returns the rate so far.

    After all rounds it is that of `adjusted`, and each result is looked at once.
    """
    if not stage.coefficients:
        return lambda results: None
    estimates = Estimates(1, np.array(stage.coefficients))

    def after(results: Sequence[MatchResult]) -> Adjusted:
        add_units(estimates, stage, results, (team,))
        return estimates.shown(0)

    return after


def difference(
    stage: StagePlan, results: Sequence[MatchResult], team: str, other: str
) -> tuple[RateEstimate, RateEstimate]:
    """Return by how much a team is better than another in the matches of both; then without luck.

    Teams of one table are not independent of each other, so their difference has an interval of its
    own. Where results do not say what was won with which deals, it is over matches.
    """
    if stage.coefficients or stage.deals == DUPLICATE or stage.carried:
        return estimates_of(stage, tuple(results), (team, other)).difference(0, 1)
    over_matches = RateEstimate()
    for result in results:
        one, two = result.of(team), result.of(other)
        if one is not None and two is not None:
            over_matches.add(one.bb - two.bb, result.hands)
    return over_matches, over_matches


def add_units(
    estimates: Estimates, stage: StagePlan, results: Iterable[MatchResult], teams: Sequence[str]
) -> None:
    """Add what teams won and how lucky they were, unit by unit, in order."""
    for matches in _sets(stage, results):
        played = []
        for team in teams:
            seats = [(seat, one.hands) for one in matches if (seat := one.of(team)) is not None]
            played.append(seats)
        if all(len(seats) == len(matches) for seats in played):
            units = [_shares(stage, seats) for seats in played]
            for shares in zip(*units, strict=True):
                if any(share.hands or share.won for share in shares):
                    estimates.add(shares)


def _sets(stage: StagePlan, results: Iterable[MatchResult]) -> Iterator[list[MatchResult]]:
    """Return the results of each set that is complete."""
    sets: dict[tuple[tuple[int | str, ...], int, int], list[MatchResult]] = {}
    for result in results:
        name = result.name
        parts = re.split(r"(\d+)", name.fixture)
        natural = tuple(int(part) if part.isdigit() else part for part in parts)
        twin = 0 if stage.deals == DUPLICATE else name.match
        sets.setdefault((natural, name.set, twin), []).append(result)
    for key in sorted(sets):
        found = sorted(sets[key], key=lambda result: result.name.match)
        size = max(len(result.seats) for result in found) if stage.deals == DUPLICATE else 1
        if len(found) == size:
            yield found


def _shares(stage: StagePlan, matches: Sequence[tuple[SeatResult, int]]) -> list[Share]:
    """Return what a team made of each unit of a set."""
    columns = len(TERMS)
    terms = np.zeros((DEAL_GROUPS, columns))
    for seat, _ in matches:
        if seat.luck:
            rows = unpacked_luck(seat.luck, columns)
            terms[: len(rows)] += rows
    bb2 = sum(seat.bb2 for seat, _ in matches)
    hands = sum(played for _, played in matches)
    if stage.carried:
        return [Share(sum(seat.bb for seat, _ in matches), hands, bb2, terms[0])]
    # What each group adds to the squares is not known, and only their sum is asked for.
    return [
        Share(won, number, bb2 * number / hands if hands else 0.0, terms[group])
        for group, (won, number) in enumerate(by_groups(matches))
    ]
