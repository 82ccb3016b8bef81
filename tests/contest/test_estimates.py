"""Luck is taken out by weights that were fixed beforehand, and never does harm for long."""

from math import isclose, sqrt

import numpy as np
import pytest

from croupier.contest.coefficients import coefficients_hash, frozen
from croupier.contest.estimates import Estimates, Share
from croupier.contest.guard import Guard
from croupier.contest.luck import TERMS
from croupier.contest.plan import DUPLICATE, SINGLE
from croupier.contest.stopping import BETTER, SAME, WORSE, Stop, look, width
from croupier.stats import RateEstimate


def test_the_weights_of_a_unit_depend_on_earlier_units_only() -> None:
    rng = np.random.default_rng(1)
    terms, won = rng.normal(size=(60, 3)), rng.normal(size=60)
    for at in (7, 8, 30):
        one, other = Guard(np.ones(3)), Guard(np.ones(3))
        for number in range(60):
            changed = won[number] + 1000 * (number == at)
            before = one.without_luck(won[number], terms[number])
            after = other.without_luck(changed, terms[number])
            if number < at:
                assert before == after
            if number == at:
                assert isclose(after - before, 1000)


@pytest.mark.parametrize("weight", [0.0, 1.0, 5.0])
def test_coefficients_that_do_not_fit_are_corrected(weight: float) -> None:
    """What was frozen says 1; with terms that explain nothing it soon does no harm."""
    rng = np.random.default_rng(2)
    guard = Guard(np.ones(4))
    raw, adjusted = [], []
    for _ in range(3000):
        terms = rng.normal(size=4)
        won = weight * terms.sum() + rng.normal()
        raw.append(won)
        adjusted.append(guard.without_luck(won, terms))
    assert np.var(adjusted) < (1.05 if not weight else 0.5) * np.var(raw)


def test_of_several_styles_the_one_that_fits_is_found_and_none_does_harm() -> None:
    """Where nobody raises, coefficients of lively play would multiply the scatter by 50."""
    rng = np.random.default_rng(5)
    styles = np.array([20.0, 1.0])
    for weight, least in ((20.0, 0.1), (1.0, 0.6), (0.0, 1.1)):
        guard, raw, adjusted = Guard(styles), [], []
        for _ in range(400):
            terms = rng.normal(size=1)
            raw.append(weight * float(terms[0]) + rng.normal())
            adjusted.append(guard.without_luck(raw[-1], terms))
        assert np.var(adjusted) < least * np.var(raw)


@pytest.mark.parametrize("won", [0.0, 1.5, -1 / 3])
def test_where_all_units_are_alike_nothing_is_subtracted(won: float) -> None:
    """Bots that play the same in duplicate have no scatter, whatever the cards."""
    rng = np.random.default_rng(6)
    guard = Guard(np.array([20.0, 1.0]))
    for _ in range(100):
        assert guard.without_luck(2 * won, rng.normal(size=1), 2) == 2 * won


def test_luck_is_taken_out_of_early_units_too() -> None:
    """Those that scatter far more than the others would decide short contests almost alone."""
    rng = np.random.default_rng(7)
    raw, adjusted = [], []
    for _ in range(200):
        guard = Guard(np.array([5.0, 1.0]))
        for _ in range(8):
            terms = rng.normal(size=1)
            raw.append(5 * float(terms[0]) + rng.normal())
            adjusted.append(guard.without_luck(raw[-1], terms))
    assert np.var(adjusted) < 0.75 * np.var(raw)


def test_small_values_of_a_term_say_little_about_large_ones() -> None:
    """A run-out with almost nothing at stake came with a large pot: that was not its doing."""
    guard = Guard(np.array([1.0, 4.0]))
    for number in range(16):
        guard.without_luck(60.0 * (-1) ** number, np.array([0.05 * (-1) ** number, 0.0]))
    assert abs(100.0 - guard.without_luck(100.0, np.array([170.0, 0.0]))) < 200


def test_terms_that_cancel_in_every_unit_are_left_alone() -> None:
    guard = Guard(np.array([1.0, 7.0]))
    for number in range(100):
        assert np.isfinite(guard.without_luck(float(number % 5), np.array([number % 3 - 1.0, 0.0])))


def test_who_was_not_dealt_in_has_no_part_in_a_unit() -> None:
    estimates = Estimates(3)
    for won in (1.0, -2.0, 4.0):
        estimates.add([Share(won, 1, won * won), Share(-won, 1, won * won), Share(0.0, 0, 0.0)])
    assert [one.groups for one in estimates.raw] == [3, 3, 0]
    assert [estimates.difference(0, other)[0].groups for other in (1, 2)] == [3, 0]


def test_a_difference_has_its_own_interval() -> None:
    """What one wins the other loses: their difference scatters twice as much."""
    estimates = Estimates(2)
    for won in (1.0, -2.0, 4.0, 0.0):
        estimates.add([Share(won, 1, won * won), Share(-won, 1, won * won)])
    raw, adjusted = estimates.difference(0, 1)
    single = estimates.raw[0].ci95
    assert single is not None
    assert raw.ci95 is not None
    assert isclose(raw.ci95, 2 * single)
    assert isclose(adjusted.rate, raw.rate)


def test_a_factor_compares_with_as_many_independent_hands() -> None:
    """Sets that come out level but for 1 in 4: the hands in them scatter by 10."""
    estimates = Estimates(2)
    for number in range(400):
        won = 4.0 * (number % 2) - 2.0
        share = Share(won, 2, 200.0)
        estimates.add([share, Share(-won, 2, 200.0)])
    assert estimates.factor(0) == pytest.approx(100 * 2 / 4, rel=0.01)


def test_every_game_and_table_has_coefficients_and_all_have_one_hash() -> None:
    for game in ("holdem", "kuhn"):
        for deals in (SINGLE, DUPLICATE):
            for seats in range(2, 11):
                assert len(frozen(game, deals, seats)) % len(TERMS) == 0
    assert not frozen("another game", SINGLE, 2).any()
    assert len(coefficients_hash()) == 64


def rates(values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> RateEstimate:
    estimate = RateEstimate()
    for value in values:
        estimate.add(float(value), 2)
    return estimate


def test_looking_after_every_few_sets_rarely_finds_a_difference_between_equals() -> None:
    rng = np.random.default_rng(3)
    stop = Stop(better=0.05, same=None)
    wrong = 0
    for _ in range(200):
        estimate = RateEstimate()
        for number, value in enumerate(rng.normal(0, 20, size=3000)):
            estimate.add(float(value), 2)
            if number % 50 == 49 and look(estimate, stop, 100).decision:
                wrong += 1
                break
    assert wrong <= 16


def test_a_clear_difference_is_found_in_either_direction_and_none_as_none() -> None:
    rng = np.random.default_rng(4)
    stop = Stop(better=0.05, same=10)
    assert look(rates(rng.normal(6, 10, size=2000)), stop, 100).decision == BETTER
    assert look(rates(rng.normal(-6, 10, size=2000)), stop, 100).decision == WORSE
    assert look(rates(rng.normal(0, 1, size=4000)), stop, 100).decision == SAME
    assert look(rates(rng.normal(6, 10, size=99)), stop, 100).decision == ""


def test_identical_play_is_no_difference_once_a_stack_would_not_matter() -> None:
    stop = Stop(better=0.05, same=10)
    few, many = look(rates(np.zeros(200)), stop, 100), look(rates(np.zeros(3000)), stop, 100)
    assert (few.identical, few.decision) == (True, "")
    assert (many.identical, many.decision) == (True, SAME)
    assert many.half > 0


def test_the_interval_that_holds_at_every_look_is_wider_than_that_of_one_look() -> None:
    for units in (100, 1000, 10_000):
        assert width(1000, units, 0.05) > 1.96 * 1000 / sqrt(units)


@pytest.mark.parametrize(("better", "same"), [(0.0, None), (0.5, None), (None, -1.0), (None, None)])
def test_what_cannot_be_found_out_is_refused(better: float | None, same: float | None) -> None:
    with pytest.raises(ValueError, match=r"better|same"):
        Stop(better, same)


@pytest.mark.parametrize("lucky", [False, True])
def test_intervals_cover_the_truth_as_often_as_they_say(lucky: bool) -> None:
    """In 400 contests of 100 hands; `make soak` has the same with thousands of real ones."""
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        estimates = Estimates(1, np.ones(2))
        luck, noise = rng.normal(size=(100, 2)), rng.normal(size=100)
        for terms, rest in zip(luck, noise, strict=True):
            won = 0.3 + 3 * terms[0] + rest
            estimates.add([Share(won, 1, won * won, terms)])
        rate = (estimates.adjusted if lucky else estimates.raw)[0]
        assert rate.ci95 is not None
        covered += abs(rate.rate - 0.3) <= rate.ci95
    # Four standard errors of 400 coins with 95 %.
    assert abs(covered / 400 - 0.95) < 0.044
