"""Which matches of contests nothing is shown of yet.

Where teams connect by themselves, or may upload a new version, and play duplicates, the deals of a
match come again in the other matches of its set, and whoever has seen them could play these with
open cards. So all matches of the set are sealed until none of it is left to play.
"""

from sqlalchemy import Engine

from croupier.contest.course import Course
from croupier.contest.fixtures import MatchName
from croupier.contest.plan import DUPLICATE
from croupier.store import contests
from croupier.store.contests import ContestRow, NoContestError
from croupier.store.places import CONTEST, kind_of


class Seals:
    """Tells which matches are sealed now; each contest is read once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._rows: dict[int, ContestRow | None] = {}
        self._courses: dict[int, Course] = {}

    def holds(self, place: str) -> bool:
        """Tell whether the match at a place is sealed."""
        if kind_of(place) != CONTEST:
            return False
        try:
            _, number, text = place.split(" ", 2)
            name, contest = MatchName.read(text), self._contest(int(number))
        except ValueError:
            return False  # no contest of ours has such a place
        if contest is None or not contest.plan.seals_sets:
            return False
        duplicate = {stage.name for stage in contest.plan.stages if stage.deals == DUPLICATE}
        return name.stage in duplicate and not self._is_over(contest, name)

    def _is_over(self, contest: ContestRow, name: MatchName) -> bool:
        """Tell whether nothing more will be played of a match's set."""
        course = self._courses.get(contest.id)
        if course is None:
            course = self._courses[contest.id] = contests.course_of(self._engine, contest)
        stage = next((one for one in course.stages if one.plan.name == name.stage), None)
        if stage is None:
            return False
        outcome = stage.field.outcomes.get(name.fixture)
        if outcome is None:
            return False
        played = [one for one in outcome.matches if one.name.set == name.set]
        whole = bool(played) and len(played) == len(outcome.fixture.teams)
        return whole or stage.field.is_settled(outcome.fixture)

    def _contest(self, number: int) -> ContestRow | None:
        if number not in self._rows:
            try:
                self._rows[number] = contests.by_id(self._engine, number)
            except NoContestError:
                self._rows[number] = None
        return self._rows[number]
