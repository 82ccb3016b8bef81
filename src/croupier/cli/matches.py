"""`croupier matches`: list the matches on record."""

import click
import msgspec

from croupier.cli.store_option import local_time, opened, store_option
from croupier.history.jsonl import match_object
from croupier.history.printable import plain
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
    """Print one line per match; the list of players comes last because it may be long."""
    head: tuple[str, ...]
    head = ("match", "table", "rules", "hands", "began", "status", "winner", "players")
    rows = [head, *map(_cells, found)]
    if any(match.arena for match in found):
        arenas = ["arena", *(match.arena for match in found)]
        rows = [(*row[:-1], arena, row[-1]) for row, arena in zip(rows, arenas, strict=True)]
        head = rows[0]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head) - 1)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        cells[3] = row[3].rjust(widths[3])
        click.echo("  ".join([*cells, row[-1]]))


def _cells(match: MatchRow) -> tuple[str, ...]:
    return (
        match.id,
        plain(match.table),
        plain(match.rules_name),
        f"{match.hands:,}",
        local_time(match.began),
        "running" if match.ended is None else "ended",
        ", ".join(map(plain, match.winners)) or "–",
        ", ".join(map(plain, match.names)),
    )
