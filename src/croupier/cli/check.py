"""`croupier check`: play scenarios with a bot author's program."""

import asyncio
import json
import logging
import re
import shlex
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

import click
import structlog
from rich.console import Console
from rich.markup import escape
from rich.status import Status

from croupier.checker.check import DEFAULT_JOBS, Check
from croupier.checker.trial import ListenError
from croupier.checker.verdict import Verdict
from croupier.cli.errors import BadArgumentError
from croupier.cli.help_texts import DIALECT_NAMES
from croupier.cli.sandboxing import find_protection, sandbox_option, say_protection
from croupier.dialects.registry import DIALECTS
from croupier.dialects.scenarios import Scenario
from croupier.rules.rules import nearest
from croupier.server.arena.programs import ProgramError, words_of
from croupier.server.arena.sandbox import AUTO, Surroundings, is_too_much

ABOUT = f"""Check a bot: start COMMAND against scripted tables, in one scenario after another.

DIALECT is {DIALECT_NAMES}. In COMMAND {{host}}, {{port}}, {{pid}} and {{name}} are filled in; write
it behind two dashes:

    croupier check DIALECT -- python3 mybot.py {{host}} {{port}} {{pid}}

Each scenario starts the program again, and several are played at once. A verdict names the first
mistake, with the bytes around it; a mistake that occurs in several scenarios is explained once.
The exit code is 0 if all scenarios passed and 1 if not.
"""


@click.command("check", help=ABOUT, context_settings={"ignore_unknown_options": True})
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
    default=DEFAULT_JOBS,
    show_default=True,
    metavar="N",
    help="How many scenarios to play at once; with --port always one.",
)
@sandbox_option("if possible")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def command(
    dialect: str,
    command: tuple[str, ...],
    port: int,
    only: tuple[str, ...],
    jobs: int,
    sandbox: str | None,
    as_json: bool,
) -> None:
    if dialect not in DIALECTS:
        raise BadArgumentError(
            f"unknown dialect {dialect!r}{nearest(dialect, DIALECTS)}"
            f" (there are {', '.join(DIALECTS)})"
        )
    text = shlex.join(command)
    for brace in ("{host}", "{port}", "{pid}", "{name}"):
        text = text.replace(shlex.quote(brace), brace)
    _check_command(text)
    # Verdicts report the program's mistakes; the table's log would only repeat them.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    chosen = _choose(list(DIALECTS[dialect].scenarios), only)
    console = Console(highlight=False)
    report = Report(console)
    # Its author starts it here, so all that is in this folder is its own.
    here = Path().absolute()
    shown = [] if is_too_much(here) else [here]
    found = find_protection(sandbox or AUTO)
    say_protection(found)
    around = Surroundings(found.boxed, here, shown=shown)
    check = Check(DIALECTS[dialect], port, text, chosen, jobs, around)
    try:
        verdicts = asyncio.run(_run(check, console, None if as_json else report, len(chosen)))
    except ListenError as error:
        raise BadArgumentError(str(error)) from None
    if as_json:
        click.echo(json.dumps([asdict(verdict) for verdict in verdicts]))
    else:
        report.sum_up(len(verdicts))
    sys.exit(0 if all(verdict.ok for verdict in verdicts) else 1)


async def _run(
    check: Check, console: Console, report: "Report | None", count: int
) -> list[Verdict]:
    if report is None:
        return await check.run()
    if not console.is_terminal:
        return await check.run(report.tell)
    told = 0
    with Status("", console=console) as status:

        def tell(verdict: Verdict) -> None:
            nonlocal told
            told += 1
            report.tell(verdict)

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


class Report:
    """Print verdicts; a mistake that occurs again is named but not explained again."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._seen: dict[tuple[str, str], list[Verdict]] = {}

    def tell(self, verdict: Verdict) -> None:
        """Print one verdict."""
        if verdict.ok:
            self._print(f"[green]ok  [/green] {verdict.scenario}: {escape(verdict.text)}")
            return
        alike = self._seen.setdefault(_mistake_key(verdict), [])
        alike.append(verdict)
        if len(alike) > 1:
            first = alike[0].scenario
            self._print(f"[red]FAIL[/red] {verdict.scenario}: the same mistake as in {first}")
            return
        self._print(f"[red]FAIL[/red] {verdict.scenario}: {escape(verdict.text)}")
        self._print(f"     [dim]{escape(verdict.what)}[/dim]")
        for line in verdict.context:
            self._print(f"     | {escape(line)}")
        for line in verdict.output:
            self._print(f"     program: {escape(line)}")

    def sum_up(self, count: int) -> None:
        """Print how often each mistake was made, and how many scenarios passed."""
        failed = sum(map(len, self._seen.values()))
        for alike in self._seen.values():
            if len(alike) > 1:
                self._print(f"in {len(alike)} scenarios: {escape(alike[0].text)}")
        self._print(f"{count - failed} passed, {failed} failed")

    def _print(self, line: str) -> None:
        self._console.print(line, soft_wrap=True)


def _mistake_key(verdict: Verdict) -> tuple[str, str]:
    """Return a key that is equal for verdicts on the same mistake.

    Numbers are ignored. Crashes with different errors are different mistakes.
    """
    crash = next((line for line in reversed(verdict.output) if _ERROR.match(line)), "")
    return _NUMBER.sub("0", verdict.text), _NUMBER.sub("0", crash)


_ERROR = re.compile(r"[\w.]*(Error|Exception)\b")
_NUMBER = re.compile(r"\d+")
