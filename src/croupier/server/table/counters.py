"""The counters of a house, for monitoring.

Plain numbers, because every decision adds to them; whoever reads them converts them.
"""

from collections import Counter
from typing import Final

DECISION_BOUNDS: Final[tuple[float, ...]] = (
    0.001,
    0.005,
    0.02,
    0.1,
    0.25,
    0.5,
    1.0,
    2.0,
    5.0,
    10.0,
    60.0,
)
DELAY_BOUNDS: Final[tuple[float, ...]] = (
    0.00005,
    0.0001,
    0.0002,
    0.0005,
    0.001,
    0.002,
    0.005,
    0.02,
    0.1,
    0.5,
)


class Durations:
    """A histogram of durations."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count one duration."""
        place = 0
        for bound in self.bounds:
            if seconds <= bound:
                break
            place += 1
        self.counts[place] = self.counts[place] + 1  # not `+=`: see `Betting._put`
        self.total += seconds


class Counters:
    """What happened in one house since it was opened."""

    __slots__ = ("answers", "decisions", "delays", "faults", "hands", "matches", "timeouts")

    def __init__(self) -> None:
        self.matches = 0
        """Matches that are over."""
        self.hands = 0
        self.answers = 0
        """Answers of connected players."""
        self.decisions = Durations(DECISION_BOUNDS)
        """How long connected players took to decide."""
        self.delays = Durations(DELAY_BOUNDS)
        """How long the server took from an answer to the next question."""
        self.timeouts = 0
        self.faults: Counter[str] = Counter()
        """By cause."""
