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


def find_protection(mode: str, needed: bool = True) -> Protection:
    """Find out how programs run, if there are any."""
    if not needed:
        return Protection(False, "")
    try:
        return protection(mode)
    except SandboxError as error:
        raise BadArgumentError(str(error)) from None


def say_protection(found: Protection) -> None:
    """Say in one line how programs run."""
    if found.text:
        click.echo(found.text, err=True)
