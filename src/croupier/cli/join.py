"""`croupier join`: play a bot at a server, Croupier's or an original one."""

import json
import random
import sys
from dataclasses import asdict
from math import isfinite
from typing import Any

import click

from croupier.cli.bot_argument import load_players
from croupier.cli.errors import BadArgumentError
from croupier.cli.help_texts import (
    ADDRESS_EXAMPLES,
    BOTS,
    DIALECT_NAMES,
    listed,
    per_dialect,
)
from croupier.cli.rules_option import load_rules
from croupier.client.address import HANDS, TLS, parse_address
from croupier.client.progress import Progress, ProgressLines
from croupier.client.result import JoinError, Result
from croupier.client.runner import PATIENCE, run
from croupier.client.session import RETRY
from croupier.deals import seed_from_text
from croupier.dialects.registry import DIALECTS
from croupier.seeds import fresh_seed

ABOUT = f"""Play a bot at a server: {DIALECT_NAMES}, Croupier's or an original one.

{BOTS} Settings of a dialect follow the address: {ADDRESS_EXAMPLES}.

The bot reconnects after a lost connection where the dialect allows it:
{per_dialect("returns_help")}. After --retry seconds it gives up on a server that is gone.
"""


class Seconds(click.FloatRange):
    """A time that can be waited for; `nan` is within no range and outside of none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a number."""
        seconds = super().convert(value, param, ctx)
        if not isfinite(seconds):
            self.fail(f"{value} is no number of seconds", param, ctx)
        return seconds


@click.command("join", help=ABOUT)
@click.argument("url", metavar="DIALECT[+tls]://HOST:PORT[/TABLE]")
@click.option("--bot", "bot_source", required=True, metavar="BOT", help="The bot that plays.")
@click.option(
    "--name",
    help=f"The name to join with; {per_dialect('name_help')}. Default: the bot's.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    help="How many matches to play, one after the other (1 unless given);"
    f" in {listed([d.name for d in DIALECTS.values() if d.games_are_hands], 'and')} how many hands"
    f" ({HANDS} unless given).",
)
@click.option(
    "--nonce",
    metavar="TEXT",
    help="A public text of your choice that enters the deals, so that the organiser has not chosen"
    " them alone; the server then tells what it is bound to, for `croupier verify --commitment`."
    f" In {listed([d.name for d in DIALECTS.values() if d.nonce_help], 'and')}.",
)
@click.option("--seed", metavar="S", help="Any text; the seed for the random choices of a bot.")
@click.option(
    "--rules",
    "rules_source",
    metavar="NAME|FILE.toml|FILE.game",
    help="The rules of the table, if not the dialect's own.",
)
@click.option(
    "--patience",
    type=Seconds(min=0),
    default=PATIENCE,
    show_default=True,
    metavar="SECONDS",
    help="How long the server may stay silent; 0 for no limit.",
)
@click.option(
    "--retry",
    type=Seconds(min=0),
    default=RETRY,
    show_default=True,
    metavar="SECONDS",
    help="How long to keep trying to reconnect to a server that is gone.",
)
@click.option(
    "--ca",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Trust servers whose certificate is in this file, or signed by one in it (PEM), with"
    f" addresses that begin with DIALECT{TLS}://.",
)
@click.option("--quiet", is_flag=True, help="Do not report progress on standard error.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a line.")
@click.pass_context
def command(
    context: click.Context,
    url: str,
    bot_source: str,
    name: str | None,
    games: int | None,
    nonce: str | None,
    seed: str | None,
    rules_source: str | None,
    patience: float,
    retry: float,
    ca: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    seed_bytes = fresh_seed() if seed is None else seed_from_text(seed)
    # Makes a user's bot that uses the random module as reproducible as a house bot.
    random.seed(seed_bytes)
    progress = Progress() if quiet else ProgressLines(sys.stderr)
    try:
        address = parse_address(url)
        rules = address.rules
        if rules_source is not None:
            rules = load_rules(rules_source, (), defaults={})
        (player,) = load_players([bot_source], seed_bytes, rules)
    except JoinError as error:
        raise BadArgumentError(str(error)) from None
    try:
        result = run(
            player.bot,
            url,
            name=name,
            games=games,
            rules=rules,
            patience=patience,
            retry=retry,
            progress=progress,
            ca=ca,
            nonce=nonce,
        )
    except JoinError as error:
        if error.result is None:
            raise BadArgumentError(str(error)) from None
        progress.clear()
        if error.result.hands:
            _report(error.result, player.name, as_json)
        raise click.ClickException(str(error)) from None
    except SystemExit as end:
        progress.clear()
        click.echo(f"{player.name} itself has ended the program: sys.exit({end.code!r})", err=True)
        raise
    progress.clear()
    _report(result, player.name, as_json)
    if result.interrupted:
        context.exit(130)


def _report(result: Result, bot: str, as_json: bool) -> None:
    if result.first_fault:
        click.echo(f"{bot}, its first fault:\n{result.first_fault.rstrip()}", err=True)
    if as_json:
        value: dict[str, Any] = {"bot": bot} | asdict(result)
        del value["first_fault"]
        click.echo(json.dumps(value))
        return
    faults = f", {result.faults:,} faults" if result.faults else ""
    matches = f"{result.matches:,} match{'' if result.matches == 1 else 'es'}"
    click.echo(
        f"{bot} won {result.chips_won:+,} chips in {result.hands:,} hands, {matches} of"
        f" {result.dialect} at {result.address}{faults}"
    )
    if result.commitment:
        click.echo(f"the server was bound to its seed by {result.commitment}")
    if result.ended:
        click.echo(f"the match ended early: {result.ended}")
