"""Check that intervals are honest: independent contests between equals, and between unequals.

A contest is 100 sets, or 200 single hands, of stochastic bots with a fixed seed. Between equals the
truth is 0; between unequals it is the mean over all contests. Each of the four estimates (raw and
without luck, single hands and sets) has to cover it in 93.5 to 96.5 % of 2,000 contests.
"""

import argparse
import sys
from collections.abc import Sequence

from bench.luck.bots import BorderBot
from bench.luck.dealing import units_of
from croupier.contest.coefficients import frozen
from croupier.contest.estimates import Estimates, Share
from croupier.contest.plan import DUPLICATE, SINGLE
from croupier.rules.sets import PLAIN
from croupier.stats import RateEstimate

UNITS = {SINGLE: 200, DUPLICATE: 100}
"""In one contest."""


def covered(contests: Sequence[RateEstimate], truth: float) -> float:
    """Return the share of contests whose interval has the truth in it."""
    hits = [abs(one.rate - truth) <= (one.ci95 or 0.0) for one in contests]
    return sum(hits) / len(hits)


def estimates(units: Sequence[Sequence[Share]], deals: str) -> list[Estimates]:
    """Return the estimates of each contest."""
    size, found = UNITS[deals], []
    for start in range(0, len(units), size):
        one = Estimates(2, frozen(PLAIN.game, deals, 2))
        for unit in units[start : start + size]:
            one.add(unit)
        found.append(one)
    return found


def main() -> None:
    """Print the coverage of each estimate; exit with 1 if one is not honest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contests", type=int, default=2000)
    options = parser.parse_args()
    # Chance alone moves a coverage by so much, four standard errors with few contests.
    slack = max(0.015, 4 * (0.05 * 0.95 / options.contests) ** 0.5)
    honest = True
    for names, equal in ((("even", "even"), True), (("even", "bold"), False)):
        for deals in (SINGLE, DUPLICATE):
            many = options.contests * UNITS[deals]
            twins = 1 if deals == SINGLE else 2
            contests = estimates(
                units_of(names, BorderBot, PLAIN, many, f"soak {deals}", twins), deals
            )
            for kind in ("raw", "adjusted"):
                rates: list[RateEstimate] = [getattr(one, kind)[0] for one in contests]
                truth = 0.0 if equal else sum(one.rate for one in rates) / len(rates)
                share = covered(rates, truth)
                honest &= abs(share - 0.95) <= slack
                print(f"{' '.join(names)}, {deals}, {kind}: {share:.1%} cover", flush=True)
    sys.exit(not honest)


if __name__ == "__main__":
    main()
