"""When enough was played: an interval that holds at every look, and what it decides.

The interval is a confidence sequence, the normal mixture: it covers the true rate at all times at
once in 95 of 100 cases, so one may look after every set and stop as soon as it decides. An ordinary
interval may not be used like that: between equals it is wrong at some time or other almost surely.
"""

from dataclasses import dataclass
from math import inf, log, sqrt

from croupier.stats import Z95, RateEstimate

BETTER = "better"
WORSE = "worse"
SAME = "same"
BUDGET = "budget"

LEAST_UNITS = 100
"""Before so many units nothing is decided: their spread is not known well enough."""

_REFERENCE = 10.0
"""In bb/100: the interval is narrowest when it is about as wide as this, unless told otherwise."""

_MOST_ALPHA = 0.2

_WIDTH_ALPHA = 0.05
"""The interval is shaped for this probability of error."""


@dataclass(frozen=True, slots=True)
class Stop:
    """What is to be found out."""

    better: float | None = None
    """Stop once a player is shown to be better or worse, with this probability of error."""
    same: float | None = None
    """Stop once the rate is shown to be less than so many bb/100 away from 0."""

    def __post_init__(self) -> None:
        if self.better is not None and not 0 < self.better <= _MOST_ALPHA:
            raise ValueError(
                f"better is a probability of error above 0, at most {_MOST_ALPHA}: {self.better:g}"
            )
        if self.same is not None and not 0 < self.same < inf:
            raise ValueError(f"same is a rate in bb/100 above 0, not {self.same:g}")
        if self.better is None and self.same is None:
            raise ValueError("give better, same, or both")

    @property
    def alpha(self) -> float:
        """The probability that the interval shown does not hold all the time."""
        return self.better if self.better is not None else _WIDTH_ALPHA


@dataclass(frozen=True, slots=True)
class Look:
    """What is known after some units, in bb/100."""

    rate: float
    half: float
    """Half the width of the interval that holds at every look; infinite before it is known."""
    decision: str
    """`better`, `worse`, `same`, or empty: not decided yet."""
    identical: bool = False
    """Whether every unit came out level: both play alike as far as was seen."""

    def __str__(self) -> str:
        half = "?" if self.half == inf else f"{self.half:,.1f}"
        return f"{self.rate:+,.1f} ± {half} bb/100"

    def as_object(self) -> dict[str, float | bool | None]:
        """Return the interval as plain values."""
        return {
            "bb_per_100": self.rate,
            "always_valid": self.half if self.half < inf else None,
            "identical": self.identical,
        }


def look(estimate: RateEstimate, stop: Stop, stack: float, players: int = 2) -> Look:
    """Return what the rate of a player, over units, shows so far.

    `stack` is a starting stack in big blinds. With more than two players at a table any of them
    could be shown better, and the probability of error is divided among them.
    """
    units, error = estimate.groups, estimate.error
    rate = 100 * estimate.rate
    identical = units > 1 and error == 0 and rate == 0
    if error is None or units < LEAST_UNITS:
        return Look(rate, inf, "", identical)
    share = 1 if players == 2 else players
    # Bots that play alike most of the time have no spread until they differ: the next unit may
    # bring a stack.
    floor = 100 * stack * units / estimate.hands / sqrt(units)
    spread = max(100 * error * sqrt(units), floor)
    half = width(spread, units, stop.alpha / share, stop.same)
    decision = ""
    if stop.better is not None and abs(rate) > half:
        decision = BETTER if rate > 0 else WORSE
    elif stop.same is not None:
        # Both ends have to be shown, each with half of twice the probability.
        narrow = width(spread, units, 2 * stop.alpha / share, stop.same)
        if abs(rate) + narrow < stop.same:
            decision = SAME
    return Look(rate, half, decision, identical)


def width(spread: float, units: int, alpha: float, same: float | None = None) -> float:
    """Return half the width of the interval after some units with a standard deviation."""
    goal = (Z95 * spread / (same or _REFERENCE)) ** 2
    if not goal:
        return 0.0
    at = -2 * log(_WIDTH_ALPHA)
    mixture = (at + log(at) + 1) / goal
    grown = units * mixture + 1
    return spread * sqrt(2 * grown / (units * units * mixture) * log(sqrt(grown) / alpha))
