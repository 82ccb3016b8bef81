"""`croupier matches`: what is on record."""

import click
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.cli.store_option import local_time, opened, store_option
from croupier.history.jsonl import match_object
from croupier.history.text import plain
from croupier.store import queries
from croupier.store.queries import MatchRow


@click.command("matches")
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array instead of a table.")
def command(store: str, as_json: bool) -> None:
    """List the matches on record, the newest first.

    The id in the first column, or its beginning, is what the other commands call MATCH.
    """
    with opened(store) as engine:
        found = queries.matches(engine)
    if as_json:
        click.echo(msgspec.json.encode([match_object(match) for match in found]).decode())
    elif not found:
        click.echo("no matches yet; `croupier host` records them")
    else:
        _print_table(found)


def _print_table(found: list[MatchRow]) -> None:
    table = Table()
    table.add_column("match", no_wrap=True)
    for column in ("rules", "players"):
        table.add_column(column, overflow="fold")
    table.add_column("hands", justify="right")
    for column in ("began", "status", "winner"):
        table.add_column(column, overflow="fold")
    for match in found:
        table.add_row(
            escape(match.id),
            escape(plain(match.rules_name)),
            escape(", ".join(map(plain, match.names))),
            f"{match.hands:,}",
            local_time(match.began),
            "running" if match.ended is None else "ended",
            escape(", ".join(map(plain, match.winners))) or "–",
        )
    Console().print(table, highlight=False)
