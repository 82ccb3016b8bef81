"""A sound house bot: tight, aggressive and fast.

It considers three things: the strength of its cards against random ones on this board, how many
opponents it has to beat and how many act after it, and the price of a call relative to the pot. It
keeps no state and draws no random numbers, so the same view always gets the same decision.
"""

from croupier.bots.bot import Bot
from croupier.bots.odds import (
    chance_after_flop,
    chance_against,
    is_worth_a_call,
    opening_raise,
    relative_position,
)
from croupier.rules.decisions import CALL, FOLD, Decision, Options
from croupier.rules.view import View

# The strength against one random hand needed to open, in the first position and in the last.
OPEN_EARLY = 0.60
OPEN_LATE = 0.52
RERAISE = 0.66

VALUE = 0.62
STEAL = 0.45
RAISE_FOR_VALUE = 0.82


class RuleAgent(Bot):
    """Raise good hands, call at the right price, fold the rest."""

    def decide(self, view: View) -> Decision:
        options = view.options
        assert options is not None
        if view.street == 0:
            return self._before_flop(view, options)
        return self._after_flop(view, options)

    def _before_flop(self, view: View, options: Options) -> Decision:
        chance = view.strength
        raised = view.high > view.big_blind
        if not raised:
            late = relative_position(view)
            if chance >= OPEN_EARLY + (OPEN_LATE - OPEN_EARLY) * late:
                return view.raise_to(opening_raise(view))
        elif chance >= RERAISE:
            return view.raise_to(3 * view.high)
        return self._call_at_a_price(view, options, chance_against(chance, view.opponents))

    def _after_flop(self, view: View, options: Options) -> Decision:
        chance = chance_after_flop(view)
        if not options.owed:
            wanted = STEAL if relative_position(view) == 1 else VALUE
            return view.raise_to(view.pot * 2 // 3) if chance >= wanted else CALL
        if chance >= RAISE_FOR_VALUE:
            return view.raise_to(view.high + view.pot + options.call)
        return self._call_at_a_price(view, options, chance)

    def _call_at_a_price(self, view: View, options: Options, chance: float) -> Decision:
        return CALL if is_worth_a_call(view, options, chance) else FOLD
