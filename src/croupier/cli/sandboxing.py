"""What the commands that start programs share: the option --sandbox, and the line about it."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from croupier.cli.errors import BadArgumentError
from croupier.server.arena.sandbox import MODES, Protection, SandboxError, protection

F = TypeVar("F", bound=Callable[..., Any])


def sandbox_option(default: str) -> Callable[[F], F]:
    """Return the option --sandbox; `default` says what happens without it."""
    return click.option(
        "--sandbox",
        type=click.Choice(MODES),
        help=f"Whether programs run in boxes: if possible, always, or never; without it {default}.",
    )


def said_protection(mode: str) -> Protection:
    """Find out how programs run, and say it in one line."""
    try:
        found = protection(mode)
    except SandboxError as error:
        raise BadArgumentError(str(error)) from None
    click.echo(found.text, err=True)
    return found
