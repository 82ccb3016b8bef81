"""The house bot that plays soundly: tight, aggressive, and quick.

It knows three things: how its cards stand against random ones on this board, how many it has to
beat and who still acts behind it, and what a call costs compared with what it could win. It keeps
no memory and draws no random number, so the same view always gets the same answer.
"""

from croupier.bots.bot import Bot
from croupier.bots.odds import against, chance_after_flop, is_worth_a_call, lateness, opening
from croupier.rules.decisions import CALL, FOLD, Decision, Options
from croupier.rules.view import View

# What a hand must be worth against one random hand to open, from the first seat and the last.
OPEN_EARLY = 0.60
OPEN_LATE = 0.52
RERAISE = 0.66

VALUE = 0.62
STEAL = 0.45
RAISE_FOR_VALUE = 0.82


class RuleAgent(Bot):
    """Raises good hands, calls at the right price, folds the rest."""

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
            late = lateness(view)
            if chance >= OPEN_EARLY + (OPEN_LATE - OPEN_EARLY) * late:
                return view.raise_to(opening(view))
        elif chance >= RERAISE:
            return view.raise_to(3 * view.high)
        return self._call_at_a_price(view, options, against(chance, view.opponents))

    def _after_flop(self, view: View, options: Options) -> Decision:
        chance = chance_after_flop(view)
        if not options.owed:
            wanted = STEAL if lateness(view) == 1 else VALUE
            return view.raise_to(view.pot * 2 // 3) if chance >= wanted else CALL
        if chance >= RAISE_FOR_VALUE:
            return view.raise_to(view.high + view.pot + options.call)
        return self._call_at_a_price(view, options, chance)

    def _call_at_a_price(self, view: View, options: Options, chance: float) -> Decision:
        return CALL if is_worth_a_call(view, options, chance) else FOLD
