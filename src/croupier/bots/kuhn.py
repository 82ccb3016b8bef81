"""A house bot for Kuhn poker that cannot be beaten in the long run.

Kuhn poker has a family of equilibria with one free parameter, alpha, for the player who acts first.
The bot plays one of them exactly: all its probabilities are fractions, drawn without rounding. The
best possible opponent loses 1/18 of a coin per hand when acting first and wins as much as dealer.
"""

from collections.abc import Sequence
from fractions import Fraction

from croupier.bots.bot import Bot
from croupier.cards import letter
from croupier.deals import Stream
from croupier.rules.decisions import BET, CALL, FOLD, Decision
from croupier.rules.events import CHECKED
from croupier.rules.view import View

MAX_ALPHA = Fraction(1, 3)
DEFAULT_ALPHA = Fraction(1, 6)

_MAX_BOUND = 256
"""The largest bound that a stream can draw below."""

_NEVER = Fraction(0)
_ALWAYS = Fraction(1)
_THIRD = Fraction(1, 3)

# The actions before each of the four decisions that a hand can require.
OPENING = ()
CHECKED_TO = (CHECKED,)
BET_INTO = (BET,)
BET_AFTER_CHECK = (CHECKED, BET)


def bet_probability(card: str, history: Sequence[str], alpha: Fraction) -> Fraction:
    """Return the probability of putting in a coin, by a bet or a call.

    `card` is J, Q or K; `history` lists the earlier actions of the hand, as events name them.
    """
    chances = {
        OPENING: (alpha, _NEVER, 3 * alpha),
        CHECKED_TO: (_THIRD, _NEVER, _ALWAYS),
        BET_INTO: (_NEVER, _THIRD, _ALWAYS),
        BET_AFTER_CHECK: (_NEVER, alpha + _THIRD, _ALWAYS),
    }
    return chances[tuple(history)]["JQK".index(card)]


class Nash(Bot):
    """Play the equilibrium strategy in both roles."""

    def __init__(self, stream: Stream, alpha: Fraction = DEFAULT_ALPHA) -> None:
        if not 0 <= alpha <= MAX_ALPHA:
            raise ValueError(f"alpha is from 0 to 1/3, not {alpha}")
        if max(alpha.denominator, (alpha + _THIRD).denominator) > _MAX_BOUND:
            raise ValueError(f"alpha is a fraction of a smaller denominator than that of {alpha}")
        self._below = stream.below
        self._alpha = alpha

    def decide(self, view: View) -> Decision:
        options = view.options
        assert options is not None
        if options.owed and not options.call:
            # With no coin left a call is free, and no longer a decision of Kuhn poker.
            return CALL
        # The strategy treats every verb of a bet alike.
        history = [CHECKED if acted.action == CHECKED else BET for _, acted in view.history]
        chance = bet_probability(letter(view.hole[0]), history, self._alpha)
        if self._below(chance.denominator) >= chance.numerator:
            return FOLD if options.owed else CALL
        return CALL if options.owed else view.max_raise
