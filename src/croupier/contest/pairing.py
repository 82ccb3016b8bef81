"""Who meets whom in a round: by the standing, and without meeting again where that is possible."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from croupier.contest.matching import Matching

Meetings = Mapping[tuple[str, str], int]
"""By two teams, in both orders, how often they have met."""


def meetings_of(tables: Sequence[Sequence[str]]) -> Meetings:
    """Return how often each two teams have met."""
    met: Counter[tuple[str, str]] = Counter()
    for teams in tables:
        for one, other in combinations(teams, 2):
            met[one, other] += 1
            met[other, one] += 1
    return met


def paired(
    order: Sequence[str], met: Meetings, may_rest: Sequence[str] = ()
) -> tuple[list[tuple[str, str]], str | None]:
    """Return pairs and, with an odd number of teams, who rests.

    From the top of the order, each team meets the next one below it, as long as the rest can then
    still be paired with as few repeated meetings as possible. A meeting is a repeated one if the
    two have met more often than the two that have met least. The first of `may_rest` that causes no
    additional repetition rests.
    """
    place = {team: number for number, team in enumerate(order)}
    again = _repeated(place, met)
    fresh = [
        [other for other in range(len(order)) if other != one and other not in again[one]]
        for one in range(len(order))
    ]
    matching = Matching(fresh)
    resting = None
    if len(order) % 2:
        spare = (team for team in may_rest if matching.take_spare(place[team]))
        resting = next(spare, None)
        if resting is None:
            resting = may_rest[0]
            matching.take(place[resting])
    unpaired = [number for number, team in enumerate(order) if team != resting]
    pairs = []
    while unpaired:
        one, below = unpaired[0], unpaired[1:]
        other = next(
            (
                other
                for other in below
                if other not in again[one] and matching.take_pair(one, other)
            ),
            -1,
        )
        if other < 0:  # it has met them all: the two of a repeated meeting are both spare
            below = sorted(below, key=lambda other: met.get((order[one], order[other]), 0))
            other = next(other for other in below if matching.take_spare(one, other))
        pairs.append((order[one], order[other]))
        unpaired = [number for number in unpaired if number not in (one, other)]
    return pairs, resting


def _repeated(place: Mapping[str, int], met: Meetings) -> list[set[int]]:
    """Return, by place, the places of those whom a team should not meet again."""
    times = {
        (place[one], place[other]): number
        for (one, other), number in met.items()
        if one in place and other in place
    }
    everyone_met = len(times) == len(place) * (len(place) - 1)
    least = min(times.values(), default=0) if everyone_met else 0
    again: list[set[int]] = [set() for _ in place]
    for (one, other), number in times.items():
        if number > least:
            again[one].add(other)
    return again


def table_sizes(teams: int, seats: int) -> list[int]:
    """Return the sizes of as few tables as possible, which differ by at most one."""
    tables = -(-teams // seats)
    size, larger = divmod(teams, tables)
    return [size + (number < larger) for number in range(tables)]


def seated(order: Sequence[str], seats: int, met: Meetings) -> list[tuple[str, ...]]:
    """Return tables: from the top of the order, each is filled with those who met its teams least.

    Among these, whoever is next in the order comes first.
    """
    rest = list(order)
    tables = []
    for size in table_sizes(len(order), seats):
        table = [rest.pop(0)]
        while len(table) < size:
            newest = table[-1]
            if len(table) == 1:
                repeated = dict.fromkeys(rest, 0)
            for team in rest:
                repeated[team] += met.get((newest, team), 0)
            choice = min(rest, key=repeated.__getitem__)
            rest.remove(choice)
            table.append(choice)
        tables.append(tuple(table))
    return tables
