"""The `--web` option of commands that run a server."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

NO_WEB = -1
"""The value of `--web` for no website."""


def web_option(default: int = NO_WEB) -> Callable[[F], F]:
    """Return the option for the port of the website."""
    usual = f"[default: {default}]" if default != NO_WEB else "Default: none."
    return click.option(
        "--web",
        type=click.IntRange(NO_WEB, 65535),
        default=default,
        metavar="PORT",
        help=f"Serve the website on this port; 0 picks a free one, -1 means none. {usual}",
    )


def web_bind_option() -> Callable[[F], F]:
    """Return the option for the address of the website."""
    return click.option(
        "--web-bind",
        metavar="ADDRESS",
        help="The address of the website, if not that of the listeners: 127.0.0.1 leaves it to a"
        " proxy on this machine.",
    )
