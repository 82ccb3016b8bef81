"""What is known about each team of a contest: how it plays, its faults, its decision times."""

from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import Engine

from croupier.contest.acts import ADD, ADMIT, DISQUALIFY, REPLACE, WITHDRAW
from croupier.contest.plan import Team
from croupier.dialects.roster import HOUSE
from croupier.match.faults import OTHER
from croupier.results import PlayerResult, results
from croupier.store import contests, queries
from croupier.store.contests import ContestRow, StoredResult


@dataclass
class TeamReport:
    """The report on one team."""

    team: str
    plays_by: str
    matches: int = 0
    hands: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    """By cause."""
    forfeits: Counter[str] = field(default_factory=Counter)
    """By reason."""
    decisions: int = 0
    """Those whose time was taken: of programs and connected teams."""
    mean: float | None = None
    """Seconds per decision."""
    p99: float | None = None
    """The worst 99th percentile of a match, in seconds."""
    remarks: list[str] = field(default_factory=list)


def team_reports(engine: Engine, contest: ContestRow) -> list[TeamReport]:
    """Return a report on every team, in the order of the file."""
    course = contests.course_of(engine, contest)
    reports = {team.name: TeamReport(team.name, _plays_by(team)) for team in course.plan.teams}
    words = {
        WITHDRAW: "withdrawn",
        DISQUALIFY: "disqualified",
        REPLACE: "replaced by a new version",
        ADD: "added later",
        ADMIT: "admitted",
    }
    for act in course.acts:
        if act.kind in words and act.team in reports:
            why = f" ({act.why})" if act.why else ""
            reports[act.team].remarks.append(words[act.kind] + why)
    for stored in contests.results(engine, contest.id):
        _add(engine, reports, stored)
    return list(reports.values())


def _plays_by(team: Team) -> str:
    if team.bot:
        return f"house bot {team.bot}" if team.house else team.bot
    return f"{team.dialect}: {team.command}" if team.command else f"{team.dialect}, connects"


def _add(engine: Engine, reports: dict[str, TeamReport], stored: StoredResult) -> None:
    seats = stored.result.seats
    for seat in seats:
        report = reports[seat.team]
        report.matches += 1
        report.hands += stored.result.hands
        report.faults.update(seat.causes)
        if seat.forfeit:
            report.forfeits[seat.forfeit] += 1
    lines = _lines(engine, stored)
    for seat in seats:
        report, line = reports[seat.team], lines.get(seat.team)
        rest = seat.faults - sum(seat.causes.values())
        if line is None:
            report.faults.update({OTHER: rest} if rest else {})
            continue
        report.faults.update(line.faults if rest else {})
        if line.mean_seconds is not None and line.p99_seconds is not None:
            total = (report.mean or 0.0) * report.decisions + line.mean_seconds * line.decisions
            report.decisions += line.decisions
            report.mean = total / report.decisions
            report.p99 = max(report.p99 or 0.0, line.p99_seconds)


def _lines(engine: Engine, stored: StoredResult) -> dict[str, PlayerResult]:
    """Return what the record of a match says of its players, if a server has made it.

    What is sealed says nothing yet.
    """
    if stored.match_id is None:
        return {}
    try:
        players = queries.match(engine, stored.match_id).players
    except queries.SealedError:
        return {}
    if all(player.dialect == HOUSE for player in players):
        return {}  # bots of a worker: nothing of theirs is on record but their decisions
    return {line.name: line for line in results(engine, stored.match_id).players}
