"""`croupier host`: one table from the command line."""

import asyncio
import fcntl
import json
import logging
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any, TextIO

import click
import structlog
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid
from sqlalchemy import Engine

from croupier.bots import HOUSE_BOTS
from croupier.cli.errors import BadArgumentError
from croupier.cli.rules_option import load_rules
from croupier.deals import seed_from_text
from croupier.rules import rules as r
from croupier.rules.rules import Rules, nearest
from croupier.server.host import Game, Host, Plan
from croupier.server.lobby import Place
from croupier.store import registry
from croupier.store.schema import StoreError, open_store, url_of

DIALECTS = {"huawei": 6000, "trend": 3000}
"""The dialects that can be listened to, and their usual ports."""

LINE_EVERY = 0.2


@click.command("host")
@click.option(
    "--rules",
    "rules_source",
    default="huawei",
    show_default=True,
    metavar="NAME|FILE.toml",
    help="The game: a rule set's name or a file of your own.",
)
@click.option(
    "--listen",
    multiple=True,
    metavar="DIALECT[:PORT]",
    help="Where players connect, such as huawei:6000 or trend:3000; port 0 picks a free one. May be"
    " repeated. Without it the dialect of the rules is spoken on its usual port.",
)
@click.option(
    "--seats",
    type=int,
    required=True,
    metavar="N",
    help="Players at the table, house bots included.",
)
@click.option(
    "--bot", "bots", multiple=True, metavar="BOT", help="Seat a house bot; may be repeated."
)
@click.option("--hands", type=click.IntRange(min=1), help="End the match after so many hands.")
@click.option(
    "--seed",
    metavar="S",
    help="Deal from this seed. For reproduction: the match is then not secret.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change one rule, such as decision_ms=1000; may be repeated.",
)
@click.option("--once", is_flag=True, help="Play one match, print its result and exit.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print each result as one JSON object on a line."
)
@click.option(
    "--store",
    envvar="CROUPIER_STORE",
    metavar="URL",
    help="Record every hand here (such as croupier.db) and go on after a crash.",
)
@click.option(
    "--durability",
    type=click.Choice(["process", "power"]),
    default="process",
    show_default=True,
    help="What the record survives: the end of the process, or of the power.",
)
@click.option(
    "--transcripts",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep each player's bytes, with times and the reason of every correction.",
)
@click.option(
    "--bind",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on; 0.0.0.0 means every one.",
)
@click.option(
    "--table",
    "table_number",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="The table's number in trend.",
)
@click.option(
    "--closed",
    is_flag=True,
    help="Admit in trend only the players of this table in the store's registry.",
)
@click.option("--allow", multiple=True, metavar="PID", help="Admit only this pid; may be repeated.")
def command(
    rules_source: str,
    listen: tuple[str, ...],
    seats: int,
    bots: tuple[str, ...],
    hands: int | None,
    seed: str | None,
    settings: tuple[str, ...],
    once: bool,
    as_json: bool,
    store: str | None,
    durability: str,
    transcripts: Path | None,
    bind: str,
    table_number: int,
    closed: bool,
    allow: tuple[str, ...],
) -> None:
    """Host one table: seat players and house bots, deal, referee, record.

    The match starts when all seats are taken, or when the registration window closes with at least
    two players. Without --once the next match follows. Ctrl-C ends the match and tells the players.

    With --store every hand is on record before it is announced. After a crash the same command goes
    on with the match: the interrupted hand is void, and the players have return_s seconds to come
    back with their pid and name.
    """
    if hands is not None:
        settings = (*settings, f"hands={hands}")
    rules = load_rules(rules_source, settings, defaults={})
    ports = [_parse_listen(text) for text in listen or (_own_dialect(rules),)]
    _check_seats(rules, seats, bots, {dialect for dialect, _ in ports})
    if closed and store is None:
        raise BadArgumentError("--closed needs --store: the registry of players is there")
    plan = Plan(
        rules=rules,
        seats=seats,
        bots=list(bots),
        listen=ports,
        bind=bind,
        seed=None if seed is None else seed_from_text(seed),
        once=once,
        transcripts=transcripts,
        allowed_pids=frozenset(allow),
        table_number=str(table_number),
        closed=closed,
    )
    _configure_logs()
    _raise_file_limit()
    lock = None
    if store is not None:
        plan.engine, lock = _open_store(store, durability)
        _use_registry(plan, plan.engine)
    try:
        completed = _run(plan, as_json)
    finally:
        if plan.engine is not None:
            plan.engine.dispose()
        if lock is not None:
            lock.close()
    if once and not completed:
        sys.exit(1)


def _run(plan: Plan, as_json: bool) -> bool:
    screen = Screen(plan, as_json)

    async def main() -> bool:
        return await Host(plan, screen.listening, screen.opened, screen.hand, screen.result).run()

    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            return runner.run(main())
    except OSError as error:
        raise BadArgumentError(f"cannot listen: {error.strerror or error}") from None


class Screen:
    """What the organiser sees."""

    def __init__(self, plan: Plan, as_json: bool) -> None:
        self._plan = plan
        self._as_json = as_json
        self._live = sys.stderr.isatty()
        self._next_line = 0.0
        self._hands_before = 0
        self._time_before = time.monotonic()

    def listening(self, dialect: str, address: str, port: int) -> None:
        click.echo(f"listening: {dialect} {address}:{port}")

    def opened(self, game: Game) -> None:
        match = game.table.match
        click.echo(f"match {game.table.id}: {match.rules.name}, {match.size} seats")
        click.echo(f"seed commitment SHA-256(salt + seed): {game.commitment}")
        if not game.secret:
            click.echo("the seed was given on the command line: this match is not secret")
        if self._plan.engine is None:
            click.echo("not recorded; --store FILE keeps every hand and survives a crash", err=True)
        sys.stdout.flush()

    def hand(self, game: Game) -> None:
        now = time.monotonic()
        if now < self._next_line:
            return
        match, hand = game.table.match, game.table.view.hand
        speed = (match.played - self._hands_before) / max(now - self._time_before, 1e-9)
        self._hands_before, self._time_before = match.played, now
        self._next_line = now + (LINE_EVERY if self._live else 1.0)
        stacks = " ".join(
            f"{game.seating.places[player].pid}:{match.players[player].stack}"
            for player in hand.players
        )
        line = f"hand {match.number}  pot {game.table.view.paid}  {speed:,.0f} hands/s  {stacks}"
        if self._live:
            sys.stderr.write(f"\r\x1b[K{line[:150]}")
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def result(self, result: dict[str, Any]) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")
        if self._as_json:
            click.echo(json.dumps(result))
        else:
            _print_result(result)
        sys.stdout.flush()


def _print_result(result: dict[str, Any]) -> None:
    grid = Grid(title=f"match {result['match']}: {result['hands']:,} hands", title_justify="left")
    grid.add_column("rank", justify="right")
    grid.add_column("player")
    grid.add_column("dialect")
    for column in ("chips", "hands survived", "timeouts", "faults"):
        grid.add_column(column, justify="right")
    for seat in result["seats"]:
        grid.add_row(
            str(seat["rank"]),
            escape(f"{seat['name']} ({seat['pid']})"),
            seat["dialect"],
            f"{seat['chips']:,}",
            f"{seat['hands_survived']:,}",
            f"{seat['timeouts']:,}",
            f"{seat['faults']:,}",
        )
    console = Console()
    console.print(grid)
    console.print(f"seed {result['seed']}", highlight=False, soft_wrap=True)


def _own_dialect(rules: Rules) -> str:
    return rules.name if rules.name in DIALECTS else "huawei"


def _check_seats(rules: Rules, seats: int, bots: tuple[str, ...], dialects: set[str]) -> None:
    if rules.game == r.KUHN:
        raise BadArgumentError("kuhn cannot be hosted in any dialect yet; try croupier play")
    if not 2 <= seats <= rules.max_seats:
        raise BadArgumentError(f"{rules.name} seats 2 to {rules.max_seats} players, not {seats}")
    if seats > 8 and "huawei" in dialects:
        raise BadArgumentError(f"huawei can speak of 8 seats at most, not {seats}")
    if rules.ante:
        raise BadArgumentError("no dialect can speak of antes; set ante=0")
    for bot in bots:
        if bot not in HOUSE_BOTS:
            raise BadArgumentError(
                f"unknown bot {bot!r}{nearest(bot, HOUSE_BOTS)} (there are {', '.join(HOUSE_BOTS)})"
            )
    if len(bots) > seats:
        raise BadArgumentError(f"{len(bots)} bots do not fit into {seats} seats")


def _parse_listen(text: str) -> tuple[str, int]:
    dialect, colon, port = text.partition(":")
    if dialect not in DIALECTS:
        raise BadArgumentError(
            f"unknown dialect {dialect!r}{nearest(dialect, DIALECTS)} (there are"
            f" {', '.join(DIALECTS)})"
        )
    if not colon:
        return dialect, DIALECTS[dialect]
    if not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise BadArgumentError(f"a port is a number from 0 to 65535, not {port!r}")
    return dialect, int(port)


def _open_store(store: str, durability: str) -> tuple[Engine, TextIO | None]:
    try:
        engine = open_store(store, durability=durability)
    except StoreError as error:
        raise BadArgumentError(str(error)) from None
    path = engine.url.database
    if not path or path == ":memory:":
        return engine, None
    # A second host on the same store would take the first one's running match for a cut-off one.
    lock = open(f"{path}.lock", "a+")  # noqa: SIM115
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        engine.dispose()
        raise BadArgumentError(f"the store {url_of(store)} is in use by another host") from None
    return engine, lock


def _use_registry(plan: Plan, engine: Engine) -> None:
    """Let the table know the players whom the organiser has entered."""

    def display_name(token: str) -> str | None:
        player = registry.find(engine, token)
        return None if player is None else player.display

    def is_registered(place: Place) -> bool:
        player = registry.find(engine, place.token or "")
        return player is not None and player.table == plan.table_number

    plan.display_name = display_name
    plan.is_registered = is_registered


def _loop_factory() -> Any:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _configure_logs() -> None:
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(
                key_order=["timestamp", "level", "event"], bool_as_flag=False
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _raise_file_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ValueError, OSError):
        structlog.get_logger().warning("the limit on open files stays as it is", pid=os.getpid())
