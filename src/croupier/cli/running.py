"""What all commands that run a server share: logs, limits, the loop, the store and its lock."""

import asyncio
import os
import resource
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import structlog
from sqlalchemy import Engine

from croupier.cli.errors import BadArgumentError
from croupier.cli.patient_output import patient_output
from croupier.runtime import configure_logs, new_loop
from croupier.server.arena.gc_tuning import tune_garbage_collector
from croupier.server.arena.startup_checks import StartupError
from croupier.store.databases import claim, kind_of, url_of
from croupier.store.kinds import Access, StoreError
from croupier.store.schema import check_private, open_store
from croupier.store.soundness import check_sound

T = TypeVar("T")


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a server until it ends; report what it cannot open as one line."""
    try:
        with patient_output(), asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(main())
    except StartupError as error:
        raise BadArgumentError(str(error)) from None
    except OSError as error:
        raise BadArgumentError(f"cannot continue: {error}") from None


def prepare() -> None:
    """Set up logs and memory, and raise the limit on open files as far as possible."""
    configure_logs()
    _raise_file_limit()
    tune_garbage_collector()


@contextmanager
def locked_store(
    store: str | None,
    durability: str,
    check: Callable[[], None] = lambda: None,
    *,
    secret: bool,
    arena: str = "",
) -> Iterator[Engine | None]:
    """Open a store for the server of an arena and lock it, so that no other one is that arena's.

    `check` raises if the server cannot start. It runs before a new store is created, so that
    nothing is left behind, but after an existing one is locked: a user who starts a server twice
    should read that, not that its ports are taken. `secret` says that cards are dealt that nobody
    may know: others must not be able to read the store.
    """
    if store is None:
        _run_check(check)
        yield None
        return
    is_new = _is_new(store)
    if is_new:
        _run_check(check)
    engine, access = _open_store(store, durability, secret, arena)
    try:
        if not is_new:
            _run_check(check)
        yield engine
    finally:
        engine.dispose()
        access.close()


def has_begun(result: dict[str, Any]) -> bool:
    """Return whether the match of a result ever started; only then do house bots have numbers."""
    return bool(result["seats"]) and all(seat["pid"] is not None for seat in result["seats"])


def _run_check(check: Callable[[], None]) -> None:
    try:
        check()
    except StartupError as error:
        raise BadArgumentError(str(error)) from None


def _is_new(store: str) -> bool:
    try:
        url = url_of(store)
    except StoreError as error:
        raise BadArgumentError(str(error)) from None
    return not kind_of(url).exists(url)


def _open_store(store: str, durability: str, secret: bool, arena: str) -> tuple[Engine, Access]:
    try:
        if secret:
            check_private(store)
        engine = open_store(store, durability=durability)
        try:
            check_sound(engine)
            return engine, claim(engine, arena)
        except StoreError:
            engine.dispose()
            raise
    except StoreError as error:
        raise BadArgumentError(str(error)) from None


def _raise_file_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ValueError, OSError):
        structlog.get_logger().warning("the limit on open files stays as it is", pid=os.getpid())
