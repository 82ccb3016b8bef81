"""The `--web` option of commands that run a server."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

NO_WEB = -1


def web_option(default: int = NO_WEB) -> Callable[[F], F]:
    """Return the option that names the website's port."""
    usual = f"[default: {default}]" if default != NO_WEB else "Without it there is none."
    return click.option(
        "--web",
        type=click.IntRange(NO_WEB, 65535),
        default=default,
        metavar="PORT",
        help=f"Show it all on a website on this port; 0 picks a free one, -1 means none. {usual}",
    )
