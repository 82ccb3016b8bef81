"""The interface of a bot: anything with `decide(view) -> decision`."""

import traceback

from croupier.rules.decisions import CALL, FOLD, Decision
from croupier.rules.view import View

ILLEGAL = "illegal decision"
"""How the description of a decision that the options do not allow begins."""


class Bot:
    """The base class of bots; a subclass only has to implement `decide`."""

    def decide(self, view: View) -> Decision:
        """Return a decision, given what the bot's own seat may know."""
        raise NotImplementedError(f"{type(self).__name__} has no decide(view)")


def cause_of_bot(fault: str) -> str:
    """Return the cause by which a bot's fault is counted."""
    return ILLEGAL if fault.startswith(ILLEGAL) else "exception"


def ask(bot: Bot, view: View) -> tuple[Decision, str]:
    """Return a bot's decision, or a check or fold in its place and what the bot did wrong.

    Only what `decide` raises or returns is blamed on the bot. Any other exception is an internal
    error and propagates to the caller.
    """
    options = view.options
    assert options is not None
    instead = FOLD if options.owed else CALL
    try:
        decision = bot.decide(view)
        if type(decision) is not Decision:
            raise TypeError(f"decide() returned {decision!r:.200}, which is no decision")
        if type(decision.kind) is not int or type(decision.verb) is not str:
            raise TypeError("decide() returned a decision that is none of fold, call and raise")
    except Exception:
        return instead, traceback.format_exc()
    fault = options.fault(decision)
    return (instead, f"{ILLEGAL}: {fault}") if fault else (decision, "")
