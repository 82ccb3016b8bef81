"""The `--store` option, and the match that a MATCH argument means."""

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
from croupier.store.queries import RecordError, UnknownError
from croupier.store.schema import StoreError, open_store

PIPED_WIDTH = 200

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
    """Open a store; whatever is wrong with it or asked of it becomes one line."""
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
        reason = getattr(error, "orig", None) or error
        raise BadArgumentError(f"cannot use the store {store}: {reason}") from None
    finally:
        engine.dispose()


def progress(what: str, total: int, *, quiet: bool = False) -> tuple[Progress, Callable[[], None]]:
    """Return a bar on standard error, and what moves it on; it shows on a terminal only."""
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
    """Return where tables go; what is piped into another program is not wrapped at 80 columns."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PIPED_WIDTH)


def local_time(seconds: float) -> str:
    """Return a time as the reader's clock shows it."""
    try:
        return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return str(seconds)
