"""Opens the contest of a file: puts it on record, or finds it there and compares."""

from collections.abc import Iterator
from dataclasses import replace

from sqlalchemy import Engine

from croupier.contest.acts import ADD, Act
from croupier.contest.adjusting import takes_luck_out
from croupier.contest.coefficients import coefficients_text, text_problem
from croupier.contest.course import Course
from croupier.contest.formats.ladder import Ladder
from croupier.contest.plan import ContestPlan
from croupier.deals import seed_from_text
from croupier.running.contest_file import ContestFile
from croupier.seeds import fresh_seed
from croupier.store import contests
from croupier.store.contests import ContestRow, NoContestError


class ChangedContestError(ValueError):
    """A file does not fit the contest that has begun; the message says where."""


def open_contest(engine: Engine, file: ContestFile) -> ContestRow:
    """Return the contest of a file, newly put on record if there is none.

    As long as nothing was played, the file may change. After that only stages that have not begun
    may, and new teams may join a ladder.
    """
    seed = None if file.seed is None else seed_from_text(file.seed)
    try:
        row = contests.find(engine, file.plan.title)
    except NoContestError:
        plan = _committed(file.plan, "")
        return contests.create(engine, plan, seed or fresh_seed(), seed is None, file.arena)
    if row.arena != file.arena:
        raise ChangedContestError(
            f"{row.title!r} is a contest of {_arena(row.arena)}, not of {_arena(file.arena)}; give"
            " this one another title, or correct `arena`"
        )
    problem = text_problem(row.plan.coefficients) if row.plan.coefficients else ""
    if problem:
        raise ChangedContestError(f"{row.title!r} cannot go on here: {problem}")
    if seed is not None and seed != row.seed:
        raise ChangedContestError(
            f"{row.title!r} has another seed on record; it cannot be changed any more"
        )
    course = contests.course_of(engine, row)
    if not any(stage.results for stage in course.stages):
        if row.beacon and _entering(file.plan) != _entering(row.plan):
            raise ChangedContestError(
                "the nonces and the announced beacon cannot change any more: the value of the"
                " beacon is on record"
            )
        contests.change_plan(engine, row.id, _committed(file.plan, row.plan.coefficients))
        return contests.find(engine, row.title)
    differences = list(_differences(row.plan, file.plan, course))
    if differences:
        raise ChangedContestError("\n".join(differences))
    _add_teams(engine, row, file.plan, course)
    changed = ContestPlan(
        title=row.title,
        teams=row.plan.teams,
        stages=file.plan.stages,
        record=row.plan.record,
        keep_disqualified=row.plan.keep_disqualified,
        forfeit_stacks=row.plan.forfeit_stacks,
        beacon=row.plan.beacon,
        uploads=file.plan.uploads,
        friendlies=file.plan.friendlies,
        coefficients=row.plan.coefficients,
    )
    if changed != row.plan:
        contests.change_plan(engine, row.id, changed)
    return contests.find(engine, row.title)


def _arena(name: str) -> str:
    return f"the arena {name!r}" if name else "the arena without a name"


def _committed(plan: ContestPlan, coefficients: str) -> ContestPlan:
    """Return a plan with the coefficients of luck that it commits to: those on record, if any.

    One that takes luck out of no rate needs none.
    """
    lucky = any(takes_luck_out(plan, stage) for stage in plan.stages)
    return replace(plan, coefficients=(coefficients or coefficients_text()) if lucky else "")


def _entering(plan: ContestPlan) -> tuple[str, list[str]]:
    """Return what of a plan enters the deals besides the value of the beacon."""
    return plan.beacon, [team.nonce for team in plan.teams if team.nonce]


def _differences(old: ContestPlan, new: ContestPlan, course: Course) -> Iterator[str]:
    """Return in what a file differs from the contest that has begun, where it must not."""
    known = course.plan.teams_by_name
    for team in old.teams:
        now = new.teams_by_name.get(team.name)
        if now is None:
            yield (
                f"the team {team.name!r} is missing; it has begun to play"
                " (`croupier contest withdraw` takes it out)"
            )
        elif now not in (team, known[team.name]):
            yield (
                f"the team {team.name!r} plays differently than when the contest began"
                " (`croupier contest replace` puts a new version in)"
            )
    added = [team.name for team in new.teams if team.name not in known]
    if added and not isinstance(course.current.format, Ladder):
        yield f"the team {added[0]!r} is new; teams can only be added to a ladder"
    for number, stage in enumerate(course.stages):
        if stage.results and new.stages[number : number + 1] != old.stages[number : number + 1]:
            yield f"the stage {stage.plan.name!r} has begun and is not as it was"
    if not old.coefficients and any(stage.luck for stage in new.stages):
        yield "luck has changed since the contest began, which has not committed to coefficients"
    for key in ("record", "keep_disqualified", "forfeit_stacks", "beacon"):
        if getattr(old, key) != getattr(new, key):
            yield f"{_KEYS.get(key, key)} has changed since the contest began"


_KEYS = {"keep_disqualified": "disqualified"}


def _add_teams(engine: Engine, row: ContestRow, new: ContestPlan, course: Course) -> None:
    for team in new.teams:
        if team.name not in course.plan.teams_by_name:
            contests.act(engine, row, Act(ADD, team.name, entry=team), "the file")
