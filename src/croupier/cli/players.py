"""`croupier players`: manage the registry of players with a private name."""

import csv
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import click
import msgspec
from rich.markup import escape
from rich.table import Table
from sqlalchemy import Engine

from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import local_time, opened, store_option, table_console
from croupier.dialects.dialect import OnDemand
from croupier.dialects.registry import DIALECTS
from croupier.dialects.tokens import MAX_PRIVATE_NAME
from croupier.history.printable import plain
from croupier.store import registry
from croupier.store.player_list import COLUMNS, read_players
from croupier.store.registry import Registered, RegistryError

FROM_INPUT = "-"
SHOWN_ONCE = (
    "a private name is shown only this once, and is known to nobody else: hand it to its player"
)


@click.group("players")
def command() -> None:
    """Manage the registry: the players with a private name, and their tables.

    A player joins with a private name, which is a credential. The store keeps only its token, which
    is public; the audience sees the display name.
    """


@command.command("add")
@click.argument("display")
@click.option(
    "--table", default="1", show_default=True, metavar="N", help="The table of the player."
)
@click.option(
    "--private-name",
    metavar="NAME",
    help="The private name, instead of a random one. A name on the command line stays in the"
    " shell's history and shows in the list of processes; with - it is read from the first line of"
    " standard input.",
)
@store_option
def add(display: str, table: str, private_name: str | None, store: str) -> None:
    """Add a player and print the private name that was drawn.

    It is shown only this once. DISPLAY is what the audience sees of the player.
    """
    given = _from_input() if private_name == FROM_INPUT else private_name
    with _registry(store, create=True) as engine:
        name = registry.add(engine, display, table, given)
    click.echo(f"{display.strip()!r} is added to table {table.strip()}", err=True)
    if given is None:
        _print_secret(name)


@command.command("list")
@click.option("--table", metavar="N", help="Only the players of this table.")
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array instead of a table.")
def list_(table: str | None, store: str, as_json: bool) -> None:
    """List the players by table, with their tokens."""
    with _registry(store) as engine:
        found = registry.all_players(engine, table)
    if as_json:
        click.echo(msgspec.json.encode([asdict(player) for player in found]).decode())
    elif not found:
        where = "" if table is None else f" at table {table.strip()}"
        click.echo(f"no players{where} yet; `croupier players add` adds one")
    else:
        table_console().print(_as_table(found))


@command.command("remove")
@click.argument("name")
@store_option
def remove(name: str, store: str) -> None:
    """Remove a player: the private name is no longer accepted.

    NAME is a display name, or at least the first six digits of a token.
    """
    with _registry(store) as engine:
        player = registry.remove(engine, name)
    click.echo(f"{player.display!r} is removed from table {plain(player.table)}", err=True)


@command.command("reset")
@click.argument("name")
@store_option
def reset(name: str, store: str) -> None:
    """Draw a new private name for a player and print it; the old one is no longer accepted.

    NAME is a display name, or at least the first six digits of a token. The new private name is
    shown only this once.
    """
    with _registry(store) as engine:
        private_name = registry.reset_private_name(engine, name)
    _print_secret(private_name)


@command.command("import")
@click.argument("file", metavar="FILE.csv", type=click.Path(path_type=Path))
@store_option
def import_(file: Path, store: str) -> None:
    """Add all players of a CSV file, and print the private names that were drawn as CSV.

    The columns are display, table and, optionally, private_name; a header line is skipped. A
    missing private name is drawn, and shown only this once. If any line is wrong, no player is
    added.
    """
    data = _read(file)
    with _refusing(where=f"{file}: "):
        players = read_players(data)
    with _registry(store, create=True, where=f"{file}: ") as engine:
        names = registry.import_rows(engine, players)
    drawn = [
        [player.display, player.table, name]
        for player, name in zip(players, names, strict=True)
        if player.private_name is None
    ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *drawn])
    click.echo(text.getvalue(), nl=False)
    click.echo(f"players added: {len(names)}", err=True)
    if drawn:
        click.echo(SHOWN_ONCE, err=True)


@contextmanager
def _registry(store: str, *, create: bool = False, where: str = "") -> Iterator[Engine]:
    with opened(store, create=create) as engine, _refusing(where):
        yield engine


@contextmanager
def _refusing(where: str) -> Iterator[None]:
    try:
        yield
    except RegistryError as error:
        raise BadArgumentError(f"{where}{error}") from None


def _from_input() -> str:
    """Read the private name from standard input, and no more than its maximum length."""
    longest = 4 * MAX_PRIVATE_NAME + len("\r\n")
    line = sys.stdin.buffer.readline(longest + 1)
    try:
        return line.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise BadArgumentError("the private name on standard input is not UTF-8 text") from None


def _print_secret(private_name: str) -> None:
    """Print a private name to standard output, and what to do with it to standard error."""
    click.echo(private_name)
    click.echo(SHOWN_ONCE, err=True)
    for dialect in DIALECTS.values():
        if dialect.on_demand is not OnDemand.CHALLENGES:  # it meets the house, not at tables
            join = f"croupier join {dialect.name}://HOST:{dialect.port} --name NAME --bot BOT"
            click.echo(f"in {dialect.name}: {dialect.key_help}; or `{join}`", err=True)


def _as_table(players: list[Registered]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("display", overflow="fold")
    table.add_column("token", no_wrap=True)
    table.add_column("table", no_wrap=True, justify="right")
    table.add_column("added", no_wrap=True)
    for player in players:
        cells = (player.display, player.token, player.table)
        table.add_row(*(escape(plain(cell)) for cell in cells), local_time(player.added))
    return table


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadArgumentError(f"cannot read {file}: {error.strerror}") from None
