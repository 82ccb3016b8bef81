"""`make bench`: a table on the screen and bench/results/core.json.

Everything is per CPU second of this process, in one run and in turns, so that a busy machine is
equally unkind to everyone: each row is the median of its rounds, and the ratio to the peer is what
counts. `python -m bench --seconds 0.5` is a quick look.
"""

import argparse
import json
import platform
import random
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from bench.engines import engines, ours, peer_rankings
from bench.figures import ratio, show
from croupier.build import compiled
from croupier.ranking import rank7, rank_many

PLAYERS = (2, 6, 9)
ROUNDS = 3
SINGLE = 20_000
LEAST_RANKING_S = 1.0
"""CPU seconds of ranking per round at least: less says nothing on a busy machine."""
BATCH = 1_000_000


def rate(run: Callable[[int], int], seconds: float) -> tuple[float, float]:
    """Return (units/s, steps per unit): run(n) does n units and returns its steps."""
    units = steps = 0
    spent = 0.0
    chunk = 8
    while spent < seconds:
        started = process_time()
        steps += run(chunk)
        spent += process_time() - started
        units += chunk
        chunk = min(2 * chunk, 5000)
    return units / spent, steps / units


def progress(text: str) -> None:
    """Show on a terminal what is being measured."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


Rounds = dict[str, list[float]]
"""By what was measured, its speed in each round."""


def engine_rows(seconds: float) -> tuple[list[dict[str, Any]], dict[int, Rounds]]:
    """Measure hands and actions per second for everyone; return rows, and the hands by players."""
    runners: list[tuple[str, Callable[[int, int, int], int], Callable[[int], str | None]]] = [
        ("Croupier, state machine", ours.step, lambda players: None),
        ("Croupier, bots and views", ours.through_bots, lambda players: None),
    ]
    runners += [(engine.name, engine.play, engine.available) for engine in engines()]
    rows = []
    speeds: dict[int, Rounds] = {}
    for players in PLAYERS:
        measured: dict[str, list[tuple[float, float]]] = {}
        for number in range(ROUNDS):
            for name, play, available in runners:
                if reason := available(players):
                    print(f"  {name}: {reason}", file=sys.stderr)
                    continue
                progress(f"{players} players, round {number + 1}: {name}")
                measured.setdefault(name, []).append(
                    rate(lambda hands: play(players, hands, number), seconds)  # noqa: B023
                )
        speeds[players] = {
            name: [hands for hands, _ in rounds] for name, rounds in measured.items()
        }
        for name, rounds in measured.items():
            hands = median(hands for hands, _ in rounds)
            actions = median(actions for _, actions in rounds)
            rows.append(
                {
                    "engine": name,
                    "players": players,
                    "hands_per_second": round(hands),
                    "actions_per_second": round(hands * actions),
                    "actions_per_hand": round(actions, 2),
                }
            )
    progress("")
    return rows, speeds


def _ranked(hand: tuple[int, ...]) -> int:
    """Rank a hand; the peers that take seven arguments have such a function around them, too."""
    return rank7(*hand)


def ranking_rounds(seconds: float) -> Rounds:
    """Measure 7-card rankings per second, one call at a time and in a batch."""
    rng = random.Random(1)
    cards = [tuple(rng.sample(range(52), 7)) for _ in range(SINGLE)]
    measured: Rounds = {}

    def rank_all(times: int) -> int:
        for _ in range(times):
            for hand in cards:
                _ranked(hand)
        return times

    for _ in range(ROUNDS):
        measured.setdefault("Croupier", []).append(rate(rank_all, seconds)[0] * SINGLE)
        for name, speed in peer_rankings.rankings(cards, seconds).items():
            measured.setdefault(name, []).append(speed)
    generator = np.random.default_rng(1)
    batch = generator.random((BATCH, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    for _ in range(ROUNDS):
        started = process_time()
        rank_many(batch)
        measured.setdefault("Croupier, batch", []).append(BATCH / (process_time() - started))
    return measured


def to_peers(what: str, measured: Rounds, ours_: str) -> list[dict[str, Any]]:
    """Return how many times as fast as each peer we are."""
    return [
        {"what": what, "to": name, **ratio(measured[ours_], speeds)}
        for name, speeds in measured.items()
        if not name.startswith("Croupier")
    ]


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds per row and round")
    parser.add_argument("--out", type=Path, default=Path("bench/results/core.json"))
    arguments = parser.parse_args()
    hands, speeds = engine_rows(arguments.seconds)
    ranked = ranking_rounds(max(arguments.seconds, LEAST_RANKING_S))
    rankings = [
        {"ranking": name, "per_second": round(median(rates))} for name, rates in ranked.items()
    ]
    ratios = [
        row
        for players, measured in speeds.items()
        for row in to_peers(f"{players} players, stepped", measured, "Croupier, state machine")
    ]
    ratios += to_peers("7-card ranking", ranked, "Croupier")
    print("Croupier is", "compiled" if compiled() else "pure Python")
    show("Hands, per CPU second (no-limit 50/100, 10,000 chips, random play)", hands)
    show("7-card rankings, per CPU second", rankings)
    show("Ratios (above 1: Croupier is faster)", ratios)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    machine = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "compiled": compiled(),
    }
    arguments.out.write_text(
        json.dumps(
            {"on": machine, "hands": hands, "rankings": rankings, "ratios": ratios}, indent=1
        )
    )
    print(f"\nwritten to {arguments.out}")


if __name__ == "__main__":
    main()
