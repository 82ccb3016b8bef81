"""`croupier export`: write a match in a format for other programs."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import opened, progress, store_option
from croupier.history import jsonl, phh
from croupier.store import queries
from croupier.store.queries import HandRow, MatchRow

FORMATS: dict[str, Callable[[MatchRow, Iterable[HandRow]], Iterator[str]]] = {
    "phh": phh.tables,
    "jsonl": jsonl.lines,
}


@click.command("export")
@click.argument("match_text", metavar="MATCH")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    required=True,
    help="phh: hand histories that PokerKit reads. jsonl: every event as a line of JSON.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file to write, such as match.phhs; without it standard output.",
)
@store_option
def command(match_text: str, format_name: str, output: Path | None, store: str) -> None:
    """Write all hands of a match for other programs.

    MATCH is the id of a match, the beginning of one, or `last` for the newest. While a match is
    running, cards that were not shown and the seed are left out.
    """
    with opened(store) as engine:
        match = queries.match(engine, queries.find(engine, match_text))
        if format_name == "phh":
            try:
                phh.check(match)
            except phh.NoSuchVariantError as error:
                raise BadArgumentError(str(error)) from None
        hands = queries.all_hands(engine, match.id)
        # Output on the terminal already shows progress.
        quiet = output is None and sys.stdout.isatty()
        bar, advance = progress("exporting", queries.hand_count(engine, match.id), quiet=quiet)
        with _target(output) as write, bar:
            for part in FORMATS[format_name](match, hands):
                write(part.encode())
                advance()


@contextmanager
def _target(output: Path | None) -> Iterator[Callable[[bytes], object]]:
    """Yield a function that writes bytes to the file, or to standard output."""
    if output is None:
        yield lambda data: click.echo(data, nl=False)
        return
    try:
        with output.open("wb") as file:
            yield file.write
    except OSError as error:
        raise BadArgumentError(f"cannot write {output}: {error.strerror}") from None
