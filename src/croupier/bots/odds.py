"""What house bots that think have in common: their chances, and what a call may cost."""

from croupier.ranking import outs
from croupier.rules.decisions import Options
from croupier.rules.view import View

# Who bets much rarely holds random cards: this much of the chance is given up for a whole stack.
CAUTION = 0.08


def against(chance: float, opponents: int) -> float:
    """Turn the chance against one opponent into that against all of them."""
    return float(chance**opponents) if opponents > 0 else 1.0


def chance_after_flop(view: View) -> float:
    """Return the chance to be ahead of all opponents, or to get there by a straight or a flush."""
    ahead = against(view.strength, view.opponents)
    cards_to_come = 5 - len(view.board)
    improve = outs(view.hole, view.board) * cards_to_come / 47 if cards_to_come else 0.0
    return ahead + (1 - ahead) * improve


def at_stake(view: View, options: Options) -> float:
    """Return which share of the own chips a call costs."""
    return options.call / (options.call + view.stack)


def is_worth_a_call(view: View, options: Options, chance: float) -> bool:
    """Tell whether a call, or a check, is cheap enough for the chance."""
    if not options.call:
        return True
    return chance - CAUTION * at_stake(view, options) > view.pot_odds


def lateness(view: View) -> float:
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


def opening(view: View) -> int:
    """Return the usual first raise before the flop: three big blinds, and one per caller."""
    limpers = sum(1 for bet in view.bets if bet >= view.big_blind) - 1
    return (3 + max(0, limpers)) * view.big_blind
