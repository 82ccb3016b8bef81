"""A second reading of a record: rates of Kuhn poker without luck, from its JSON lines and numpy.

It shares no code with the program, and fits weights to all hands so far where that adds up sums. In
hold'em boards are sampled before the flop (`holdem_luck` reads what is not); in Kuhn poker nothing
is, so both have to agree to rounding error.
"""

import json
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

JACK = 9
"""The first of the three ranks; four cards of a deck of 52 have the same."""

RIDGE, TRUST, LEAST_DOUBT, PROOF, EVERY = 200, 20, 0.1, 2, 8

Numbers = NDArray[np.float64]


def hands_of(lines: Iterable[str]) -> list[tuple[list[int], Numbers, list[int]]]:
    """Return the players by seat, what they won in big blinds, and the ranks of their cards."""
    hands = []
    players: list[int] = []
    stacks = np.zeros(2)
    big_blind = 1
    ranks: dict[int, int] = {}
    for line in map(json.loads, lines):
        kind = line.get("event")
        if kind == "HandStarted":
            players, big_blind = line["players"], line["big_blind"]
            stacks, ranks = np.array(line["stacks"], float), {}
        elif kind == "HoleDealt":
            ranks[line["seat"]] = line["cards"][0] // 4
        elif kind == "HandEnded":
            won = (np.array(line["stacks"], float) - stacks) / big_blind
            hands.append((players, won, [ranks[seat] for seat in range(len(players))]))
    return hands


def series_of(lines: Iterable[str], player: int) -> tuple[Numbers, Numbers]:
    """Return what a player won in each hand, and its luck in each: four terms."""
    won, luck = [], []
    for players, results, ranks in hands_of(lines):
        seat = players.index(player)
        strengths = np.array([(rank - JACK) / 2 for rank in ranks])
        best = strengths == strengths.max()
        share = len(ranks) * best - 1.0
        powers = (strengths**p - (strengths**p).mean() for p in (1, 4))
        terms = (share, share * min(strengths) ** 4, *powers)
        won.append(results[seat])
        luck.append([term[seat] for term in terms])
    return np.array(won), np.array(luck)


def without_luck(won: Numbers, luck: Numbers, frozen: Sequence[float]) -> Numbers:
    """Return what was won in each hand less its luck, with weights from the hands before it.

    There are coefficients of one style only.
    """
    start = np.array(frozen)
    weights, scale = start, 0.0
    left = np.zeros(len(won))
    predicted = np.zeros(len(won))
    for now in range(len(won)):
        predicted[now] = luck[now] @ weights
        left[now] = won[now] - scale * predicted[now]
        seen = now + 1
        if seen % EVERY:
            continue
        z, x, p = luck[:seen], won[:seen] - won[:seen].mean(), predicted[:seen]
        doubt = (0.5 * abs(start) + LEAST_DOUBT) ** 2
        missed = ((won[:seen] - p) ** 2).mean()
        ridge = RIDGE * (z * z).mean(axis=0) + missed / doubt
        weights = np.linalg.solve(z.T @ z + np.diag(ridge), z.T @ x + ridge * start)
        gained = (x @ x) - ((x - p) @ (x - p))
        scatter = ((won[:seen] ** 2).sum() - max(gained, 0.0)) / seen
        likely = 1 / (1 + np.exp(PROOF - gained / (2 * scatter)))
        prior = TRUST * (p * p).mean()
        scale = likely * float(np.clip((p @ x + prior) / (p @ p + prior), 0, 1))
    return left
