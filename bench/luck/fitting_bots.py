"""The bots on which the coefficients of luck are fitted. They take part in no test and no bench."""

from croupier.bots.bot import Bot
from croupier.bots.odds import at_stake, chance_after_flop
from croupier.deals import Stream
from croupier.rules.decisions import CALL, FOLD, Decision, Options
from croupier.rules.view import View

# entry: strength to play a hand · press: how often it bets a good one · bluff: how often a bad one
# · size: of a bet, in pots · doubt: how far its judgement scatters · hope: how much of the price it
# does not see when it considers a call
PARAMETERS: dict[str, tuple[float, float, float, float, float, float]] = {
    "solid": (0.52, 0.70, 0.08, 0.75, 0.05, 0.00),
    "wild": (0.42, 0.85, 0.22, 1.00, 0.08, 0.00),
    "shy": (0.56, 0.35, 0.02, 0.50, 0.04, 0.00),
    "sticky": (0.40, 0.30, 0.05, 0.60, 0.05, 0.00),
    "exact": (0.50, 1.00, 0.00, 0.75, 0.00, 0.00),
    "pushy": (0.48, 1.00, 0.12, 1.30, 0.02, 0.00),
    "meek": (0.54, 0.10, 0.01, 0.50, 0.04, 0.03),
    "loyal": (0.34, 0.04, 0.02, 0.60, 0.05, 0.30),
}


class FittingBot(Bot):
    """Weigh the strength of a hand, with some doubt, against the price."""

    def __init__(self, name: str, stream: Stream) -> None:
        self._entry, self._press, self._bluff, self._size, self._doubt, self._hope = PARAMETERS[
            name
        ]
        self._below = stream.below

    def decide(self, view: View) -> Decision:
        options = view.options
        assert options is not None
        if view.street == 0:
            return self._before_flop(view, options)
        chance = chance_after_flop(view) + self._error()
        if not options.owed:
            bets = chance > 0.55 and self._does(self._press)
            return self._bet(view) if bets or self._does(self._bluff) else CALL
        need = view.pot_odds + 0.12 * at_stake(view, options) + 0.03
        if chance > need + 0.25 and self._does(self._press):
            return self._bet(view)
        return CALL if chance + self._hope > need else FOLD

    def _before_flop(self, view: View, options: Options) -> Decision:
        chance = view.strength + self._error() - 0.01 * (view.opponents - 1)
        need = self._entry
        if view.high > view.big_blind:
            need += 0.06 + 0.15 * at_stake(view, options)
        if chance > need + 0.08 and self._does(self._press):
            return self._bet(view)
        return CALL if chance + self._hope > need or not options.owed else FOLD

    def _bet(self, view: View) -> Decision:
        assert view.options is not None
        return view.raise_to(view.high + int((view.pot + view.options.call) * self._size))

    def _error(self) -> float:
        return self._doubt * (self._below(256) + self._below(256) - 255) / 128

    def _does(self, often: float) -> bool:
        return self._below(256) < 256 * often
