"""Conversion of a client's actions into decisions.

The protocol has a command for every case, so nothing is corrected: a command that does not fit is
an error, which costs the hand and the connection.
"""

from croupier.dialects.base import PLAIN_CALL, PLAIN_FOLD, Answer
from croupier.dialects.kuhn import words
from croupier.dialects.kuhn.messages import Action, Wrong
from croupier.rules.decisions import BET, Options, raise_to

OUT_OF_TURN = Wrong(words.WRONG_ACTION, "it is not your turn")
"""The answer to an action out of turn."""

_FACING_A_BET = frozenset((words.CALL, words.FOLD))


def decide(action: Action, options: Options) -> Answer | Wrong:
    """Return the decision that an action means, given the client's options."""
    word = action.word
    if options.owed and word not in _FACING_A_BET:
        return Wrong(words.WRONG_ACTION, f"{word} facing a bet; CALL or FOLD")
    if not options.owed and word in _FACING_A_BET:
        return Wrong(words.WRONG_ACTION, f"{word} without a bet; CHCK or BET_")
    if word == words.FOLD:
        return PLAIN_FOLD
    if word != words.BET:
        return PLAIN_CALL
    if not options.max_to:
        return Wrong(words.NO_COINS, "no coin to bet")
    return Answer(raise_to(options.max_to, BET))
