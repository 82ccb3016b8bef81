"""Any number of hands against the oracles: the naive reference and PokerKit.

    python soak/oracle.py [--hands N] [--seed S] [--jobs J]

Ends with 0 if every difference is a documented exception, and with 1 otherwise, after telling the
hands that differ. The same seed and number of hands give the same result with any number of jobs.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.oracle import differential
from tests.oracle.differential import EXCEPTIONS, Report

BATCH = 250
SHOWN = 10
"""How many differing hands are told in full."""


def main() -> int:
    """Play the hands in batches and print what came of them."""
    parser = argparse.ArgumentParser(description="Hands against the oracles.")
    parser.add_argument("--hands", type=int, default=20_000, help="how many (default: 20000)")
    parser.add_argument("--seed", default="soak", help="the seed of all chance (default: soak)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    arguments = parser.parse_args()
    total = Report()
    began = time.monotonic()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        batches = [
            pool.submit(
                differential.run, arguments.seed, min(BATCH, arguments.hands - first), first=first
            )
            for first in range(0, arguments.hands, BATCH)
        ]
        for batch in as_completed(batches):
            total.add(batch.result())
            rate = total.hands / (time.monotonic() - began)
            print(
                f"\r{total.hands:,} of {arguments.hands:,} hands, {total.decisions:,} decisions,"
                f" {rate:,.0f} hands/s, {len(total.differences):,} differences",
                end="",
                flush=True,
            )
    print()
    for name in EXCEPTIONS:
        count = total.exceptions[name]
        print(f"  {name}: {count:,} hands ({count / max(total.hands, 1):.2%})")
    for difference in total.differences[:SHOWN]:
        print(difference)
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
