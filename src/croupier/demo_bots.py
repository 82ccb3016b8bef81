"""The bots of the demo: as good as the house's, and slow enough to be watched."""

import random
import time

from croupier.bots import Bot, Nash, RuleAgent
from croupier.deals import Stream
from croupier.rules.decisions import Decision
from croupier.rules.view import View
from croupier.seeds import fresh_seed

MOMENT = (0.3, 1.2)
"""Seconds from and to."""


class Holdem(Bot):
    """Plays by simple rules, after a moment's thought."""

    def __init__(self) -> None:
        self._bot = RuleAgent()

    def decide(self, view: View) -> Decision:
        time.sleep(random.uniform(*MOMENT))
        return self._bot.decide(view)


class Kuhn(Bot):
    """Plays the equilibrium of Kuhn poker, after a moment's thought."""

    def __init__(self) -> None:
        self._bot = Nash(Stream(fresh_seed(), "demo"))

    def decide(self, view: View) -> Decision:
        time.sleep(random.uniform(*MOMENT))
        return self._bot.decide(view)
