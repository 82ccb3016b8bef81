"""The `--web` option of commands that run a server, and what its visitors may see."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from croupier.cli.bind_option import ADDRESS
from croupier.cli.errors import BadArgumentError
from croupier.match.audience import SHOWDOWN, Policy, PolicyError

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
        type=ADDRESS,
        metavar="ADDRESS",
        help="The address of the website, if not that of the listeners: 127.0.0.1 leaves it to a"
        " proxy on this machine.",
    )


def audience_option() -> Callable[[F], F]:
    """Return the option for what the site shows of a match that is not over."""
    return click.option(
        "--audience",
        default=SHOWDOWN,
        show_default=True,
        metavar="POLICY",
        help="What spectators see of a match that is not over: showdown, all, or a delay in hands"
        " (1 to 100).",
    )


def parse_policy(text: str) -> Policy:
    """Return what spectators may see; warn where they could pass on what they see."""
    try:
        policy = Policy.parse(text)
    except PolicyError as error:
        raise BadArgumentError(str(error)) from None
    if policy.open_cards and not policy.delay:
        click.echo(
            "warning: spectators see all hole cards at once, and could pass them on to players",
            err=True,
        )
    return policy
