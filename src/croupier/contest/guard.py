"""The weights with which luck is taken out of results: frozen ones, corrected by what was seen.

Weights may be anything, as long as they are fixed before the cards to which they are applied: the
terms that they multiply are zero on average. Those of a unit (a hand, a set, a match) depend on
earlier units only, in the order of their numbers. They begin with the frozen coefficients and move
towards those that fit the bots at hand, by a ridge regression that is worth 200 units; and what
they predicted so far decides how much of it is subtracted, so that terms that do not help are left
alone.
"""

import numpy as np
from numpy.typing import NDArray

RIDGE = 200.0
"""How many units the frozen coefficients are worth."""

LEAST_DOUBT = 0.1
"""A frozen coefficient is believed to be right within half of itself, and within this at least.

Otherwise a term of which only small values were seen would get any weight that explains a large
result, and the first large value would be multiplied by it.
"""

TRUST = 20.0
"""How many units it takes to doubt the predictions."""

EVERY = 8
"""Weights are computed anew after so many units."""

NOTHING = 1e-12
"""What cancels in every unit is no term, but for rounding errors."""

Vector = NDArray[np.float64]


class Guard:
    """The weights for one player."""

    def __init__(self, frozen: Vector) -> None:
        self._frozen = frozen
        self._doubt = (0.5 * np.abs(frozen) + LEAST_DOUBT) ** 2
        self._weights = frozen
        self._scale = 1.0
        self._units = 0
        self._hands = 0
        self._won = 0.0
        size = len(frozen)
        self._products = np.zeros((size, size))
        self._with_won = np.zeros(size)
        self._with_hands = np.zeros(size)
        self._left2 = 0.0
        self._predicted2 = 0.0
        self._predicted_won = 0.0
        self._predicted_hands = 0.0

    def without_luck(self, won: float, terms: Vector, hands: int = 1) -> float:
        """Return what was won in the next unit less its luck, and learn from it."""
        predicted = float(terms @ self._weights)
        adjusted = won - self._scale * predicted
        self._left2 += adjusted * adjusted
        self._units += 1
        self._hands += hands
        self._won += won
        self._products += np.outer(terms, terms)
        self._with_won += terms * won
        self._with_hands += terms * hands
        self._predicted2 += predicted * predicted
        self._predicted_won += predicted * won
        self._predicted_hands += predicted * hands
        if self._units % EVERY == 0:
            self._learn()
        return adjusted

    def copied(self) -> "Guard":
        """Return a copy that learns on its own."""
        copy = Guard(self._frozen)
        for name, value in vars(self).items():
            setattr(copy, name, value.copy() if isinstance(value, np.ndarray) else value)
        return copy

    def _learn(self) -> None:
        rate = self._won / self._hands if self._hands else 0.0
        squares = self._products.diagonal() / self._units
        used = squares > NOTHING
        weights = self._frozen.copy()
        if used.any():
            noise = self._left2 / self._units
            ridge = RIDGE * squares[used] + noise / self._doubt[used]
            products = self._products[np.ix_(used, used)] + np.diag(ridge)
            target = (self._with_won - rate * self._with_hands)[used]
            weights[used] = np.linalg.solve(products, target + ridge * self._frozen[used])
        self._weights = weights
        prior = TRUST * self._predicted2 / self._units
        if self._predicted2:
            explained = self._predicted_won - rate * self._predicted_hands
            scale = (explained + prior) / (self._predicted2 + prior)
            self._scale = min(1.0, max(0.0, scale))
