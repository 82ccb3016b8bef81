"""`python -m bench.luck`: how many times fewer hands it takes, on the reference pairings.

A factor is the variance of plain hands over that of the estimate, per hand played: how many times
as many plain hands would give the same error bar. In brackets, 95 % of 400 bootstrap samples of
units. The first hundred units, in which the guard knows little, count like the others.
"""

import argparse
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bench.luck.bots import STYLES, BorderBot
from bench.luck.dealing import units_of
from croupier.bots import Bot, house_bot
from croupier.contest.coefficients import frozen
from croupier.contest.estimates import Share
from croupier.contest.guard import Guard
from croupier.contest.plan import DUPLICATE, SINGLE
from croupier.deals import Stream, seed_from_text
from croupier.match.chance import SeededChance
from croupier.play import Player, Series
from croupier.rules.sets import PLAIN

PAIRINGS: tuple[tuple[str, ...], ...] = (
    ("even", "bold"),
    ("even", "calm"),
    ("bold", "keen"),
    ("RuleAgent", "even"),
    ("RuleAgent", "LooseAggressive"),
    ("RuleAgent", "CallAgent"),
    ("TightAggressive", "LoosePassive"),
    ("even", "bold", "bold", "bold", "bold", "bold"),
    ("even", "bold", "calm", "keen", "RuleAgent", "TightAggressive"),
    ("RuleAgent", "keen", "keen", "keen", "keen", "keen"),
)

Values = NDArray[np.float64]


def make(name: str, stream: Stream) -> Bot:
    """Make a bot of the reference pairings."""
    return BorderBot(name, stream) if name in STYLES else house_bot(name, stream)


def adjusted(units: Sequence[Sequence[Share]], deals: str) -> Values:
    """Return what the first player won in each unit, without luck."""
    guard = Guard(frozen(PLAIN.game, deals, len(units[0])))
    values = []
    for unit in units:
        share = unit[0]
        assert share.terms is not None
        values.append(guard.without_luck(share.won, share.terms, share.hands))
    return np.array(values)


def interval(units: Sequence[Sequence[Share]], values: Values) -> str:
    """Return the factor of an estimate beside that of plain hands, with its interval."""
    won = np.array([unit[0].won for unit in units])
    squares = np.array([unit[0].squares for unit in units])
    hands = np.array([unit[0].hands for unit in units])
    rng = np.random.default_rng(1)

    def factor(chosen: NDArray[np.intp]) -> float:
        plain = squares[chosen].sum() / hands[chosen].sum()
        plain -= (won[chosen].sum() / hands[chosen].sum()) ** 2
        return float(plain * hands[chosen].mean() / values[chosen].var())

    samples = [factor(rng.integers(len(units), size=len(units))) for _ in range(400)]
    low, high = np.quantile(samples, [0.025, 0.975])
    return f"{factor(np.arange(len(units))):5.1f} [{low:4.1f}-{high:4.1f}]"


def cost(seats: int) -> float:
    """Return the CPU milliseconds that the luck of a hand takes."""
    seed = seed_from_text("cost")
    chance = SeededChance(seed)
    names = [list(STYLES)[number % len(STYLES)] for number in range(seats)]
    players = [Player(name, make(name, chance.bot(at))) for at, name in enumerate(names)]
    hands = 300
    took = []
    for lucky in (False, True):
        series = Series(PLAIN, players, chance, hands, lucky)
        began = time.process_time()
        while series.play_hand():
            pass
        took.append(time.process_time() - began)
    return 1000 * (took[1] - took[0]) / hands


def main() -> None:
    """Print one line per pairing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=3000, help="heads-up; a third at six seats")
    options = parser.parse_args()
    print(f"{'pairing':<44} {'luck':>16} {'duplicate':>16} {'both':>16}")
    for names in PAIRINGS:
        deals = options.deals if len(names) == 2 else options.deals // 3
        single = units_of(names, make, PLAIN, 2 * deals, "bench", 1)
        sets = units_of(names, make, PLAIN, deals, "bench")
        raw = np.array([unit[0].won for unit in sets])
        print(
            f"{' '.join(name[:9] for name in names):<44.44}"
            f" {interval(single, adjusted(single, SINGLE)):>16}"
            f" {interval(sets, raw):>16}"
            f" {interval(sets, adjusted(sets, DUPLICATE)):>16}",
            flush=True,
        )
    for seats in (2, 6):
        print(f"luck of a hand with {seats} seats: {cost(seats):.2f} ms of CPU")


if __name__ == "__main__":
    main()
