"""Tables of more than two at which all pairs meet equally often, as nearly as possible.

The tables are cyclic: teams are numbered from 0 to n - 1, and a base table is moved on by one,
modulo n, until it is back, which gives n tables. Two teams then meet as often as their difference
occurs among the differences at the base tables, so only these have to be counted, and everybody
plays equally often whatever the base tables are. These are found by hill climbing with a fixed
sequence of numbers in place of chance: the same teams get the same tables everywhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

EXTRA = 2
"""How many base tables more than the least are tried, if that makes the meetings more even."""
EFFORT = 1_000_000
"""How many differences a search looks at."""


@dataclass(frozen=True)
class Design:
    """Tables in rounds, in which everyone plays at most once, and how often two teams meet."""

    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    least: int
    most: int


@lru_cache(maxsize=64)
def design(teams: int, seats: int) -> Design:
    """Return tables of `seats` for a larger number of teams, such that all meet."""
    fewest = -(-(teams - 1) // (seats * (seats - 1)))
    found = []
    for number in range(fewest, fewest + EXTRA + 1):
        search = _Search(teams, seats, number)
        search.run()
        found.append(search)
        if search.best_spread <= 1 and search.least:
            break
    # Everyone should meet everyone; then evenness counts, then the number of tables.
    best = min(found, key=lambda search: (search.least == 0, search.best_spread))
    tables = [
        tuple(sorted((team + step) % teams for team in block))
        for step in range(teams)
        for block in best.best
    ]
    return Design(_rounds(tables), best.least, best.least + best.best_spread)


class _Search:
    """The search for base tables."""

    def __init__(self, teams: int, seats: int, number: int) -> None:
        self._teams = teams
        self._count = [0] * teams  # how often each difference occurs
        self._numbers = _numbers(teams)
        self._looked_at = 0
        self._blocks: list[list[int]] = []
        for _ in range(number):
            block = [0]
            while len(block) < seats:
                new = self._choice(block)
                self._add(block, new, 1)
                block.append(new)
            self._blocks.append(block)
        self.best: list[list[int]] = []
        self.best_spread = self.least = 0

    def run(self) -> None:
        """Improve the tables until all meet equally often but for one, or patience ends."""
        self._keep()
        while self._looked_at < EFFORT and not (self.best_spread <= 1 and self.least):
            block = self._blocks[next(self._numbers) % len(self._blocks)]
            place = 1 + next(self._numbers) % (len(block) - 1)
            old = block.pop(place)
            self._add(block, old, -1)
            new = self._choice(block, old)
            # A step that makes it worse is rarely taken: it leads out of a dead end.
            if self._cost(block, new) > self._cost(block, old) and next(self._numbers) % 20:
                new = old
            self._add(block, new, 1)
            block.insert(place, new)
            self._keep()

    def _keep(self) -> None:
        """Remember the tables if they are the best so far."""
        least = min(self._count[1:])
        spread = max(self._count[1:]) - least
        if not self.best or (least == 0, spread) < (self.least == 0, self.best_spread):
            self.best = [block.copy() for block in self._blocks]
            self.best_spread, self.least = spread, least

    def _choice(self, block: Sequence[int], other_than: int = -1) -> int:
        """Return the team whose differences to those at a table occur most rarely."""
        self._looked_at += self._teams * len(block)
        start = next(self._numbers) % self._teams
        taken = {*block, other_than}
        free = (team for team in (*range(start, self._teams), *range(start)) if team not in taken)
        return min(free, key=lambda team: self._cost(block, team), default=other_than)

    def _cost(self, block: Sequence[int], team: int) -> int:
        # A negative difference counts from the end of the list, which is just what modulo means.
        return sum([self._count[team - other] for other in block])

    def _add(self, block: Sequence[int], team: int, times: int) -> None:
        for other in block:
            self._count[team - other] += times
            self._count[other - team] += times


def _numbers(start: int) -> Iterator[int]:
    """Return numbers without any evident order, always the same ones."""
    state = start
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def _rounds(tables: Sequence[tuple[int, ...]]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Put each table into the first round in which all its teams are free."""
    rounds: list[list[tuple[int, ...]]] = []
    busy: list[int] = []
    for table in tables:
        players = sum(1 << team for team in table)
        number = next((n for n, taken in enumerate(busy) if not taken & players), len(rounds))
        if number == len(rounds):
            rounds.append([])
            busy.append(0)
        rounds[number].append(table)
        busy[number] |= players
    return tuple(tuple(tables) for tables in rounds)
