"""Four house bots in one class, as loose and as aggressive as their style says.

*Loose* or *tight* is how many hands a bot plays, *aggressive* or *passive* whether it bets and
raises them or checks and calls. It estimates its chances and the price of a call like RuleAgent;
where a style leaves a choice, the match's random stream decides.
"""

from dataclasses import dataclass

from croupier.bots.bot import Bot
from croupier.bots.odds import (
    at_stake,
    chance_after_flop,
    chance_against,
    is_worth_a_call,
    opening_raise,
)
from croupier.deals import Stream
from croupier.rules.decisions import CALL, FOLD, Decision, Options
from croupier.rules.view import View

PREMIUM = 0.66
"""The strength against one random hand at which a starting hand reraises."""

DANGER = 0.12
"""How much stronger a hand must be when a call costs the whole stack."""

CROWD = 0.008
"""How much stronger a starting hand must be for each opponent beyond the first."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a bot plays; chances are from 0 to 1, frequencies in parts of 256."""

    entry: float
    """The strength against one random hand at which a starting hand is played."""
    respect: float
    """How much stronger it must be after a raise."""
    hope: float
    """How much the bot overestimates its chances when it considers a call."""
    open: int
    """How often it raises a hand that it plays instead of calling."""
    press: int
    """How often it bets or raises a hand that qualifies."""
    value: float
    """The chance at which a hand qualifies for a bet."""
    strong: float
    """The chance at which a hand qualifies for a raise."""
    bluff: int
    """How often it bets a hand that does not qualify."""


STYLES = {
    "LooseAggressive": Style(0.42, 0.06, 0.03, 205, 240, 0.48, 0.72, 64),
    "LoosePassive": Style(0.42, 0.02, 0.05, 13, 64, 0.75, 0.92, 3),
    "TightAggressive": Style(0.55, 0.06, 0.00, 230, 240, 0.58, 0.78, 32),
    "TightPassive": Style(0.55, 0.05, 0.00, 26, 64, 0.78, 0.94, 0),
}


class StyleAgent(Bot):
    """Play one of the styles."""

    def __init__(self, name: str, stream: Stream) -> None:
        """`name` is one of STYLES."""
        self.name = name
        self._style = STYLES[name]
        self._below = stream.below

    def decide(self, view: View) -> Decision:
        options = view.options
        assert options is not None
        if view.street == 0:
            return self._before_flop(view, options)
        return self._after_flop(view, options)

    def _before_flop(self, view: View, options: Options) -> Decision:
        style, chance = self._style, view.strength
        raised = view.high > view.big_blind
        wanted = style.entry + CROWD * (view.opponents - 1) + (style.respect if raised else 0)
        if chance < wanted:
            return FOLD if options.call else CALL
        if raised:
            danger = DANGER * at_stake(view, options)
            if chance >= PREMIUM + danger and self._does(style.press):
                return view.raise_to(3 * view.high)
            return self._call_or_fold(view, options, chance_against(chance, view.opponents))
        return view.raise_to(opening_raise(view)) if self._does(style.open) else CALL

    def _after_flop(self, view: View, options: Options) -> Decision:
        style, chance = self._style, chance_after_flop(view)
        if not options.owed:
            often = style.press if chance >= style.value else style.bluff
            return view.raise_to(view.pot * 2 // 3) if self._does(often) else CALL
        danger = DANGER * at_stake(view, options)
        if chance >= style.strong + danger and self._does(style.press):
            return view.raise_to(view.high + view.pot + options.call)
        return self._call_or_fold(view, options, chance)

    def _call_or_fold(self, view: View, options: Options, chance: float) -> Decision:
        return CALL if is_worth_a_call(view, options, chance + self._style.hope) else FOLD

    def _does(self, often: int) -> bool:
        return self._below(256) < often
