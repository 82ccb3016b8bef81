"""The bots of the demo: house bots slowed down so that people can follow them."""

import random
import time

from croupier.bots import Bot, Nash, RuleAgent
from croupier.deals import Stream
from croupier.rules.decisions import Decision
from croupier.rules.view import View
from croupier.seeds import fresh_seed

MOMENT = (0.3, 1.2)
"""The shortest and longest time to think, in seconds."""


class Holdem(Bot):
    """Play like `RuleAgent`, after a short delay."""

    def __init__(self) -> None:
        self._bot = RuleAgent()

    def decide(self, view: View) -> Decision:
        time.sleep(random.uniform(*MOMENT))
        return self._bot.decide(view)


class Kuhn(Bot):
    """Play the equilibrium of Kuhn poker, after a short delay."""

    def __init__(self) -> None:
        self._bot = Nash(Stream(fresh_seed(), "demo"))

    def decide(self, view: View) -> Decision:
        time.sleep(random.uniform(*MOMENT))
        return self._bot.decide(view)
