"""Deals of a pairing, in all rotations of the seats, with the luck of each seat."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import Pool

from croupier.bots.bot import Bot
from croupier.contest.estimates import Share, summed
from croupier.deals import Stream, seed_from_text, series_seed
from croupier.play_sets import BlockTask, play_twins
from croupier.rules.rules import Rules

MakeBot = Callable[[str, Stream], Bot]

BLOCK = 100


@dataclass(frozen=True)
class Deals:
    """Some deals of a pairing; they can be sent to another process."""

    names: tuple[str, ...]
    make: MakeBot
    rules: Rules
    seed: bytes
    twins: int
    """How many matches have the same deals."""
    count: int = BLOCK

    def played(self) -> list[list[list[Share]]]:
        """Return, by deal and match, what each player made of it."""
        task = BlockTask(
            self.rules, self.names, self.names, self.seed, self.count, self.twins, True
        )
        return play_twins(
            task,
            lambda chance, order: [
                self.make(self.names[bot], chance.bot(at)) for at, bot in enumerate(order)
            ],
        )[1]


def units_of(
    names: Sequence[str], make: MakeBot, rules: Rules, deals: int, seed: str, twins: int = 0
) -> list[list[Share]]:
    """Return, by deal, what each player made of all its rotations together.

    With 1 twin, there is one hand for each deal.
    """
    played = twins_of(names, make, rules, deals, seed, twins or len(names))
    return [[summed(shares) for shares in zip(*matches, strict=True)] for matches in played]


def twins_of(
    names: Sequence[str], make: MakeBot, rules: Rules, deals: int, seed: str, twins: int
) -> list[list[list[Share]]]:
    """Return, by deal and match, what each player made of it."""
    blocks = [
        Deals(tuple(names), make, rules, series_seed(seed_from_text(seed), block), twins)
        for block in range((deals + BLOCK - 1) // BLOCK)
    ]
    with Pool() as pool:
        parts = pool.map(Deals.played, blocks, chunksize=1)
    return [unit for part in parts for unit in part][:deals]
