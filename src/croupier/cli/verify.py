"""`croupier verify`: check that a match was dealt and played correctly."""

import click

from croupier.cli.store_option import opened, progress, store_option
from croupier.store import queries
from croupier.store.verify import CheckResult, Report, Verifier

SHOWN = 3
"""How many problems of a check are listed; later ones often follow from the first."""


@click.command("verify")
@click.argument("match_text", metavar="MATCH")
@store_option
@click.pass_context
def command(context: click.Context, match_text: str, store: str) -> None:
    """Check a match on record: the seed, every card, every decision, every chip.

    MATCH is the id of a match, the beginning of one, or `last` for the newest. Prints one line per
    check. The exit code is 0 if all checks pass and 1 if not. While a match is running, only its
    books can be checked, because its seed is revealed at the end.
    """
    with opened(store) as engine:
        verifier = Verifier(engine, queries.find(engine, match_text))
        report = verifier.report
        bar, advance = progress("verifying", queries.hand_count(engine, report.match.id))
        with bar:
            for _ in verifier.run():
                advance()
    _print(report)
    if not report.ok:
        context.exit(1)


def _print(report: Report) -> None:
    for check in report.checks:
        print_check(check)
    if report.voided:
        numbers = ", ".join(map(str, report.voided))
        click.echo(f"void       cut off and never played: hand {numbers}")
    match = report.match
    if not match.secret:
        click.echo("note       not secret: the seed was given by the user, so it could be known")
    if not report.ok:
        click.echo(f"match {match.id} FAILED: it is not what was dealt and played")
    elif match.ended is None:
        click.echo(f"match {match.id} is running: so far its books agree; verify it at its end")
    else:
        click.echo(f"match {match.id} is verified: {match.hands:,} hands")


def print_check(check: CheckResult) -> None:
    """Print the result of one check."""
    if check.problems:
        click.echo(f"{check.name:<10} FAILED: {check.problems[0]}")
        for problem in check.problems[1:SHOWN]:
            click.echo(f"{'':<10} {problem}")
        if len(check.problems) > SHOWN:
            click.echo(f"{'':<10} … and {len(check.problems) - SHOWN:,} more")
    elif check.skipped:
        click.echo(f"{check.name:<10} not checked: {check.skipped}")
    else:
        click.echo(f"{check.name:<10} ok: {check.what}")
