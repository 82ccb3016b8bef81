"""`croupier contest status`, `standings`, `crosstable`, `fixtures`."""

import json
import time
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

import click
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table

from croupier.cli.comparison import adjusted_cells
from croupier.cli.contest.common import (
    OnRecord,
    file_argument,
    json_option,
    on_record,
    unknown_stage,
)
from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import local_time, table_console
from croupier.contest.adjusting import adjusted, unit_of
from croupier.contest.coefficients import hash_of
from croupier.contest.course import Course, StageCourse
from croupier.contest.crosstable import Cell, crosstable_of
from croupier.contest.estimates import HAND, MATCH, SET
from croupier.contest.fixtures import matches_of
from croupier.contest.plan import SCORES
from croupier.contest.standings import TIE_BREAKS, Line
from croupier.contest.stopping import Look
from croupier.running.tables import (
    crosstable_object,
    digest_of,
    fixture_rows,
    intervals_of,
    standings_object,
)
from croupier.running.team_reports import team_reports
from croupier.store import friendlies


def chosen_stages(course: Course, name: str | None) -> list[StageCourse]:
    """Return the stages that have begun, or the one that was asked for."""
    if name is None:
        return course.stages
    known = [stage.plan.name for stage in course.stages]
    if name not in known:
        planned = [stage.name for stage in course.plan.stages]
        if name in planned:
            raise BadArgumentError(f"the stage {name!r} has not begun yet")
        raise unknown_stage(name, planned)
    return [course.stages[known.index(name)]]


stage_option = click.option("--stage", metavar="NAME", help="Only this stage.")


@click.command("status")
@file_argument
@json_option
def status(file: Path, as_json: bool) -> None:
    """Show how far a contest has come: what is played, what is due, what waits for you."""
    with on_record(file) as contest:
        found = _status(contest)
    if as_json:
        click.echo(json.dumps(found))
        return
    click.echo(f"{found['contest']}: {found['state']}")
    for stage in found["stages"]:
        click.echo(
            f"  {stage['name']} ({stage['format']}): {stage['played']} of {stage['matches']}"
            f" matches{', complete' if stage['complete'] else ' known so far, not complete'}"
        )
        if stage["note"]:
            click.echo(f"    {stage['note']}")
        for one in stage["intervals"]:
            click.echo(f"    {_interval_text(one)}")
    if any(found["friendlies"].values()):
        states = ", ".join(f"{number} {state}" for state, number in found["friendlies"].items())
        click.echo(f"friendly matches: {states}")
    click.echo(f"commitment to the seed: {found['commitment']}")
    for match in found["set_aside"]:
        click.echo(
            f"set aside, it broke too often: {match} (`croupier contest give-up {file} {match}`"
            " completes the stage without it)"
        )
    for act in found["acts"]:
        click.echo(f"{act['act']} {act['team'] or act['match']} {act['why']}".rstrip())


def _status(contest: OnRecord) -> dict[str, Any]:
    course = contest.course
    state = "complete" if course.complete else "paused" if course.paused else "not complete"
    start = course.current.plan.start
    if not course.complete and start is not None and start > time.time():
        state = f"waiting for {local_time(start)}, when {course.current.plan.name} starts"
    return {
        "contest": contest.row.title,
        "state": state,
        "complete": course.complete,
        "commitment": contest.row.commitment,
        "coefficients": hash_of(contest.row.plan.coefficients),
        "secret": contest.row.secret,
        "digest": digest_of(course),
        "stages": [
            {
                "name": stage.plan.name,
                "format": stage.plan.format,
                "complete": stage.complete,
                "played": len(stage.results),
                "matches": sum(
                    len(matches_of(fixture, stage.plan)) for fixture in stage.schedule.fixtures
                ),
                "note": stage.schedule.note,
                "intervals": intervals_of(stage),
            }
            for stage in course.stages
        ],
        "friendlies": friendlies.counts(contest.engine, contest.row.id),
        "set_aside": course.set_aside,
        "acts": [
            {"act": act.kind, "team": act.team, "match": act.match, "why": act.why}
            for act in course.acts
        ],
    }


@click.command("standings")
@file_argument
@stage_option
@click.option(
    "--by",
    type=click.Choice(SCORES),
    help="Rank by this instead: points, rate (bb/100), bankroll (total chips) or runoff (the"
    " smallest bankroll goes, again and again).",
)
@json_option
def standings(file: Path, stage: str | None, by: str | None, as_json: bool) -> None:
    """Print the standings of all stages, or of one."""
    with on_record(file) as contest:
        course = contest.course
        stages = chosen_stages(course, stage)
        if as_json:
            click.echo(json.dumps(standings_object(course, stages, by)))
            return
        console = table_console()
        for one in stages:
            console.print(standings_table(course, one, one.standing_by(by), by))
            for known in intervals_of(one):
                click.echo(_interval_text(known))


def _interval_text(known: Mapping[str, Any]) -> str:
    """Return what is known about a fixture that goes on until something is shown."""
    first, second = known["teams"]
    return (
        f"{known['fixture']}: {first} against {second} {_look(known['interval'])} after"
        f" {known['played']} of at most {known['matches']} matches, an interval that holds at every"
        " look"
    )


def standings_table(
    course: Course,
    stage: StageCourse,
    lines: Sequence[Line],
    by: str | None = None,
    luck: bool = True,
) -> Table:
    """Return the standing of a stage as a table; house bots are marked.

    `by` is the score, if it is not the stage's own; with `luck` there are the rates without it,
    where the stage takes it out.
    """
    lucky = luck and bool(stage.plan.coefficients)
    house = {team.name for team in course.plan.teams if team.house}
    done = "" if stage.complete else ", not complete"
    groups = any(line.group for line in lines)
    extra = any(line.forfeits or line.byes or line.faults for line in lines)
    table = Table(
        title=f"{escape(stage.plan.name)} ({stage.plan.format}{done})",
        caption=f"by {TIE_BREAKS[by] if by else stage.format.ordered_by(stage.plan)}"
        + (f"\nadjusted: without the luck of the cards, {_OVER[unit_of(stage.plan)]}" * lucky),
        title_justify="left",
        caption_justify="left",
    )
    if groups:
        table.add_column("group")
    table.add_column("", justify="right")
    table.add_column("team")
    columns = ["matches", "hands", "score", "bb/100", "± 95 %"]
    columns += ["adjusted", "± 95 %", "factor"] if lucky else []
    for column in [*columns, *(["faults", "forfeits", "byes"] if extra else [])]:
        table.add_column(column, justify="right")
    for line in lines:
        notes = [
            *(["house"] if line.team in house else []),
            *([line.remarks] if line.remarks else []),
        ]
        note = f" ({', '.join(notes)})" if notes else ""
        table.add_row(
            *([line.group] if groups else []),
            str(line.rank),
            escape(line.team + note),
            f"{line.matches:,}",
            f"{line.hands:,}",
            f"{line.score:,.10g}" if line.score == int(line.score) else f"{line.score:+,.1f}",
            "–" if line.rate is None else f"{line.rate:+,.1f}",
            "–" if line.ci95 is None else f"{line.ci95:,.1f}",
            *(adjusted_cells(adjusted(stage.plan, line.results, line.team)) if lucky else ()),
            *([str(line.faults), str(line.forfeits), str(line.byes)] if extra else []),
        )
    return table


_OVER = {HAND: "over hands", SET: "over sets", MATCH: "over matches"}


array_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON array on one line."
)


@click.command("teams")
@file_argument
@array_option
def teams(file: Path, as_json: bool) -> None:
    """List the teams: how they play, what they played, their faults and decision times."""
    with on_record(file) as contest:
        rows = [vars(report) for report in team_reports(contest.engine, contest.row)]
    if as_json:
        click.echo(json.dumps(rows))
        return
    grid = Table(box=None, pad_edge=False)
    columns = ("team", "plays by", "matches", "hands", "mean ms", "p99 ms", "faults", "remarks")
    for column in columns:
        grid.add_column(column, justify="right" if columns.index(column) in range(2, 6) else "left")
    for row in rows:
        faults = ", ".join(f"{count:,} {cause}" for cause, count in row["faults"].items())
        remarks = [*row["remarks"], *(f"{n} × {why}" for why, n in row["forfeits"].items())]
        times = ["–" if row[key] is None else f"{1000 * row[key]:,.1f}" for key in ("mean", "p99")]
        grid.add_row(
            escape(row["team"]), escape(row["plays_by"]), f"{row['matches']:,}",
            f"{row['hands']:,}", *times, escape(faults), escape("; ".join(remarks)),
        )  # fmt: skip
    table_console().print(grid)


@click.command("crosstable")
@file_argument
@stage_option
@array_option
def crosstable(file: Path, stage: str | None, as_json: bool) -> None:
    """Print who did how well against whom: bb/100, or points where stacks carry over."""
    with on_record(file) as contest:
        stages = chosen_stages(contest.course, stage)
        if as_json:
            click.echo(json.dumps([crosstable_object(one) for one in stages]))
            return
        console = table_console()
        for one in stages:
            console.print(_crosstable(one))
            if one.plan.coefficients and not one.plan.by_places:
                console.print(_crosstable(one, luck=True))


def _crosstable(stage: StageCourse, luck: bool = False) -> RenderableType:
    cells = crosstable_of(stage)
    teams = [line.team for line in stage.standing]
    title = escape(stage.plan.name) + (", without the luck of the cards" if luck else "")
    table = Table(title=title, title_justify="left")
    table.add_column("")
    table.add_column("team")
    for number in range(1, len(teams) + 1):
        table.add_column(str(number), justify="right")
    for number, row in enumerate(teams, 1):
        texts = [_cell_text(stage, cells.get((row, column)), luck) for column in teams]
        table.add_row(str(number), escape(row), *texts)
    return table


def _cell_text(stage: StageCourse, cell: Cell | None, luck: bool) -> str:
    if cell is None:
        return ""
    if stage.plan.by_places:
        return f"{cell.points:g}"
    rate, half = cell.rate, cell.ci95
    if luck and (without_luck := cell.adjusted) is not None:
        rate, half = without_luck.bb_per_100, without_luck.ci95
    return f"{rate:+,.0f}" + ("" if half is None else f" ±{half:,.0f}")


@click.command("fixtures")
@file_argument
@stage_option
@array_option
def fixtures(file: Path, stage: str | None, as_json: bool) -> None:
    """List the fixtures that are known, with their state and results."""
    with on_record(file) as contest:
        rows = [row for one in chosen_stages(contest.course, stage) for row in fixture_rows(one)]
    if as_json:
        click.echo(json.dumps(rows))
        return
    grid = Table(box=None, pad_edge=False)
    looks = any(row["interval"] for row in rows)
    for column in ("fixture", "teams", "state", "points", "chips", *(["shown"] if looks else [])):
        grid.add_column(column)
    for row in rows:
        points = " : ".join(f"{row['points'][team]:g}" for team in row["teams"] if row["points"])
        chips = " : ".join(f"{row['chips'][team]:+,}" for team in row["teams"] if row["chips"])
        name = f"{row['stage']}/{row['fixture']}" + (f" ({row['label']})" if row["label"] else "")
        grid.add_row(
            escape(name),
            escape(" – ".join(row["teams"])),
            row["state"],
            points,
            chips,
            *([_shown(row)] if looks else []),
        )
    table_console().print(grid)


def _shown(row: Mapping[str, Any]) -> str:
    """Return what a fixture has shown about its first team, where that decides when it ends."""
    if row["interval"] is None:
        return ""
    return f"{_look(row['interval'])}" + (f", {row['stopped']}" if row["stopped"] else "")


def _look(interval: Mapping[str, Any]) -> Look:
    half = interval["always_valid"]
    return Look(interval["bb_per_100"], inf if half is None else half, "")
