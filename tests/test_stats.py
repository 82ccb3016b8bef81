"""Error bars are honest: they cover the truth as often as they say."""

from math import isclose, sqrt
from random import Random

import pytest

from croupier.stats import RateEstimate, t95


def test_with_one_hand_a_group_it_is_the_interval_of_the_mean() -> None:
    values = [3.0, -1.0, 4.0, -1.0, 5.0]
    estimate = RateEstimate()
    for value in values:
        estimate.add(value, 1)
    mean = sum(values) / 5
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / 4)
    assert isclose(estimate.rate, mean)
    assert estimate.ci95 is not None
    assert isclose(estimate.ci95, t95(4) * deviation / sqrt(5))


@pytest.mark.parametrize("groups", [0, 1])
def test_fewer_than_two_groups_have_no_interval(groups: int) -> None:
    estimate = RateEstimate()
    for _ in range(groups):
        estimate.add(1.0, 10)
    assert estimate.ci95 is None


def test_the_interval_covers_the_true_rate_in_about_95_of_100_series() -> None:
    rng = Random(5)
    covered = 0
    for _ in range(400):
        estimate = RateEstimate()
        for _ in range(200):
            hands = rng.randint(1, 30)
            estimate.add(rng.gauss(0.5 * hands, 3 * sqrt(hands)), hands)
        assert estimate.ci95 is not None
        covered += abs(estimate.rate - 0.5) <= estimate.ci95
    assert 366 <= covered <= 392


def test_hands_of_one_match_count_as_one_observation() -> None:
    """All chips of a match hang together; more hands in it make nothing surer."""
    short, long = RateEstimate(), RateEstimate()
    for sign in (1, -1, 1, -1):
        short.add(sign * 10, 10)
        long.add(sign * 1000, 1000)
    assert short.ci95 is not None
    assert long.ci95 is not None
    assert isclose(short.ci95, long.ci95)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (4, 2.77645), (21, 2.07961), (30, 2.04227), (120, 1.97993)],
)
def test_few_groups_have_the_quantile_of_students_t(freedom: int, quantile: float) -> None:
    assert isclose(t95(freedom), quantile, rel_tol=1e-5)
