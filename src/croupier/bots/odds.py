"""Estimates shared by the house bots: winning chances, position and the price of a call."""

from croupier import ranking
from croupier.rules.decisions import Options
from croupier.rules.rules import HOLDEM
from croupier.rules.view import View

# Large bets rarely come from random cards: discount the chance by this much for a whole stack.
CAUTION = 0.08


def chance_against(chance: float, opponents: int) -> float:
    """Turn the chance of beating one opponent into that of beating all of them."""
    return float(chance**opponents) if opponents > 0 else 1.0


def chance_after_flop(view: View) -> float:
    """Return the chance of being ahead of all opponents, or of drawing a straight or a flush."""
    ahead = chance_against(view.strength, view.opponents)
    cards_to_come = 5 - len(view.board)
    if view.rules.game != HOLDEM or not cards_to_come:
        return ahead
    improve = ranking.outs(view.hole, view.board) * cards_to_come / 47
    return ahead + (1 - ahead) * improve


def at_stake(view: View, options: Options) -> float:
    """Return the share of the player's own chips that a call costs."""
    return options.call / (options.call + view.stack)


def is_worth_a_call(view: View, options: Options, chance: float) -> bool:
    """Tell whether a call, or a check, is cheap enough for the chance."""
    if not options.call:
        return True
    return chance - CAUTION * at_stake(view, options) > view.pot_odds


def relative_position(view: View) -> float:
    """Return 0 for the first live seat to act on this street and 1 for the last."""
    order = len(view.folded)
    first = 2 if view.street == 0 else 0
    behind = sum(
        1
        for step in range(1, order)
        if not view.folded[(view.seat + step) % order]
        and (view.seat + step - first) % order > (view.seat - first) % order
    )
    return 1 - behind / max(1, view.opponents)


def opening_raise(view: View) -> int:
    """Return the usual first raise before the flop: three big blinds plus one per caller."""
    limpers = sum(1 for bet in view.bets if bet >= view.big_blind) - 1
    return (3 + max(0, limpers)) * view.big_blind
