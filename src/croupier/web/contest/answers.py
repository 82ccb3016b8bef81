"""From a contest's course to the answers of the API."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

from msgspec import convert

from croupier.contest.acts import DISQUALIFY, REPLACE, WITHDRAW
from croupier.contest.adjusting import adjusted, unit_of
from croupier.contest.coefficients import hash_of
from croupier.contest.course import StageCourse
from croupier.contest.crosstable import Cell as CourseCell
from croupier.contest.crosstable import crosstable_of
from croupier.contest.estimates import Adjusted, in_bb_per_100
from croupier.contest.fixtures import MatchName, matches_of
from croupier.contest.formats.knockout import Bracket, Knockout
from croupier.contest.plan import StagePlan, Team
from croupier.contest.progress import FixtureProgress, fixtures_of
from croupier.contest.ratings import SCALE, Rating
from croupier.contest.rounds import measure_of, rounds_of
from croupier.contest.standings import Line
from croupier.history.printable import plain
from croupier.store.places import table_name
from croupier.store.queries import UnknownError
from croupier.web.contest.courses import Followed
from croupier.web.contest.schemas import (
    Cell,
    ContestDetail,
    ContestState,
    ContestSummary,
    Difference,
    FixtureLine,
    FixtureState,
    Known,
    LatestResult,
    Measure,
    Meeting,
    PlayedMatch,
    RoundPoint,
    StageDetail,
    StageState,
    StageSummary,
    StandingLine,
    Stopped,
    Strength,
    TeamDetail,
    TeamStage,
    Unit,
    WithoutLuck,
)

LEADERS = 3
LATEST = 12
NEXT = 8

Running = Mapping[str, tuple[str, str]]
"""By name of a match that is being played: its id and its place."""
IsLive = Callable[[str], bool]
"""Tells whether a table can be watched."""


def summary(followed: Followed) -> ContestSummary:
    """Return a contest and how far it is."""
    row, shown = followed.row, _shown_stage(followed)
    return ContestSummary(
        contest=row.id,
        title=plain(row.title),
        state=_state(followed),
        began=row.began,
        teams=len(followed.course.plan.teams),
        played=len(followed.results),
        stages=_stages(followed),
        leaders=_standing(followed, shown, luck=False)[:LEADERS],
        score_counts=shown.format.score_counts(shown.plan),
    )


def detail(followed: Followed, running: Running, is_live: IsLive) -> ContestDetail:
    """Return what a visitor wants to know first."""
    row, shown = followed.row, _shown_stage(followed)
    over = followed.course.complete
    fixtures = _fixtures(followed, shown, running, is_live)
    now = [one for one in fixtures if _is_on(one)]
    ahead = [one for one in fixtures if one.state == "to come" and not _is_on(one)]
    return ContestDetail(
        contest=row.id,
        title=plain(row.title),
        state=_state(followed),
        began=row.began,
        stages=_stages(followed),
        stage=shown.plan.name,
        ordered_by=shown.format.ordered_by(shown.plan),
        score_counts=shown.format.score_counts(shown.plan),
        standing=_standing(followed, shown),
        now=now,
        next=ahead[:NEXT],
        latest=list(_latest(followed)),
        commitment=row.commitment,
        seed=row.seed.hex() if over else None,
        salt=row.salt.hex() if over else None,
        coefficients=hash_of(row.plan.coefficients),
    )


def stage_detail(
    followed: Followed, stage: StageCourse, running: Running, is_live: IsLive
) -> StageDetail:
    """Return a stage with everything that was played in it."""
    return StageDetail(
        name=stage.plan.name,
        format=stage.plan.format,
        rules=stage.plan.rules.name,
        state=_stage_state(followed, stage.plan),
        note=stage.schedule.note,
        ordered_by=stage.format.ordered_by(stage.plan),
        score_counts=stage.format.score_counts(stage.plan),
        by_places=stage.plan.by_places,
        luck=bool(stage.plan.coefficients),
        unit=cast(Unit, unit_of(stage.plan)),
        standing=_standing(followed, stage),
        cells=[_cell(*pair, cell) for pair, cell in crosstable_of(stage).items()],
        fixtures=_fixtures(followed, stage, running, is_live),
        bracket=_bracket(stage),
    )


def team_detail(followed: Followed, name: str, running: Running, is_live: IsLive) -> TeamDetail:
    """Return a team with all that it played."""
    team = team_named(followed, name)
    words = {
        WITHDRAW: "withdrawn",
        DISQUALIFY: "disqualified",
        REPLACE: "replaced by a new version",
    }
    acts = [act for act in followed.course.acts if act.team == team.name and act.kind in words]
    return TeamDetail(
        contest=followed.row.id,
        title=plain(followed.row.title),
        team=plain(team.name),
        house=team.house,
        plays_by=_plays_by(team),
        remarks=[words[act.kind] + (f" ({plain(act.why)})" if act.why else "") for act in acts],
        stages=[
            _team_stage(followed, stage, team.name, running, is_live)
            for stage in followed.course.stages
            if team.name in stage.field.teams
        ],
    )


def team_named(followed: Followed, name: str) -> Team:
    """Return the team that a page asks for by its printable name."""
    for team in followed.course.plan.teams:
        if plain(team.name) == name:
            return team
    raise UnknownError(f"{followed.row.title} has no team {name!r}")


def _plays_by(team: Team) -> str:
    """Return how a team plays, without its command, which is nobody else's business."""
    if team.house:
        return team.bot
    if team.bot:
        return "Python class"
    return team.dialect


def _shown_stage(followed: Followed) -> StageCourse:
    """Return the stage that is played, or the last one in which anything was."""
    stages = followed.course.stages
    begun = [stage for stage in stages if stage.results]
    return begun[-1] if begun else stages[-1]


def _state(followed: Followed) -> ContestState:
    course = followed.course
    if course.complete:
        return "complete"
    if course.paused:
        return "paused"
    start = course.current.plan.start
    if start is not None and start > time.time():
        return "waiting"
    return "running"


def _stage_state(followed: Followed, plan: StagePlan) -> StageState:
    for stage in followed.course.stages:
        if stage.plan.name == plan.name:
            return "complete" if stage.complete else "current"
    return "to come"


def _stages(followed: Followed) -> list[StageSummary]:
    known = {stage.plan.name: stage for stage in followed.course.stages}
    found = []
    for plan in followed.course.plan.stages:
        stage = known.get(plan.name)
        fixtures = () if stage is None else stage.schedule.fixtures
        found.append(
            StageSummary(
                name=plan.name,
                format=plan.format,
                rules=plan.rules.name,
                state=_stage_state(followed, plan),
                start=plan.start,
                played=0 if stage is None else len(stage.results),
                matches=sum(len(matches_of(fixture, plan)) for fixture in fixtures),
            )
        )
    return found


def _standing(
    followed: Followed, stage: StageCourse, *, luck: bool = True, team: str = ""
) -> list[StandingLine]:
    """Return the lines of a standing, or those of one team; rates without luck take a while."""
    house = {one.name for one in followed.course.plan.teams if one.house}
    return [
        _line(
            line,
            line.team in house,
            adjusted(stage.plan, line.results, line.team) if luck and line.matches else None,
        )
        for line in stage.standing
        if not team or line.team == team
    ]


def _without_luck(value: Adjusted | None) -> WithoutLuck | None:
    return None if value is None else WithoutLuck(value.bb_per_100, value.ci95, value.factor)


def _strength(rating: Rating) -> Strength:
    return Strength(SCALE * rating.mu, SCALE * 3 * rating.sigma)


def _line(line: Line, house: bool, without_luck: Adjusted | None) -> StandingLine:
    return StandingLine(
        rank=line.rank,
        team=plain(line.team),
        house=house,
        matches=line.matches,
        hands=line.hands,
        score=line.score,
        rate=line.rate,
        ci95=line.ci95,
        adjusted=_without_luck(without_luck),
        points=line.points,
        chips=line.chips,
        faults=line.faults,
        forfeits=line.forfeits,
        byes=line.byes,
        group=line.group,
        note=plain(line.note),
        strength=None if line.strength is None else _strength(line.strength),
    )


def _cell(team: str, opponent: str, cell: CourseCell) -> Cell:
    without_luck, (raw, less) = cell.adjusted, cell.differences
    return Cell(
        team=plain(team),
        opponent=plain(opponent),
        matches=cell.matches,
        hands=cell.hands,
        points=cell.points,
        chips=cell.chips,
        rate=cell.rate,
        ci95=cell.ci95,
        adjusted=_without_luck(without_luck),
        difference=Difference(*in_bb_per_100(raw)),
        adjusted_difference=None if without_luck is None else Difference(*in_bb_per_100(less)),
    )


def _fixtures(
    followed: Followed, stage: StageCourse, running: Running, is_live: IsLive
) -> list[FixtureLine]:
    return [
        _fixture(stage.plan.name, one, list(_records(followed, one.matches, running, is_live)))
        for one in fixtures_of(stage)
    ]


def _fixture(stage: str, one: FixtureProgress, records: list[PlayedMatch]) -> FixtureLine:
    teams = one.fixture.teams
    return FixtureLine(
        stage=stage,
        fixture=one.fixture.name,
        label=one.fixture.label,
        round=one.fixture.round,
        teams=[plain(team) for team in teams],
        state=cast(FixtureState, one.state),
        played=len(one.played),
        matches=len(one.matches),
        points=[one.points.get(team, 0.0) for team in teams] if one.points else [],
        chips=[one.chips.get(team, 0) for team in teams] if one.chips else [],
        forfeits={plain(team): plain(why) for team, why in one.forfeits.items()},
        interval=None if one.look is None else convert(one.look.as_object(), Known),
        stopped=cast(Stopped | None, one.stopped),
        records=records,
    )


def _records(
    followed: Followed, names: Iterable[MatchName], running: Running, is_live: IsLive
) -> Iterator[PlayedMatch]:
    for name in names:
        stored, on = followed.by_name.get(name), running.get(str(name))
        if stored is not None:
            yield PlayedMatch(str(name), stored.match_id, stored.ended, None)
        elif on is not None:
            match_id, place = on
            table = plain(table_name(place))
            yield PlayedMatch(str(name), match_id, None, table if is_live(table) else None)


def _is_on(fixture: FixtureLine) -> bool:
    return any(record.ended is None for record in fixture.records)


def _latest(followed: Followed) -> Iterator[LatestResult]:
    labels = {
        (stage.plan.name, fixture.name): fixture.label
        for stage in followed.course.stages
        for fixture in stage.schedule.fixtures
    }
    for stored in reversed(followed.results[-LATEST:]):
        result = stored.result
        name = result.name
        yield LatestResult(
            stage=name.stage,
            fixture=name.fixture,
            label=labels.get((name.stage, name.fixture), ""),
            match=stored.match_id,
            ended=stored.ended,
            hands=result.hands,
            teams=[plain(seat.team) for seat in result.seats],
            chips=[seat.chips for seat in result.seats],
            forfeits={plain(s.team): plain(s.forfeit) for s in result.seats if s.forfeit},
        )


def _bracket(stage: StageCourse) -> list[Meeting] | None:
    if not isinstance(stage.format, Knockout):
        return None
    return [
        Meeting(
            round=one.round,
            fixture=one.name,
            label=one.label,
            teams=[None if team is None else plain(team) for team in one.pair],
            winner=None if one.winner is None else plain(one.winner),
        )
        for one in Bracket(stage.field).meetings
    ]


def _team_stage(
    followed: Followed, stage: StageCourse, team: str, running: Running, is_live: IsLive
) -> TeamStage:
    lines = _standing(followed, stage, team=team)
    cells = crosstable_of(stage)
    return TeamStage(
        stage=stage.plan.name,
        format=stage.plan.format,
        by_places=stage.plan.by_places,
        line=lines[0] if lines else None,
        measure=cast(Measure, measure_of(stage)),
        rounds=[
            RoundPoint(
                point.round, point.hands, point.value, point.margin, _without_luck(point.adjusted)
            )
            for point in rounds_of(stage, team)
        ],
        opponents=[_cell(*pair, cell) for pair, cell in cells.items() if pair[0] == team],
        fixtures=[
            one for one in _fixtures(followed, stage, running, is_live) if plain(team) in one.teams
        ],
    )
