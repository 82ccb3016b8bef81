"""`croupier host`: run one table from the command line."""

import sys
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Engine

from croupier.bots import bots_for
from croupier.cli.arena_option import arena_option
from croupier.cli.bind_option import bind_option
from croupier.cli.errors import BadArgumentError
from croupier.cli.listen_option import parse_listen
from croupier.cli.rules_option import load_rules
from croupier.cli.running import has_begun, locked_store, prepare, run
from croupier.cli.sandboxing import find_protection, sandbox_option, say_protection
from croupier.cli.screen import Screen
from croupier.cli.web_option import NO_WEB, parse_policy, web_bind_option, web_option
from croupier.deals import seed_from_text
from croupier.dialects.dialect import Dialect, OnDemand
from croupier.dialects.registry import DIALECTS, dialects_for
from croupier.rules.rules import Rules, nearest
from croupier.server.arena.arena import Arena
from croupier.server.arena.plan import ArenaPlan, ArenaTable, OnDemandPlan, Program
from croupier.server.arena.programs import ProgramError, words_of
from croupier.server.arena.sandbox import AUTO
from croupier.server.arena.startup_checks import Folder, Port, check_startup
from croupier.server.lobbies.table_plan import TablePlan
from croupier.server.out.site_process import WebPlan, fresh_token
from croupier.server.table.house import HouseCallbacks

OUTPUT = Path("programs")
"""The folder for the output of programs without --transcripts."""

DEFAULT_RULES = next(iter(DIALECTS.values())).rules.name
USUAL_PORTS = ", ".join(f"{dialect.name}:{dialect.port}" for dialect in DIALECTS.values())
OPTIONS = "; ".join(
    f"{dialect.name}: {option.key}={option.what}"
    for dialect in DIALECTS.values()
    for option in dialect.options
)


@click.command("host")
@click.option(
    "--rules",
    "rules_source",
    default=DEFAULT_RULES,
    show_default=True,
    metavar="NAME|FILE.toml|FILE.game",
    help="The game: a rule set's name or a file of your own.",
)
@click.option(
    "--listen",
    multiple=True,
    metavar="DIALECT[:PORT][,KEY=VALUE]",
    help=f"Where players connect: {USUAL_PORTS}; port 0 picks a free one. May be repeated. Without"
    " it the dialect of the rules is spoken on its usual port. With commas after the port follow"
    " cert=FILE,key=FILE for TLS, with a certificate and its key in PEM, and settings that some"
    f" dialects have ({OPTIONS}).",
)
@click.option(
    "--seats",
    type=int,
    metavar="N",
    help="Players at the table, house bots included. Without it rules whose players ask for rooms"
    " open rooms on demand; in Kuhn poker everyone plays alone against the house.",
)
@click.option(
    "--bot", "bots", multiple=True, metavar="BOT", help="Seat a house bot; may be repeated."
)
@click.option("--hands", type=click.IntRange(min=1), help="End the match after this many hands.")
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
    help="What spectators see of hole cards: showdown, all (at once), or N (everything N hands"
    " late).",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print each result as one JSON object on a line."
)
@click.option(
    "--store",
    envvar="CROUPIER_STORE",
    metavar="URL",
    help="Record every hand here (such as croupier.db); a table then resumes after a crash.",
)
@arena_option("none")
@click.option(
    "--durability",
    type=click.Choice(["process", "power"]),
    default="process",
    show_default=True,
    help="What the record survives: a crash of the process, or a power cut as well.",
)
@click.option(
    "--transcripts",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep each player's bytes, with times and the reason for every correction.",
)
@bind_option()
@click.option(
    "--table",
    "table_number",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="The number of the table, in protocols that number tables and in the registry.",
)
@click.option(
    "--closed",
    is_flag=True,
    help="Admit only players with the key of one who is registered for this table in the store"
    " (`croupier players add`), in every protocol.",
)
@click.option(
    "--humans",
    is_flag=True,
    help="Let people sit down on the website, besides programs; goes with --seats and --web.",
)
@click.option(
    "--run",
    "programs",
    multiple=True,
    metavar="COMMAND",
    help="Start a player's program with each match; {host}, {port}, {pid} and {name} are filled in."
    " Begins with a dialect and a colon if there are several listeners. May be repeated.",
)
@sandbox_option("if possible")
@web_option()
@web_bind_option()
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
    arena: str | None,
    durability: str,
    transcripts: Path | None,
    bind: str,
    table_number: int,
    closed: bool,
    humans: bool,
    programs: tuple[str, ...],
    sandbox: str | None,
    web: int,
    web_bind: str | None,
    allow: tuple[str, ...],
) -> None:
    """Host a table, or rooms on demand: seat players and house bots, deal, referee, record.

    The match starts when all seats are taken, or when the registration window closes with at least
    two players. Without --once the next match follows. Ctrl-C ends the match and tells the players.

    With --store every hand is on record before it is announced. After a crash the same command goes
    on with the match of a table: the interrupted hand is void, and the players have return_s
    seconds to come back as who they were. Rooms on demand and matches of Kuhn poker are closed at
    their last finished hand instead.

    Where players ask for rooms and --seats is not given, they name a room when they connect, and
    its first player decides its size, its house bots and its version of the protocol. With --once
    the host ends when the first room does.
    """
    if hands is not None:
        settings = (*settings, f"hands={hands}")
    rules = load_rules(rules_source, settings, defaults={})
    listeners = [parse_listen(text) for text in listen or (_own_dialect(rules),)]
    if closed and store is None:
        raise BadArgumentError("--closed needs --store: the registry of players is there")
    if arena is not None and store is None:
        raise BadArgumentError("--arena needs --store: without one nothing is shared")
    plan = ArenaPlan(
        listen=listeners,
        bind=bind,
        seed=None if seed is None else seed_from_text(seed),
        once=once,
        is_host=True,
        transcripts=transcripts,
        output=transcripts or OUTPUT,
        policy=parse_policy(audience),
    )
    dialects = [DIALECTS[name] for name in dict.fromkeys(one.dialect for one in listeners)]
    if closed and programs:
        raise BadArgumentError(
            "--closed admits holders of a registered key, and the programs of --run have none"
        )
    if seats is None and dialects[0].usual_seats is not None:
        seats = dialects[0].usual_seats(rules)
    if closed and humans:
        raise BadArgumentError("--closed admits holders of a registered key, and people have none")
    if humans and (seats is None or web == NO_WEB):
        raise BadArgumentError("--humans goes with a table of --seats and a website, --web")
    against_house = DIALECTS[dialects_for(rules.game)[0]].on_demand is OnDemand.CHALLENGES
    if (allow or closed) and (seats is None or against_house):
        raise BadArgumentError("--allow and --closed go with a table of --seats")
    for pid in allow:
        if not (pid.isascii() and pid.isdigit()):
            raise BadArgumentError(f"--allow is a pid, a number such as 8888, not {pid!r}")
    started = [_parse_program(text, [one.dialect for one in listeners]) for text in programs]
    if against_house:
        dialect = DIALECTS[dialects_for(rules.game)[0]]
        bot = _check_challenge(dialect, rules, seats, bots, dialects)
        plan.on_demand[dialect.name] = OnDemandPlan((rules,), bot)
        plan.visitors = started
    elif seats is None:
        dialect = _room_dialect(rules_source, bots, dialects)
        own = (load_rules(one.name, settings, defaults={}) for one in dialect.rule_sets)
        plan.on_demand[dialect.name] = OnDemandPlan(tuple(own))
        plan.visitors = started
    else:
        _check_seats(rules, seats, bots, dialects)
        table = TablePlan(
            rules,
            seats,
            bots=list(bots),
            number=str(table_number),
            allowed_pids=frozenset(allow),
            closed=closed,
            humans=humans,
        )
        plan.tables = [ArenaTable(table, started)]
    if web != NO_WEB:
        plan.web = WebPlan(
            web,
            web_bind or bind,
            store,
            policy=plan.policy,
            token=fresh_token(),
            arena=arena or "",
        )
    found = find_protection(sandbox or AUTO, bool(started))
    plan.boxed, plan.store = found.boxed, store or plan.store
    prepare()
    with locked_store(
        store,
        durability,
        lambda: _check(plan, bool(started)),
        secret=seed is None,
        arena=arena or "",
    ) as engine:
        say_protection(found)
        completed = _run(plan, engine, as_json)
    if once and not completed:
        sys.exit(1)


def _run(plan: ArenaPlan, engine: Engine | None, as_json: bool) -> bool:
    """Run the host; return whether the last match was completed."""
    screen = Screen(plan, engine is not None, as_json)

    def result(result: dict[str, Any]) -> None:
        if as_json or has_begun(result):
            screen.result(result)
        else:
            click.echo(f"match {result['match']} ended before its start")

    callbacks = HouseCallbacks(screen.opened, screen.hand, result)
    arena = Arena(plan, engine, on_listening=screen.listening, callbacks=callbacks)
    run(arena.run)
    if arena.failed:
        sys.exit(1)
    return arena.completed


def _check(plan: ArenaPlan, with_programs: bool) -> None:
    """Check that every port and folder the host needs is available."""
    ports = [Port.of(listener, plan.bind, "--listen") for listener in plan.listen]
    if plan.web is not None:
        ports.append(Port(plan.web.bind, plan.web.port, "the website", "--web"))
    folders = []
    if plan.transcripts is not None:
        folders.append(Folder(plan.transcripts, "transcripts", "--transcripts"))
    elif with_programs:
        folders.append(Folder(OUTPUT, "the programs' output", "--transcripts"))
    check_startup(ports, folders, None)


def _own_dialect(rules: Rules) -> str:
    """Return the dialect that defines the rules, or else the first that can play them."""
    for dialect in DIALECTS.values():
        if rules.name in (own.name for own in dialect.rule_sets):
            return dialect.name
    return dialects_for(rules.game)[0]


def _parse_program(text: str, dialects: list[str]) -> Program:
    """Parse [DIALECT:]COMMAND."""
    head, colon, command = text.partition(":")
    if not colon or head not in DIALECTS:
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


def _room_dialect(source: str, bots: tuple[str, ...], dialects: list[Dialect]) -> Dialect:
    """Return the dialect whose players open rooms with these rules."""
    for dialect in DIALECTS.values():
        names = [own.name for own in dialect.rule_sets]
        if dialect.on_demand is OnDemand.ROOMS and source in names:
            break
    else:
        with_rooms = [d for d in DIALECTS.values() if d.on_demand is OnDemand.ROOMS]
        names = [own.name for dialect in with_rooms for own in dialect.rule_sets]
        raise BadArgumentError(
            f"how many --seats? only the rules {' and '.join(names)} do without: their"
            " players ask for rooms"
        )
    others = [other.name for other in dialects if other is not dialect]
    if others:
        raise BadArgumentError(
            f"only players of the dialect {dialect.name} ask for rooms; give --seats for a table"
            f" where {', '.join(sorted(others))} can sit down"
        )
    if bots:
        raise BadArgumentError("in rooms the players ask for house bots; --bot goes with --seats")
    return dialect


def _check_seats(rules: Rules, seats: int, bots: tuple[str, ...], dialects: list[Dialect]) -> None:
    for dialect in dialects:
        if rules.game not in dialect.games:
            own = " or ".join(own.name for own in dialect.rule_sets)
            raise BadArgumentError(f"the dialect {dialect.name} goes with --rules {own} only")
        problem = dialect.problem(rules)
        if problem:
            raise BadArgumentError(f"{dialect.name} cannot speak of {rules.name}: {problem}")
    if not 2 <= seats <= rules.max_seats:
        raise BadArgumentError(f"{rules.name} seats 2 to {rules.max_seats} players, not {seats}")
    for dialect in dialects:
        if seats > dialect.max_seats:
            raise BadArgumentError(
                f"{dialect.name} can speak of {dialect.max_seats} seats at most, not {seats}"
            )
    if rules.ante and not all(dialect.antes for dialect in dialects):
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


def _check_challenge(
    dialect: Dialect,
    rules: Rules,
    seats: int | None,
    bots: tuple[str, ...],
    dialects: list[Dialect],
) -> str:
    """Check the options of a host against the house; return the bot that plays for the house."""
    if dialects != [dialect]:
        raise BadArgumentError(f"the rules {rules.name} go with the dialect {dialect.name} only")
    if seats not in (None, 2):
        raise BadArgumentError(
            f"in {dialect.name} one player meets the house: two seats, not {seats}"
        )
    if len(bots) > 1:
        raise BadArgumentError(f"one --bot plays for the house, not {len(bots)}")
    _check_bots(rules, bots)
    return bots[0] if bots else bots_for(rules)[0]
