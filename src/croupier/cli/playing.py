"""What `croupier play` does: play bots against each other, and print who won how much."""

import json
import os
import traceback
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from croupier import __version__
from croupier.cli.bot_argument import load_players
from croupier.cli.comparison import Comparison, adjusted, adjusted_cells
from croupier.cli.errors import BadArgumentError
from croupier.cli.rules_option import load_rules
from croupier.cli.stop_option import read_stop
from croupier.cli.store_option import table_console
from croupier.contest.coefficients import luck_problem
from croupier.deals import seed_from_text
from croupier.play import Outcome, play
from croupier.rules import rules as r
from croupier.rules.rules import Rules
from croupier.seeds import fresh_seed


def play_bots(
    context: click.Context,
    bots: tuple[str, ...],
    rules_source: str,
    hands: int,
    seed: str | None,
    settings: tuple[str, ...],
    duplicate: bool,
    luck: bool,
    stop_text: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Play; the arguments are those of the command."""
    rules = load_rules(rules_source, settings, defaults={"stacks": r.RESET})
    if not 2 <= len(bots) <= rules.max_seats:
        raise BadArgumentError(f"{rules.name} seats 2 to {rules.max_seats} bots, not {len(bots)}")
    stop = None if stop_text is None else read_stop(stop_text)
    if duplicate and rules.stacks == r.CARRY:
        raise BadArgumentError("--duplicate needs stacks that are reset before each hand")
    if duplicate and hands < len(bots):
        raise BadArgumentError(f"--hands is at least {len(bots)} with --duplicate: one set")
    if luck and (problem := luck_problem(rules)):
        raise BadArgumentError(f"--luck: {problem}")
    seed_text = seed if seed is not None else fresh_seed().hex()
    seed_bytes = seed_from_text(seed_text)
    players = load_players(bots, seed_bytes, rules)
    comparison = Comparison(rules, tuple(bots), players, seed_bytes, hands, duplicate, luck, stop)
    errors = Console(stderr=True)
    with _progress(errors) as bar:
        task = bar.add_task("playing", total=hands, rate="", interval="")

        def advance(done: int, interval: str = "") -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            rate = f"{speed:,.0f} hands/s" if speed else ""
            bar.update(task, completed=done, rate=rate, interval=interval)

        try:
            if comparison.in_blocks or (workers or 1) > 1:
                outcome = comparison.run(workers or os.cpu_count() or 1, advance)
            else:
                estimates = comparison.estimates if luck else None
                outcome = play(rules, players, hands, seed_bytes, advance, estimates)
        except Exception:
            bar.stop()
            click.echo(
                f"{traceback.format_exc()}\ninternal error: no bot is to blame for this, Croupier"
                f" {__version__} is. Please report it with the lines above, the command and the"
                f" seed: {seed_text}",
                err=True,
            )
            context.exit(1)
    for player in outcome.players:
        if player.first_fault:
            click.echo(f"{player.name}, its first fault:\n{player.first_fault.rstrip()}", err=True)
    if as_json:
        click.echo(json.dumps(_as_object(rules, seed_text, outcome, comparison)))
    else:
        _print_table(rules, seed_text, outcome, comparison)
    if outcome.interrupted:
        context.exit(130)
    context.exit(comparison.exit_code)


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[interval]}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _as_object(rules: Rules, seed: str, outcome: Outcome, comparison: Comparison) -> dict[str, Any]:
    carry = rules.stacks == r.CARRY
    seats = []
    estimates = outcome.estimates
    for number, player in enumerate(outcome.players):
        rate = player.bb_per_hand
        half_width = rate.ci95
        seat: dict[str, Any] = {
            "name": player.name,
            "chips_won": player.chips_won,
            "bb_per_100": 100 * rate.rate,
            "ci95": None if half_width is None else 100 * half_width,
            "faults": player.faults,
        }
        if carry:
            seat["matches_won"] = player.matches_won
        if estimates is not None:
            seat["adjusted"] = adjusted(estimates, number)
        seats.append(seat)
    result = {"rules": rules.name, "seed": seed, "hands": outcome.hands, "seats": seats}
    if carry:
        result["matches"] = outcome.matches
    if estimates is not None:
        result |= comparison.as_object(estimates)
    result["hands_per_second"] = outcome.hands_per_second
    return result


def _print_table(rules: Rules, seed: str, outcome: Outcome, comparison: Comparison) -> None:
    estimates = outcome.estimates
    carry = rules.stacks == r.CARRY
    table = Table(title=f"{outcome.hands:,} hands of {escape(rules.name)}", title_justify="left")
    table.add_column("bot")
    columns = ["chips won", "bb/100", "± 95 %"]
    columns += ["adjusted", "± 95 %", "factor"] if estimates is not None else []
    columns += ["matches won"] if carry else []
    for column in (*columns, "faults"):
        table.add_column(column, justify="right")
    for number, player in sorted(enumerate(outcome.players), key=lambda p: -p[1].chips_won):
        rate = player.bb_per_hand
        half_width = rate.ci95
        table.add_row(
            escape(player.name),
            f"{player.chips_won:+,}",
            f"{100 * rate.rate:+,.1f}",
            "–" if half_width is None else f"{100 * half_width:,.1f}",
            *(adjusted_cells(estimates.shown(number)) if estimates is not None else ()),
            *([f"{player.matches_won:,}"] if carry else []),
            f"{player.faults:,}",
        )
    console = table_console()
    console.print(table)
    for line in comparison.sentences(estimates) if estimates is not None else ():
        console.print(escape(line), highlight=False, soft_wrap=True)
    matches = f" in {outcome.matches:,} matches" if carry else ""
    console.print(
        f"{outcome.hands_per_second:,.0f} hands/s{matches}, seed {escape(seed)}",
        highlight=False,
        soft_wrap=True,
    )
