"""Rates with and without the luck of the cards, and differences between players.

A *unit* is what is independent of all others: a hand, the same deal in all rotations of the seats,
or a whole match where stacks carry over. For every unit each player has what it won, in big blinds,
over how many hands, and the sum of its luck. Units come in the order of their numbers.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from croupier.contest.guard import Guard, Vector
from croupier.contest.luck import luck_of
from croupier.rules.events import Event
from croupier.stats import RateEstimate

HAND = "hand"
SET = "set"
MATCH = "match"


@dataclass(frozen=True, slots=True)
class Share:
    """What one player made of a unit."""

    won: float
    """In big blinds."""
    hands: int
    squares: float
    """The sum of the squares of what it won in each hand."""
    terms: Vector | None = None
    """Its luck, summed over the hands; None if it is not taken into account."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A rate without luck, as it is shown; in bb/100."""

    bb_per_100: float
    ci95: float | None
    """Half the width of its 95 % interval."""
    factor: float | None
    """How many times as many plain hands would give an interval as narrow."""


class Estimates:
    """What is known about the players of a table."""

    def __init__(self, players: int, frozen: Vector | None = None) -> None:
        """`frozen` are the coefficients of luck; None: it is not taken out."""
        self.units = 0
        self.raw = [RateEstimate() for _ in range(players)]
        """Over units."""
        self.adjusted = [RateEstimate() for _ in range(players)]
        """The same without luck."""
        self.plain = [RateEstimate() for _ in range(players)]
        """As if every hand were a unit: what hands that have nothing in common would give."""
        self.lucky = frozen is not None
        self._guards = [] if frozen is None else [Guard(frozen) for _ in range(players)]
        self._differences = {
            pair: (RateEstimate(), RateEstimate()) for pair in combinations(range(players), 2)
        }

    def add(self, shares: Sequence[Share]) -> None:
        """Add a unit, with one share for each player; who played no hand of it has no part."""
        self.units += 1
        values = []
        for number, share in enumerate(shares):
            value = share.won
            if not share.hands:
                values.append(value)
                continue
            if self.lucky and share.terms is not None:
                value = self._guards[number].without_luck(share.won, share.terms, share.hands)
            values.append(value)
            self.raw[number].add(share.won, share.hands)
            self.plain[number].merge(share.hands, share.won, share.squares)
            self.adjusted[number].add(value, share.hands)
        for (one, other), (raw, adjusted) in self._differences.items():
            hands = max(shares[one].hands, shares[other].hands)
            if min(shares[one].hands, shares[other].hands):
                raw.add(shares[one].won - shares[other].won, hands)
                adjusted.add(values[one] - values[other], hands)

    def difference(self, one: int, other: int) -> tuple[RateEstimate, RateEstimate]:
        """Return by how much one player is better than another with a larger number.

        The second is without luck. Players of a table are not independent of each other, so their
        difference has an interval of its own.
        """
        return self._differences[one, other]

    def factor(self, player: int) -> float | None:
        """Return how many times as many plain hands would give an interval as narrow.

        None if there is no interval, or no spread at all.
        """
        return factor_of(self.plain[player], self.adjusted[player])

    def shown(self, player: int) -> Adjusted:
        """Return a player's rate over units, without luck if it was taken out."""
        return Adjusted(*in_bb_per_100(self.adjusted[player]), self.factor(player))

    def copied(self) -> "Estimates":
        """Return a copy to which other units can be added."""
        copy = Estimates(len(self.raw))
        copy.units, copy.lucky = self.units, self.lucky
        copy.raw, copy.adjusted, copy.plain, copy._differences = deepcopy(
            (self.raw, self.adjusted, self.plain, self._differences)
        )
        copy._guards = [guard.copied() for guard in self._guards]
        return copy


def in_bb_per_100(estimate: RateEstimate) -> tuple[float, float | None]:
    """Return a rate per hundred hands, and half the width of its 95 % interval."""
    half = estimate.ci95
    return 100 * estimate.rate, None if half is None else 100 * half


def factor_of(plain: RateEstimate, better: RateEstimate) -> float | None:
    """Return how many times as many hands one estimate would need to be as sure as another."""
    if not plain.error or not better.error:
        return None
    return (plain.error / better.error) ** 2 * plain.hands / better.hands


def summed(shares: Sequence[Share]) -> Share:
    """Return the shares of a player in several hands as one."""
    terms = [share.terms for share in shares if share.terms is not None]
    return Share(
        sum(share.won for share in shares),
        sum(share.hands for share in shares),
        sum(share.squares for share in shares),
        np.sum(terms, axis=0) if terms else None,
    )


def shares_of_hand(events: Sequence[Event], players: int, seed: bytes, lucky: bool) -> list[Share]:
    """Return what each player of a match made of a hand that is over."""
    shares = [Share(0.0, 0, 0.0)] * players
    luck = luck_of(events, seed if lucky else None)
    if luck is not None:
        for seat, player in enumerate(luck.players):
            won = luck.won[seat]
            terms = luck.terms[seat] if lucky else None
            shares[player] = Share(won, 1, won * won, terms)
    return shares
