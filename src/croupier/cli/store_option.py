"""The `--store` option, and helpers of the commands that read a store."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from croupier.cli.errors import BadArgumentError
from croupier.store.databases import reason_of, shown
from croupier.store.kinds import StoreError
from croupier.store.queries import RecordError, UnknownError
from croupier.store.schema import open_store

PIPED_WIDTH = 200
"""Columns of output that does not go to a terminal."""

F = TypeVar("F", bound=Callable[..., Any])


def store_option(command: F) -> F:
    """Add the option that names the store."""
    return click.option(
        "--store",
        envvar="CROUPIER_STORE",
        default="croupier.db",
        show_default=True,
        show_envvar=True,
        metavar="FILE",
        help="The store: matches on record, and the registry of players.",
    )(command)


@contextmanager
def opened(store: str, *, create: bool = False) -> Iterator[Engine]:
    """Open a store; report any problem with it or with a query as one line."""
    try:
        engine = open_store(store, create=create)
    except StoreError as error:
        raise BadArgumentError(str(error)) from None
    try:
        yield engine
    except UnknownError as error:
        raise BadArgumentError(str(error)) from None
    except RecordError as error:
        raise BadArgumentError(f"{error}; `croupier verify` tells more") from None
    except SQLAlchemyError as error:
        raise BadArgumentError(f"cannot use the store {shown(store)}: {reason_of(error)}") from None
    finally:
        engine.dispose()


def progress(what: str, total: int, *, quiet: bool = False) -> tuple[Progress, Callable[[], None]]:
    """Return a progress bar on standard error, shown on a terminal only, and what advances it."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=quiet or not console.is_terminal,
    )
    task = bar.add_task(what, total=total)
    return bar, lambda: bar.advance(task)


def table_console() -> Console:
    """Return the console for tables, wide enough not to wrap them when output is piped."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PIPED_WIDTH)


def local_time(seconds: float) -> str:
    """Format a time in the local time zone."""
    try:
        return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return str(seconds)
