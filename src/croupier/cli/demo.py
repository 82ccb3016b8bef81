"""`croupier demo`: play a small contest, then run an arena with bots of every protocol."""

import asyncio
import shlex
import signal
import socket
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import click

from croupier.cli.errors import BadArgumentError
from croupier.cli.running import locked_store, prepare, run
from croupier.cli.serve import run_arena
from croupier.cli.web_option import NO_WEB, web_option
from croupier.dialects.tokens import token_of
from croupier.running.contest_reader import read_contest
from croupier.running.coordinator import Coordinator
from croupier.running.estimate import usual_workers
from croupier.running.opening import open_contest
from croupier.running.pool import WorkerProcess
from croupier.server.arena.arena import Arena
from croupier.server.arena.file import read_arena
from croupier.server.arena.plan import ArenaPlan, ArenaTable, KnownPlayer, Program
from croupier.server.lobbies.table_plan import TablePlan

ARENA = """
audience = "all"

[[listen]]
dialect = "huawei"
[[listen]]
dialect = "trend"
[[listen]]
dialect = "room"
[[listen]]
dialect = "kuhn"
[[listen]]
dialect = "acpc"

[[table]]
name = "huawei"
number = 1
rules = "huawei"
set = { decision_ms = 5000, hands = 200, pace_ms = 700 }
dialects = ["huawei"]
seats = 4
bots = ["CallAgent"]

[[table]]
name = "trend"
number = 2
rules = "trend"
set = { pace_ms = 700 }
dialects = ["trend"]
seats = 5
bots = ["CallAgent", "RandomAgent"]

[[table]]
name = "mixed"
number = 3
rules = "plain"
set = { hands = 500, stacks = "carry", pace_ms = 700 }
seats = 6
bots = ["RuleAgent", "CallAgent"]

[[table]]
name = "people"
number = 4
rules = "plain"
set = { hands = 60, stacks = "carry", pace_ms = 700 }
seats = 6
bots = ["RuleAgent", "TightAggressive", "LoosePassive", "LooseAggressive", "CallAgent"]
humans = true
minimum = 1
wait_s = 2

[[table]]
name = "acpc"
number = 5
rules = "acpc-nolimit"
set = { hands = 200, pace_ms = 700 }
dialects = ["acpc"]
seats = 2

[rooms]
set = { pace_ms = 700 }

[kuhn]
set = { pace_ms = 700 }
"""

CONTEST = """
title = "Demo Cup"

[[team]]
name = "Rule"
bot = "RuleAgent"
[[team]]
name = "Tight"
bot = "TightAggressive"
[[team]]
name = "Rock"
bot = "TightPassive"
[[team]]
name = "Maniac"
bot = "LooseAggressive"
[[team]]
name = "Station"
bot = "LoosePassive"
[[team]]
name = "Caller"
bot = "CallAgent"
[[team]]
name = "Shover"
bot = "AllinAgent"
[[team]]
name = "Dice"
bot = "RandomAgent"

[[stage]]
name = "league"
format = "swiss"
rounds = 3
seats = 4
hands = 50
deals = "single"
advance = 4

[[stage]]
name = "final"
format = "knockout"
hands = 50
third_place = true
"""

BOTS_COME_S = 20.0
"""Seconds after which the bots of the arena are no longer waited for."""

LOOK_S = 0.2
"""Seconds between two looks at who has come."""

KUHN_ID = "77432"
"""In Kuhn poker a player is a number."""

ENDLESS = 1_000_000
"""Hands that the bots without a prepared table play: more than any demo lasts."""


@click.command("demo")
@web_option(default=8080)
def command(web: int) -> None:
    """Run an arena with bots of every protocol, until Ctrl-C.

    First house bots play a contest of two stages, which takes a few seconds. Then there is one
    table for each protocol, one where all hold'em protocols meet, and one where you can play
    yourself, on the website. The bots are separate programs that connect over real sockets; the
    tables pause before each decision so that you can follow the game, and show all cards. Your own
    bot can join at the addresses that are printed. Everything is recorded in a
    temporary folder that is deleted at the end.
    """
    if web > 0 and _free(web) != web:
        raise BadArgumentError(
            f"port {web} is taken; choose another one with --web, or 0 for any free one"
        )
    if web == 0:
        web = _any_free_port()
    with tempfile.TemporaryDirectory(prefix="croupier-demo-") as folder:
        if not _play_contest(Path(folder)):
            return
        plan = read_arena(ARENA, Path(folder))
        plan.listen = [replace(listener, port=_free(listener.port)) for listener in plan.listen]
        _add_programs(plan)
        if web == NO_WEB:
            plan.tables = [table for table in plan.tables if not table.plan.humans]
        run_arena(plan, web, on_open=lambda arena: _invite_later(arena, web), announce_web=False)


def _invite_later(arena: Arena, web: int) -> None:
    """Say where the website is once the bots have come, so that it is the last thing to be read."""
    if web == NO_WEB:
        return
    plan = arena.plan
    coming = sum(len(table.programs) for table in plan.tables) + len(plan.visitors)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + BOTS_COME_S

    def look() -> None:
        if len(arena.house.clients) >= coming or loop.time() > deadline:
            _invite(web)
        else:
            loop.call_later(LOOK_S, look)

    look()


def _invite(web: int) -> None:
    text = f"  Open http://127.0.0.1:{web}/ in a browser. Ctrl-C ends the demonstration.  "
    line = "─" * len(text)
    click.echo(f"┌{line}┐\n│{text}│\n└{line}┘")
    sys.stdout.flush()


def _play_contest(folder: Path) -> bool:
    """Play the contest into the store of the arena; return False if it was broken off.

    The arena comes after it, because one process at a time writes to a store.
    """
    contest = read_contest(CONTEST, folder)
    click.echo(f"playing a contest between house bots, the {contest.plan.title}")
    sys.stdout.flush()
    prepare()
    with locked_store(contest.store, contest.durability, secret=contest.seed is None) as engine:
        assert engine is not None
        row = open_contest(engine, contest)

        async def main() -> Coordinator:
            workers = [WorkerProcess(contest.output) for _ in range(usual_workers())]
            coordinator = Coordinator(contest, engine, row, workers=workers)
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, _break_off, coordinator)
            await coordinator.run()
            return coordinator

        coordinator = run(main)
    if coordinator.stopping:
        return False
    winner = coordinator.course.current.standing[0].team
    click.echo(f"{winner} has won it; the arena opens")
    return True


def _break_off(coordinator: Coordinator) -> None:
    for _ in range(2):  # the first one would let matches finish
        coordinator.stop()


def _any_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _free(port: int) -> int:
    """Return the port if it is free, else 0, which picks any free port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
    return port


def _add_programs(plan: ArenaPlan) -> None:
    """Add bots of every dialect to the tables."""
    by_name = {table.plan.name: table for table in plan.tables}
    for name in ("kobe", "shaq", "magic"):
        _add(by_name["huawei"], "huawei", name)
    for name in ("Ada", "Bob", "Cyd"):
        _add_known(plan, by_name["trend"], name)
    for name in ("north", "south"):
        _add(by_name["acpc"], "acpc", name)
    _add(by_name["mixed"], "huawei", "larry")
    _add_known(plan, by_name["mixed"], "Dee")
    for name in ("east", "west"):
        _add(by_name["mixed"], "room", name, table_name="mixed")
    # Rooms and Kuhn poker have no prepared table; their tables are opened by the players.
    visitors = ArenaTable(TablePlan(by_name["mixed"].plan.rules, 2, name="visitors"))
    for name in ("left", "right"):
        _add(visitors, "room", name, table_name="demo", games=ENDLESS)
    _add(visitors, "kuhn", KUHN_ID, bot="nash", games=ENDLESS)
    plan.visitors = [replace(program, endless=True) for program in visitors.programs]


def _add_known(plan: ArenaPlan, table: ArenaTable, name: str) -> None:
    """Add a player of `trend`, whose private name the arena knows by its token."""
    private = f"demo {name}"
    plan.players.append(KnownPlayer(name, table.plan.name, token_of(private)))
    _add(table, "trend", private)


def _add(
    table: ArenaTable,
    dialect: str,
    name: str,
    *,
    bot: str = "RuleAgent",
    table_name: str = "",
    games: int = 1,
) -> None:
    place = f"/{table_name}" if table_name else ""
    if dialect == "huawei":
        place = "?pid={pid}"
    words = [
        sys.executable,
        "-m",
        "croupier",
        "join",
        f"{dialect}://{{host}}:{{port}}{place}",
        "--bot",
        bot,
        "--name",
        name,
        "--games",
        str(games),
    ]
    table.programs.append(Program(" ".join(map(shlex.quote, words)), dialect))
