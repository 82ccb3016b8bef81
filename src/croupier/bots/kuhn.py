"""The house bot of Kuhn poker that cannot be beaten in the long run.

Kuhn's game has a whole family of equilibria, with one free number alpha for whoever starts. The
bot plays one of them to the letter: all its chances are fractions, drawn exactly. Against it, the
best that anyone can do is to lose 1/18 of a coin per hand when starting and to win as much as
dealer.
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
"""The largest number of equal chances that a stream draws from."""

_NEVER = Fraction(0)
_ALWAYS = Fraction(1)
_THIRD = Fraction(1, 3)

# What has happened before each of the four questions that a hand can ask.
OPENING = ()
CHECKED_TO = (CHECKED,)
BET_INTO = (BET,)
BET_AFTER_CHECK = (CHECKED, BET)


def bet_probability(card: str, history: Sequence[str], alpha: Fraction) -> Fraction:
    """Return the chance with which a coin is put in, by a bet or a call.

    `card` is J, Q or K; `history` is what was done before in the hand, as the events name it.
    """
    chances = {
        OPENING: (alpha, _NEVER, 3 * alpha),
        CHECKED_TO: (_THIRD, _NEVER, _ALWAYS),
        BET_INTO: (_NEVER, _THIRD, _ALWAYS),
        BET_AFTER_CHECK: (_NEVER, alpha + _THIRD, _ALWAYS),
    }
    return chances[tuple(history)]["JQK".index(card)]


class Nash(Bot):
    """Plays the equilibrium of both roles."""

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
            # Without a coin left there is no call to pay for, and the game is not Kuhn's any more.
            return CALL
        # A bet is a bet, by whatever verb it was made.
        history = [CHECKED if acted.action == CHECKED else BET for _, acted in view.history]
        chance = bet_probability(letter(view.hole[0]), history, self._alpha)
        if self._below(chance.denominator) >= chance.numerator:
            return FOLD if options.owed else CALL
        return CALL if options.owed else view.max_raise
