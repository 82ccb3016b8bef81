"""Stochastic bots for the reference pairings; no coefficient was fitted on them.

They compare their chance with what a decision needs and mix where the two are close: a hand far
from the border is always played the same way, one on it half of the time.
"""

from math import exp

from croupier.bots.bot import Bot
from croupier.bots.odds import at_stake, chance_after_flop, chance_against, opening_raise
from croupier.deals import Stream
from croupier.rules.decisions import CALL, FOLD, Decision, Options
from croupier.rules.view import View

# open, raise, bet, call: what these take beyond an even chance or the price · width: of the border
STYLES: dict[str, tuple[float, float, float, float, float]] = {
    "even": (0.02, 0.22, 0.12, 0.02, 0.012),
    "bold": (-0.03, 0.16, 0.05, 0.00, 0.015),
    "calm": (0.05, 0.30, 0.20, 0.04, 0.012),
    "keen": (-0.06, 0.20, 0.10, -0.03, 0.018),
    "hazy": (0.02, 0.22, 0.12, 0.02, 0.080),
}


class BorderBot(Bot):
    """Play one of the styles."""

    def __init__(self, name: str, stream: Stream) -> None:
        self._open, self._raise, self._bet, self._call, self._width = STYLES[name]
        self._below = stream.below

    def decide(self, view: View) -> Decision:
        options = view.options
        assert options is not None
        if view.street == 0:
            return self._before_flop(view, options)
        chance = chance_after_flop(view)
        if not options.owed:
            if self._above(chance - 0.5 - self._bet):
                return view.raise_to(view.pot * 2 // 3)
            return CALL
        price = view.pot_odds + self._call + 0.1 * at_stake(view, options)
        if self._above(chance - price - 2 * self._raise):
            return view.raise_to(view.high + view.pot)
        return CALL if self._above(chance - price) else FOLD

    def _before_flop(self, view: View, options: Options) -> Decision:
        chance = view.strength
        if view.high <= view.big_blind:
            if self._above(chance - 0.5 - self._open - 0.01 * view.opponents):
                return view.raise_to(opening_raise(view))
            worth = chance_against(chance, view.opponents) - view.pot_odds
            return CALL if not options.call or self._above(worth - self._call) else FOLD
        if self._above(chance - 0.45 - self._raise - 0.1 * at_stake(view, options)):
            return view.raise_to(3 * view.high)
        price = view.pot_odds + self._call + 0.1 * at_stake(view, options)
        return CALL if self._above(chance_against(chance, view.opponents) - price) else FOLD

    def _above(self, margin: float) -> bool:
        """Return whether a margin is enough: surely, hardly ever, or sometimes near the border."""
        steep = max(-40.0, min(40.0, margin / self._width))
        return self._below(256) < 256 / (1 + exp(-steep))
