"""What every command does that runs a server: logs, limits, the loop, the store and its lock."""

import asyncio
import fcntl
import os
import resource
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

import structlog
from sqlalchemy import Engine

from croupier.cli.errors import BadArgumentError
from croupier.runtime import configure_logs, new_loop
from croupier.server.arena.gc_tuning import tune_garbage_collector
from croupier.server.arena.startup_checks import StartupError
from croupier.store.schema import StoreError, open_store, url_of

T = TypeVar("T")


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a server to its end; what it cannot have at its start becomes one line."""
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(main())
    except StartupError as error:
        raise BadArgumentError(str(error)) from None
    except OSError as error:
        raise BadArgumentError(f"cannot go on: {error}") from None


def prepare() -> None:
    """Set up logs and memory, and let there be as many connections as the machine allows."""
    configure_logs()
    _raise_file_limit()
    tune_garbage_collector()


@contextmanager
def locked_store(
    store: str | None, durability: str, check: Callable[[], None] = lambda: None
) -> Iterator[Engine | None]:
    """Open a store for a server, which is the only one that writes to it.

    `check` sees whether the server can start: before a store is made, so that nothing is left if it
    cannot, but after one that is there is locked: who starts a server twice is to be told so, and
    not that its ports are taken.
    """
    if store is None:
        _run_check(check)
        yield None
        return
    is_new = not Path(url_of(store).removeprefix("sqlite:///")).exists()
    if is_new:
        _run_check(check)
    engine, lock = _open_store(store, durability)
    try:
        if not is_new:
            _run_check(check)
        yield engine
    finally:
        engine.dispose()
        if lock is not None:
            lock.close()


def has_begun(result: dict[str, Any]) -> bool:
    """Tell whether the match of a result ever started; house bots get their numbers then."""
    return bool(result["seats"]) and all(seat["pid"] is not None for seat in result["seats"])


def _run_check(check: Callable[[], None]) -> None:
    try:
        check()
    except StartupError as error:
        raise BadArgumentError(str(error)) from None


def _open_store(store: str, durability: str) -> tuple[Engine, TextIO | None]:
    try:
        engine = open_store(store, durability=durability)
    except StoreError as error:
        raise BadArgumentError(str(error)) from None
    path = engine.url.database
    if not path or path == ":memory:":
        return engine, None
    # A second host on the same store would take the first one's running match for a cut-off one.
    lock = open(f"{path}.lock", "a+")  # noqa: SIM115
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        engine.dispose()
        raise BadArgumentError(f"the store {url_of(store)} is in use by another host") from None
    return engine, lock


def _raise_file_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ValueError, OSError):
        structlog.get_logger().warning("the limit on open files stays as it is", pid=os.getpid())
