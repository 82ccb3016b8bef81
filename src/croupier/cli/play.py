"""`croupier play`: its options. What it does is in playing.py, imported when it is called."""

import click

from croupier.cli.help_texts import BOTS, RULE_SETS

ABOUT = f"""Play bots against each other and print who won how much, with error bars.

{BOTS} Seats rotate every hand. Stacks are reset before each hand by default; with
--set stacks=carry a match continues until one player has all chips, and the error bars are over
matches.

Is the first bot better? --duplicate, --luck and --stop find out with as few hands as possible.
With --stop the exit code tells: 0 better, 10 worse, 11 no difference, 12 undecided.
"""


@click.command("play", help=ABOUT)
@click.argument("bots", metavar="BOT BOT...", nargs=-1, required=True)
@click.option(
    "--rules",
    "rules_source",
    default="plain",
    show_default=True,
    metavar="NAME|FILE.toml|FILE.game",
    help=f"{RULE_SETS}, or a file of your own.",
)
@click.option(
    "--hands",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="How many hands to play.",
)
@click.option("--seed", metavar="S", help="Any text; the same seed gives the same result.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change one rule, such as stack=5000 or stacks=carry; may be repeated.",
)
@click.option(
    "--duplicate",
    is_flag=True,
    help="Play every deal once in each rotation of the seats, with fresh bots: sets.",
)
@click.option("--luck", is_flag=True, help="Take the luck of the cards out of the results.")
@click.option(
    "--stop",
    "stop_text",
    metavar="better=P,same=BB",
    help="Stop once the first bot is shown better or worse, with P as probability of error, or no"
    " more than BB bb/100 away from the others. --hands is the budget.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Play in so many processes; by default all cores with --stop or --duplicate, otherwise 1.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.pass_context
def command(
    context: click.Context,
    bots: tuple[str, ...],
    rules_source: str,
    hands: int,
    seed: str | None,
    settings: tuple[str, ...],
    duplicate: bool,
    luck: bool,
    stop_text: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    # numpy and the tables take longer to import than --help takes to print.
    from croupier.cli.playing import play_bots

    play_bots(
        context,
        bots,
        rules_source,
        hands,
        seed,
        settings,
        duplicate,
        luck,
        stop_text,
        workers,
        as_json,
    )
