"""Rates with their 95 % confidence intervals."""

from math import sqrt

Z95 = 1.959963984540054


class RateEstimate:
    """A rate per hand over independent groups of hands, with its confidence interval.

    A group is one hand where hands are independent, and a whole match where stacks carry over.
    The interval is that of the ratio estimator: it measures how far the groups scatter about the
    common rate, so groups of different lengths may be mixed.
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

    @property
    def rate(self) -> float:
        """The average total per hand."""
        return self._total / self._hands if self._hands else 0.0

    @property
    def ci95(self) -> float | None:
        """Half the width of the 95 % interval, or None with fewer than two groups."""
        if self.groups < 2:
            return None
        rate = self.rate
        scatter = self._total2 - 2 * rate * self._total_hands + rate * rate * self._hands2
        variance = max(0.0, scatter) * self.groups / (self.groups - 1)
        return Z95 * sqrt(variance) / self._hands
