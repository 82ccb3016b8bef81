"""The house bots, by name."""

from croupier.bots.bot import Bot, ask
from croupier.bots.kuhn import Nash
from croupier.bots.rule import RuleAgent
from croupier.bots.simple import AllinAgent, CallAgent, RandomAgent
from croupier.deals import Stream
from croupier.rules.rules import KUHN, Rules

HOUSE_BOTS: dict[str, type[Bot]] = {
    "RandomAgent": RandomAgent,
    "CallAgent": CallAgent,
    "AllinAgent": AllinAgent,
    "RuleAgent": RuleAgent,
}
"""Those that play any game."""

KUHN_BOTS: dict[str, type[Bot]] = {
    "nash": Nash,
    "random": RandomAgent,
    "call": CallAgent,
}
"""The house of Kuhn poker, by the names of its protocol; the first is the usual one."""


def bots_for(rules: Rules) -> tuple[str, ...]:
    """Return the names of the house bots that can play a game."""
    return (*KUHN_BOTS, *HOUSE_BOTS) if rules.game == KUHN else tuple(HOUSE_BOTS)


def house_bot(name: str, stream: Stream) -> Bot:
    """Return a house bot of a name; what chance it needs comes from the stream."""
    kind = (HOUSE_BOTS | KUHN_BOTS)[name]
    if kind is Nash:
        return Nash(stream)
    return RandomAgent(stream) if kind is RandomAgent else kind()


__all__ = [
    "HOUSE_BOTS",
    "KUHN_BOTS",
    "AllinAgent",
    "Bot",
    "CallAgent",
    "Nash",
    "RandomAgent",
    "RuleAgent",
    "ask",
    "bots_for",
    "house_bot",
]
