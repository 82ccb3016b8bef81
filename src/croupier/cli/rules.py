"""`croupier rules`: print a rule set, for a file of one's own or for other programs."""

import click

from croupier.cli.errors import BadArgumentError
from croupier.cli.rules_option import load_rules
from croupier.rules.definition import definition, usual_seats
from croupier.rules.rules import RulesError
from croupier.rules.sets import SETS
from croupier.server.arena.rules_file import rules_text

TOML, GAME = "toml", "game"


@click.command("rules")
@click.argument("source", metavar="[NAME|FILE]", default="")
@click.option(
    "--format",
    "format_name",
    type=click.Choice([TOML, GAME]),
    default=TOML,
    show_default=True,
    help="toml: a rules file with every setting. game: the game definition that research programs"
    " are started with.",
)
@click.option(
    "--seats",
    type=click.IntRange(min=2),
    metavar="N",
    help="The number of players of a game definition. Default: 2, or as many as a game of other"
    " cards than hold'em seats.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change one rule, such as hands=1000; may be repeated.",
)
def command(source: str, format_name: str, seats: int | None, settings: tuple[str, ...]) -> None:
    """Print the rules of a game, that of a rule set or of a file.

    Without a name it lists the rule sets.
    """
    if not source:
        click.echo("\n".join(SETS))
        return
    rules = load_rules(source, settings, defaults={})
    if format_name == TOML:
        if seats is not None:
            raise BadArgumentError("--seats goes with --format game")
        click.echo(rules_text(rules), nl=False)
        return
    try:
        seats = usual_seats(rules) if seats is None else seats
        click.echo(definition(rules, seats), nl=False)
    except RulesError as error:
        raise BadArgumentError(str(error)) from None
