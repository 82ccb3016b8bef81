"""`croupier tables`, `start`, `pause`, `resume`, `end`, `withdraw`: control a running arena."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import click
from rich.markup import escape
from rich.table import Table as Grid

from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import local_time, opened, store_option, table_console
from croupier.history.printable import plain
from croupier.server.arena.control import ControlError, Request, ask
from croupier.store import arenas, queries
from croupier.store.openings import by_place, chain, problems
from croupier.store.records import OpeningRow

F = TypeVar("F", bound=Callable[..., Any])


def _control_option(command: F) -> F:
    return click.option(
        "--control",
        envvar="CROUPIER_CONTROL",
        default="croupier.sock",
        show_default=True,
        show_envvar=True,
        type=click.Path(path_type=Path),
        metavar="SOCKET",
        help="The control socket of the arena.",
    )(command)


def _ask_arena(control: Path, request: Request) -> dict[str, Any]:
    try:
        answer = ask(control, request)
    except ControlError as error:
        raise BadArgumentError(str(error)) from None
    if not answer.get("ok"):
        raise BadArgumentError(str(answer.get("error")))
    return answer


def _command(control: Path, command: str, table: str, player: str = "", beacon: str = "") -> None:
    request = Request(command, table, player, beacon=beacon)
    click.echo(_ask_arena(control, request)["text"])


@click.command("tables")
@_control_option
@click.option(
    "--all",
    "of_all",
    is_flag=True,
    help="List the matches on record that are not over, of all arenas in --store, instead.",
)
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def tables(control: Path, of_all: bool, store: str, as_json: bool) -> None:
    """List the tables of a running arena and their state.

    With --all no arena is asked: what is listed is what the store knows of the arenas that share
    it. A match is there from its start to its end, also while its arena is stopped.
    """
    if of_all:
        _list_all(store, as_json)
        return
    rows = _ask_arena(control, Request("tables"))["tables"]
    if as_json:
        click.echo(json.dumps(rows))
        return
    if not rows:
        click.echo("nothing is open")
        return
    grid = Grid(box=None, pad_edge=False)
    for column in ("table", "number", "state", "rules", "hand", "match", "players", "commitment"):
        justify: Literal["left", "right"] = "right" if column in ("number", "hand") else "left"
        grid.add_column(column, justify=justify, overflow="fold")
    for row in rows:
        players = ", ".join(
            f"{player['name']} {player['chips']:,}"
            + (" (out)" if player["out"] else "" if player["online"] else " (away)")
            for player in row["players"]
        )
        grid.add_row(
            row["table"],
            row["number"],
            row["state"],
            row["rules"],
            f"{row['hand']:,}",
            row["match"],
            escape(players),
            _bound_by(row),
        )
    table_console().print(grid)


def _list_all(store: str, as_json: bool) -> None:
    with opened(store) as engine:
        found, sites = queries.running(engine), arenas.sites(engine)
    if as_json:
        rows = [
            {
                "arena": match.arena,
                "table": match.table,
                "match": match.id,
                "rules": match.rules_name,
                "began": match.began,
                "hands": match.hands,
                "players": match.names,
                "site": sites.get(match.arena),
            }
            for match in found
        ]
        click.echo(json.dumps(rows))
        return
    if not found:
        click.echo("nothing is being played")
        return
    grid = Grid(box=None, pad_edge=False)
    for column in ("arena", "table", "rules", "hands", "match", "players", "site"):
        grid.add_column(column, justify="right" if column == "hands" else "left", overflow="fold")
    for match in found:
        chips = ", ".join(f"{line.name} {line.chips:,}" for line in match.standings)
        texts = (match.arena or "–", match.table, match.rules_name)
        players = chips or ", ".join(match.names)
        grid.add_row(
            *(escape(plain(text)) for text in texts),
            f"{match.hands:,}",
            match.id,
            escape(plain(players)),
            escape(sites.get(match.arena, "")),
        )
    table_console().print(grid)


def _bound_by(row: dict[str, Any]) -> str:
    """Return what the server is bound to at a table, whole, so that it can be noted."""
    notes = [] if row["opening"] is None else [f"opening {row['opening']}"]
    if row["announced"]:
        notes.append(f"beacon: {row['announced']}")
    if row["beacon"]:
        notes.append(f"its value: {row['beacon']}")
    if row["commitment"] and not row["secret"]:
        notes.append("not secret")
    return escape(" ".join([row["commitment"], f"({'; '.join(notes)})" if notes else ""]).strip())


@click.command("openings")
@click.argument("table", required=False)
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@click.pass_context
def openings(context: click.Context, table: str | None, store: str, as_json: bool) -> None:
    """List the openings of prepared tables, of TABLE or of all, with what the server was bound to.

    Each is on record before anybody may sit down, and is bound to the one before by its digest. The
    exit code is 1 if one of them was changed or taken out.
    """
    with opened(store) as engine:
        rows = [row for row in chain(engine) if table in (None, row.table)]
    if table is not None and not rows:
        raise BadArgumentError(f"no opening of a table {table!r} is on record")
    if as_json:
        click.echo(json.dumps([row.public for row in rows]))
    elif not rows:
        click.echo("nothing yet")
    else:
        for row in rows:
            note = "" if row.secret else ", not secret"
            click.echo(
                f"{_at(row)}, opening {row.number}, {local_time(row.at)},"
                f" match {row.match or 'none'}{note}"
            )
            click.echo(f"  commitment {row.commitment}")
            click.echo(f"  digest     {row.digest}")
            if row.announced:
                click.echo(f"  beacon     {plain(row.announced)}")
    wrong = [
        f"{_at(group[0])}: {problem}" for group in by_place(rows) for problem in problems(group)
    ]
    for line in wrong:
        click.echo(line, err=True)
    if wrong:
        context.exit(1)


def _at(opening: OpeningRow) -> str:
    """Return the name of the table of an opening, with its arena where there are several."""
    table = plain(opening.table)
    return f"{opening.arena}: {table}" if opening.arena else table


@click.command("start")
@click.argument("table")
@click.option(
    "--beacon", metavar="TEXT", help="The value of the beacon that the table has announced."
)
@_control_option
def start(table: str, beacon: str | None, control: Path) -> None:
    """Start the match at TABLE now, filled up with its house bots, or open the table again."""
    if beacon == "":
        raise BadArgumentError("--beacon: the value of the beacon is empty")
    _command(control, "start", table, beacon=beacon or "")


@click.command("pause")
@click.argument("table")
@_control_option
def pause(table: str, control: Path) -> None:
    """Pause TABLE after the current hand."""
    _command(control, "pause", table)


@click.command("resume")
@click.argument("table")
@_control_option
def resume(table: str, control: Path) -> None:
    """Resume TABLE after a pause."""
    _command(control, "resume", table)


@click.command("end")
@click.argument("table")
@_control_option
def end(table: str, control: Path) -> None:
    """End the match at TABLE; a hand in progress is void."""
    _command(control, "end", table)


@click.command("withdraw")
@click.argument("table")
@click.argument("player")
@_control_option
def withdraw(table: str, player: str, control: Path) -> None:
    """Take PLAYER out of the match at TABLE; PLAYER is its name, or its number.

    It folds when its turn comes and leaves after the hand, with all its chips.
    """
    _command(control, "withdraw", table, player)


@click.command("audit")
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def audit(store: str, as_json: bool) -> None:
    """List the actions of organisers, the newest first."""
    with opened(store) as engine:
        acts = queries.audit(engine)
    if as_json:
        fields = ("at", "actor", "act", "table", "detail", "outcome", "arena")
        click.echo(json.dumps([{name: getattr(act, name) for name in fields} for act in acts]))
        return
    if not acts:
        click.echo("nothing yet")
        return
    grid = Grid(box=None, pad_edge=False)
    for column in ("when", "who", "did", "table", "player", "outcome"):
        grid.add_column(column)
    for act in acts:
        cells = (act.actor, act.act, act.table, act.detail, act.outcome)
        grid.add_row(local_time(act.at), *map(escape, cells))
    table_console().print(grid)
