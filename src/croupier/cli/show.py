"""`croupier show`: print a match, or one of its hands, in readable form."""

from collections.abc import Iterator
from typing import Any

import click
import msgspec
from rich.markup import escape
from rich.table import Table
from sqlalchemy import Engine

from croupier.cli.store_option import local_time, opened, store_option, table_console
from croupier.cli.verify import contributions
from croupier.history.jsonl import hand_object, match_object
from croupier.history.printable import plain
from croupier.history.text import hand_log, summary
from croupier.store import queries
from croupier.store.codec import to_object
from croupier.store.queries import HandRow, MatchRow


@click.command("show")
@click.argument("match_text", metavar="MATCH")
@click.option("--hand", "number", type=int, metavar="N", help="Show this hand in full.")
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def command(match_text: str, number: int | None, store: str, as_json: bool) -> None:
    """Show a match: its players, the standings and its hands.

    MATCH is the id of a match, the beginning of one, or `last` for the newest. With --hand it
    shows one hand in full. While a match is running, unshown cards and the seed are hidden.
    """
    with opened(store) as engine:
        match = queries.match(engine, queries.find(engine, match_text))
        if number is not None:
            _show_hand(match, queries.hand(engine, match.id, number), as_json)
        elif as_json:
            click.echo(msgspec.json.encode(_as_object(engine, match)).decode())
        else:
            _show_match(engine, match)


def _show_hand(match: MatchRow, hand: HandRow, as_json: bool) -> None:
    if as_json:
        events = [to_object(event) for event in hand.events]
        value = {"match": match.id} | hand_object(hand) | {"events": events}
        click.echo(msgspec.json.encode(value).decode())
        return
    for line in hand_log(match.rules, hand.events, match.names):
        click.echo(line)


def _as_object(engine: Engine, match: MatchRow) -> dict[str, Any]:
    hands = []
    for hand in queries.all_hands(engine, match.id):
        short = summary(hand.events, match.names)
        hands.append(
            {"hand": hand.number, "void": hand.void, "pot": short.pot, "winners": short.winners}
        )
    return match_object(match) | {"hands_on_record": hands}


def _show_match(engine: Engine, match: MatchRow) -> None:
    console = table_console()

    def say(text: str) -> None:
        # No wrapping: output that is piped should keep whole lines.
        console.print(escape(text), soft_wrap=True)

    say(
        f"match {match.id}, table {plain(match.table)}, rules {plain(match.rules_name)},"
        f" Croupier {plain(match.version)}"
    )
    ended = "running" if match.ended is None else f"ended {local_time(match.ended)}"
    say(f"began {local_time(match.began)}, {ended}, {match.hands:,} hands played")
    secret = "" if match.secret else " (not secret: the seed was given by the user)"
    say(f"commitment {match.commitment}{secret}")
    if match.seed is not None and match.salt is not None:
        say(f"seed {match.seed.hex()}")
        say(f"salt {match.salt.hex()}")
    for line in contributions(match):
        say(line)
    say("")
    console.print(_standings(match))
    say("")
    # Line by line, because a match may have a very large number of hands.
    for line in _hand_lines(engine, match):
        click.echo(line)


def _standings(match: MatchRow) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("rank", justify="right")
    table.add_column("player", overflow="fold")
    table.add_column("dialect")
    for column in ("chips", "hands", "timeouts", "faults"):
        table.add_column(column, justify="right")
    table.add_column("out")
    state = match.state
    if state is None:
        for name, player in zip(match.names, match.players, strict=True):
            table.add_row("–", escape(plain(name)), escape(plain(player.dialect)))
        return table
    for line in match.standings:
        books = state.players[line.player]
        known = line.player < len(match.players)
        table.add_row(
            str(line.rank),
            escape(plain(line.name)),
            escape(plain(match.players[line.player].dialect)) if known else "",
            f"{line.chips:,}",
            f"{line.hands:,}",
            f"{books.timeouts:,}",
            f"{books.faults:,}",
            escape(plain(books.out)),
        )
    return table


def _hand_lines(engine: Engine, match: MatchRow) -> Iterator[str]:
    yield f"{'hand':>7}  {'pot':>12}  winners"
    for hand in queries.all_hands(engine, match.id):
        short = summary(hand.events, match.names)
        pot = f"{short.pot:,}" if hand.played else "–"
        winners = "discarded" if short.discarded else ", ".join(short.winners)
        yield f"{hand.number:>7}  {pot:>12}  {winners if hand.played else 'void'}"
