"""Check that intervals are honest: independent contests between equals, and between unequals.

A stochastic bot plays itself, and another one, in one large pool of sets of hold'em; the luck of
every hand is computed once. The pool is cut into 2,000 contests of 50 sets each. The first match of
each set alone makes contests of 50 single hands. Each of the four estimates (raw and without luck,
single hands and sets) has to cover the truth in 93.5 to 96.5 % of the contests: 0 between equals,
and the mean of the whole pool between unequals, which is 40 times as exact as a contest.

Whoever looks again and again may find a difference between equals in at most 5 % of all cases:
2,000 contests of 3,000 sets drawn from the pool of equals are looked at after every 50 sets.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bench.luck.bots import BorderBot
from bench.luck.dealing import twins_of
from croupier.contest.coefficients import frozen
from croupier.contest.estimates import Estimates, Share, summed
from croupier.contest.plan import DUPLICATE, SINGLE
from croupier.contest.stopping import Stop, look
from croupier.rules.sets import PLAIN
from croupier.stats import RateEstimate

RULES = PLAIN.with_fields({"stack": 3000})
"""With 30 big blinds, so that 50 sets are enough for a mean to be normal."""

SETS = 50
"""In one contest."""

LONG, EVERY = 3000, 50
"""The sets of a contest that is looked at again and again, and how often it is."""

Pool = Sequence[Sequence[Sequence[Share]]]
"""By deal, match and player."""

Values = NDArray[np.float64]


def pool_of(names: Sequence[str], contests: int, workers: int) -> Pool:
    """Play the sets of so many contests."""
    return twins_of(names, BorderBot, RULES, contests * SETS, "soak", 2, workers)


def contests_of(pool: Pool, deals: str) -> list[Estimates]:
    """Cut a pool into contests."""
    found = []
    for start in range(0, len(pool), SETS):
        one = Estimates(2, frozen(RULES.game, deals, 2))
        for matches in pool[start : start + SETS]:
            taken = matches if deals == DUPLICATE else matches[:1]
            one.add([summed(shares) for shares in zip(*taken, strict=True)])
        found.append(one)
    return found


def covered(contests: Sequence[RateEstimate], truth: float) -> float:
    """Return the share of contests whose interval has the truth in it."""
    hits = [abs(one.rate - truth) <= (one.ci95 or 0.0) for one in contests]
    return sum(hits) / len(hits)


def values_of(pool: Pool, lucky: bool) -> Values:
    """Return what the first player won in each set of a pool, all of them as one contest."""
    every = Estimates(2, frozen(RULES.game, DUPLICATE, 2) if lucky else None)
    values, before = [], 0.0
    for matches in pool:
        every.add([summed(shares) for shares in zip(*matches, strict=True)])
        total = every.adjusted[0].rate * every.adjusted[0].hands
        values.append(total - before)
        before = total
    return np.array(values)


def false_alarms(values: Values, contests: int, seed: int = 1) -> float:
    """Return how often looking again and again finds a difference where there is none."""
    rng, stop = np.random.default_rng(seed), Stop(better=0.05)
    stack = RULES.stack / RULES.big_blind
    level = values - values.mean()
    alarms = 0
    for _ in range(contests):
        drawn = rng.choice(level, LONG)
        sums, squares = np.cumsum(drawn), np.cumsum(drawn * drawn)
        for units in range(EVERY, LONG + 1, EVERY):
            estimate = RateEstimate()
            total, square = float(sums[units - 1]), float(squares[units - 1])
            estimate.merge_groups(units, 2 * units, total, (4.0 * units, square, 2 * total))
            if look(estimate, stop, stack).decision:
                alarms += 1
                break
    return alarms / contests


def report(pools: dict[str, Pool], contests: int) -> bool:
    """Print everything; return whether all is honest."""
    # Chance alone moves a coverage by so much, four standard errors with few contests.
    slack = max(0.015, 4 * (0.05 * 0.95 / contests) ** 0.5)
    honest = True
    for names, pool in pools.items():
        truth = 0.0 if len(set(names.split())) == 1 else float(values_of(pool, True).mean()) / 2
        print(f"{names}: the truth is {100 * truth:+.2f} bb/100", flush=True)
        for deals in (SINGLE, DUPLICATE):
            found = contests_of(pool, deals)
            for kind in ("raw", "adjusted"):
                rates: list[RateEstimate] = [getattr(one, kind)[0] for one in found]
                share = covered(rates, truth)
                honest &= abs(share - 0.95) <= slack
                print(f"  {deals}, {kind}: {share:.1%} cover it", flush=True)
    equals = next(iter(pools.values()))
    for lucky in (False, True):
        alarms = false_alarms(values_of(equals, lucky), contests)
        honest &= alarms <= 0.05 + (slack if contests < 2000 else 0.0)
        how = "adjusted" if lucky else "raw"
        print(f"looked at again and again, {how}: {alarms:.1%} false alarms", flush=True)
    return honest


def main() -> None:
    """Exit with 1 if an estimate is not honest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contests", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    pools = {
        names: pool_of(names.split(), options.contests, options.workers)
        for names in ("even even", "even bold")
    }
    sys.exit(not report(pools, options.contests))


if __name__ == "__main__":
    main()
