"""The house bot that plays soundly: tight, aggressive, and quick.

It knows three things: how its cards stand against random ones on this board, how many it has to
beat and who still acts behind it, and what a call costs compared with what it could win. It keeps
no memory and draws no random number, so the same view always gets the same answer.
"""

from croupier.bots.bot import Bot
from croupier.ranking import outs
from croupier.rules.decisions import CALL, FOLD, Decision, Options
from croupier.rules.view import View

# What a hand must be worth against one random hand to open, from the first seat and the last.
OPEN_EARLY = 0.60
OPEN_LATE = 0.52
RERAISE = 0.66

# Who bets much rarely holds random cards: this much of the chance is given up for a whole stack.
CAUTION = 0.08

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
            late = _lateness(view)
            if chance >= OPEN_EARLY + (OPEN_LATE - OPEN_EARLY) * late:
                limpers = sum(1 for bet in view.bets if bet >= view.big_blind) - 1
                return view.raise_to((3 + max(0, limpers)) * view.big_blind)
        elif chance >= RERAISE:
            return view.raise_to(3 * view.high)
        return self._call_at_a_price(view, options, _against(chance, view.opponents))

    def _after_flop(self, view: View, options: Options) -> Decision:
        ahead = _against(view.strength, view.opponents)
        cards_to_come = 5 - len(view.board)
        improve = outs(view.hole, view.board) * cards_to_come / 47 if cards_to_come else 0.0
        chance = ahead + (1 - ahead) * improve
        if not options.owed:
            wanted = STEAL if _lateness(view) == 1 else VALUE
            return view.raise_to(view.pot * 2 // 3) if chance >= wanted else CALL
        if chance >= RAISE_FOR_VALUE:
            return view.raise_to(view.high + view.pot + options.call)
        return self._call_at_a_price(view, options, chance)

    def _call_at_a_price(self, view: View, options: Options, chance: float) -> Decision:
        if not options.call:
            return CALL
        at_stake = options.call / (options.call + view.stack)
        return CALL if chance - CAUTION * at_stake > view.pot_odds else FOLD


def _against(chance: float, opponents: int) -> float:
    """Turn the chance against one opponent into that against all of them."""
    return float(chance**opponents) if opponents > 0 else 1.0


def _lateness(view: View) -> float:
    """Return 0 for the first seat that acts on this street and 1 for the last still in."""
    order = len(view.folded)
    first = 2 if view.street == 0 else 0
    behind = sum(
        1
        for step in range(1, order)
        if not view.folded[(view.seat + step) % order]
        and (view.seat + step - first) % order > (view.seat - first) % order
    )
    return 1 - behind / max(1, view.opponents)
