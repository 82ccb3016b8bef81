"""`croupier contest keys`: what teams join and log in with."""

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
from croupier.dialects.dialect import Recognised, word_key
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
    """Draw the keys of teams, and print what each does with its own.

    A team that connects by itself joins with its key. With a key every team but house bots logs in
    on its page of the site. A key is shown once: the store has only its hash. Without TEAM, teams
    that have no key yet get one. Give each team its own line, and nobody else's.
    """
    contest = load(file)
    own = {team.name: team for team in contest.plan.teams if not team.house}
    for name in teams:
        if name not in own:
            raise BadArgumentError(
                f"there is no team {name!r} that can have a key{nearest(name, own)}"
            )
    with opened(contest.store, create=True) as engine:
        row = put_on_record(file, engine, contest)
        old = {key.team: key.pid for key in contests.keys(engine, row.id)}
        wanted = [own[name] for name in teams] or [
            team for team in own.values() if renew or team.name not in old
        ]
        if teams and not renew and (named := [name for name in teams if name in old]):
            raise BadArgumentError(f"{named[0]} has a key already; --renew draws a new one")
        order = [team.name for team in own.values() if team.connects]
        rows = [
            _new(contest, team, order.index(team.name)) if team.connects else _for_the_site(team)
            for team in wanted
        ]
        contests.put_keys(
            engine, row.id, [(r["team"], r["dialect"], r["key"], r["pid"]) for r in rows]
        )
    if as_json:
        click.echo(json.dumps(rows))
    elif not own:
        click.echo("no team needs a key: house bots have none")
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


def _for_the_site(team: Team) -> dict[str, Any]:
    """Return the key of a team that the organiser starts: it opens no table."""
    return {
        "team": team.name,
        "dialect": "",
        "host": "",
        "port": None,
        "tls": False,
        "pid": "",
        "key": word_key(secrets.randbelow),
        "join_as": "log in with it on the team's page of the site",
    }


def _print(rows: list[dict[str, Any]]) -> None:
    grid = Table(box=None, pad_edge=False)
    for column in ("team", "dialect", "address", "pid", "key", "what to do with it"):
        grid.add_column(column)
    for row in rows:
        address = f"{row['host']}:{row['port']}" if row["dialect"] else ""
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
