"""The `--arena` option of commands that run a server."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from croupier.store.arenas import A_NAME, is_name

F = TypeVar("F", bound=Callable[..., Any])


def arena_option(usual: str) -> Callable[[F], F]:
    """Return the option for the arena's name among those that share a database."""
    return click.option(
        "--arena",
        callback=_checked,
        metavar="NAME",
        help="The arena's name, where several share a database: each resumes its own matches."
        f" Default: {usual}.",
    )


def _checked(context: click.Context, parameter: click.Parameter, name: str | None) -> str | None:
    if name is not None and not is_name(name):
        raise click.BadParameter(f"{name!r} is not {A_NAME}")
    return name
