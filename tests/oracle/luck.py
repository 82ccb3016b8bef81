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

RIDGES, TRUST, LEAST_DOUBT, PROOF, CAUTION, EVERY, EARLY = (200, 50), 20, 0.1, 2, 2, 8, 64

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

    There are coefficients of one style only, whose weights move at two paces.
    """
    start = np.array(frozen)
    doubt = (0.5 * abs(start) + LEAST_DOUBT) ** 2
    weights = [start for _ in RIDGES]
    mixture = np.zeros(len(RIDGES))
    left = np.zeros(len(won))
    predicted = np.zeros((len(RIDGES), len(won)))
    for now in range(len(won)):
        predicted[:, now] = [luck[now] @ theta for theta in weights]
        left[now] = won[now] - mixture @ predicted[:, now]
        seen = now + 1
        z, x, p = luck[:seen], won[:seen] - won[:seen].mean(), predicted[:, :seen]
        if (seen < EARLY or seen % EVERY == 0) and x @ x > 1e-6:
            gained = np.array([x @ x - (x - row) @ (x - row) for row in p])
            rest = max(x @ x - max(*gained, 0.0), 0.0) / seen + CAUTION * (x @ x) / seen**2
            shown = np.array([*gained / (2 * rest), PROOF])
            chances = np.exp(shown - shown.max())
            prior = TRUST * (p * p).mean(axis=1)
            scale = np.clip((p @ x + prior) / ((p * p).sum(axis=1) + prior), 0, 1)
            mixture = chances[:-1] / chances.sum() * scale
        if seen % EVERY == 0:
            for pace, ridge in enumerate(RIDGES):
                missed = ((won[:seen] - p[pace]) ** 2).mean()
                pull = ridge * (z * z).mean(axis=0) + missed / doubt
                weights[pace] = np.linalg.solve(z.T @ z + np.diag(pull), z.T @ x + pull * start)
    return left
