"""The tables of a contest as plain values, for JSON: standings, crosstables, fixtures."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from croupier.contest.adjusting import adjusted, unit_of
from croupier.contest.course import Course, StageCourse
from croupier.contest.crosstable import Cell, crosstable_of
from croupier.contest.digest import digest
from croupier.contest.estimates import in_bb_per_100
from croupier.contest.progress import fixtures_of
from croupier.contest.standings import Line
from croupier.stats import RateEstimate


def digest_of(course: Course) -> str:
    """Return the digest of everything that was played."""
    return digest(result for stage in course.stages for result in stage.results.values())


def standings_object(
    course: Course, stages: Sequence[StageCourse], by: str | None = None
) -> dict[str, Any]:
    """Return standings as plain values."""
    return {
        "contest": course.plan.title,
        "digest": digest_of(course),
        "complete": course.complete,
        "stages": [
            {
                "name": stage.plan.name,
                "format": stage.plan.format,
                "complete": stage.complete,
                "score": by or stage.plan.score,
                "unit": unit_of(stage.plan),
                "luck": bool(stage.plan.coefficients),
                "intervals": intervals_of(stage),
                "standings": [_line_object(course, stage, line) for line in stage.standing_by(by)],
            }
            for stage in stages
        ],
    }


def _line_object(course: Course, stage: StageCourse, line: Line) -> dict[str, Any]:
    without_luck = adjusted(stage.plan, line.results, line.team)
    return {
        "rank": line.rank,
        "team": line.team,
        "matches": line.matches,
        "hands": line.hands,
        "score": line.score,
        "rate": line.rate,
        "ci95": line.ci95,
        "forfeits": line.forfeits,
        "points": line.points,
        "chips": line.chips,
        "hands_survived": line.survived,
        "faults": line.faults,
        "byes": line.byes,
        "group": line.group,
        "house": course.plan.teams_by_name[line.team].house,
        "note": line.remarks,
        "adjusted": None if without_luck is None else asdict(without_luck),
    }


def crosstable_object(stage: StageCourse) -> dict[str, Any]:
    """Return the crosstable of a stage as plain values."""
    cells = crosstable_of(stage)
    teams = [line.team for line in stage.standing]
    return {
        "name": stage.plan.name,
        "teams": teams,
        "unit": unit_of(stage.plan),
        "luck": bool(stage.plan.coefficients),
        "cells": [[_cell_object(cells.get((row, column))) for column in teams] for row in teams],
    }


def _cell_object(cell: Cell | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    without_luck, (raw, less) = cell.adjusted, cell.differences
    return {
        "matches": cell.matches,
        "points": cell.points,
        "chips": cell.chips,
        "rate": cell.rate,
        "ci95": cell.ci95,
        "adjusted": None if without_luck is None else asdict(without_luck),
        "difference": {
            **_rate(raw),
            "adjusted": None if without_luck is None else _rate(less),
        },
    }


def _rate(estimate: RateEstimate) -> dict[str, float | None]:
    rate, half = in_bb_per_100(estimate)
    return {"bb_per_100": rate, "ci95": half}


def fixture_rows(stage: StageCourse) -> list[dict[str, Any]]:
    """Return the fixtures of a stage as plain values."""
    return [
        {
            "stage": stage.plan.name,
            "fixture": one.fixture.name,
            "label": one.fixture.label,
            "round": one.fixture.round,
            "teams": list(one.fixture.teams),
            "state": one.text,
            "points": dict(one.points),
            "chips": dict(one.chips),
            "forfeits": dict(one.forfeits),
            "matches": [str(name) for name in one.matches],
            "interval": None if one.look is None else one.look.as_object(),
            "stopped": one.stopped,
        }
        for one in fixtures_of(stage)
    ]


def intervals_of(stage: StageCourse) -> list[dict[str, Any]]:
    """Return what is known about fixtures that go on until something is shown, as plain values.

    The interval is about the first team, and holds at every look.
    """
    return [
        {
            "fixture": one.fixture.name,
            "teams": list(one.fixture.teams),
            "played": len(one.played),
            "matches": len(one.matches),
            "interval": one.look.as_object(),
        }
        for one in fixtures_of(stage)
        if one.look is not None and not one.settled
    ]
