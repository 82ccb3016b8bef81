"""`croupier host`: one table from the command line."""

import sys
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Engine

from croupier.bots import bots_for
from croupier.cli.errors import BadArgumentError
from croupier.cli.listen_option import parse_listen
from croupier.cli.rules_option import load_rules
from croupier.cli.running import has_begun, locked_store, prepare, run
from croupier.cli.screen import Screen
from croupier.cli.web_option import NO_WEB, web_option
from croupier.deals import seed_from_text
from croupier.dialects.room.reader import V1, V2
from croupier.match.audience import Policy, PolicyError
from croupier.rules import rules as r
from croupier.rules.rules import Rules, nearest
from croupier.rules.sets import ROOM, ROOM2
from croupier.server.arena_plan import PORTS, Program
from croupier.server.host import Host, Plan
from croupier.server.opening import Folder, Port, check_opening
from croupier.server.programs import ProgramError, words_of
from croupier.server.seating import Place
from croupier.server.tables import TablePlan
from croupier.server.web_child import WebPlan, fresh_token
from croupier.store import registry

OUTPUT = Path("programs")
"""Where the output of programs goes without --transcripts."""

ROOM_RULES = (ROOM.name, ROOM2.name)
"""The rules for which rooms open on demand; which of them a room has, its first player decides."""


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
    help="Where players connect: huawei:6000, trend:3000, room:18888 or kuhn:1212; port 0 picks a"
    " free one. May be repeated. Without it the dialect of the rules is spoken on its usual port."
    " huawei:6000,gap_ms=0 leaves no gap between two messages, which is 1 ms otherwise."
    " kuhn:1212,spelling=binary,error_text=true pins its spelling (text or binary) and explains"
    " errors.",
)
@click.option(
    "--seats",
    type=int,
    metavar="N",
    help="Players at the table, house bots included. Without it the rules room open rooms on"
    " demand; in kuhn everyone plays alone against the house.",
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
    "--audience",
    default="showdown",
    show_default=True,
    metavar="WHAT",
    help="What observers see of hole cards: showdown, all at once, or N (everything N hands late).",
)
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
@click.option(
    "--run",
    "programs",
    multiple=True,
    metavar="COMMAND",
    help="Start a player's program with each match; {host}, {port}, {pid} and {name} are filled in."
    " Begins with a dialect and a colon if several are listened to. May be repeated.",
)
@web_option()
@click.option("--allow", multiple=True, metavar="PID", help="Admit only this pid; may be repeated.")
def command(
    rules_source: str,
    listen: tuple[str, ...],
    seats: int | None,
    bots: tuple[str, ...],
    hands: int | None,
    seed: str | None,
    settings: tuple[str, ...],
    once: bool,
    audience: str,
    as_json: bool,
    store: str | None,
    durability: str,
    transcripts: Path | None,
    bind: str,
    table_number: int,
    closed: bool,
    programs: tuple[str, ...],
    web: int,
    allow: tuple[str, ...],
) -> None:
    """Host a table, or rooms on demand: seat players and house bots, deal, referee, record.

    The match starts when all seats are taken, or when the registration window closes with at least
    two players. Without --once the next match follows. Ctrl-C ends the match and tells the players.

    With --store every hand is on record before it is announced. After a crash the same command goes
    on with the match: the interrupted hand is void, and the players have return_s seconds to come
    back with their pid and name.

    With --rules room and without --seats, players name a room when they connect, and its first
    player decides its size, its house bots and its version of the protocol. With --once the host
    ends when the first room does; after a crash a room is closed at its last finished hand.
    """
    if hands is not None:
        settings = (*settings, f"hands={hands}")
    rules = load_rules(rules_source, settings, defaults={})
    listeners = [parse_listen(text) for text in listen or (_own_dialect(rules),)]
    if closed and store is None:
        raise BadArgumentError("--closed needs --store: the registry of players is there")
    plan = Plan(
        listen=listeners,
        bind=bind,
        seed=None if seed is None else seed_from_text(seed),
        once=once,
        transcripts=transcripts,
        policy=_parse_policy(audience),
    )
    dialects = {listener.dialect for listener in listeners}
    if (allow or closed) and (seats is None or rules.game == r.KUHN):
        raise BadArgumentError("--allow and --closed go with a table of --seats")
    if rules.game == r.KUHN:
        plan.kuhn = rules, _check_kuhn(rules, seats, bots, dialects)
    elif seats is None:
        plan.rooms = _room_rules(rules, rules_source, settings, bots, dialects)
    else:
        _check_seats(rules, seats, bots, dialects)
        plan.table = TablePlan(
            rules,
            seats,
            bots=list(bots),
            number=str(table_number),
            allowed_pids=frozenset(allow),
            closed=closed,
        )
    plan.programs = [_parse_program(text, [one.dialect for one in listeners]) for text in programs]
    if web != NO_WEB:
        plan.web = WebPlan(web, bind, store, policy=plan.policy, token=fresh_token())
    prepare()
    with locked_store(store, durability, lambda: _check(plan)) as engine:
        plan.engine = engine
        if engine is not None:
            _use_registry(plan, engine)
        completed = _run(plan, as_json)
    if once and not completed:
        sys.exit(1)


def _run(plan: Plan, as_json: bool) -> bool:
    screen = Screen(plan, as_json)

    def result(result: dict[str, Any]) -> None:
        if as_json or has_begun(result):
            screen.result(result)
        else:
            click.echo(f"match {result['match']} ended before its start")

    async def main() -> bool:
        host = Host(plan, screen.listening, screen.opened, screen.hand, result)
        completed = await host.run()
        if host.failed:
            sys.exit(1)
        return completed

    return run(main)


def _check(plan: Plan) -> None:
    """See that everything can be had that the host needs."""
    ports = [Port.of(listener, plan.bind, "--listen") for listener in plan.listen]
    if plan.web is not None:
        ports.append(Port(plan.bind, plan.web.port, "the website", "--web"))
    folders = []
    if plan.transcripts is not None:
        folders.append(Folder(plan.transcripts, "transcripts", "--transcripts"))
    elif plan.programs:
        folders.append(Folder(OUTPUT, "the programs' output", "--transcripts"))
    check_opening(ports, folders, None)


def _own_dialect(rules: Rules) -> str:
    if rules.game == r.KUHN:
        return "kuhn"
    if rules.name in ROOM_RULES:
        return "room"
    return rules.name if rules.name in PORTS else "huawei"


def _parse_program(text: str, dialects: list[str]) -> Program:
    """Return the program that [DIALECT:]COMMAND means."""
    head, colon, command = text.partition(":")
    if not colon or head not in PORTS:
        head, command = "", text
    if head and head not in dialects:
        raise BadArgumentError(f"--run {text!r}: there is no --listen for {head}")
    if not head and len(set(dialects)) > 1:
        choices = " or ".join(f"{dialect}:" for dialect in dict.fromkeys(dialects))
        raise BadArgumentError(
            f"--run {text!r}: which of the listeners is it for? it begins with {choices}"
        )
    try:
        words_of(command, "host", 1, 1, "name")
    except ProgramError as error:
        raise BadArgumentError(f"--run {error}") from None
    return Program(command, head or dialects[0])


def _parse_policy(text: str) -> Policy:
    try:
        policy = Policy.parse(text)
    except PolicyError as error:
        raise BadArgumentError(str(error)) from None
    if policy.open_cards and not policy.delay:
        click.echo("warning: observers see all hole cards at once, and could tell them", err=True)
    return policy


def _room_rules(
    rules: Rules,
    source: str,
    settings: tuple[str, ...],
    bots: tuple[str, ...],
    dialects: set[str],
) -> dict[int, Rules]:
    """Return the rules of rooms on demand, by the version that opens a room."""
    if source not in ROOM_RULES:
        raise BadArgumentError(
            f"how many --seats? only the rules {' and '.join(ROOM_RULES)} do without: their"
            " players ask for rooms"
        )
    if dialects != {"room"}:
        raise BadArgumentError(
            "only players of the dialect room ask for rooms; give --seats for a table where"
            f" {', '.join(sorted(dialects - {'room'}))} can sit down"
        )
    if bots:
        raise BadArgumentError("in rooms the players ask for house bots; --bot goes with --seats")
    return {
        version: load_rules(name, settings, defaults={})
        for version, name in zip((V1, V2), ROOM_RULES, strict=True)
    }


def _check_seats(rules: Rules, seats: int, bots: tuple[str, ...], dialects: set[str]) -> None:
    if "kuhn" in dialects:
        raise BadArgumentError("the dialect kuhn goes with --rules kuhn only")
    if not 2 <= seats <= rules.max_seats:
        raise BadArgumentError(f"{rules.name} seats 2 to {rules.max_seats} players, not {seats}")
    if seats > 8 and "huawei" in dialects:
        raise BadArgumentError(f"huawei can speak of 8 seats at most, not {seats}")
    if rules.ante:
        raise BadArgumentError("no dialect can speak of antes; set ante=0")
    _check_bots(rules, bots)
    if len(bots) > seats:
        raise BadArgumentError(f"{len(bots)} bots do not fit into {seats} seats")


def _check_bots(rules: Rules, bots: tuple[str, ...]) -> None:
    known = bots_for(rules)
    for bot in bots:
        if bot not in known:
            raise BadArgumentError(
                f"unknown bot {bot!r}{nearest(bot, known)} (for {rules.name} there are"
                f" {', '.join(known)})"
            )


def _check_kuhn(rules: Rules, seats: int | None, bots: tuple[str, ...], dialects: set[str]) -> str:
    """Return the bot that plays for the house."""
    if dialects != {"kuhn"}:
        raise BadArgumentError("the rules kuhn go with the dialect kuhn only")
    if seats not in (None, 2):
        raise BadArgumentError(f"in kuhn one player meets the house: two seats, not {seats}")
    if len(bots) > 1:
        raise BadArgumentError(f"one --bot plays for the house, not {len(bots)}")
    _check_bots(rules, bots)
    return bots[0] if bots else bots_for(rules)[0]


def _use_registry(plan: Plan, engine: Engine) -> None:
    """Let the table know the players whom the organiser has entered."""
    table = plan.table
    if table is None:
        return

    def display_name(token: str) -> str | None:
        player = registry.find(engine, token)
        return None if player is None else player.display

    def is_registered(place: Place) -> bool:
        player = registry.find(engine, place.token or "")
        return player is not None and player.table == table.number

    plan.display_name = display_name
    table.is_registered = is_registered
