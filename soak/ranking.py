"""Rank all 133,784,560 seven-card hands and compare the count of each category with theory.

    python soak/ranking.py

Prints its progress and takes seconds to a minute.  Exits with 0 if every count is right, else
with 1.  Memory stays bounded: hands are made and ranked in blocks that share their first cards.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.ranking import BEST_RANK, CATEGORY_NAMES, category, rank_many

EXPECTED = {
    "high card": 23_294_460,
    "pair": 58_627_800,
    "two pair": 31_433_400,
    "three of a kind": 6_461_620,
    "straight": 6_180_020,
    "flush": 4_047_644,
    "full house": 3_473_184,
    "four of a kind": 224_848,
    "straight flush": 41_584,
}


def blocks() -> Iterator[NDArray[np.uint8]]:
    """Yield every seven-card hand once, in blocks with the first three cards in common."""
    tails = np.array(list(combinations(range(52), 4)), np.uint8)
    starts = np.searchsorted(tails[:, 0], np.arange(53))  # where first card >= i begins
    for head in combinations(range(48), 3):
        rest = tails[starts[head[2] + 1] :]
        block = np.empty((len(rest), 7), np.uint8)
        block[:, :3] = head
        block[:, 3:] = rest
        yield block


def count_ranks() -> NDArray[np.int64]:
    """Count the hands of each rank, and say now and then how far that has come."""
    total = comb(52, 7)
    counts = np.zeros(BEST_RANK + 1, np.int64)
    done = 0
    started = shown = time.monotonic()
    for block in blocks():
        counts += np.bincount(rank_many(block), minlength=BEST_RANK + 1)
        done += len(block)
        now = time.monotonic()
        if now - shown >= 2 or done == total:
            shown = now
            rate = done / (now - started) / 1e6
            print(f"{done:>11,} of {total:,} hands, {rate:.1f} million a second", flush=True)
    return counts


def main() -> int:
    """Compare the counts by category and return the exit code."""
    counts = count_ranks()
    found = dict.fromkeys(CATEGORY_NAMES, 0)
    for rank in range(1, BEST_RANK + 1):
        found[CATEGORY_NAMES[category(rank)]] += int(counts[rank])
    for name in CATEGORY_NAMES:
        verdict = "ok" if found[name] == EXPECTED[name] else f"WRONG, not {EXPECTED[name]:,}"
        print(f"{name:>15} {found[name]:>11,}  {verdict}")
    right = found == EXPECTED
    print("all seven-card hands are ranked right" if right else "the ranking is wrong")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
