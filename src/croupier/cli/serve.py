"""`croupier serve`, `croupier init` and `croupier check-config`: the arena from a file."""

import sys
from pathlib import Path
from typing import Any

import click

from croupier.cli.errors import BadArgumentError
from croupier.cli.running import locked_store, prepare, run
from croupier.cli.web_option import web_option
from croupier.deals import seed_from_text
from croupier.server.arena import Arena
from croupier.server.arena_example import EXAMPLE
from croupier.server.arena_file import ArenaFileError, read_arena
from croupier.server.arena_plan import ArenaPlan
from croupier.server.control import Control, ControlError, ControlSocket
from croupier.server.game import Game
from croupier.server.house import Watcher
from croupier.server.metrics import serve_metrics
from croupier.server.web_child import WebPlan, fresh_token
from croupier.store.registry import RegistryError

NAME = "arena.toml"


@click.command("serve")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[ARENA.toml]")
@click.option(
    "--seed",
    metavar="S",
    help="Deal from this seed. For reproduction: the matches are then not secret.",
)
@web_option(default=8080)
def serve(file: Path | None, seed: str | None, web: int) -> None:
    """Run an arena: many tables and listeners, from one file.

    Without a file all four protocols are open on their usual ports, with tables that start ten
    seconds after the first player has come and fill up with house bots; `croupier init` writes that
    arena down for you to change. Everything is recorded, and after a crash every table goes on.

    While it runs, `croupier tables` shows what is going on, and `croupier start`, `pause`,
    `resume`, `end` and `withdraw` direct it. Ctrl-C ends all matches and tells the players.
    """
    plan = read_arena(EXAMPLE) if file is None else load_arena(file)
    if seed is not None:
        plan.seed = seed_from_text(seed)
    run_arena(plan, web)


def run_arena(plan: ArenaPlan, web: int) -> None:
    """Run an arena until it is stopped, with its website on a port (-1: without)."""
    token = plan.admin_token or fresh_token()
    if web >= 0:
        plan.web = WebPlan(web, plan.bind, plan.store, plan.control, plan.policy, token)
        if not plan.admin_token:
            click.echo(f"administrator's token of the website: {token}")
    if plan.policy.open_cards and not plan.policy.delay:
        click.echo("warning: the audience sees all hole cards at once", err=True)
    prepare()
    with locked_store(plan.store, plan.durability) as engine:
        arena = Arena(plan, engine, on_listening=_listening, watcher=Watcher(_opened, result=_over))

        async def main() -> None:
            socket = ControlSocket(plan.control, Control(arena))
            await socket.open()
            try:
                await arena.run(on_open=lambda: _open_metrics(arena))
            finally:
                await socket.close()

        try:
            run(main)
        except (ControlError, RegistryError) as error:
            raise BadArgumentError(str(error)) from None


def load_arena(file: Path) -> ArenaPlan:
    """Return the arena of a file; all its mistakes become one message."""
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise BadArgumentError(
            f"cannot read {file}: {error.strerror} (`croupier init` writes an example)"
        ) from None
    except UnicodeDecodeError as error:
        raise BadArgumentError(f"{file} is not UTF-8 text: {error}") from None
    try:
        return read_arena(text, file.parent)
    except ArenaFileError as error:
        raise BadArgumentError(f"{file} cannot be used:\n{error}") from None


@click.command("check-config")
@click.argument("file", type=click.Path(path_type=Path), metavar="ARENA.toml")
def check_config(file: Path) -> None:
    """Check an arena's file; every mistake is named with its line and key."""
    plan = load_arena(file)
    tables = ", ".join(table.plan.name for table in plan.tables) or "none"
    listeners = ", ".join(f"{one.dialect}:{one.port}" for one in plan.listen) or "none"
    click.echo(f"{file} is fine: listeners {listeners}; tables {tables}")


@click.command("init")
@click.argument("file", type=click.Path(path_type=Path), default=NAME, metavar="[FILE]")
def init(file: Path) -> None:
    """Write an example of an arena's file, with a comment on everything (arena.toml)."""
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(EXAMPLE)
    except FileExistsError:
        raise BadArgumentError(f"{file} exists already; it is left as it is") from None
    except OSError as error:
        raise BadArgumentError(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"{file} is written; run it with: croupier serve {file}")


def _listening(dialect: str, address: str, port: int) -> None:
    click.echo(f"listening: {dialect} {address}:{port}")
    sys.stdout.flush()


def _open_metrics(arena: Arena) -> None:
    port = arena.plan.metrics
    if port is not None:
        _, bound = serve_metrics(arena.house, arena.plan.bind, port)
        click.echo(f"metrics: http://{arena.plan.bind}:{bound}/metrics")
    click.echo(f"control: {arena.plan.control}")
    sys.stdout.flush()


def _opened(game: Game) -> None:
    match = game.table.match
    click.echo(
        f"{game.key}: match {game.table.id}, {match.rules.name}, {match.size} seats,"
        f" seed commitment {game.commitment}"
    )
    sys.stdout.flush()


def _over(result: dict[str, Any]) -> None:
    chips = ", ".join(f"{seat['name']} {seat['chips']:,}" for seat in result["seats"])
    click.echo(f"match {result['match']} over: {result['hands']:,} hands; {chips}")
    sys.stdout.flush()
