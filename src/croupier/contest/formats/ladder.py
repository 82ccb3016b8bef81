"""Ladder: goes on until it is stopped, and teams may come at any time.

Whoever is free is matched with somebody of similar strength. Pairings depend on who finished when,
so each one is recorded as it is made, and the fixtures are those on record.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

from croupier.contest.fixtures import Fixture
from croupier.contest.formats.base import Field, Format, Schedule, counting
from croupier.contest.outcome import Outcome, summed_up
from croupier.contest.plan import StagePlan
from croupier.contest.ratings import CLASS, Game, Rating, RatingBook, ratings
from croupier.contest.standings import Line, lines_of

RECENT = 8
"""How many fixtures of a team count as recent: it should not meet the same ones all the time."""


class Ladder(Format):
    """Fixtures as they were assigned, and a standing by rating."""

    name = "ladder"
    about = "Goes on until it is stopped, ranked by rating; teams may come at any time."
    keys = ("matches",)
    ranks_by_score = False

    def problems(self, stage: StagePlan, teams: Sequence[str] | None) -> list[tuple[str, str]]:
        """Add a negative number of matches."""
        found = super().problems(stage, teams)
        if stage.matches < 0:
            found.append(("matches", f"must be 0 (until it is stopped) or more: {stage.matches}"))
        return found

    def schedule(self, field: Field) -> Schedule:
        """Return the fixtures on record."""
        over = all(map(field.is_settled, field.assigned))
        ends = field.stage.matches > 0 and (_missing(field) <= 0 or len(_active(field)) < 2)
        return Schedule(field.assigned, over and ends)

    def ordered_by(self, stage: StagePlan) -> str:
        """Return in words what a standing is ordered by."""
        return "rating: the strength that a team has almost certainly; a newcomer has 0"

    def score_counts(self, stage: StagePlan) -> str:
        """Return in words what the score of a line counts."""
        return "the strength that a team has almost certainly"

    def standing(self, field: Field, schedule: Schedule) -> list[Line]:
        """Return the standing by rating, with the strength of each team and its uncertainty."""
        teams = [team for team in field.teams if team not in field.annulled]
        known = team_ratings(field)
        lines = [
            replace(line, score=known[line.team].shown, strength=known[line.team])
            for line in lines_of(field.stage, teams, counting(field, schedule))
        ]
        lines.sort(key=lambda line: -line.score)
        first_with: dict[float, int] = {}
        return [
            replace(line, rank=first_with.setdefault(line.score, place))
            for place, line in enumerate(lines, 1)
        ]


def team_ratings(field: Field) -> dict[str, Rating]:
    """Return the ratings of all teams after the complete fixtures, in the order on record."""
    outcomes = (field.outcomes.get(fixture.name) for fixture in field.assigned)
    games = [
        game
        for outcome in outcomes
        if outcome is not None and outcome.complete and field.counts(outcome)
        for game in _games(outcome, field.stage)
    ]
    return ratings(field.teams, games)


def ratings_on_the_way(field: Field) -> Iterator[tuple[Fixture, dict[str, Rating]]]:
    """Return every fixture on record with the ratings after it, in one dict that changes."""
    book = RatingBook()
    known = dict.fromkeys(field.teams, Rating())
    for fixture in field.assigned:
        outcome = field.outcomes.get(fixture.name)
        if outcome is not None and outcome.complete and field.counts(outcome):
            for game in _games(outcome, field.stage):
                book.add(known, game)
        yield fixture, known


def _games(outcome: Outcome, stage: StagePlan) -> Iterator[Game]:
    """Return one game for each set, in order: a set is what shows something about strength.

    Who won a fixture of many sets is surer than who won one of few.
    """
    matches = sorted(outcome.matches, key=lambda match: match.name)
    for _, one in groupby(matches, key=lambda match: match.name.set):
        merit = summed_up(outcome.fixture, stage, tuple(one), complete=True).merit
        yield tuple(
            (team, sum(other > mine for other in merit.values())) for team, mine in merit.items()
        )


def next_assignment(field: Field, running: frozenset[str]) -> Fixture | None:
    """Return the next fixture for teams that are not running, or None if there is none for now.

    The team that has waited longest, counted in assignments since its last one, plays. So a team
    that is free waits for less than as many assignments as there are teams: each of the others is
    before it at most once. Its opponents come from the half of the others that has waited longest:
    those nearest in strength, where everyone met recently counts as one class further away.
    """
    if field.stage.matches and _missing(field) - _open(field) <= 0:
        return None
    active = _active(field)
    seats = min(field.stage.seats, len(active))
    last = {team: n for n, fixture in enumerate(field.assigned) for team in fixture.teams}
    waiting = sorted(
        (team for team in active if team not in running), key=lambda team: last.get(team, -1)
    )
    if seats < 2 or len(waiting) < seats:
        return None
    first, *others = waiting
    pool = others[: max(seats - 1, (len(others) + 1) // 2)]
    known = team_ratings(field)
    met = _met_recently(field, first)
    pool.sort(key=lambda team: abs(known[team].mu - known[first].mu) + CLASS * met[team])
    chosen = {first, *pool[: seats - 1]}
    number = len(field.assigned) + 1
    teams = tuple(team for team in field.teams if team in chosen)
    return Fixture(f"m{number}", number, teams, field.stage.sets)


def _met_recently(field: Field, team: str) -> Counter[str]:
    ours = (fixture for fixture in reversed(field.assigned) if team in fixture.teams)
    return Counter(other for fixture in islice(ours, RECENT) for other in fixture.teams)


def _active(field: Field) -> list[str]:
    return [team for team in field.teams if not field.has_left(team)]


def _missing(field: Field) -> int:
    """Return how many fixtures are to be completed before it ends."""
    return field.stage.matches - sum(map(field.is_complete, field.assigned))


def _open(field: Field) -> int:
    """Return how many fixtures are being played, or will be."""
    return sum(not field.is_settled(fixture) for fixture in field.assigned)
