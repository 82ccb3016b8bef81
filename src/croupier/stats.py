"""Rates with their 95 % confidence intervals."""

from math import sqrt

Z95 = 1.959963984540054
"""The quantile of the normal distribution for a 95 % interval."""

# fmt: off
_T95 = (
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157,
    2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922,
    2.093024, 2.085963,
)
# fmt: on


def t95(freedom: int) -> float:
    """Return the quantile of Student's t for a 95 % interval, from 1 degree of freedom."""
    if freedom <= len(_T95):
        return _T95[freedom - 1]
    z, n = Z95, freedom
    # The expansion of Cornish and Fisher, right to six digits from here on.
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


class RateEstimate:
    """A rate per hand over independent groups of hands, with its confidence interval.

    A group is one hand where hands are independent, and a whole match where stacks carry over.
    The interval is that of the ratio estimator, with the quantile of Student's t: it measures how
    far the groups scatter about the common rate, so groups of different lengths may be mixed.
    """

    __slots__ = ("_hands", "_hands2", "_total", "_total2", "_total_hands", "groups")

    def __init__(self) -> None:
        self.groups = 0
        self._hands = 0
        self._total = 0.0
        self._hands2 = 0
        self._total2 = 0.0
        self._total_hands = 0.0

    def add(self, total: float, hands: int) -> None:
        """Add a group of hands with its total."""
        self.groups += 1
        self._hands += hands
        self._total += total
        self._hands2 += hands * hands
        self._total2 += total * total
        self._total_hands += total * hands

    def merge(self, hands: int, total: float, squares: float) -> None:
        """Add groups of one hand each, by their sum and the sum of their squares."""
        self.groups += hands
        self._hands += hands
        self._total += total
        self._hands2 += hands
        self._total2 += squares
        self._total_hands += total

    def merge_groups(
        self, groups: int, hands: int, total: float, squares: tuple[float, float, float]
    ) -> None:
        """Add groups by their sums and the sums of hands², total² and total times hands."""
        hands2, total2, products = squares
        self.groups += groups
        self._hands += hands
        self._total += total
        self._hands2 += round(hands2)
        self._total2 += total2
        self._total_hands += products

    @property
    def rate(self) -> float:
        """The average total per hand."""
        return self._total / self._hands if self._hands else 0.0

    @property
    def ci95(self) -> float | None:
        """Half the width of the 95 % interval, or None with fewer than two groups."""
        error = self.error
        return None if error is None else t95(self.groups - 1) * error

    @property
    def error(self) -> float | None:
        """The standard error of the rate, or None with fewer than two groups."""
        if self.groups < 2 or not self._hands:
            return None
        rate = self.rate
        scatter = self._total2 - 2 * rate * self._total_hands + rate * rate * self._hands2
        variance = max(0.0, scatter) * self.groups / (self.groups - 1)
        return sqrt(variance) / self._hands

    @property
    def hands(self) -> int:
        """The number of hands in all groups."""
        return self._hands
