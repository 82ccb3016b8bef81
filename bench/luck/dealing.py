"""Deals of a pairing, in all rotations of the seats, with the luck of each seat."""

from collections.abc import Callable, Sequence
from multiprocessing import Pool

from croupier.bots.bot import Bot
from croupier.contest.estimates import Share
from croupier.deals import Stream, seed_from_text, series_seed
from croupier.play_sets import BlockTask, play_block
from croupier.rules.rules import Rules

MakeBot = Callable[[str, Stream], Bot]

BLOCK = 100


def units_of(
    names: Sequence[str], make: MakeBot, rules: Rules, deals: int, seed: str, twins: int = 0
) -> list[list[Share]]:
    """Return, by deal, what each player made of all its rotations together.

    With 1 twin, there is one hand for each deal.
    """
    tasks = [
        (tuple(names), make, rules, series_seed(seed_from_text(seed), block), twins or len(names))
        for block in range((deals + BLOCK - 1) // BLOCK)
    ]
    with Pool() as pool:
        parts = pool.map(_block, tasks, chunksize=1)
    return [unit for part in parts for unit in part][:deals]


def _block(task: tuple[tuple[str, ...], MakeBot, Rules, bytes, int]) -> list[list[Share]]:
    names, make, rules, seed, twins = task
    block = BlockTask(rules, names, names, seed, BLOCK, twins, True)
    return play_block(
        block,
        lambda chance, order: [make(names[bot], chance.bot(at)) for at, bot in enumerate(order)],
    ).units
