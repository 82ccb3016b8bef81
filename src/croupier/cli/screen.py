"""The terminal output of a running host."""

import json
import sys
import time
from typing import Any

import click
from rich.markup import escape
from rich.table import Table as Grid

from croupier.cli.store_option import table_console
from croupier.server.arena.plan import ArenaPlan
from croupier.server.table.game import Game

LINE_EVERY = 0.2
"""Seconds between two updates of the status line on a terminal."""


class Screen:
    """Print matches, results and a status line for the organiser."""

    def __init__(self, plan: ArenaPlan, recorded: bool, as_json: bool) -> None:
        self._one_table = bool(plan.tables)
        self._recorded = recorded
        self._as_json = as_json
        self._live = sys.stderr.isatty()
        self._next_line = 0.0
        self._hands = 0
        self._hands_before = 0
        self._time_before = time.monotonic()

    def listening(self, scheme: str, address: str, port: int) -> None:
        click.echo(f"listening: {scheme} {address}:{port}")
        if not self._one_table:
            self._say_if_not_recorded()
            sys.stdout.flush()

    def opened(self, game: Game) -> None:
        match = game.table.match
        heading = f"match {game.table.id}: {match.rules.name}, {match.size} seats"
        if not self._one_table:
            click.echo(
                f"{game.key}, {heading}, seed commitment {game.commitment}{opening_of(game)}"
            )
            return
        click.echo(heading)
        click.echo(f"seed commitment SHA-256(salt + seed): {game.commitment}{opening_of(game)}")
        if not game.secret:
            click.echo("the seed was given on the command line: this match is not secret")
        self._say_if_not_recorded()
        sys.stdout.flush()

    def _say_if_not_recorded(self) -> None:
        if not self._recorded:
            click.echo("not recorded; --store FILE keeps every hand", err=True)

    def hand(self, game: Game) -> None:
        self._hands += 1
        now = time.monotonic()
        if now < self._next_line:
            return
        match, hand = game.table.match, game.table.view.hand
        speed = (self._hands - self._hands_before) / max(now - self._time_before, 1e-9)
        self._hands_before, self._time_before = self._hands, now
        self._next_line = now + (LINE_EVERY if self._live else 1.0)
        if not self._one_table:
            self._show(f"{self._hands:,} hands  {speed:,.0f} hands/s")
            return
        stacks = " ".join(
            f"{game.seating.places[player].pid}:{match.players[player].stack}"
            for player in hand.players
        )
        self._show(
            f"hand {match.number}  pot {game.table.view.paid}  {speed:,.0f} hands/s  {stacks}"
        )

    def _show(self, line: str) -> None:
        if self._live:
            sys.stderr.write(f"\r\x1b[K{line[:150]}")
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def result(self, result: dict[str, Any]) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")
        if self._as_json:
            click.echo(json.dumps(result))
        elif not self._one_table:
            chips = ", ".join(f"{seat['name']} {seat['chips']:,}" for seat in result["seats"])
            click.echo(f"match {result['match']} over: {result['hands']:,} hands; {chips}")
        else:
            _print_result(result)
        sys.stdout.flush()


def opening_of(game: Game) -> str:
    """Return which opening of a table this is, and the beacon that is announced with it."""
    opening = game.opening
    number = f", opening {opening.number}" if opening.number is not None else ""
    return number + (f", beacon: {opening.announced}" if opening.announced else "")


def _print_result(result: dict[str, Any]) -> None:
    grid = Grid(title=f"match {result['match']}: {result['hands']:,} hands", title_justify="left")
    grid.add_column("rank", justify="right")
    grid.add_column("player")
    grid.add_column("dialect")
    for column in ("chips", "hands survived", "timeouts", "faults"):
        grid.add_column(column, justify="right")
    for seat in result["seats"]:
        grid.add_row(
            str(seat["rank"]),
            escape(f"{seat['name']} ({seat['pid']})"),
            seat["dialect"],
            f"{seat['chips']:,}",
            f"{seat['hands_survived']:,}",
            f"{seat['timeouts']:,}",
            f"{seat['faults']:,}",
        )
    console = table_console()
    console.print(grid)
    console.print(f"seed {result['seed']}", highlight=False, soft_wrap=True)
