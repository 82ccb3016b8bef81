"""`croupier export`: write a match in a format for other programs."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import opened, progress, store_option
from croupier.history.formats import FORMATS
from croupier.history.phh import NoSuchVariantError
from croupier.store import queries


@click.command("export")
@click.argument("match_text", metavar="MATCH")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    required=True,
    help=" ".join(f"{one.name}: {one.about}." for one in FORMATS.values()),
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
        chosen = FORMATS[format_name]
        try:
            chosen.check(match)
        except NoSuchVariantError as error:
            raise BadArgumentError(str(error)) from None
        hands = queries.all_hands(engine, match.id)
        # Output on the terminal already shows progress.
        quiet = output is None and sys.stdout.isatty()
        bar, advance = progress("exporting", queries.hand_count(engine, match.id), quiet=quiet)
        with _target(output) as write, bar:
            for part in chosen.write(match, hands):
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
