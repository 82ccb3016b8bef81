"""`croupier check`: scenarios with a bot author's program."""

import asyncio
import json
import logging
import shlex
import shutil
import sys
from dataclasses import asdict

import click
import structlog
from rich.console import Console
from rich.markup import escape
from rich.status import Status

from croupier.checker.checking import AT_ONCE, Check
from croupier.checker.scenarios import Scenario, scenarios_for
from croupier.checker.stage import ListenError
from croupier.checker.verdict import Verdict
from croupier.cli.errors import BadArgumentError
from croupier.dialects.registry import DIALECTS
from croupier.rules.rules import nearest
from croupier.server.arena.programs import ProgramError, words_of


@click.command("check", context_settings={"ignore_unknown_options": True})
@click.argument("dialect")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Listen on this port, for programs that cannot be told; 0 picks a free one.",
)
@click.option(
    "--scenario", "only", multiple=True, metavar="NAME", help="Run only this one; may be repeated."
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=AT_ONCE,
    show_default=True,
    metavar="N",
    help="How many scenarios to play at once; with --port always one.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def command(
    dialect: str,
    command: tuple[str, ...],
    port: int,
    only: tuple[str, ...],
    jobs: int,
    as_json: bool,
) -> None:
    """Check a bot: start COMMAND against scripted tables, in one scenario after another.

    DIALECT is huawei, trend, room or kuhn. In COMMAND {host}, {port}, {pid} and {name} are filled
    in; write it behind two dashes:

        croupier check huawei -- python3 mybot.py {host} {port} {pid}

    Each scenario starts the program anew, and several are played at once. A verdict says what went
    wrong first, with the bytes around it. The exit code is 0 if all went well and 1 if not.
    """
    if dialect not in DIALECTS:
        raise BadArgumentError(
            f"unknown dialect {dialect!r}{nearest(dialect, DIALECTS)}"
            f" (there are {', '.join(DIALECTS)})"
        )
    text = shlex.join(command)
    for brace in ("{host}", "{port}", "{pid}", "{name}"):
        text = text.replace(shlex.quote(brace), brace)
    _check_command(text)
    # The program's mistakes are told as verdicts; the table's own log would only repeat them.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    chosen = _choose(scenarios_for(dialect), only)
    console = Console(highlight=False)
    check = Check(dialect, port, text, chosen, jobs)
    try:
        verdicts = asyncio.run(_run(check, console, as_json, len(chosen)))
    except ListenError as error:
        raise BadArgumentError(str(error)) from None
    failed = sum(not verdict.ok for verdict in verdicts)
    if as_json:
        click.echo(json.dumps([asdict(verdict) for verdict in verdicts]))
    else:
        console.print(f"{len(verdicts) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


async def _run(check: Check, console: Console, as_json: bool, count: int) -> list[Verdict]:
    if as_json:
        return await check.run()
    if not console.is_terminal:
        return await check.run(lambda verdict: _print(console, verdict))
    told = 0
    with Status("", console=console) as status:

        def tell(verdict: Verdict) -> None:
            nonlocal told
            told += 1
            _print(console, verdict)

        def changed() -> None:
            status.update(f"[dim]{told} of {count} told, playing {', '.join(check.running)}[/dim]")

        return await check.run(tell, changed)


def _check_command(text: str) -> None:
    try:
        words = words_of(text, "host", 1, 1, "name")
    except ProgramError as error:
        raise BadArgumentError(str(error)) from None
    if shutil.which(words[0]) is None:
        raise BadArgumentError(f"there is no program {words[0]} that can be run")


def _choose(known: list[Scenario], only: tuple[str, ...]) -> list[Scenario]:
    names = [scenario.name for scenario in known]
    for name in only:
        if name not in names:
            raise BadArgumentError(
                f"unknown scenario {name!r}{nearest(name, names)} (there are {', '.join(names)})"
            )
    return [scenario for scenario in known if not only or scenario.name in only]


def _print(console: Console, verdict: Verdict) -> None:
    mark = "[green]ok  [/green]" if verdict.ok else "[red]FAIL[/red]"
    console.print(f"{mark} {verdict.scenario}: {escape(verdict.text)}", soft_wrap=True)
    if verdict.ok:
        return
    console.print(f"     {verdict.what}", style="dim")
    for line in verdict.context:
        console.print(f"     | {escape(line)}", soft_wrap=True)
    for line in verdict.output:
        console.print(f"     program: {escape(line)}", soft_wrap=True)
