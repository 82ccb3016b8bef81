"""`croupier contest run`: play a contest until it is complete."""

import asyncio
import shlex
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from sqlalchemy import Engine

from croupier.cli.cluster import certificate_option, check_address, need_cluster
from croupier.cli.contest.common import file_argument, load, put_on_record, unknown_stage
from croupier.cli.contest.listing import standings_table
from croupier.cli.errors import BadArgumentError
from croupier.cli.pages_option import files_of
from croupier.cli.running import locked_store, prepare
from croupier.cli.running import run as run_loop
from croupier.cli.sandboxing import find_protection, sandbox_option, say_protection
from croupier.cli.store_option import table_console
from croupier.cli.web_option import (
    NO_WEB,
    audience_option,
    parse_policy,
    web_bind_option,
    web_option,
)
from croupier.contest.course import Course
from croupier.contest.fixtures import matches_of
from croupier.contest.progress import fixtures_of
from croupier.match.audience import Policy
from croupier.running.admission import admit
from croupier.running.contest_file import ContestFile
from croupier.running.coordinator import Coordinator
from croupier.running.estimate import usual_workers
from croupier.running.live import LiveTables
from croupier.running.pool import MatchWorker, WorkerProcess
from croupier.running.tables import digest_of
from croupier.server.arena.startup_checks import Port, StartupError, check_startup
from croupier.server.out.site_process import WebChild, WebPlan
from croupier.store import contests
from croupier.store.contests import ContestRow
from croupier.store.schema import writing

if TYPE_CHECKING:
    from croupier.running.bundles import Bundle

REPORT_S = 10.0
"""Seconds between two lines of progress where there is no terminal."""

LEAST_HANDED_OUT = 8
"""Matches that a cluster has at once, however few workers it has when a contest begins."""

SHOWN = 15
"""Lines of the standing that are shown while a contest is running."""


@click.command("run")
@file_argument
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many matches to play at once; as many as there are cores unless given.",
)
@click.option("--stage", metavar="NAME", help="Stop when this stage is complete.")
@click.option(
    "--until",
    metavar="TIME",
    help="Start no match after this time, such as 18:30 or 2027-03-01T18:30.",
)
@click.option("--beacon", metavar="TEXT", help="The value of the beacon that the file announces.")
@sandbox_option("as the file says")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the cluster of the scheduler at tls://HOST:PORT instead of on this machine.",
)
@certificate_option("coordinator")
@web_option()
@web_bind_option()
@audience_option()
@click.pass_context
def run(
    context: click.Context,
    file: Path,
    workers: int | None,
    stage: str | None,
    until: str | None,
    beacon: str | None,
    sandbox: str | None,
    cluster: str | None,
    certificate: Path,
    web: int,
    web_bind: str | None,
    audience: str,
) -> None:
    """Play a contest until it is complete; the same command goes on wherever it stopped.

    Python bots and programs play in worker processes. Teams that connect by themselves are led to
    their tables on the ports of the file. Ctrl-C lets the running matches finish; a second one
    breaks them off, and they are played again.

    With --web the contest has its site while it runs; tables of teams that connect by themselves
    are shown live there, but for sealed matches.

    With --cluster they play on other machines (`croupier cluster`), and results and hands are
    stored here. --workers is then how many matches are handed out at once: twice as many as there
    are workers at the start, and at least 8, unless given. Any certificate of a cluster may run any
    code on its machines.

    The exit code is 0 when the contest (or the stage) is complete, 2 if the file or an option is
    wrong or the store is in use, 3 if matches that broke too often wait for your decision, 4 if
    --until came first, 130 after Ctrl-C, and 1 after an internal error.
    """
    contest = load(file)
    policy = parse_policy(audience)
    site = None if web == NO_WEB else _site(contest, web, web_bind, policy)
    deadline = _time(until) if until is not None else None
    names = [one.name for one in contest.plan.stages]
    if stage is not None and stage not in names:
        raise unknown_stage(stage, names)
    bundle = None
    if cluster is not None:
        check_address(cluster)
        need_cluster()
        from croupier.running.bundles import BundleError, bundle_of

        try:
            bundle = bundle_of(contest)
        except (BundleError, OSError) as error:
            raise BadArgumentError(str(error)) from None
    found = find_protection(
        sandbox or contest.sandbox, contest.starts_programs or contest.uploads is not None
    )
    boxed = found.boxed
    if contest.uploads is not None and not boxed:
        raise BadArgumentError(f"uploads need boxes for programs, and there are none: {found.text}")
    if contest.uploads is not None and cluster is not None:
        raise BadArgumentError(
            "uploads are not possible on a cluster, whose machines have the programs of the start"
        )
    prepare()
    with locked_store(
        contest.store, contest.durability, secret=contest.seed is None, arena=contest.arena
    ) as engine:
        assert engine is not None
        row = _opened(file, engine, contest, beacon)
        say_protection(found)
        if contest.admit:
            admit(engine, row, contest, lambda text: click.echo(text, err=True), boxed)
        if cluster is not None and bundle is not None:
            hired = _on_cluster(cluster, certificate, bundle, contest, engine, row, workers)
        else:
            hired = _here(contest, workers or usual_workers())
        coordinator = run_loop(
            lambda: _play(contest, engine, row, stage, deadline, boxed, hired, site)
        )
        course = coordinator.course
        _print_result(course)
        done = course.complete or (stage is not None and coordinator.agenda.is_past_last_stage)
        if not done:
            _print_what_next(file, course, coordinator)
            context.exit(130 if coordinator.stopping else 3 if course.set_aside else 4)


def _opened(file: Path, engine: Engine, contest: ContestFile, beacon: str | None) -> ContestRow:
    row = put_on_record(file, engine, contest)
    if beacon is not None and not contest.plan.beacon:
        raise BadArgumentError("the file announces no beacon, so there is no value to give")
    if row.plan.beacon and not row.beacon:
        if not beacon:
            raise BadArgumentError(
                f"the file announces a beacon ({row.plan.beacon}); give its value with --beacon."
                f" The seed is committed to: {row.commitment}"
            )
        contests.set_beacon(engine, row.id, beacon)
        row = contests.find(engine, row.title)
    elif beacon is not None and beacon != row.beacon:
        raise BadArgumentError(f"the beacon is on record as {row.beacon!r}")
    waiting = {team.name for team in contest.plan.teams if team.connects}
    without = sorted(waiting - {key.team for key in contests.keys(engine, row.id)})
    if without:
        raise BadArgumentError(
            f"{without[0]} connects by itself and has no key yet:"
            f" `croupier contest keys {shlex.quote(str(file))}` draws the keys"
        )
    return row


async def _play(
    contest: ContestFile,
    engine: Engine,
    row: ContestRow,
    stage: str | None,
    until: float | None,
    boxed: bool,
    hired: AbstractAsyncContextManager[Sequence[MatchWorker]],
    site: WebPlan | None,
) -> Coordinator:
    display = _Terminal() if sys.stderr.isatty() else _Lines()
    live, alone = None, None
    if any(team.connects for team in contest.plan.teams):
        live = LiveTables(contest, engine, row, _listening, boxed, site)
    elif site is not None:
        alone = WebChild(site)  # without a table that it could show
    paused = False

    def changed(coordinator: Coordinator) -> None:
        nonlocal paused
        if coordinator.course.paused != paused:
            paused = coordinator.course.paused
            display.say("paused; `croupier contest resume` goes on" if paused else "it goes on")
        display.update(coordinator)

    async with hired as workers:
        coordinator = Coordinator(
            contest,
            engine,
            row,
            workers=workers,
            live=live,
            only=stage or "",
            until=until,
            boxed=boxed,
            changed=changed,
        )
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, lambda: _stop(coordinator, display))
        click.echo(
            f"{row.title}: commitment to the seed {row.commitment}"
            + ("" if row.secret else " (the seed is in the file, so it is not secret)"),
            err=True,
        )
        try:
            with display.shown():
                await coordinator.run()
        finally:
            if alone is not None:
                alone.end()
    return coordinator


def _site(contest: ContestFile, port: int, bind: str | None, policy: Policy) -> WebPlan:
    """Return the site of a contest."""
    address = bind or contest.bind
    try:
        check_startup([Port(address, port, "the website", "--web")], [], None)
    except StartupError as error:
        raise BadArgumentError(str(error)) from None
    return WebPlan(
        port,
        address,
        contest.store,
        policy=policy,
        pages=None if contest.pages is None else str(contest.pages.resolve()),
        contest=msgspec.to_builtins(files_of(contest)),
    )


@asynccontextmanager
async def _here(contest: ContestFile, count: int) -> AsyncIterator[Sequence[MatchWorker]]:
    """Let processes of this machine play."""
    yield [WorkerProcess(contest.output) for _ in range(count + contest.plan.spare_workers)]


@asynccontextmanager
async def _on_cluster(
    address: str,
    certificate: Path,
    bundle: "Bundle",
    contest: ContestFile,
    engine: Engine,
    row: ContestRow,
    count: int | None,
) -> AsyncIterator[Sequence[MatchWorker]]:
    """Let a cluster play, and note on record what was sent to it."""
    from croupier.running.cluster import Cluster, ClusterWorker

    cluster = Cluster(address, certificate, bundle, row.commitment[:16])
    there = await cluster.open()
    with writing(engine) as connection:
        contests.audit(connection, row, "croupier", "cluster", f"{address}, bundle {bundle.name}")
    click.echo(f"{address}: {there} workers; the teams' files are bundle {bundle.name}", err=True)
    places = (count or max(LEAST_HANDED_OUT, 2 * there)) + contest.plan.spare_workers
    try:
        yield [ClusterWorker(cluster, contest.output, contest.transcripts) for _ in range(places)]
    finally:
        await cluster.close()


def _stop(coordinator: Coordinator, display: "_Lines | _Terminal") -> None:
    running = len(coordinator.progress.running)
    if coordinator.stopping:
        display.say("breaking off what is running; it will be played again")
    elif running:
        display.say(f"finishing {running} running matches; once more Ctrl-C breaks them off")
    coordinator.stop()


def _listening(scheme: str, address: str, port: int) -> None:
    click.echo(f"listening: {scheme} {address}:{port}", err=True)


def _print_result(course: Course) -> None:
    console = table_console()
    for stage in course.stages:
        console.print(standings_table(course, stage, stage.standing))
    click.echo(f"digest {digest_of(course)}")


def _print_what_next(file: Path, course: Course, coordinator: Coordinator) -> None:
    command = f"croupier contest run {shlex.quote(str(file))}"
    for match in course.set_aside:
        click.echo(
            f"{match} broke too often and is set aside; `croupier contest give-up"
            f" {shlex.quote(str(file))} {match}` completes the stage without it",
            err=True,
        )
    click.echo(f"the contest is not complete; this goes on: {command}", err=True)


def _time(text: str) -> float:
    now = datetime.now()
    for form in ("%H:%M", "%H:%M:%S"):
        try:
            clock = datetime.strptime(text, form)
        except ValueError:
            continue
        return now.replace(
            hour=clock.hour, minute=clock.minute, second=clock.second, microsecond=0
        ).timestamp()
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise BadArgumentError(
            f"--until is a time such as 18:30 or 2027-03-01T18:30, not {text!r}"
        ) from None


# Progress.


def _counts(coordinator: Coordinator) -> tuple[str, int, int]:
    """Return the stage that is being played, its matches that are played, and all known."""
    stage = coordinator.course.current
    total = sum(len(matches_of(fixture, stage.plan)) for fixture in stage.schedule.fixtures)
    return stage.plan.name, coordinator.agenda.played_in(stage.plan.name), total


def _closing(coordinator: Coordinator) -> str:
    """Return the interval of a fixture that goes on until something is shown, if there is one."""
    stage = coordinator.course.current
    if stage.plan.stop is None:
        return ""
    open_ = [one for one in fixtures_of(stage) if one.look is not None and not one.settled]
    if not open_:
        return ""
    first, second = open_[0].fixture.teams
    more = f", and {len(open_) - 1:,} more" if len(open_) > 1 else ""
    return f", {first} against {second} {open_[0].look}{more}"


class _Lines:
    """Progress as lines, where there is no terminal."""

    def __init__(self) -> None:
        self._began = self._last = time.monotonic()
        self._stage = ""

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show nothing beyond the lines."""
        yield

    def say(self, text: str) -> None:
        """Print a line."""
        click.echo(text, err=True)

    def update(self, coordinator: Coordinator) -> None:
        """Print how far it is, now and then."""
        now = time.monotonic()
        name, done, total = _counts(coordinator)
        if now - self._last < REPORT_S and name == self._stage:
            return
        self._last, self._stage = now, name
        speed = coordinator.progress.hands / max(0.001, now - self._began)
        closing = _closing(coordinator)
        self.say(f"{name}: {done:,} of {total:,} matches, {speed:,.0f} hands/s{closing}")


class _Terminal:
    """A progress bar, and the standing as it is."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._task = self._bar.add_task("", total=None, rate="")
        self._live = Live(self._bar, console=self._console, transient=True, refresh_per_second=4)
        self._began = time.monotonic()
        self._drawn = 0.0

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the progress while the contest is played."""
        with self._live:
            yield

    def say(self, text: str) -> None:
        """Print a line above it."""
        self._live.console.print(text)

    def update(self, coordinator: Coordinator) -> None:
        """Show how far it is, at most once a second."""
        now = time.monotonic()
        if now - self._drawn < 1.0:
            return
        self._drawn = now
        name, done, total = _counts(coordinator)
        speed = coordinator.progress.hands / max(0.001, now - self._began)
        self._bar.update(
            self._task, description=name, completed=done, total=total,
            rate=f"{speed:,.0f} hands/s{_closing(coordinator)}",
        )  # fmt: skip
        self._live.update(Group(self._standing(coordinator), self._bar))

    def _standing(self, coordinator: Coordinator) -> Table:
        stage = coordinator.agenda.course_now().current
        # Luck is left out: computing it would hold up live tables.
        return standings_table(coordinator.course, stage, stage.standing[:SHOWN], luck=False)
