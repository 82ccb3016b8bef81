"""Check that intervals are honest: independent contests between equals, and between unequals.

A stochastic bot plays itself, and another one, in 2,000 contests of 100 sets of hold'em each. The
first match of each set alone makes a contest of 100 single hands. Each of the four estimates (raw
and without luck, single hands and sets) has to cover the truth in 93.5 to 96.5 % of the contests: 0
between equals, and the mean over all contests between unequals, which is 40 times as exact as one.

The bot is one that often draws lots, and has 30 big blinds. One that hardly does is level with
itself in most sets, and with deep stacks a few sets decide: then a hundred of them are too few for
a mean to be normal, with or without luck. `--bots`, `--sets` and `--stack` show how far that goes.

Whoever looks again and again may find a difference between equals in at most 5 % of all cases:
2,000 contests of 3,000 sets, drawn from those of the equals, are looked at after every 50 sets.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import Pool

import numpy as np
from numpy.typing import NDArray

from bench.luck.bots import BorderBot
from bench.luck.dealing import Deals
from croupier.contest.coefficients import frozen
from croupier.contest.estimates import Estimates, summed
from croupier.contest.plan import DUPLICATE, SINGLE
from croupier.contest.stopping import Stop, look
from croupier.deals import seed_from_text, series_seed
from croupier.rules.sets import PLAIN
from croupier.stats import RateEstimate

BOTS = "hazy hazy", "hazy bold"
SETS = 100
STACK = 3000

LONG, EVERY = 3000, 50
"""The sets of a contest that is looked at again and again, and how often it is."""

RAW, ADJUSTED = "raw", "adjusted"

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Contest:
    """What a contest came to, for its first player."""

    rates: dict[tuple[str, str], RateEstimate]
    """By deals, and raw or adjusted."""
    values: dict[str, Values]
    """What was won in each set; raw or adjusted."""


def contests_of(
    names: str, contests: int, workers: int, sets: int = SETS, stack: int = STACK
) -> list[Contest]:
    """Play so many contests between two bots; a single worker is this process."""
    rules, seed = PLAIN.with_fields({"stack": stack}), seed_from_text("soak")
    deals = [
        Deals(tuple(names.split()), BorderBot, rules, series_seed(seed, number), 2, sets)
        for number in range(contests)
    ]
    if workers == 1:
        return [_played(one) for one in deals]
    with Pool(workers) as pool:
        return pool.map(_played, deals, chunksize=1)


def _played(deals: Deals) -> Contest:
    found = {how: Estimates(2, frozen(deals.rules.game, how, 2)) for how in (SINGLE, DUPLICATE)}
    totals: dict[str, list[float]] = {RAW: [0.0], ADJUSTED: [0.0]}
    for matches in deals.played():
        found[SINGLE].add(matches[0])
        found[DUPLICATE].add([summed(shares) for shares in zip(*matches, strict=True)])
        for kind, total in totals.items():
            rate = _rate(found[DUPLICATE], kind)
            total.append(rate.rate * rate.hands)
    return Contest(
        {(how, kind): _rate(one, kind) for how, one in found.items() for kind in totals},
        {kind: np.diff(total) for kind, total in totals.items()},
    )


def _rate(estimates: Estimates, kind: str) -> RateEstimate:
    return (estimates.raw if kind == RAW else estimates.adjusted)[0]


def covered(rates: Sequence[RateEstimate], truth: float) -> float:
    """Return the share of contests whose interval has the truth in it."""
    hits = [abs(one.rate - truth) <= (one.ci95 or 0.0) for one in rates]
    return sum(hits) / len(hits)


def false_alarms(values: Values, contests: int, stack: int = STACK, seed: int = 1) -> float:
    """Return how often looking again and again finds a difference where there is none."""
    rng, stop = np.random.default_rng(seed), Stop(better=0.05)
    level = values - values.mean()
    alarms = 0
    for _ in range(contests):
        drawn = rng.choice(level, LONG)
        sums, squares = np.cumsum(drawn), np.cumsum(drawn * drawn)
        for units in range(EVERY, LONG + 1, EVERY):
            estimate = RateEstimate()
            total, square = float(sums[units - 1]), float(squares[units - 1])
            estimate.merge_groups(units, 2 * units, total, (4.0 * units, square, 2 * total))
            if look(estimate, stop, stack / PLAIN.big_blind).decision:
                alarms += 1
                break
    return alarms / contests


def report(names: str, contests: Sequence[Contest], stack: int = STACK) -> bool:
    """Print what came of the contests of two bots; return whether all is honest."""
    # Chance alone moves a coverage by so much, four standard errors with few contests.
    slack = max(0.015, 4 * (0.05 * 0.95 / len(contests)) ** 0.5)
    equal = len(set(names.split())) == 1
    every = [contest.rates[DUPLICATE, ADJUSTED].rate for contest in contests]
    truth = 0.0 if equal else float(np.mean(every))
    print(f"{names}: the truth is {100 * truth:+.2f} bb/100", flush=True)
    honest = True
    for how, kind in contests[0].rates:
        rates = [contest.rates[how, kind] for contest in contests]
        share, half = covered(rates, truth), np.mean([100 * (one.ci95 or 0) for one in rates])
        honest &= abs(share - 0.95) <= slack
        print(f"  {how}, {kind}: ± {half:.0f} bb/100, {share:.1%} cover it", flush=True)
    for kind in (RAW, ADJUSTED) if equal else ():
        values = np.concatenate([contest.values[kind] for contest in contests])
        alarms = false_alarms(values, len(contests), stack)
        honest &= alarms <= 0.05 + (slack if len(contests) < 2000 else 0.0)
        print(f"  looked at again and again, {kind}: {alarms:.1%} false alarms", flush=True)
    return honest


def main() -> None:
    """Exit with 1 if an estimate is not honest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contests", type=int, default=2000)
    parser.add_argument("--sets", type=int, default=SETS, help="in one contest")
    parser.add_argument("--stack", type=int, default=STACK, help="in chips, with blinds of 50/100")
    parser.add_argument("--bots", nargs="+", default=BOTS, help='such as "even even"')
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    honest = True
    for names in options.bots:
        contests = contests_of(
            names, options.contests, options.workers, options.sets, options.stack
        )
        honest &= report(names, contests, options.stack)
    sys.exit(not honest)


if __name__ == "__main__":
    main()
