"""`python -m bench.luck.odd`: does taking luck out do harm where it has no say, or an odd one?

Bots that fold, call or are all in whatever comes, that draw lots, and some that play. Factors are
those of `bench.luck`, each the smallest among the players: luck alone, and duplicates with luck,
beside plain hands; and the latter beside duplicates alone. Below 1, luck would better have been
left in. Where a player wins the same in every unit, so it has to be without luck.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from bench.luck.dealing import twins_of
from bench.luck.fitting_bots import PARAMETERS, FittingBot
from croupier.bots import house_bot
from croupier.bots.bot import Bot
from croupier.contest.coefficients import frozen
from croupier.contest.estimates import Share, summed
from croupier.contest.guard import Guard
from croupier.contest.plan import DUPLICATE, SINGLE
from croupier.deals import Stream
from croupier.rules.decisions import CALL, FOLD, Decision
from croupier.rules.sets import PLAIN
from croupier.rules.view import View

PAIRINGS = (
    "RandomAgent fold", "AllinAgent fold", "fold CallAgent", "maniac fold", "RuleAgent fold",
    "RandomAgent CallAgent", "AllinAgent CallAgent", "minraise CallAgent", "maniac CallAgent",
    "LoosePassive CallAgent", "CallAgent CallAgent", "CallAgent loyal", "AllinAgent RandomAgent",
    "RandomAgent RandomAgent", "minraise RandomAgent", "maniac RandomAgent",
    "RuleAgent RandomAgent", "RuleAgent AllinAgent", "TightAggressive TightAggressive",
    "solid maniac", "exact meek", "wild pushy", "shy meek",
    "RandomAgent fold CallAgent", "AllinAgent RuleAgent CallAgent", "maniac fold RandomAgent",
    "RandomAgent RandomAgent RandomAgent", "solid AllinAgent maniac",
    "fold fold fold fold RandomAgent CallAgent",
    "CallAgent CallAgent CallAgent CallAgent CallAgent RuleAgent",
    "RandomAgent RandomAgent RandomAgent RandomAgent RandomAgent RandomAgent",
    "RandomAgent fold CallAgent AllinAgent RuleAgent minraise",
    "meek loyal solid CallAgent RandomAgent exact",
)  # fmt: skip


class _Fold(Bot):
    """Fold whenever chips are owed."""

    def decide(self, view: View) -> Decision:
        assert view.options is not None
        return FOLD if view.options.owed else CALL


class _MinRaise(Bot):
    """Raise by a big blind, whatever comes."""

    def decide(self, view: View) -> Decision:
        return view.raise_to(view.high + view.big_blind)


class _Maniac(Bot):
    """Be all in one time in eight, and otherwise call or fold by lot."""

    def __init__(self, stream: Stream) -> None:
        self._below = stream.below

    def decide(self, view: View) -> Decision:
        assert view.options is not None
        lot = self._below(256)
        if lot < 32:
            return view.max_raise
        return CALL if lot < 140 or not view.options.owed else FOLD


def make(name: str, stream: Stream) -> Bot:
    """Make a bot of these pairings."""
    if name == "fold":
        return _Fold()
    if name == "minraise":
        return _MinRaise()
    if name == "maniac":
        return _Maniac(stream)
    return FittingBot(name, stream) if name in PARAMETERS else house_bot(name, stream)


def factors(units: Sequence[Sequence[Share]], deals: str) -> tuple[str, str]:
    """Return the smallest factors beside plain hands, and beside the same units with their luck.

    Players whose results do not scatter at all have none.
    """
    beside_hands, beside_units = [], []
    for player in range(len(units[0])):
        guard = Guard(frozen(PLAIN.game, deals, len(units[0])))
        shares = [unit[player] for unit in units]
        won = np.array([share.won for share in shares])
        adjusted = np.array([_without_luck(guard, share) for share in shares])
        if np.ptp(won) > 0:
            hands = sum(share.hands for share in shares)
            plain = sum(share.squares for share in shares) / hands - (won.sum() / hands) ** 2
            beside_hands.append(float(plain * hands / len(units) / adjusted.var()))
            beside_units.append(float(won.var() / adjusted.var()))
        elif (won != adjusted).any():
            beside_units.append(0.0)
    return _least(beside_hands), _least(beside_units)


def _without_luck(guard: Guard, share: Share) -> float:
    assert share.terms is not None
    return guard.without_luck(share.won, share.terms, share.hands)


def _least(values: Sequence[float]) -> str:
    return f"{min(values):.3f}" if values else "level"


def main() -> None:
    """Print one line per pairing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1500, help="two thirds with more than two")
    options = parser.parse_args()
    print(f"{'pairing':<72} {'luck':>7} {'both':>7} {'beside duplicates':>17}")
    for pairing in PAIRINGS:
        names = pairing.split()
        deals = options.deals if len(names) == 2 else options.deals * 2 // 3
        played = twins_of(names, make, PLAIN, deals, "odd", len(names))
        sets = [[summed(shares) for shares in zip(*unit, strict=True)] for unit in played]
        luck, _ = factors([matches[0] for matches in played], SINGLE)
        both, beside = factors(sets, DUPLICATE)
        print(f"{pairing:<72} {luck:>7} {both:>7} {beside:>17}", flush=True)


if __name__ == "__main__":
    main()
