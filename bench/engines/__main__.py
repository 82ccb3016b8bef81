"""Print the peers' rates: ``python -m bench.engines [seconds-per-row]``."""

import random
import sys
from time import process_time

from . import engines
from .peer_rankings import RANKINGS, UNAVAILABLE, agree, rankings

PLAYERS = (2, 6, 9)


def main() -> None:
    """Audit each engine briefly, then time it; then the rankings."""
    budget = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    for engine in engines():
        for players in PLAYERS:
            reason = engine.available(players)
            if reason is not None:
                print(f"{engine.name}, {players} players: {reason}")
                continue
            assert engine.audit(players, 50, 7) == engine.play(players, 50, 7)
            hands = decisions = 0
            spent = 0.0
            chunk = 20
            while spent < budget:
                started = process_time()
                decisions += engine.play(players, chunk, hands)
                spent += process_time() - started
                hands += chunk
                chunk = min(2 * chunk, 10_000)
            print(
                f"{engine.name}, {players} players: {hands / spent:.0f} hands/s,"
                f" {decisions / spent:.0f} actions/s, {decisions / hands:.3f} actions/hand"
                f" ({hands} hands)"
            )
    rng = random.Random(1)
    cards = [tuple(rng.sample(range(52), 7)) for _ in range(20_000)]
    agree(cards)
    best = {ranking.name: 0.0 for ranking in RANKINGS}
    for _ in range(3):
        for name, rate in rankings(cards).items():
            best[name] = max(best[name], rate)
    for name, rate in best.items():
        print(f"{name}: {rate:.0f} rankings/s")
    for name, reason in UNAVAILABLE.items():
        print(f"{name}: {reason}")


if __name__ == "__main__":
    main()
