"""`croupier web`: serve the website alone, for the matches on record."""

import ipaddress
import os

import click

from croupier.cli.bind_option import bind_option
from croupier.cli.errors import BadArgumentError
from croupier.cli.pages_option import Shown, shown_options
from croupier.cli.running import prepare
from croupier.cli.web_option import audience_option
from croupier.match.audience import Policy, PolicyError
from croupier.server.arena.file import MIN_TOKEN
from croupier.store.kinds import StoreError
from croupier.store.schema import open_store
from croupier.web.http.settings import Settings
from croupier.web.process import print_line, serve


@click.command("web")
@shown_options
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="The port to listen on; 0 picks a free one.",
)
@bind_option()
@audience_option()
@click.option(
    "--admin-token",
    envvar="CROUPIER_ADMIN_TOKEN",
    show_envvar=True,
    metavar="TOKEN",
    help="The token with which an organiser logs in to manage the registry; without it nobody can.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="Believe this proxy when it says that a visitor speaks HTTPS, like those on this machine;"
    " may be repeated.",
)
def command(
    shown: Shown,
    port: int,
    bind: str,
    audience: str,
    admin_token: str | None,
    proxies: tuple[str, ...],
) -> None:
    """Show the matches of a store as a website, without a live feed.

    `croupier serve` and `croupier host` start the site themselves, with live tables. This command
    shows what is on record even while nothing is played.
    """
    if admin_token and len(admin_token) < MIN_TOKEN:
        raise BadArgumentError(
            f"--admin-token is a text of at least {MIN_TOKEN} characters, so that nobody guesses it"
        )
    for proxy in proxies:
        try:
            ipaddress.ip_address(proxy)
        except ValueError:
            raise BadArgumentError(f"--proxy is an IP address, not {proxy!r}") from None
    try:
        Policy.parse(audience)
        open_store(shown.store, create=False).dispose()
    except (PolicyError, StoreError) as error:
        raise BadArgumentError(str(error)) from None
    prepare()
    settings = Settings(
        bind=bind,
        port=port,
        store=shown.store,
        pages=shown.pages,
        contest=shown.contest,
        audience=audience,
        admin_token=admin_token,
        proxies=list(proxies),
    )
    try:
        serve(settings, print_line)
    except OSError as error:
        raise BadArgumentError(
            f"cannot listen on {bind}:{port}: {os.strerror(error.errno) if error.errno else error};"
            " choose another with --port or --bind"
        ) from None
