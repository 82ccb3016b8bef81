"""Rates of a contest without luck: from results alone, in whatever order they came."""

import re
import zlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from croupier.contest.adjusting import (
    adjusted,
    difference,
    estimates_of,
    packed_luck,
    takes_luck_out,
    unit_of,
    unpacked_luck,
    with_coefficients,
)
from croupier.contest.coefficients import coefficients_text, hash_of, text_problem
from croupier.contest.course import Course
from croupier.contest.estimates import Estimates, Share
from croupier.contest.fixtures import MatchName, MatchResult, SeatResult
from croupier.contest.luck import TERMS
from croupier.contest.plan import DUPLICATE, SINGLE, ContestPlan, StagePlan, Team
from croupier.contest.rounds import rounds_of
from croupier.contest.stopping import Stop
from croupier.rules.sets import named
from tests.support.stages import planned

HANDS = 50
BOTS = (Team("A", "x"), Team("B", "x"))


def plan(stage: StagePlan, teams: tuple[Team, ...] = BOTS) -> ContestPlan:
    return ContestPlan(title="Cup", teams=teams, stages=(stage,), coefficients=coefficients_text())


def lucky(deals: str, stop: Stop | None = None) -> StagePlan:
    base = planned("round-robin", sets=12)
    rules = replace(base.rules, hands=HANDS, stack=2000)
    stage = replace(base, rules=rules, deals=deals, luck=True, stop=stop)
    return with_coefficients(plan(stage)).stages[0]


def draws(stage: StagePlan, sets: int, edge: float = 0.0) -> list[MatchResult]:
    """Return results of A against B, who wins what the cards give, an edge, and some noise."""
    random = np.random.default_rng(7)
    weights = np.array(stage.coefficients[: len(TERMS)])
    results = []
    for number in range(1, sets + 1):
        for match in range(1, 3 if stage.deals == DUPLICATE else 2):
            # Each term matters as much as the noise, as it does about among real bots.
            terms = random.normal(size=(HANDS, len(TERMS))) / np.maximum(1.0, np.abs(weights))
            terms = terms.astype(np.float32)
            won = terms @ weights + random.normal(edge, 1.0, HANDS)
            seats = (_seat("A", won, terms), _seat("B", -won, -terms))
            name = MatchName(stage.name, f"r{number}.1", 1, match)
            results.append(MatchResult(name, seats if match == 1 else seats[::-1], HANDS))
    return results


def _seat(team: str, won: np.ndarray, terms: np.ndarray) -> SeatResult:
    total, squares = float(won.sum()), float((won * won).sum())
    groups = tuple(map(float, won))
    return SeatResult(
        team, round(total), total, squares, 1, HANDS, groups=groups, luck=packed_luck(terms)
    )


def test_the_rates_are_those_of_the_same_units_in_order() -> None:
    stage = lucky(SINGLE)
    results = draws(stage, 12)
    units = Estimates(1, np.array(stage.coefficients))
    for result in results:
        seat = result.seats[0]
        for won, terms in zip(seat.groups, unpacked_luck(seat.luck, len(TERMS)), strict=True):
            units.add([Share(won, 1, won * won, terms)])
    shown = adjusted(stage, results, "A")
    assert shown is not None
    expected = units.shown(0)
    assert shown.bb_per_100 == pytest.approx(expected.bb_per_100)
    assert shown.ci95 == pytest.approx(expected.ci95)
    assert shown.factor == pytest.approx(expected.factor)


@pytest.mark.parametrize("deals", [SINGLE, DUPLICATE])
def test_they_do_not_depend_on_the_order_in_which_matches_ended(deals: str) -> None:
    stage = lucky(deals)
    results = draws(stage, 12)  # r2.1 comes before r10.1
    assert adjusted(stage, results[::-1], "A") == adjusted(stage, results, "A")


@pytest.mark.parametrize("deals", [SINGLE, DUPLICATE])
def test_the_rate_after_a_round_is_that_of_all_results_up_to_it(deals: str) -> None:
    stage = replace(lucky(deals), times=12, sets=1)
    results = draws(stage, 12)
    points = rounds_of(Course(plan(stage), b"", results).current, "A")
    assert [point.round for point in points] == list(range(1, 13))
    matches = len(results) // 12
    for point in points:
        assert point.adjusted == adjusted(stage, results[: matches * point.round], "A")


def test_without_luck_a_round_has_the_rate_that_was_played_alone() -> None:
    stage = replace(lucky(SINGLE), times=2, sets=1, luck=False, coefficients=())
    points = rounds_of(Course(plan(stage), b"", draws(lucky(SINGLE), 2)).current, "A")
    assert [point.adjusted for point in points] == [None, None]


def test_a_set_counts_when_all_its_matches_are_played() -> None:
    stage = lucky(DUPLICATE)
    results = draws(stage, 6)
    whole = estimates_of(stage, tuple(results), ("A",))
    assert whole.units == 6 * HANDS
    assert adjusted(stage, results[:-1], "A") == adjusted(stage, results[:-2], "A")


def test_a_difference_has_an_interval_of_its_own() -> None:
    stage = lucky(DUPLICATE)
    results = draws(stage, 6)
    raw, without_luck = difference(stage, results, "A", "B")
    one = estimates_of(stage, tuple(results), ("A", "B"))
    assert raw.rate == pytest.approx(2 * one.raw[0].rate)
    assert without_luck.error is not None
    assert raw.error is not None
    assert without_luck.error < raw.error


def test_where_luck_is_not_taken_out_a_difference_is_over_matches() -> None:
    stage = replace(planned("round-robin"), deals=SINGLE)
    results = draws(replace(lucky(SINGLE), name=stage.name), 6)
    assert adjusted(stage, results, "A") is None
    raw, _ = difference(stage, results, "A", "B")
    assert raw.groups == 6


def test_a_look_at_more_sets_is_the_same_as_one_at_all_of_them() -> None:
    stage = lucky(DUPLICATE, Stop(better=0.05))
    sets = [
        replace(one, name=replace(one.name, fixture="r1.1", set=number // 2 + 1))
        for number, one in enumerate(draws(stage, 12, edge=0.4))
    ]
    at_once = Course(plan(stage), b"", sets).current.field.outcomes["r1.1"]
    for end in range(2, len(sets) + 1, 2):
        step = Course(plan(stage), b"", sets[:end]).current.field.outcomes["r1.1"]
        if step.stopped:
            break
    else:
        pytest.fail("nothing was shown")
    assert step.look == at_once.look
    assert step.fixture.sets == at_once.fixture.sets == end // 2
    assert at_once.best == "A"


def test_who_is_shown_to_be_better_has_won_whoever_has_the_chips() -> None:
    stage = lucky(DUPLICATE, Stop(better=0.05))
    results = []
    for number, one in enumerate(draws(stage, 12, edge=0.4)):
        name = replace(one.name, fixture="r1.1", set=number // 2 + 1)
        seats = tuple(replace(seat, chips=-1 if seat.team == "A" else 1) for seat in one.seats)
        results.append(replace(one, name=name, seats=seats))
    outcome = Course(plan(stage), b"", results).current.field.outcomes["r1.1"]
    assert outcome.stopped
    assert outcome.points == {"A": 1.0, "B": 0.0}


PROGRAMS = (Team("A", "x"), Team("B", command="run", dialect="d"))
CONNECTING = (Team("A", "x"), Team("B", dialect="d"))


@pytest.mark.parametrize(
    ("teams", "rules", "luck", "taken_out"),
    [
        (BOTS, "plain", None, False),
        (PROGRAMS, "plain", None, True),
        (CONNECTING, "plain", None, True),
        (CONNECTING, "kuhn", None, True),
        (CONNECTING, "huawei", None, False),
        (CONNECTING, "acpc-leduc", None, False),
        (BOTS, "plain", True, True),
        (CONNECTING, "huawei", True, True),
        (PROGRAMS, "plain", False, False),
    ],
)
def test_luck_is_taken_out_where_a_hand_costs_more_than_that(
    teams: tuple[Team, ...], rules: str, luck: bool | None, taken_out: bool
) -> None:
    stage = replace(planned("round-robin"), rules=named(rules), luck=luck)
    assert takes_luck_out(plan(stage, teams), stage) is taken_out
    assert bool(with_coefficients(plan(stage, teams)).stages[0].coefficients) is taken_out


def test_a_contest_that_has_committed_to_no_coefficients_takes_no_luck_out() -> None:
    stage = replace(planned("round-robin"), luck=True)
    old = replace(plan(stage), coefficients="")
    assert with_coefficients(old) == old


def test_coefficients_are_those_that_were_committed_to() -> None:
    text = re.sub(r"holdem single 2 \S+", "holdem single 2 0.500", coefficients_text())
    assert hash_of(text) != hash_of(coefficients_text())
    stage = replace(planned("round-robin"), deals=SINGLE, luck=True)
    kept = with_coefficients(replace(plan(stage), coefficients=text)).stages[0]
    assert kept.coefficients[0] == 0.5


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("closed", "open"),
        lambda text: text.replace("0.000", "nan"),
        lambda text: text + "holdem\n",
        lambda text: "",
    ],
)
def test_coefficients_that_cannot_be_used_are_named(change: Callable[[str], str]) -> None:
    assert text_problem(coefficients_text()) == ""
    assert text_problem(change(coefficients_text()))


@pytest.mark.parametrize(
    "luck",
    [
        b"x",
        zlib.compress(b"odd"),
        zlib.compress(bytes(50_000_000)),
        zlib.compress(np.full(len(TERMS), np.nan, np.float32).tobytes()),
    ],
    ids=["not packed", "not whole", "endless", "no number"],
)
def test_luck_that_nobody_packed_is_refused(luck: bytes) -> None:
    with pytest.raises(ValueError, match="luck of a result"):
        unpacked_luck(luck, len(TERMS))


@pytest.mark.parametrize(
    ("rules", "deals", "unit"),
    [("plain", SINGLE, "hand"), ("plain", DUPLICATE, "set"), ("huawei", SINGLE, "match")],
)
def test_a_unit_is_what_is_independent_of_everything_else(
    rules: str, deals: str, unit: str
) -> None:
    assert unit_of(replace(planned("round-robin"), rules=named(rules), deals=deals)) == unit
