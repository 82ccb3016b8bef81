"""`croupier contest init`, `check`, `commit` and `plan`: before anything is played."""

import json
from pathlib import Path
from typing import Any

import click

from croupier.cli.contest.common import NAME, file_argument, json_option, load, put_on_record
from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import opened
from croupier.contest.adjusting import takes_luck_out
from croupier.contest.coefficients import hash_of
from croupier.contest.course import Course
from croupier.contest.fixtures import matches_of
from croupier.contest.formats.ladder import Ladder
from croupier.running.contest_example import EXAMPLE
from croupier.running.contest_file import ContestFile
from croupier.running.estimate import Estimate, estimate, knows_speed


@click.command("init")
@click.argument("file", type=click.Path(path_type=Path), default=NAME, metavar="[FILE]")
def init(file: Path) -> None:
    """Write an example of a contest file in which every key is explained (contest.toml)."""
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(EXAMPLE)
    except FileExistsError:
        raise BadArgumentError(f"{file} exists already; it is left as it is") from None
    except OSError as error:
        raise BadArgumentError(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"{file} is written; run it with: croupier contest run {file}")


@click.command("check")
@file_argument
def check(file: Path) -> None:
    """Check a contest file; every mistake is reported with its line and key."""
    contest = load(file)
    plan = contest.plan
    stages = ", ".join(f"{stage.name} ({stage.format})" for stage in plan.stages)
    click.echo(f"{file} is fine: {len(plan.teams)} teams; stages {stages}")


@click.command("commit")
@file_argument
@json_option
def commit(file: Path, as_json: bool) -> None:
    """Commit to the seed, before teams give their nonces: put the contest on record.

    Prints the commitment, to be published. The file may still change until the first match; what a
    beacon is announced as is part of the commitment, and so are the coefficients of luck.
    """
    contest = load(file)
    with opened(contest.store, create=True) as engine:
        row = put_on_record(file, engine, contest)
    found = {
        "contest": row.title,
        "commitment": row.commitment,
        "secret": row.secret,
        "announced": row.plan.beacon,
        "coefficients": hash_of(row.plan.coefficients),
    }
    if as_json:
        click.echo(json.dumps(found))
        return
    click.echo(f"{row.title}: commitment to the seed {row.commitment}")
    if row.plan.beacon:
        click.echo(f"beacon announced: {row.plan.beacon}")
    if row.plan.coefficients:
        click.echo(f"coefficients of luck, part of it: {found['coefficients']}")
    if not row.secret:
        click.echo("the seed is in the file, so it is not secret")


@click.command("plan")
@file_argument
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="How many worker processes."
)
@click.option("--no-trial", is_flag=True, help="Play no trial hands, and estimate no time.")
@json_option
def plan(file: Path, workers: int | None, no_trial: bool, as_json: bool) -> None:
    """Show the fixtures, their hands, and a time estimate from a trial; nothing is recorded.

    The pairings of stages that depend on results are not known yet; their number is.
    """
    contest = load(file)
    planned = _planned(contest, workers, no_trial)
    if as_json:
        click.echo(json.dumps(planned))
        return
    for stage in planned["stages"]:
        click.echo(_text(stage))
        for fixture in stage["fixtures"]:
            label = f" ({fixture['label']})" if fixture["label"] else ""
            click.echo(f"  {fixture['fixture']}{label}: {' – '.join(fixture['teams'])}")
    if planned["note"]:
        click.echo(planned["note"])


def _planned(contest: ContestFile, workers: int | None, no_trial: bool) -> dict[str, Any]:
    # Draws follow the seed, which may be secret until the contest begins.
    seed = contest.seed_bytes or bytes(32)
    course = Course(contest.plan, seed)
    first = course.stages[0]
    speed: Estimate | None = None
    if not no_trial and knows_speed(contest):
        speed = estimate(contest, course, workers)
    stages = []
    for index, stage in enumerate(contest.plan.stages):
        known = course.stages[index] if index < len(course.stages) else None
        fixtures = list(known.schedule.fixtures) if known is not None else []
        matches = sum(len(matches_of(fixture, stage)) for fixture in fixtures)
        hands = matches * stage.hands if stage.hands else None
        seconds = None
        if speed is not None and hands:
            seconds = speed.seconds(hands, takes_luck_out(contest.plan, stage))
        stages.append(
            {
                "name": stage.name,
                "format": stage.format,
                "known": known is not None,
                "matches": matches,
                "hands": hands,
                "seconds": seconds,
                "note": known.schedule.note if known is not None else "",
                "fixtures": [
                    {"fixture": one.name, "label": one.label, "teams": list(one.teams)}
                    for one in fixtures
                ],
            }
        )
    drawn = first.plan.draw or first.plan.format == "groups"
    note = (
        ""
        if contest.seed is not None or not drawn
        else ("the draw is an example: the contest's own seed is drawn when it begins")
    )
    return {"contest": contest.plan.title, "stages": stages, "note": note}


def _text(stage: dict[str, Any]) -> str:
    if not stage["known"]:
        return f"{stage['name']} ({stage['format']}): its teams come from the stage before"
    text = f"{stage['name']} ({stage['format']}): {stage['matches']:,} matches known"
    if stage["format"] == Ladder.name:
        text = f"{stage['name']} ({stage['format']}): pairings are made as it goes on"
    if stage["hands"]:
        text += f", {stage['hands']:,} hands"
    if stage["seconds"] is not None:
        text += f", about {_duration(stage['seconds'])}"
    return text + (f"; {stage['note']}" if stage["note"] else "")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
