"""The agenda of a contest: its course so far, and the matches that could be started now.

State owned here: what the store has of the contest, and the course that follows from it. The course
is computed anew only when somebody wants a match and the last one has no more to offer.
"""

import time
from collections import deque
from collections.abc import Collection, Iterable

from sqlalchemy import Engine

from croupier.contest.acts import Act
from croupier.contest.course import Course, Due
from croupier.contest.fixtures import Fixture, MatchName, MatchResult
from croupier.contest.formats.ladder import Ladder
from croupier.contest.plan import Team
from croupier.store import contests
from croupier.store.contests import ContestRow


class Agenda:
    """What is due in a contest."""

    def __init__(self, engine: Engine, contest: ContestRow, only: str, until: float | None) -> None:
        """`only` is the last stage to play, `until` the time after which nothing is started."""
        self.contest = contest
        self.course: Course
        self.offline: deque[Due] = deque()
        """Matches for workers."""
        self.online: deque[Due] = deque()
        """Matches for live tables."""
        self.stale = True
        """Something has happened that the course does not know of."""
        self._engine = engine
        self._only = only
        self._until = until
        self._results: dict[MatchName, MatchResult] = {}
        self._assigned: dict[str, list[Fixture]] = {}
        self._acts: list[Act] = []

    def load(self) -> None:
        """Read what the store has of the contest."""
        self.contest = contests.find(self._engine, self.contest.title)
        self._acts, self._results, self._assigned = contests.history(self._engine, self.contest.id)

    def refresh(self, running: Collection[MatchName] = ()) -> None:
        """Compute the course again; what is running is not due.

        Acts are read after the results that it is made of were stored: their positions say which
        pairings were made without them.
        """
        self.stale = False
        if self._acts_are_new:
            self.load()
        self.course = self.course_now()
        self.offline.clear()
        self.online.clear()
        for due in self.course.due():
            if due.name not in running:
                (self.online if self.is_live(due.teams) else self.offline).append(due)

    def look_for_acts(self, running: Collection[MatchName]) -> bool:
        """Take into account what organisers have decided; return False if it is nothing."""
        if not self._acts_are_new:
            return False
        self.refresh(running)
        return True

    @property
    def _acts_are_new(self) -> bool:
        return contests.acts(self._engine, self.contest.id) != self._acts

    def course_now(self) -> Course:
        """Return the course with every result so far."""
        contest, results = self.contest, list(self._results.values())
        return Course(contest.plan, contest.deal_seed, results, self._acts, self._assigned)

    def add(self, result: MatchResult) -> None:
        """Add a result that is stored; an earlier one of the same match counts."""
        self._results.setdefault(result.name, result)
        self.stale = True

    def assign(self, stage: str, fixture: Fixture) -> None:
        """Add a pairing that is stored."""
        self._assigned.setdefault(stage, []).append(fixture)
        self.stale = True

    def played_in(self, stage: str) -> int:
        """Return how many matches of a stage are played."""
        return sum(name.stage == stage for name in self._results)

    # Whether anything may be started.

    @property
    def is_over(self) -> bool:
        """Whether nothing will be started any more, as things are.

        What is set aside waits for a decision, which may take days.
        """
        if self.is_late or self.course.complete or self.is_past_last_stage:
            return True
        due = self.is_ladder or any(True for _ in self.course.due())
        return not due and not self._waits_for_start and not self.course.paused

    @property
    def is_open(self) -> bool:
        """Whether matches may be started now."""
        return self.goes_on and not self._waits_for_start

    @property
    def goes_on(self) -> bool:
        """Whether it is neither paused nor to be stopped; its stage may still have to begin."""
        return not (self.course.paused or self.is_late or self.is_past_last_stage)

    @property
    def is_ladder(self) -> bool:
        """Whether pairings are made one by one."""
        current = self.course.current
        return isinstance(current.format, Ladder) and not current.complete

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self._until is not None and time.time() >= self._until

    @property
    def is_past_last_stage(self) -> bool:
        """Whether the stage that was asked for is complete."""
        names = [stage.plan.name for stage in self.course.stages]
        if not self._only or self._only not in names:
            return False
        return names[-1] != self._only or self.course.current.complete

    @property
    def _waits_for_start(self) -> bool:
        start = self.course.current.plan.start
        return start is not None and time.time() < start

    # Teams.

    def team(self, name: str) -> Team:
        """Return a team as it plays now."""
        return self.course.plan.teams_by_name[name]

    def is_live(self, teams: Iterable[str]) -> bool:
        """Tell whether one of these teams connects by itself."""
        return any(self.team(team).connects for team in teams)
