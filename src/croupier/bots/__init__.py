"""The house bots, by name."""

from collections.abc import Callable
from functools import partial

from croupier.bots.bot import Bot, ask
from croupier.bots.kuhn import Nash
from croupier.bots.rule import RuleAgent
from croupier.bots.simple import AllinAgent, CallAgent, RandomAgent
from croupier.bots.style import STYLES, StyleAgent
from croupier.deals import Stream
from croupier.rules.rules import KUHN, Rules

Maker = Callable[[Stream], Bot]
"""Makes a bot whose random numbers come from the stream."""


def _without_chance(kind: type[Bot]) -> Maker:
    return lambda stream: kind()


HOUSE_BOTS: dict[str, Maker] = {
    "RandomAgent": RandomAgent,
    "CallAgent": _without_chance(CallAgent),
    "AllinAgent": _without_chance(AllinAgent),
    "RuleAgent": _without_chance(RuleAgent),
    **{name: partial(StyleAgent, name) for name in STYLES},
}
"""Bots that play any game."""

KUHN_BOTS: dict[str, Maker] = {
    "nash": Nash,
    "random": RandomAgent,
    "call": _without_chance(CallAgent),
}
"""Bots for Kuhn poker, by their names in its protocol; the first is the default."""


def bots_for(rules: Rules) -> tuple[str, ...]:
    """Return the names of the house bots that can play a game."""
    return (*KUHN_BOTS, *HOUSE_BOTS) if rules.game == KUHN else tuple(HOUSE_BOTS)


def house_bot(name: str, stream: Stream) -> Bot:
    """Make the house bot with this name."""
    return (HOUSE_BOTS | KUHN_BOTS)[name](stream)


__all__ = [
    "HOUSE_BOTS",
    "KUHN_BOTS",
    "AllinAgent",
    "Bot",
    "CallAgent",
    "Nash",
    "RandomAgent",
    "RuleAgent",
    "StyleAgent",
    "ask",
    "bots_for",
    "house_bot",
]
