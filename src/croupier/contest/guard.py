"""The weights with which luck is taken out of results: frozen ones, corrected by what was seen.

Weights may be anything, as long as they are fixed before the cards to which they are applied: the
terms that they multiply are zero on average. Those of a unit (a hand, a set, a match) depend on
earlier units only, in the order of their numbers.

There are frozen coefficients for several styles of play: where nobody raises, a good card wins
little beyond the pot. Each style has weights that begin with its coefficients and move towards
those that fit the bots at hand, by a ridge regression in which the coefficients are worth 200
units. Each has them once more, moving faster: what pays in single hands would follow the few sets
that are not level too far. How well weights predicted results so far, beside the others and beside
predicting nothing, decides how much of their prediction is subtracted. So terms that do not help
are left alone, and so is everything until two units differ: where all are alike, as between bots
that play the same in duplicate, there is no scatter to take away.

What is subtracted from the first units matters in short contests: units that scatter far more than
the others decide the mean and its interval almost alone, and such an interval is too wide.
"""

import numpy as np
from numpy.typing import NDArray

RIDGES = (200.0, 50.0)
"""How many units the frozen coefficients are worth: weights that move slowly, and faster ones."""

LEAST_DOUBT = 0.1
"""A frozen coefficient is believed to be right within half of itself, and within this at least.

Otherwise a term of which only small values were seen would get any weight that explains a large
result, and the first large value would be multiplied by it.
"""

TRUST = 20.0
"""How many units it takes to doubt the size of the predictions."""

PROOF = 2.0
"""How much more likely, as a logarithm, a style has to make results than predicting nothing does.

Where luck has no say at all, small chances of being right would cost more than they bring.
"""

CAUTION = 2.0
"""How many units of the whole scatter are added to what a style leaves.

After a few units some style has predicted them well by chance.
"""

EVERY = 8
"""Weights are computed anew after so many units."""

EARLY = 64
"""Up to so many units, how much of each style is subtracted is decided after every one."""

NOTHING = 1e-12
"""What cancels in every unit is no term, but for rounding errors."""

ALIKE = 1e-9
"""Units scatter if they do by more than this share of their squares: less is rounding errors."""

Vector = NDArray[np.float64]


class Guard:
    """The weights for one player."""

    def __init__(self, frozen: Vector) -> None:
        """`frozen` has the coefficients of each style, one style after the other."""
        self._frozen = frozen
        self._units = 0
        self._hands = 0
        self._hands2 = 0
        self._won = 0.0
        self._won2 = 0.0
        self._won_hands = 0.0

    def _begin(self, size: int) -> None:
        """Set up everything for so many terms."""
        styles = self._frozen.reshape(-1, size)
        self._ridges = np.repeat(RIDGES, len(styles))
        self._styles = np.tile(styles, (len(RIDGES), 1))
        self._doubt = (0.5 * np.abs(self._styles) + LEAST_DOUBT) ** 2
        self._weights = self._styles.copy()
        count = len(self._styles)
        self._mixture = np.zeros(count)
        self._products = np.zeros((size, size))
        self._with_won = np.zeros(size)
        self._with_hands = np.zeros(size)
        self._missed2 = np.zeros(count)
        self._predicted2 = np.zeros(count)
        self._predicted_won = np.zeros(count)
        self._predicted_hands = np.zeros(count)

    def without_luck(self, won: float, terms: Vector, hands: int = 1) -> float:
        """Return what was won in the next unit less its luck, and learn from it."""
        if not self._units:
            self._begin(len(terms))
        predicted = self._weights @ terms
        adjusted = won - float(self._mixture @ predicted)
        self._missed2 += (won - predicted) ** 2
        self._units += 1
        self._hands += hands
        self._hands2 += hands * hands
        self._won += won
        self._won2 += won * won
        self._won_hands += won * hands
        self._products += np.outer(terms, terms)
        self._with_won += terms * won
        self._with_hands += terms * hands
        self._predicted2 += predicted * predicted
        self._predicted_won += predicted * won
        self._predicted_hands += predicted * hands
        self._learn()
        return adjusted

    def copied(self) -> "Guard":
        """Return a copy that learns on its own."""
        copy = Guard(self._frozen)
        for name, value in vars(self).items():
            setattr(copy, name, value.copy() if isinstance(value, np.ndarray) else value)
        return copy

    def _learn(self) -> None:
        """Prepare for the next unit."""
        whole = self._units % EVERY == 0
        rate = self._won / self._hands if self._hands else 0.0
        if whole or self._units < EARLY:
            self._mix(rate)
        if whole:
            self._fit(rate)

    def _fit(self, rate: float) -> None:
        """Move the weights of each style towards those that fit what was won so far."""
        squares = self._products.diagonal() / self._units
        used = squares > NOTHING
        if not used.any():
            return
        products = self._products[np.ix_(used, used)]
        target = (self._with_won - rate * self._with_hands)[used]
        for style, frozen in enumerate(self._styles):
            noise = self._missed2[style] / self._units
            ridge = self._ridges[style] * squares[used] + noise / self._doubt[style, used]
            right = target + ridge * frozen[used]
            self._weights[style, used] = np.linalg.solve(products + np.diag(ridge), right)

    def _mix(self, rate: float) -> None:
        """Decide how much of each style's prediction is subtracted.

        Styles, and predicting nothing, are weighed by how likely they make what was won, given the
        scatter about the rate that the best of them leaves.
        """
        scatter = self._won2 - 2 * rate * self._won_hands + rate * rate * self._hands2
        if scatter <= ALIKE * self._won2:
            return  # as after the first unit
        explained = self._predicted_won - rate * self._predicted_hands
        gained = np.append(2 * explained - self._predicted2, 0.0)
        left = max(scatter - gained.max(), 0.0) + CAUTION * scatter / self._units
        shown = gained * self._units / (2 * left)
        shown[-1] += PROOF
        likely = np.exp(shown - shown.max())
        prior = TRUST * self._predicted2 / self._units
        most = np.maximum(self._predicted2 + prior, NOTHING)
        scale = np.clip((explained + prior) / most, 0.0, 1.0)
        self._mixture = likely[:-1] / likely.sum() * scale
