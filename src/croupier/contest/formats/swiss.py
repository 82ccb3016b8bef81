"""Swiss: a few rounds in which each team meets others that stand about where it stands."""

from collections import Counter
from collections.abc import Mapping, Sequence

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
        over = True
        for number in range(1, rounds_of(field) + 1):
            teams = field.in_round(number)
            if not over or len(teams) < 2:
                break
            tables, resting = _round(field, number, teams, fixtures, rests)
            if resting is not None:
                rests[resting] += 1
            seed = {team: place for place, team in enumerate(field.teams)}
            new = [
                Fixture(
                    f"r{number}.{table}",
                    number,
                    tuple(sorted(players, key=seed.__getitem__)),
                    field.stage.sets,
                )
                for table, players in enumerate(tables, 1)
            ]
            fixtures += new
            over = all(map(field.is_settled, new))
        return Schedule(tuple(fixtures), over, rests + walkovers(field, fixtures))


def rounds_of(field: Field) -> int:
    """Return how many rounds are played: by default as many as a knockout would need."""
    return field.stage.rounds or max(1, (len(field.teams) - 1).bit_length())


def _round(
    field: Field,
    number: int,
    teams: Sequence[str],
    past: Sequence[Fixture],
    rests: Mapping[str, int],
) -> tuple[Sequence[Sequence[str]], str | None]:
    """Return the tables of a round, and who rests, from what was decided before it."""
    seats = field.stage.seats
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
