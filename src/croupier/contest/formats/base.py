"""What a format is: from the teams and what has been played to the fixtures and the standing.

A format is asked again and again with more results. What it has answered stays: a fixture keeps its
name, its round and its teams, and results only add fixtures (or sets to a level one). So whoever
carries a contest out may stop at any moment, and ask again with the results on record.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from croupier.contest.fixtures import Fixture
from croupier.contest.outcome import Outcome
from croupier.contest.plan import StagePlan
from croupier.contest.standings import COUNTED, TIE_BREAKS, Line, lines_of, ranked

FAR = 10**9
"""A round that never comes."""


@dataclass(frozen=True)
class Field:
    """What a format works from."""

    stage: StagePlan
    teams: tuple[str, ...]
    """In the order of their seeds."""
    seed: bytes = b""
    """For draws; every stage has its own."""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """By the name of the fixture, for those of which anything was played or given up."""
    left: Mapping[str, int] = field(default_factory=dict)
    """By team that was withdrawn or disqualified, the first round that is made without it; FAR if
    it left after this stage. In the order in which they left."""
    annulled: Mapping[str, int] = field(default_factory=dict)
    """By disqualified team, the first round from which on its results do not count any more."""
    assigned: tuple[Fixture, ...] = ()
    """Fixtures on record, for a format whose pairings depend on who finished when."""
    annuls: bool = True
    """Whether results against a disqualified team stop counting for the others, too."""

    def is_complete(self, fixture: Fixture) -> bool:
        """Tell whether all matches of a fixture are played or given up."""
        outcome = self.outcomes.get(fixture.name)
        return outcome is not None and outcome.complete

    def is_settled(self, fixture: Fixture) -> bool:
        """Tell whether nothing more will be played of a fixture."""
        return self.is_complete(fixture) or len(self.present(fixture)) < 2

    def present(self, fixture: Fixture) -> list[str]:
        """Return the teams of a fixture that are still in the contest."""
        return [team for team in fixture.teams if not self.has_left(team)]

    def has_left(self, team: str) -> bool:
        """Tell whether a team left before the end of this stage."""
        return self.left.get(team, FAR) < FAR

    def is_unplayed(self, fixture: Fixture) -> bool:
        """Tell whether no match of a fixture was played."""
        outcome = self.outcomes.get(fixture.name)
        return outcome is None or not outcome.matches

    def last_one(self, fixture: Fixture) -> str | None:
        """Return the team that was still there when all others of a fixture had left, if one was.

        It may have left since: what the walkover had decided by then stays decided.
        """
        present = self.present(fixture)
        if present:
            return present[0] if len(present) == 1 else None
        order = list(self.left)
        last = max(fixture.teams, key=lambda team: (self.left[team], order.index(team)))
        # Whoever left before the round was made has never been waiting for an opponent.
        return last if self.left[last] > fixture.round else None

    def in_round(self, number: int) -> list[str]:
        """Return the teams that a round is made of, in the order of their seeds."""
        return [team for team in self.teams if self.left.get(team, FAR) > number]

    def counts(self, outcome: Outcome, number: int = FAR) -> bool:
        """Tell whether the outcome of a fixture counts when a round is made."""
        return not self.annuls or not any(
            team in self.annulled and self.annulled[team] <= number
            for team in outcome.fixture.teams
        )

    def drawn(self, items: Sequence[str], label: str) -> list[str]:
        """Return items in an order drawn from the seed, for one purpose."""
        prefix = self.seed + label.encode() + b"\0"
        return sorted(items, key=lambda item: sha256(prefix + item.encode()).digest())


@dataclass(frozen=True)
class Schedule:
    """The fixtures that are known so far."""

    fixtures: tuple[Fixture, ...]
    complete: bool
    """Nothing more will be played in this stage."""
    byes: Mapping[str, int] = field(default_factory=dict)
    """By team, how many rounds it has had to sit out."""
    note: str = ""
    """What an organiser should know, such as how evenly teams meet."""


class Format:
    """A way to find out who is better.

    The defaults are those of a format that ranks by the figures of all its fixtures.
    """

    name: str
    about: str
    """One sentence: what it is, and when to use it."""
    keys: tuple[str, ...] = ()
    """The keys of a stage that only some formats have, as far as this one has them."""
    score: str | None = None
    """What a standing is ordered by unless the file says so; None: points where stacks carry over,
    and otherwise the rate."""
    ranks_by_score = True
    """Whether the standing is ordered by the stage's score; otherwise the format has its own."""
    pairs_only = False
    """Whether a fixture is always between two teams."""

    def problems(self, stage: StagePlan, teams: Sequence[str] | None) -> list[tuple[str, str]]:
        """Return what is wrong with a stage, as (key, text).

        `teams` is None where they are not known before an earlier stage is over.
        """
        found = []
        if self.pairs_only and stage.seats != 2:
            found.append(("seats", f"must be 2: a {self.name} is played by pairs"))
        elif not 2 <= stage.seats <= stage.rules.max_seats:
            most, rules = stage.rules.max_seats, stage.rules.name
            found.append(("seats", f"must be 2 to {most} under {rules}, not {stage.seats}"))
        if stage.sets < 1:
            found.append(("sets", f"must be at least 1, not {stage.sets}"))
        if stage.times < 1:
            found.append(("times", f"must be at least 1, not {stage.times}"))
        if stage.advance < 0:
            found.append(("advance", f"must be 0 (all) or more, not {stage.advance}"))
        if teams is not None:
            if len(teams) < 2:
                found.append(("format", f"a {self.name} needs at least two teams"))
            if stage.advance > self.most_advancing(stage, len(teams)):
                most = self.most_advancing(stage, len(teams))
                found.append(("advance", f"must be at most {most} here, not {stage.advance}"))
        return found

    def most_advancing(self, stage: StagePlan, teams: int) -> int:
        """Return the largest `advance` that a number of teams allows."""
        return teams

    def ordered_by(self, stage: StagePlan) -> str:
        """Return in words what a standing is ordered by."""
        return TIE_BREAKS[stage.score]

    def score_counts(self, stage: StagePlan) -> str:
        """Return in words what the score of a line counts."""
        return COUNTED[stage.score]

    def schedule(self, field: Field) -> Schedule:
        """Return the fixtures that are known, in the order in which they should be played."""
        raise NotImplementedError

    def standing(self, field: Field, schedule: Schedule) -> list[Line]:
        """Return the standing, best first; disqualified teams have no place in it."""
        stage, outcomes = field.stage, counting(field, schedule)
        teams = [team for team in field.teams if team not in field.annulled]
        lines = lines_of(stage, teams, outcomes, schedule.byes)
        return ranked(stage.score, stage, lines, outcomes)

    def advancing(self, field: Field, standing: Sequence[Line], number: int) -> list[str]:
        """Return who goes on, in the order of their seeds in the next stage; 0: everyone."""
        teams = [line.team for line in standing if line.team not in field.left]
        return teams[:number] if number else teams


def walkovers(field: Field, fixtures: Iterable[Fixture]) -> Counter[str]:
    """Return, by team, for how many fixtures it was there in vain, since all others had left."""
    alone = (
        field.last_one(fixture)
        for fixture in fixtures
        if field.is_unplayed(fixture) and any(map(field.has_left, fixture.teams))
    )
    return Counter(team for team in alone if team is not None)


def counting(field: Field, schedule: Schedule) -> list[Outcome]:
    """Return the outcomes that count, in the order of the schedule."""
    outcomes = (field.outcomes.get(fixture.name) for fixture in schedule.fixtures)
    return [outcome for outcome in outcomes if outcome is not None and field.counts(outcome)]
