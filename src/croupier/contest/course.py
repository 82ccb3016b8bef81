"""The course of a contest: its stages, what is due, and who leads, from results and acts alone."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from croupier.contest.acts import (
    BROKEN,
    DISQUALIFY,
    GIVE_UP,
    WITHDRAW,
    Act,
    is_paused,
    teams_after,
)
from croupier.contest.adjusting import with_coefficients
from croupier.contest.deciding import looked_at
from croupier.contest.fixtures import (
    Fixture,
    MatchName,
    MatchResult,
    matches_of,
    seats_of,
    unrotated,
)
from croupier.contest.formats.base import Field, Format, Schedule
from croupier.contest.formats.registry import FORMATS
from croupier.contest.outcome import Outcome, summed_up
from croupier.contest.plan import ContestPlan, StagePlan
from croupier.contest.seeds import draw_seed
from croupier.contest.standings import Line

MAX_BREAKS = 3
"""After so many failures of the machine a match is set aside."""

Results = Mapping[MatchName, MatchResult]


@dataclass(frozen=True)
class Due:
    """A match that can be played now."""

    name: MatchName
    teams: tuple[str, ...]
    """In the order of its players."""
    fixture: Fixture


class StageCourse:
    """One stage: its teams are known."""

    def __init__(
        self,
        index: int,
        plan: StagePlan,
        teams: Sequence[str],
        seed: bytes,
        results: Sequence[MatchResult],
        acts: Sequence[Act],
        assigned: Sequence[Fixture],
        annuls: bool,
    ) -> None:
        """`results` are those of this stage, `acts` all of the contest."""
        self.plan = plan
        self.index = index
        self.format: Format = FORMATS[plan.format]
        self.given_up = {
            MatchName.read(act.match).fixture
            for act in acts
            if act.kind == GIVE_UP and MatchName.read(act.match).stage == plan.name
        }
        """Fixtures of which nothing more is played."""
        self.results = {result.name: result for result in results}
        self._acts = acts
        self._annuls = annuls
        self._seed = draw_seed(seed, plan.name)
        self._assigned = tuple(assigned)
        self._outcomes = self._all_outcomes(results)
        self.field = self._field(teams, until=index)
        if plan.draw:
            teams = self.field.drawn(teams, "seeds")
            self.field = self._field(teams, until=index)
        schedule = self.format.schedule(self.field)
        self.schedule: Schedule = replace(
            schedule, fixtures=tuple(map(self._as_stopped, schedule.fixtures))
        )

    def _as_stopped(self, fixture: Fixture) -> Fixture:
        """Return a fixture without the sets that it was spared."""
        outcome = self._outcomes.get(fixture.name)
        if outcome is None or not outcome.stopped:
            return fixture
        return replace(fixture, sets=outcome.fixture.sets)

    def _field(self, teams: Sequence[str], until: int) -> Field:
        """Return what the format works from, with the acts up to a stage."""
        left: dict[str, int] = {}
        disqualified: dict[str, int] = {}
        for act in self._acts:
            if act.kind in (WITHDRAW, DISQUALIFY) and act.stage <= until:
                after = act.round + 1 if act.stage == self.index else 1
                left.setdefault(act.team, after if act.stage <= self.index else 10**9)
                if act.kind == DISQUALIFY:
                    disqualified.setdefault(act.team, after)
        return Field(
            self.plan,
            tuple(teams),
            self._seed,
            self._outcomes,
            left,
            disqualified,
            self._assigned,
            self._annuls,
        )

    def _all_outcomes(self, results: Sequence[MatchResult]) -> dict[str, Outcome]:
        by_fixture: dict[str, list[MatchResult]] = {name: [] for name in self.given_up}
        for result in results:
            by_fixture.setdefault(result.name.fixture, []).append(result)
        return {name: self._outcome(name, played) for name, played in by_fixture.items()}

    def _outcome(self, name: str, played: list[MatchResult]) -> Outcome:
        given_up = name in self.given_up
        if not played:
            return Outcome(Fixture(name, 0, ()), (), given_up, {}, {}, given_up)
        played.sort(key=lambda result: result.name)
        # A team that was withdrawn between two matches is in the first ones only.
        teams = dict.fromkeys(
            team
            for result in played
            for team in unrotated([seat.team for seat in result.seats], result.name)
        )
        fixture = Fixture(name, 0, tuple(teams), max(self.plan.sets, played[-1].name.set))
        sets, look = looked_at(self.plan, fixture, played)
        stopped = look is not None and bool(look.decision)
        if stopped:
            fixture = replace(fixture, sets=sets)
        complete = given_up or len(played) >= len(matches_of(fixture, self.plan))
        outcome = summed_up(fixture, self.plan, played, complete, look)
        return replace(outcome, given_up=given_up, stopped=stopped)

    @cached_property
    def standing(self) -> list[Line]:
        """The standing as it is now, with every act so far."""
        now = self._field(self.field.teams, until=10**9)
        return self._marked(self.format.standing(now, self.schedule))

    def standing_by(self, score: str | None) -> list[Line]:
        """Return the standing ordered by another score; None: by its own."""
        if score is None:
            return self.standing
        now = self._field(self.field.teams, until=10**9)
        now = replace(now, stage=replace(self.plan, score=score))
        if self.format.ranks_by_score:
            return self._marked(self.format.standing(now, self.schedule))
        return self._marked(Format.standing(self.format, now, self.schedule))

    def _marked(self, lines: Sequence[Line]) -> list[Line]:
        """Return a standing in which it is noted who has been withdrawn."""
        withdrawn = {act.team for act in self._acts if act.kind == WITHDRAW}
        return [
            replace(line, note="; ".join(filter(None, (line.note, "withdrawn"))))
            if line.team in withdrawn
            else line
            for line in lines
        ]

    @property
    def complete(self) -> bool:
        return self.schedule.complete

    @property
    def round(self) -> int:
        """The last round that is known."""
        return max((fixture.round for fixture in self.schedule.fixtures), default=0)

    @property
    def advancing(self) -> list[str]:
        """Who goes on to the next stage, by seed."""
        standing = self.format.standing(self.field, self.schedule)
        return self.format.advancing(self.field, standing, self.plan.advance)

    def due(self) -> Iterator[Due]:
        """Return the matches that are known and not played, in order."""
        for fixture in self.schedule.fixtures:
            teams = self.field.present(fixture)
            if len(teams) < 2 or fixture.name in self.given_up:
                continue
            # A set has as many matches as teams that began to play it, as in its outcome.
            outcome = self._outcomes.get(fixture.name)
            began = outcome.fixture.teams if outcome and outcome.matches else tuple(teams)
            names = matches_of(replace(fixture, teams=began), self.plan)
            ahead = [name for name in names if name not in self.results]
            for name in ahead:
                # Whether another set is played is decided after each of them.
                if self.plan.stop is None or name.set == ahead[0].set:
                    yield Due(name, seats_of(teams, name), fixture)


class Course:
    """A contest as far as its results and acts have brought it."""

    def __init__(
        self,
        plan: ContestPlan,
        seed: bytes,
        results: Sequence[MatchResult] = (),
        acts: Sequence[Act] = (),
        assigned: Mapping[str, Sequence[Fixture]] | None = None,
    ) -> None:
        """`assigned` are the recorded fixtures of stages that need them, by stage."""
        self.plan = teams_after(with_coefficients(plan), acts)
        self.acts = tuple(acts)
        self._broken = Counter(act.match for act in acts if act.kind == BROKEN)
        self.stages: list[StageCourse] = []
        """Those that have begun, or can begin."""
        by_stage: dict[str, list[MatchResult]] = {}
        for result in results:
            by_stage.setdefault(result.name.stage, []).append(result)
        teams = [team.name for team in self.plan.teams]
        for index, stage in enumerate(self.plan.stages):
            one = StageCourse(
                index,
                stage,
                teams,
                seed,
                by_stage.get(stage.name, []),
                acts,
                (assigned or {}).get(stage.name, ()),
                not plan.keep_disqualified,
            )
            self.stages.append(one)
            if not one.complete:
                break
            teams = one.advancing

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return len(self.stages) == len(self.plan.stages) and self.stages[-1].complete

    @property
    def current(self) -> StageCourse:
        """The stage that is being played, or the last one."""
        return self.stages[-1]

    @property
    def paused(self) -> bool:
        return is_paused(self.acts)

    @property
    def set_aside(self) -> list[str]:
        """The matches that broke too often and wait for an organiser's decision."""
        return [str(due.name) for due in self.current.due() if self._is_broken(due.name)]

    def due(self) -> Iterator[Due]:
        """Return the matches that can be played now, in order."""
        for due in self.current.due():
            if not self._is_broken(due.name):
                yield due

    def _is_broken(self, name: MatchName) -> bool:
        return bool(self._broken) and self._broken[str(name)] >= MAX_BREAKS
