"""`croupier serve`, `croupier init` and `croupier check-config`: run an arena from a file."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from croupier.cli.arena_option import arena_option
from croupier.cli.errors import BadArgumentError
from croupier.cli.running import has_begun, locked_store, prepare, run
from croupier.cli.sandboxing import find_protection, say_protection
from croupier.cli.screen import opening_of
from croupier.cli.web_option import NO_WEB, web_bind_option, web_option
from croupier.deals import seed_from_text
from croupier.server.arena.arena import Arena
from croupier.server.arena.control import Control, ControlError, ControlSocket
from croupier.server.arena.example import EXAMPLE
from croupier.server.arena.file import ArenaFileError, decode_arena, read_arena
from croupier.server.arena.plan import ArenaPlan
from croupier.server.arena.startup_checks import (
    IN_THE_FILE,
    Folder,
    Port,
    check_startup,
    explain_port_error,
    explain_socket_error,
)
from croupier.server.out.metrics import serve_metrics
from croupier.server.out.site_process import WebPlan, fresh_token
from croupier.server.table.game import Game
from croupier.server.table.house import HouseCallbacks
from croupier.store.arenas import announce
from croupier.store.registry import RegistryError

NAME = "arena.toml"


@click.command("serve")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[ARENA.toml]")
@click.option(
    "--seed",
    metavar="S",
    help="Deal from this seed. For reproduction: the matches are then not secret.",
)
@arena_option("that of the file")
@web_option(default=8080)
@web_bind_option()
def serve(
    file: Path | None, seed: str | None, arena: str | None, web: int, web_bind: str | None
) -> None:
    """Run an arena: many tables and listeners, from one file.

    Without a file all five protocols are served on their default ports, with tables that start ten
    seconds after the first player has joined and are filled up with house bots; `croupier init`
    writes that arena to a file for you to change. Everything is recorded, and after a crash every
    table resumes.

    While it runs, `croupier tables` shows its state, and `croupier start`, `pause`, `resume`,
    `end` and `withdraw` control it. Ctrl-C ends all matches and tells the players.
    """
    plan = read_arena(EXAMPLE) if file is None else load_arena(file)
    if seed is not None:
        plan.seed = seed_from_text(seed)
    if arena is not None:
        plan.arena = arena
    run_arena(plan, web, web_bind)


def run_arena(
    plan: ArenaPlan,
    web: int,
    web_bind: str | None = None,
    on_open: Callable[[Arena], None] = lambda arena: None,
    announce_web: bool = True,
) -> None:
    """Run an arena until it is stopped, with its website on a port (`NO_WEB` for none).

    `web_bind` is the address of the website, if not that of the listeners; `announce_web` says
    whether the website prints its address. `on_open` is called once everything is open.
    """
    token = plan.admin_token or fresh_token()
    if web != NO_WEB:
        plan.web = WebPlan(
            web,
            web_bind or plan.bind,
            plan.store,
            plan.control,
            plan.policy,
            token,
            plan.proxies,
            announce=announce_web,
            arena=plan.arena,
        )
    for table in plan.tables if web == NO_WEB else ():
        if table.plan.humans:
            raise BadArgumentError(
                f"people sit down at the table {table.plan.name} on the website (humans = true);"
                " give it a port with --web"
            )
    if plan.policy.open_cards and not plan.policy.delay:
        click.echo("warning: the audience sees all hole cards at once", err=True)
    found = find_protection(plan.sandbox, plan.starts_programs)
    plan.boxed = found.boxed
    prepare()
    with locked_store(
        plan.store,
        plan.durability,
        lambda: _check(plan),
        secret=plan.seed is None,
        arena=plan.arena,
    ) as engine:
        assert engine is not None
        announce(engine, plan.arena, plan.site)
        say_protection(found)
        arena = Arena(
            plan, engine, on_listening=_listening, callbacks=HouseCallbacks(_opened, result=_over)
        )

        def opened() -> None:
            _say_control(arena)
            on_open(arena)

        async def main() -> None:
            socket = ControlSocket(plan.control, Control(arena))
            with explain_socket_error(plan.control):
                await socket.open()
            try:
                await arena.run(opened, lambda: _before_tables(arena))
            finally:
                await socket.close()

        try:
            run(main)
        except (ControlError, RegistryError) as error:
            raise BadArgumentError(str(error)) from None


def _check(plan: ArenaPlan) -> None:
    """Check that every port, folder and socket the arena needs is available."""
    ports = [Port.of(listener, plan.bind, IN_THE_FILE) for listener in plan.listen]
    if plan.metrics is not None:
        ports.append(_metrics_port(plan))
    if plan.web is not None:
        ports.append(Port(plan.web.bind, plan.web.port, "the website", "--web"))
    folders = []
    if plan.transcripts is not None:
        folders.append(Folder(plan.transcripts, "transcripts", "`transcripts`"))
    if plan.starts_programs:
        folders.append(Folder(plan.output, "the programs' output", "`output`"))
    check_startup(ports, folders, plan.control)


def load_arena(file: Path) -> ArenaPlan:
    """Read an arena file; report all its mistakes in one message."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadArgumentError(
            f"cannot read {file}: {error.strerror} (`croupier init` writes an example)"
        ) from None
    try:
        text = decode_arena(data)
    except ArenaFileError as error:
        raise BadArgumentError(f"{file} is not UTF-8 text: {error}") from None
    try:
        plan = read_arena(text, file.parent)
    except ArenaFileError as error:
        hint = ""
        if any(mistake.key == "stage" for mistake in error.mistakes):
            hint = f"\nstages belong to a contest: `croupier contest run {file}`"
        raise BadArgumentError(f"{file} cannot be used:\n{error}{hint}") from None
    plan.file = file
    return plan


@click.command("check-config")
@click.argument("file", type=click.Path(path_type=Path), metavar="ARENA.toml")
def check_config(file: Path) -> None:
    """Check an arena file; every mistake is reported with its line and key."""
    plan = load_arena(file)
    tables = ", ".join(table.plan.name for table in plan.tables) or "none"
    listeners = ", ".join(f"{one.scheme}:{one.port}" for one in plan.listen) or "none"
    click.echo(f"{file} is fine: listeners {listeners}; tables {tables}")


@click.command("init")
@click.argument("file", type=click.Path(path_type=Path), default=NAME, metavar="[FILE]")
def init(file: Path) -> None:
    """Write an example of an arena file in which every key is explained (arena.toml)."""
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(EXAMPLE)
    except FileExistsError:
        raise BadArgumentError(f"{file} exists already; it is left as it is") from None
    except OSError as error:
        raise BadArgumentError(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"{file} is written; run it with: croupier serve {file}")


def _listening(scheme: str, address: str, port: int) -> None:
    click.echo(f"listening: {scheme} {address}:{port}")
    sys.stdout.flush()


def _metrics_port(plan: ArenaPlan) -> Port:
    return Port(plan.bind, plan.metrics or 0, "metrics", "`metrics` in the arena's file")


def _before_tables(arena: Arena) -> None:
    """Open the metrics port, and print what is known only once all ports are open."""
    plan = arena.plan
    if plan.metrics is not None:
        with explain_port_error(_metrics_port(plan)):
            _, bound = serve_metrics(arena.house, plan.bind, plan.metrics)
        click.echo(f"metrics: http://{plan.bind}:{bound}/metrics")
    if plan.web is not None and not plan.admin_token:
        click.echo(f"administrator's token of the website: {plan.web.token}")
    sys.stdout.flush()


def _say_control(arena: Arena) -> None:
    click.echo(f"control: {arena.plan.control}")
    sys.stdout.flush()


def _opened(game: Game) -> None:
    match = game.table.match
    click.echo(
        f"{game.key}: match {game.table.id}, {match.rules.name}, {match.size} seats,"
        f" seed commitment {game.commitment}{opening_of(game)}"
    )
    sys.stdout.flush()


def _over(result: dict[str, Any]) -> None:
    if has_begun(result):
        chips = ", ".join(f"{seat['name']} {seat['chips']:,}" for seat in result["seats"])
        click.echo(f"match {result['match']} over: {result['hands']:,} hands; {chips}")
    else:
        click.echo(f"match {result['match']} ended before its start")
    sys.stdout.flush()
