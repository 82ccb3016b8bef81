"""Deals of a pairing, in all rotations of the seats, with the luck of each seat."""

from collections.abc import Callable, Sequence
from multiprocessing import Pool

from croupier.bots.bot import Bot
from croupier.contest.estimates import Share, summed
from croupier.deals import Stream, seed_from_text, series_seed
from croupier.play_sets import BlockTask, play_twins
from croupier.rules.rules import Rules

MakeBot = Callable[[str, Stream], Bot]

BLOCK = 100


def units_of(
    names: Sequence[str], make: MakeBot, rules: Rules, deals: int, seed: str, twins: int = 0
) -> list[list[Share]]:
    """Return, by deal, what each player made of all its rotations together.

    With 1 twin, there is one hand for each deal.
    """
    played = twins_of(names, make, rules, deals, seed, twins or len(names))
    return [[summed(shares) for shares in zip(*matches, strict=True)] for matches in played]


def twins_of(
    names: Sequence[str],
    make: MakeBot,
    rules: Rules,
    deals: int,
    seed: str,
    twins: int,
    workers: int | None = None,
) -> list[list[list[Share]]]:
    """Return, by deal and match, what each player made of it."""
    tasks = [
        (tuple(names), make, rules, series_seed(seed_from_text(seed), block), twins)
        for block in range((deals + BLOCK - 1) // BLOCK)
    ]
    with Pool(workers) as pool:
        parts = pool.map(_block, tasks, chunksize=1)
    return [unit for part in parts for unit in part][:deals]


def _block(task: tuple[tuple[str, ...], MakeBot, Rules, bytes, int]) -> list[list[list[Share]]]:
    names, make, rules, seed, twins = task
    block = BlockTask(rules, names, names, seed, BLOCK, twins, True)
    return play_twins(
        block,
        lambda chance, order: [make(names[bot], chance.bot(at)) for at, bot in enumerate(order)],
    )[1]
