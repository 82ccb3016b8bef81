"""`croupier matches`: what is on record."""

from typing import Literal

import click
import msgspec
from rich.markup import escape
from rich.table import Table

from croupier.cli.store_option import local_time, opened, store_option, table_console
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
    # One line per match: on a narrow terminal names are cut, never the id.
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("match", no_wrap=True, min_width=max(len(match.id) for match in found))
    for column in ("rules", "players", "hands", "began", "status", "winner"):
        justify: Literal["left", "right"] = "right" if column == "hands" else "left"
        table.add_column(column, no_wrap=True, justify=justify)
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
    table_console().print(table)
