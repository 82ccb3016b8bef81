"""Bots of this machine in sets: the same deals in all rotations of the seats, on all cores.

A block is a set of short matches with fresh bots. Blocks have numbers, and everything about them
follows from the seed and their number; results are added in the order of these numbers, whoever
finished first. So the outcome is the same with any number of workers, and so is the block after
which playing stops.
"""

import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing import get_context
from time import perf_counter

from croupier.bot_files import load_bot
from croupier.bots import Bot, bots_for
from croupier.contest.deciding import looked
from croupier.contest.estimates import Estimates, Share, summed
from croupier.contest.stopping import Look, Stop
from croupier.deals import series_seed
from croupier.match.chance import SeededChance, chance_of
from croupier.play import Outcome, Player, Series
from croupier.rules.rules import CARRY, Rules

MATCH_HANDS = 100
"""The most hands of one match in a block."""

Maker = Callable[[SeededChance, Sequence[int]], Sequence[Bot]]
"""Makes fresh bots for a match, given which of them is which player."""


@dataclass(frozen=True, slots=True)
class BlockTask:
    """A block to play; it can be sent to another process."""

    rules: Rules
    names: tuple[str, ...]
    bots: tuple[str, ...]
    """As on the command line."""
    seed: bytes
    hands: int
    """Of each match."""
    twins: int
    """How many matches have the same deals: 1, or one for each rotation of the seats."""
    lucky: bool


@dataclass(slots=True)
class Block:
    """What came of a block; everything is by bot."""

    units: list[list[Share]]
    chips: list[int]
    faults: list[int]
    first_faults: list[str]
    matches_won: list[int]
    hands: int = 0


def play_block(task: BlockTask, maker: Maker | None = None) -> Block:
    """Play a block, and add up what each bot made of each unit."""
    block, units = play_twins(task, maker)
    block.units = [[summed(shares) for shares in zip(*unit, strict=True)] for unit in units]
    return block


def play_twins(
    task: BlockTask, maker: Maker | None = None
) -> tuple[Block, list[list[list[Share]]]]:
    """Play the matches of a block one after the other, each with fresh bots.

    In match k the first k bots have moved to the end, so each sits where another sat. Where stacks
    carry over, a match is a unit as a whole. The second result is, for each unit, what was made of
    its hands.
    """
    size = len(task.bots)
    known = bots_for(task.rules)
    units: list[list[list[Share]]] = [[] for _ in range(task.hands)]
    block = Block([], [0] * size, [0] * size, [""] * size, [0] * size)
    for twin in range(task.twins):
        chance = chance_of(task.seed, twin, task.hands, size)
        order = [(place + twin) % size for place in range(size)]
        # Before bots are loaded: some draw in their constructors.
        random.seed(chance.module_seed)
        if maker is not None:
            bots = maker(chance, order)
        else:
            bots = [
                load_bot(task.bots[bot], known, chance.bot(place))
                for place, bot in enumerate(order)
            ]
        players = [Player(task.names[bot], made) for bot, made in zip(order, bots, strict=True)]
        series = Series(task.rules, players, chance, task.hands, task.lucky)
        while series.play_hand():
            block.hands += 1
        series.close()
        for number, shares in enumerate(series.shares, 1):
            deal = 1 if series.carry else chance.deal_of(number)
            units[deal - 1].append([shares[order.index(bot)] for bot in range(size)])
        for bot, player in zip(order, players, strict=True):
            block.matches_won[bot] += player.matches_won
            block.chips[bot] += player.chips_won
            block.faults[bot] += player.faults
            block.first_faults[bot] = block.first_faults[bot] or player.first_fault
    carried = task.rules.stacks == CARRY
    return block, [unit for unit in units if unit and (carried or len(unit) == task.twins)]


@dataclass
class Course:
    """A comparison as far as it has come."""

    estimates: Estimates
    players: list[Player]
    hands: int = 0
    look: Look | None = None
    """What is known about the first bot, if it is asked when to stop."""
    seconds: float = 0.0
    interrupted: bool = False
    blocks: int = 0
    _began: float = field(default_factory=perf_counter)

    def add(self, block: Block, rules: Rules, stop: Stop | None) -> None:
        """Add the next block."""
        self.blocks += 1
        self.hands += block.hands
        for unit in block.units:
            self.estimates.add(unit)
        for number, player in enumerate(self.players):
            player.chips_won += block.chips[number]
            player.faults += block.faults[number]
            player.matches_won += block.matches_won[number]
            player.first_fault = player.first_fault or block.first_faults[number]
            player.bb_per_hand = self.estimates.raw[number]
        self.seconds = perf_counter() - self._began
        if stop is not None:
            self.look = looked(self.estimates, stop, rules)

    @property
    def outcome(self) -> Outcome:
        """The result as that of a series."""
        return Outcome(
            self.players, self.hands, self.blocks, self.seconds, self.interrupted, self.estimates
        )


def play_sets(
    tasks: Iterable[BlockTask],
    course: Course,
    hands: int,
    stop: Stop | None,
    workers: int = 1,
    progress: Callable[[Course], None] = lambda course: None,
    maker: Maker | None = None,
) -> Course:
    """Play blocks until one decides, or so many hands are played; Ctrl-C keeps what was played."""
    blocks = _played_here(tasks, maker) if workers == 1 else _played_elsewhere(tasks, workers)
    try:
        for task, block in blocks:
            course.add(block, task.rules, stop)
            progress(course)
            decided = course.look is not None and course.look.decision
            if decided or course.hands >= hands:
                break
    except KeyboardInterrupt:
        course.interrupted = True
    finally:
        blocks.close()
    return course


def _played_here(
    tasks: Iterable[BlockTask], maker: Maker | None
) -> Generator[tuple[BlockTask, Block], None, None]:
    for task in tasks:
        yield task, play_block(task, maker)


def _played_elsewhere(
    tasks: Iterable[BlockTask], workers: int
) -> Generator[tuple[BlockTask, Block], None, None]:
    """Play blocks in other processes, a few ahead; they come back in order."""
    todo = iter(tasks)
    pool = ProcessPoolExecutor(workers, get_context("spawn"))
    running: list[tuple[BlockTask, Future[Block]]] = []
    try:
        running += [(task, pool.submit(play_block, task)) for task in islice(todo, 2 * workers)]
        while running:
            task, future = running.pop(0)
            yield task, future.result()
            running += [(task, pool.submit(play_block, task)) for task in islice(todo, 1)]
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def blocks_of(
    rules: Rules,
    names: Sequence[str],
    bots: Sequence[str],
    seed: bytes,
    hands: int,
    duplicate: bool,
    lucky: bool,
) -> Iterator[BlockTask]:
    """Return the blocks of a comparison, for at most so many hands.

    Where stacks carry over a match ends when one player is left, and nobody knows how many there
    will be.
    """
    twins = len(bots) if duplicate else 1
    carried = rules.stacks == CARRY
    for number in count():
        each = hands if carried else min(MATCH_HANDS, hands // twins)
        if not each:
            return
        yield BlockTask(
            rules, tuple(names), tuple(bots), series_seed(seed, number), each, twins, lucky
        )
        hands -= 0 if carried else each * twins
