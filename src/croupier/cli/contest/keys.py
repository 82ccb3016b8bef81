"""`croupier contest keys`: what teams that connect by themselves join with."""

import json
import secrets
from pathlib import Path
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from croupier.cli.contest.common import file_argument, load, put_on_record
from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import opened, table_console
from croupier.contest.plan import Team
from croupier.dialects.dialect import Recognised
from croupier.dialects.registry import DIALECTS
from croupier.rules.rules import nearest
from croupier.running.contest_file import ContestFile
from croupier.store import contests

FIRST_PID = 1001


@click.command("keys")
@file_argument
@click.argument("teams", nargs=-1, metavar="[TEAM]...")
@click.option("--renew", is_flag=True, help="Draw new keys in place of those that exist.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def keys(file: Path, teams: tuple[str, ...], renew: bool, as_json: bool) -> None:
    """Draw the keys of teams that connect by themselves, and print what to join with.

    A key is shown once: the store has only its hash. Without TEAM, teams that have no key yet get
    one. Give each team its own line, and nobody else's.
    """
    contest = load(file)
    connecting = {team.name: team for team in contest.plan.teams if team.connects}
    for name in teams:
        if name not in connecting:
            raise BadArgumentError(
                f"there is no team {name!r} that connects by itself{nearest(name, connecting)}"
            )
    with opened(contest.store, create=True) as engine:
        row = put_on_record(file, engine, contest)
        old = {key.team: key.pid for key in contests.keys(engine, row.id)}
        wanted = [connecting[name] for name in teams] or [
            team for team in connecting.values() if renew or team.name not in old
        ]
        if teams and not renew and (named := [name for name in teams if name in old]):
            raise BadArgumentError(f"{named[0]} has a key already; --renew draws a new one")
        order = list(connecting)
        rows = [_new(contest, team, order.index(team.name)) for team in wanted]
        contests.put_keys(
            engine, row.id, [(r["team"], r["dialect"], r["key"], r["pid"]) for r in rows]
        )
    if as_json:
        click.echo(json.dumps(rows))
    elif not rows:
        click.echo("every team has its key; --renew draws new ones")
    else:
        _print(rows)


def _new(contest: ContestFile, team: Team, number: int) -> dict[str, Any]:
    dialect = DIALECTS[team.dialect]
    listener = next(one for one in contest.listen if one.dialect == team.dialect)
    return {
        "team": team.name,
        "dialect": team.dialect,
        "host": contest.bind,
        "port": listener.port,
        "tls": listener.tls is not None,
        "pid": str(FIRST_PID + number),
        "key": dialect.key(secrets.randbelow),
        "join_as": dialect.key_help,
    }


def _print(rows: list[dict[str, Any]]) -> None:
    grid = Table(box=None, pad_edge=False)
    for column in ("team", "dialect", "address", "pid", "key", "what to do with it"):
        grid.add_column(column)
    for row in rows:
        address = f"{row['host']}:{row['port']}"
        grid.add_row(
            escape(row["team"]), row["dialect"], address, row["pid"], row["key"], row["join_as"]
        )
    table_console().print(grid)
    for scheme, row in {f"{row['dialect']}+tls": row for row in rows if row["tls"]}.items():
        pid = "?pid=PID" if DIALECTS[row["dialect"]].recognised is Recognised.BY_PID else ""
        join = f'croupier join "{scheme}://HOST:{row["port"]}{pid}" --name KEY --bot BOT'
        click.echo(
            f"\n{row['dialect']} speaks TLS here: connect with TLS, to a name that the certificate"
            f" has, or\n    {join}\nwith --ca FILE if the certificate is one of your own",
        )
