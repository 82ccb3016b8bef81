"""Round robin: everybody meets everybody."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from croupier.contest.designs import design
from croupier.contest.fixtures import Fixture
from croupier.contest.formats.base import Field, Format, Schedule, walkovers
from croupier.contest.plan import StagePlan


class RoundRobin(Format):
    """All pairs, or tables at which all pairs meet equally often, as nearly as possible."""

    name = "round-robin"
    about = "Everybody meets everybody: the fairest, for as many teams as the time allows."
    keys = ("times",)

    def schedule(self, field: Field) -> Schedule:
        """Return all fixtures; they depend on nothing but the teams."""
        fixtures, note = all_meet(field.teams, field.stage)
        return Schedule(fixtures, all(map(field.is_settled, fixtures)), byes(field, fixtures), note)


def all_meet(teams: Sequence[str], stage: StagePlan) -> tuple[tuple[Fixture, ...], str]:
    """Return the fixtures in which all teams meet, and in words how often they do."""
    return _all_meet(tuple(teams), stage.seats, stage.times, stage.sets)


def byes(field: Field, fixtures: Sequence[Fixture]) -> Counter[str]:
    """Return, by team, how many fixtures were not played because the others had withdrawn.

    Nothing is owed for those with a disqualified team: for nobody do these count.
    """
    lost = field.annulled if field.annuls else {}
    return walkovers(field, [f for f in fixtures if lost.keys().isdisjoint(f.teams)])


@lru_cache(maxsize=256)
def _all_meet(
    teams: tuple[str, ...], seats: int, times: int, sets: int
) -> tuple[tuple[Fixture, ...], str]:
    rounds: Sequence[Sequence[tuple[str, ...]]]
    least = most = 1
    if len(teams) <= seats:
        rounds = [[teams]] if len(teams) > 1 else []
    elif seats == 2:
        rounds = rounds_of_pairs(teams)
    else:
        cyclic = design(len(teams), seats)
        least, most = cyclic.least, cyclic.most
        rounds = [
            [tuple(teams[number] for number in table) for table in tables]
            for tables in cyclic.rounds
        ]
    fixtures = tuple(
        Fixture(f"r{number}.{table}", number, players, sets)
        for number, tables in enumerate([*rounds] * times, 1)
        for table, players in enumerate(tables, 1)
    )
    return fixtures, f"every two teams meet {_times(least * times, most * times)}"


def _times(least: int, most: int) -> str:
    """Return a range of numbers in words."""
    if least == most:
        return {1: "once", 2: "twice"}.get(most, f"{most} times")
    return f"{least} {'or' if most == least + 1 else 'to'} {most} times"


def rounds_of_pairs(teams: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return rounds in which everyone plays once, by the circle method.

    One team stays in its place and the others move round the circle; with an odd number, whoever
    sits opposite the empty place has a rest.
    """
    circle: list[str | None] = [*teams, *([None] if len(teams) % 2 else [])]
    half = len(circle) // 2
    order = {team: place for place, team in enumerate(teams)}
    rounds = []
    for _ in range(len(circle) - 1):
        pairs = [
            (one, other) if order[one] < order[other] else (other, one)
            for one, other in zip(circle[:half], reversed(circle[half:]), strict=True)
            if one is not None and other is not None
        ]
        rounds.append(pairs)
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds
