"""`croupier results`: print the ranking and statistics of a match."""

import csv
import json
import sys
from collections.abc import Iterator
from typing import Any

import click
from rich.markup import escape
from rich.table import Table as Grid

from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import opened, store_option, table_console
from croupier.cli.verify import contributions
from croupier.contest.coefficients import coefficients_name
from croupier.contest.estimates import MATCH
from croupier.history.printable import plain
from croupier.results import MatchResults, NoLuckError, PlayerResult, results
from croupier.store import queries

COLUMNS = (
    "rank",
    "player",
    "dialect",
    "chips",
    "hands",
    "bb_per_100",
    "ci95",
    "timeouts",
    "faults",
    "decisions",
    "mean_seconds",
    "p99_seconds",
)


LUCK_COLUMNS = ("adjusted_bb_per_100", "adjusted_ci95", "factor")

_HEADS = (
    "rank",
    "player",
    "dialect",
    "chips",
    "hands",
    "bb/100",
    "± 95 %",
    "timeouts",
    "faults",
)


@click.command("results")
@click.argument("match", default="last")
@store_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How to print it.",
)
@click.option(
    "--luck", is_flag=True, help="Add the rates without the luck of the cards, once it is over."
)
def command(match: str, store: str, form: str, luck: bool) -> None:
    """Print the ranking of MATCH (an id, the beginning of one, or last) with all statistics.

    The ranking follows the rules of the match. bb/100 is big blinds won per hundred hands, with a
    95 % confidence interval over hands. Where stacks carry over the hands of a match depend on each
    other: it is one observation, and has no interval. Decision times are those of connected
    players, from question to answer. Once the match is over, its seed is shown beside the
    commitment to it.
    """
    with opened(store) as engine:
        try:
            found = results(engine, queries.find(engine, match), luck)
        except NoLuckError as error:
            raise BadArgumentError(str(error)) from None
    if form == "json":
        click.echo(json.dumps(_as_object(found)))
    elif form == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow([*COLUMNS, *(LUCK_COLUMNS if luck else ())])
        for line in found.players:
            values = _values(line)
            values["faults"] = "; ".join(f"{cause}: {n}" for cause, n in line.faults.items())
            writer.writerow(["" if value is None else value for value in values.values()])
    else:
        _print(found)


def _values(line: PlayerResult) -> dict[str, Any]:
    values = (
        line.rank,
        line.name,
        line.dialect,
        line.chips,
        line.hands,
        round(line.bb_per_100, 3),
        None if line.ci95 is None else round(line.ci95, 3),
        line.timeouts,
        dict(line.faults),
        line.decisions,
        None if line.mean_seconds is None else round(line.mean_seconds, 6),
        None if line.p99_seconds is None else round(line.p99_seconds, 6),
    )
    return dict(zip(COLUMNS, values, strict=True)) | _without_luck(line)


def _without_luck(line: PlayerResult) -> dict[str, Any]:
    """Return the figures without luck, if they were asked for."""
    if line.adjusted is None:
        return {}
    half, factor = line.adjusted.ci95, line.factor
    values = (
        round(100 * line.adjusted.rate, 3),
        None if half is None else round(100 * half, 3),
        None if factor is None else round(factor, 2),
    )
    return dict(zip(LUCK_COLUMNS, values, strict=True))


def _as_object(found: MatchResults) -> dict[str, Any]:
    match = found.match
    return {
        "match": match.id,
        "arena": match.arena,
        "table": match.table,
        "rules": match.rules_name,
        "status": "running" if match.ended is None else "ended",
        "hands": match.hands,
        "commitment": match.commitment,
        "secret": match.secret,
        "seed": match.seed.hex() if match.seed else None,
        "salt": match.salt.hex() if match.salt else None,
        **match.deals,
        "players": [_values(line) for line in found.players],
        "unit": found.unit,
        "differences": [
            {
                "of": one.of,
                "to": one.to,
                "bb_per_100": round(one.bb_per_100, 3),
                "ci95": None if one.ci95 is None else round(one.ci95, 3),
            }
            for one in found.differences
        ],
        **({"coefficients": coefficients_name()} if _lucky(found) else {}),
    }


def _lucky(found: MatchResults) -> bool:
    return any(line.adjusted is not None for line in found.players)


def _print(found: MatchResults) -> None:
    match = found.match
    state = "not over yet" if match.ended is None else "over"
    grid = Grid(
        title=escape(
            f"match {match.id} at {plain(match.table)}{_of(match.arena)}: {match.rules_name},"
            f" {match.hands:,} hands, {state}"
        ),
        title_justify="left",
    )
    for column in _HEADS:
        left = column in ("player", "dialect", "faults")
        grid.add_column(column, justify="left" if left else "right")
    lucky = _lucky(found)
    for column in ("mean", "p99", *(("adjusted", "± 95 %", "factor") if lucky else ())):
        grid.add_column(column, justify="right")
    for line in found.players:
        faults = ", ".join(f"{cause} {count:,}" for cause, count in line.faults.most_common())
        grid.add_row(
            str(line.rank),
            escape(plain(line.name)),
            line.dialect,
            f"{line.chips:,}",
            f"{line.hands:,}",
            f"{line.bb_per_100:+,.1f}",
            "" if line.ci95 is None else f"{line.ci95:,.1f}",
            f"{line.timeouts:,}",
            escape(faults),
            _milliseconds(line.mean_seconds),
            _milliseconds(line.p99_seconds),
            *(
                "" if value is None else f"{value:{sign},.1f}"
                for sign, value in zip(("+", "", ""), _without_luck(line).values(), strict=False)
            ),
        )
    console = table_console()
    console.print(grid)
    for sentence in _sentences(found):
        console.print(escape(plain(sentence)), soft_wrap=True, highlight=False)
    console.print(f"commitment {match.commitment}", soft_wrap=True)
    if match.seed is not None and match.salt is not None:
        console.print(f"seed       {match.seed.hex()}", soft_wrap=True)
        console.print(f"salt       {match.salt.hex()}", soft_wrap=True)
    for sentence in contributions(match):
        console.print(escape(sentence), soft_wrap=True, highlight=False)


def _of(arena: str) -> str:
    return f" of the arena {arena}" if arena else ""


def _sentences(found: MatchResults) -> Iterator[str]:
    """Return what the intervals are over, and the differences of the first player to the others."""
    if found.unit == MATCH:
        yield "stacks carried over: the match is one observation, and has no interval"
    elif len(found.players) > 2:
        yield "error bars are over hands; differences have their own:"
        for one in found.differences[: len(found.players) - 1]:
            half = "–" if one.ci95 is None else f"{one.ci95:,.1f}"
            yield f"  {one.of} less {one.to}: {one.bb_per_100:+,.1f} ± {half} bb/100"
    if _lucky(found):
        yield f"luck taken out by {coefficients_name()}"


def _milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{1000 * seconds:,.1f} ms"
