"""The three house bots without a strategy."""

from croupier.bots.bot import Bot
from croupier.deals import Stream
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.view import View


class RandomAgent(Bot):
    """Choose uniformly among fold (if chips are owed), call, smallest raise and largest raise.

    If the smallest raise is also the largest, it counts as one choice.
    """

    def __init__(self, stream: Stream) -> None:
        self._below = stream.below

    def decide(self, view: View) -> Decision:
        options = view.options
        assert options is not None
        owed = 1 if options.owed else 0
        raises = (1 if options.min_to == options.max_to else 2) if options.can_raise else 0
        choice = self._below(1 + raises + owed) - owed
        if choice == 0:
            return CALL
        if choice < 0:
            return FOLD
        return raise_to(options.min_to if choice == 1 else options.max_to)


class CallAgent(Bot):
    """Always check or call."""

    def decide(self, view: View) -> Decision:
        return CALL


class AllinAgent(Bot):
    """Always raise as much as possible."""

    def decide(self, view: View) -> Decision:
        return view.max_raise
