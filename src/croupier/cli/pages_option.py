"""The options that say what a site shows: its store, and the organiser's own pages."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from croupier.cli.contest.common import NAME, load
from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import store_option
from croupier.running.contest_file import ContestFile
from croupier.web.http.settings import ContestFiles

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Shown:
    """What a site shows."""

    store: str
    pages: str | None
    contest: ContestFiles | None = None
    """The files of the contest's teams, if its file was named."""


def files_of(contest: ContestFile) -> ContestFiles:
    """Return where a site finds the files of a contest's teams."""
    transcripts = contest.transcripts
    return ContestFiles(
        contest.plan.title,
        str(contest.output.resolve()),
        None if transcripts is None else str(transcripts.resolve()),
    )


def _only_contest_is_here(store: str) -> bool:
    return not Path(store).exists() and Path(NAME).exists()


def shown_options(command: F) -> Callable[..., Any]:
    """Add `--store`, `--contest` and `--pages`, which the command gets as one value, `shown`."""

    @wraps(command)
    def with_shown(
        *arguments: Any, store: str, contest: Path | None, pages: Path | None, **others: Any
    ) -> Any:
        files = None
        source = click.get_current_context().get_parameter_source("store")
        if contest is not None:
            if source is ParameterSource.COMMANDLINE:
                raise BadArgumentError("--contest names the store already; leave out --store")
            file = load(contest)
            store, pages = file.store, pages or file.pages
            files = files_of(file)
        elif source is ParameterSource.DEFAULT and _only_contest_is_here(store):
            raise BadArgumentError(
                f"there is no store {store}; for the one of the contest in this folder, add"
                f" --contest {NAME}"
            )
        shown = Shown(store, None if pages is None else str(pages.resolve()), files)
        return command(*arguments, shown=shown, **others)

    options = (
        store_option,
        click.option(
            "--contest",
            type=click.Path(path_type=Path),
            metavar="CONTEST.toml",
            help="Take the store and the organiser's pages from this contest's file.",
        ),
        click.option(
            "--pages",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            metavar="DIR",
            help="A folder with the organiser's own pages in Markdown.",
        ),
    )
    found: Callable[..., Any] = with_shown
    for option in reversed(options):
        found = option(found)
    return found
