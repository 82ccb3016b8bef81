"""`croupier site`: the website as files."""

import asyncio
from pathlib import Path

import click

from croupier.cli.errors import BadArgumentError
from croupier.cli.pages_option import Shown, shown_options
from croupier.cli.store_option import opened, progress
from croupier.web.published.build import BuildError, build, finished_contests, matches_of


@click.group("site")
def command() -> None:
    """Write the site of finished contests as files."""


@command.command("build")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@shown_options
def build_command(folder: Path, shown: Shown) -> None:
    """Write the whole site of finished contests to DIR, as files that any web server serves.

    Contests, teams, matches, replays, downloads and documents, in English and Chinese, under any
    path of any server. Contests that are not complete are left out, and so are matches of no
    contest. DIR is new or empty, or a site that was written there before, which is replaced.
    """
    with opened(shown.store) as engine:
        try:
            finished, left_out = finished_contests(engine)
            matches = matches_of(finished)
            bar, advance = progress("matches", len(matches))
            with bar:
                asyncio.run(build(engine, folder, finished, shown.pages, advance))
        except BuildError as error:
            raise BadArgumentError(str(error)) from None
        except OSError as error:
            raise BadArgumentError(f"cannot write {folder}: {error.strerror or error}") from None
    contests = "1 contest" if len(finished) == 1 else f"{len(finished)} contests"
    played = "1 match" if len(matches) == 1 else f"{len(matches):,} matches"
    click.echo(f"{folder} has the site of {contests} with {played}")
    for title in left_out:
        click.echo(f"left out, as it is not complete: {title}")
