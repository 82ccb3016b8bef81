"""Swiss: a few rounds in which each team meets others that stand about where it stands."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from croupier.contest.fixtures import Fixture
from croupier.contest.formats.base import Field, Format, Schedule, walkovers
from croupier.contest.pairing import Meetings, meetings_of, paired, seated, table_sizes
from croupier.contest.plan import POINTS, StagePlan
from croupier.contest.standings import lines_of, ranked


class Swiss(Format):
    """Each round is paired by the standing when the one before is over."""

    name = "swiss"
    about = "Each round, teams of equal standing meet: finds the best of many in few rounds."
    keys = ("rounds",)
    score = POINTS

    def problems(self, stage: StagePlan, teams: Sequence[str] | None) -> list[tuple[str, str]]:
        """Add a negative number of rounds."""
        found = super().problems(stage, teams)
        if stage.rounds < 0:
            found.append(("rounds", f"must be 0 (as many as needed) or more, not {stage.rounds}"))
        return found

    def schedule(self, field: Field) -> Schedule:
        """Return the rounds that can be paired."""
        fixtures: list[Fixture] = []
        rests: Counter[str] = Counter()
        new: Sequence[Fixture] = ()
        memory = _memory_of(field)
        for number in range(1, rounds_of(field) + 1):
            if not all(map(field.is_settled, new)) or len(field.in_round(number)) < 2:
                break
            known = _known_before(field, number, new)
            if len(memory) < number or memory[number - 1].known != known:
                del memory[number - 1 :]
                memory.append(_Round(known, *_paired(field, number, fixtures, rests)))
            new = memory[number - 1].fixtures
            fixtures += new
            rests.update(memory[number - 1].resting)
        over = all(map(field.is_settled, new))
        return Schedule(tuple(fixtures), over, rests + walkovers(field, fixtures))


def rounds_of(field: Field) -> int:
    """Return how many rounds are played: by default as many as a knockout would need."""
    return field.stage.rounds or max(1, (len(field.teams) - 1).bit_length())


class _Round(NamedTuple):
    """A round as it was made."""

    known: tuple[object, ...]
    """What it was made from, in addition to the rounds before it."""
    fixtures: Sequence[Fixture]
    resting: Sequence[str]


_MEMORY: dict[tuple[str, ...], list[_Round]] = {}
"""The rounds of the last few fields, by their teams.

A schedule is asked for after every result, and rounds that are over stay as they were made: only
what they were made from is compared.
"""


def _memory_of(field: Field) -> list[_Round]:
    memory = _MEMORY.pop(field.teams, [])
    _MEMORY[field.teams] = memory
    if len(_MEMORY) > 4:
        del _MEMORY[next(iter(_MEMORY))]
    return memory


def _known_before(field: Field, number: int, last: Sequence[Fixture]) -> tuple[object, ...]:
    """Return what a round is made from, in addition to the rounds before it."""
    outcomes = [field.outcomes.get(fixture.name) for fixture in last]
    annulled = {team for team, since in field.annulled.items() if field.annuls and since <= number}
    return (
        field.stage,
        field.in_round(number),
        annulled,
        walkovers(field, last),
        [outcome and outcome.matches for outcome in outcomes],
    )


def _paired(
    field: Field, number: int, past: Sequence[Fixture], rests: Mapping[str, int]
) -> tuple[list[Fixture], list[str]]:
    """Return the fixtures of a round, and who rests."""
    tables, resting = _tables(field, number, past, rests)
    seed = {team: place for place, team in enumerate(field.teams)}
    fixtures = [
        Fixture(
            f"r{number}.{table}",
            number,
            tuple(sorted(players, key=seed.__getitem__)),
            field.stage.sets,
        )
        for table, players in enumerate(tables, 1)
    ]
    return fixtures, [] if resting is None else [resting]


def _tables(
    field: Field, number: int, past: Sequence[Fixture], rests: Mapping[str, int]
) -> tuple[Sequence[Sequence[str]], str | None]:
    """Return who meets in a round, and who rests, by the standing before it."""
    seats, teams = field.stage.seats, field.in_round(number)
    if number == 1:
        return _by_seeds(teams, seats)
    walked = walkovers(field, past)
    order = _standing(field, number, teams, past, Counter(rests) + walked)
    met: Meetings = meetings_of([fixture.teams for fixture in past])
    if seats > 2:
        return seated(order, seats, met), None
    fewest = min(rests.get(team, 0) for team in order)
    may_rest = [team for team in reversed(order) if rests.get(team, 0) == fewest]
    # Who had no opponent because it left has rested, too, as far as there is a choice.
    may_rest.sort(key=lambda team: walked[team])
    return paired(order, met, may_rest)


def _by_seeds(teams: Sequence[str], seats: int) -> tuple[Sequence[Sequence[str]], str | None]:
    """Return the tables of the first round: the upper half meets the lower half.

    With larger tables, each has one team of every part of the seeds.
    """
    resting = teams[-1] if seats == 2 and len(teams) % 2 else None
    playing = teams if resting is None else teams[:-1]
    tables = len(table_sizes(len(playing), seats))
    return [playing[first::tables] for first in range(tables)], resting


def _standing(
    field: Field,
    number: int,
    teams: Sequence[str],
    past: Sequence[Fixture],
    byes: Mapping[str, int],
) -> list[str]:
    """Return the teams of a round in the order of the standing before it."""
    stage = field.stage
    outcomes = [
        outcome
        for fixture in past
        if (outcome := field.outcomes.get(fixture.name)) and field.counts(outcome, number)
    ]
    lines = lines_of(stage, teams, outcomes, byes)
    return [line.team for line in ranked(stage.score, stage, lines, outcomes)]
