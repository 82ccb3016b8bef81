"""Courses of contests, each computed when something has happened since it was last asked for."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Engine

from croupier.contest.course import Course, StageCourse
from croupier.contest.fixtures import MatchName
from croupier.store import contests
from croupier.store.contests import ContestRow, NoContestError, StoredResult
from croupier.store.queries import UnknownError

KEPT = 8
"""How many courses are kept."""


@dataclass(frozen=True)
class Followed:
    """A contest on record, with its course and its results in the order in which they came."""

    row: ContestRow
    course: Course
    results: list[StoredResult]

    @cached_property
    def by_name(self) -> dict[MatchName, StoredResult]:
        """The results by the names of their matches."""
        return {stored.result.name: stored for stored in self.results}

    def stage(self, name: str) -> StageCourse:
        """Return a stage that has begun or can begin."""
        for stage in self.course.stages:
            if stage.plan.name == name:
                return stage
        raise UnknownError(f"{self.row.title} has no stage {name!r} yet")


class Courses:
    """A cache of courses; all methods block."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._kept: OrderedDict[int, tuple[object, Followed]] = OrderedDict()
        self._lock = threading.Lock()
        """Also guards the ratings of ladders, which are computed in one book for all."""

    def all(self) -> list[ContestRow]:
        """Return all contests, the newest first."""
        return contests.all_contests(self._engine)

    def newest_title(self) -> str:
        """Return the title of the newest contest, empty if there is none."""
        return contests.newest_title(self._engine)

    def of(self, number: int) -> Followed:
        """Return a contest as far as it has come."""
        if number >= 1 << 63:  # integers of the store have 64 bits
            raise UnknownError(f"there is no contest {number}")
        try:
            row = contests.by_id(self._engine, number)
        except NoContestError as error:
            raise UnknownError(str(error)) from None
        with self._lock:
            stamp = (row, contests.stamp(self._engine, number))
            kept = self._kept.pop(number, None)
            if kept is None or kept[0] != stamp:
                kept = (stamp, self._follow(row))
            self._kept[number] = kept
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return kept[1]

    def _follow(self, row: ContestRow) -> Followed:
        followed = Followed(
            row, contests.course_of(self._engine, row), contests.results(self._engine, row.id)
        )
        for stage in followed.course.stages:
            stage.standing  # noqa: B018  (computed here, under the lock)
        return followed

    def running(self, row: ContestRow) -> dict[str, tuple[str, str]]:
        """Return the matches that are being played, by name: their id and their place."""
        return contests.running(self._engine, row)
