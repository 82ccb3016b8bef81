"""`croupier verify`: check that a match was dealt and played correctly."""

import re
from collections.abc import Iterator

import click

from croupier.cli.errors import BadArgumentError
from croupier.cli.store_option import opened, progress, store_option
from croupier.history.printable import plain
from croupier.store import queries
from croupier.store.queries import MatchRow
from croupier.store.verify import CheckResult, Report, Verifier

SHOWN = 3
"""How many problems of a check are listed; later ones often follow from the first."""


commitment_option = click.option(
    "--commitment",
    metavar="HEX",
    help="The commitment that you noted beforehand; the record has to be bound by it.",
)


def noted_commitment(text: str | None) -> str:
    """Return a commitment as it is on record; empty: none was given."""
    if text is None:
        return ""
    found = text.strip().lower()
    if not re.fullmatch("[0-9a-f]{64}", found):
        raise BadArgumentError(
            f"--commitment: a commitment has 64 hexadecimal digits, not {text!r}"
            " (`croupier openings` lists those of prepared tables)"
        )
    return found


@click.command("verify")
@click.argument("match_text", metavar="MATCH")
@store_option
@commitment_option
@click.pass_context
def command(context: click.Context, match_text: str, store: str, commitment: str | None) -> None:
    """Check a match on record: the seed, every card, every decision, every chip.

    MATCH is the id of a match, the beginning of one, or `last` for the newest. Prints one line per
    check. The exit code is 0 if all checks pass and 1 if not. While a match is running, only its
    books can be checked, because its seed is revealed at the end.
    """
    with opened(store) as engine:
        verifier = Verifier(engine, queries.find(engine, match_text), noted_commitment(commitment))
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
    for line in contributions(match):
        click.echo(f"note       {line}")
    if not match.secret and not match.imported:
        click.echo("note       not secret: the seed was given by the user, so it could be known")
    if not report.ok:
        click.echo(f"match {match.id} FAILED: it is not what was dealt and played")
    elif match.ended is None:
        click.echo(f"match {match.id} is running: so far its books agree; verify it at its end")
    else:
        click.echo(f"match {match.id} is verified: {match.hands:,} hands")


def contributions(match: MatchRow) -> Iterator[str]:
    """Return what others added to the deals, in sentences."""
    if match.nonces:
        given = ", ".join(
            f"{plain(player.called)} {player.nonce}" for player in match.players if player.nonce
        )
        yield f"nonces in the order of joining: {given}"
    if match.announced:
        yield f"beacon announced: {plain(match.announced)}; its value: {plain(match.beacon)}"


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
