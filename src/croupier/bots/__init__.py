"""The house bots, by name."""

from croupier.bots.bot import Bot
from croupier.bots.rule import RuleAgent
from croupier.bots.simple import AllinAgent, CallAgent, RandomAgent
from croupier.deals import Stream

HOUSE_BOTS: dict[str, type[Bot]] = {
    "RandomAgent": RandomAgent,
    "CallAgent": CallAgent,
    "AllinAgent": AllinAgent,
    "RuleAgent": RuleAgent,
}


def house_bot(name: str, stream: Stream) -> Bot:
    """Return a house bot of a name; what chance it needs comes from the stream."""
    kind = HOUSE_BOTS[name]
    return RandomAgent(stream) if kind is RandomAgent else kind()


__all__ = ["HOUSE_BOTS", "AllinAgent", "Bot", "CallAgent", "RandomAgent", "RuleAgent", "house_bot"]
