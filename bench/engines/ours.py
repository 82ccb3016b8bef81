"""Croupier's own hands, stepped like the peers' and through bots and views."""

from croupier.bots.simple import RandomAgent
from croupier.cards import DECK
from croupier.deals import Stream, deal
from croupier.play import Player, play
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.hand import Hand
from croupier.rules.sets import PLAIN

from . import STACK

name = "Croupier"


def step(players: int, hands: int, seed: int) -> int:
    """Play hands on the state machine itself; return the number of decisions."""
    seed_bytes = seed.to_bytes(32, "big")
    below = Stream(seed_bytes, "policy").below
    stacks = [STACK] * players
    needed = PLAIN.cards_for(players)
    decisions = 0
    for number in range(1, hands + 1):
        hand = Hand(PLAIN, stacks, deal(seed_bytes, number, DECK, needed))
        act = hand.act
        while (options := hand.options) is not None:
            decisions += 1
            owed = 1 if options.owed else 0
            raises = (1 if options.min_to == options.max_to else 2) if options.max_to else 0
            choice = below(1 + raises + owed) - owed
            if choice == 0:
                act(CALL)
            elif choice < 0:
                act(FOLD)
            else:
                act(raise_to(options.min_to if choice == 1 else options.max_to))
    return decisions


class _Counting(RandomAgent):
    decisions = 0

    def decide(self, view):  # type: ignore[no-untyped-def]
        self.decisions += 1
        return super().decide(view)


def through_bots(players: int, hands: int, seed: int) -> int:
    """Play hands as `croupier play` does, with a view for every decision."""
    seed_bytes = seed.to_bytes(32, "big")
    bots = [_Counting(Stream(seed_bytes, f"bot {index}")) for index in range(players)]
    play(PLAIN, [Player(str(i), bot) for i, bot in enumerate(bots)], hands, seed_bytes)
    return sum(bot.decisions for bot in bots)
