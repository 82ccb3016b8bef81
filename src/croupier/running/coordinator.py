"""Carries a contest out: starts what is due, stores what comes back, until nothing is left.

State owned here: which matches are running, on which worker or at which live table. Everything
else, the course of the contest, is computed from what the store has; so a coordinator can be killed
at any moment, and the next one goes on from there.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
import structlog
from sqlalchemy import Engine

from croupier.contest.acts import BROKEN, Act
from croupier.contest.course import MAX_BREAKS, Course, Due, StageCourse
from croupier.contest.fixtures import MatchName
from croupier.contest.formats.ladder import next_assignment
from croupier.contest.friendlies import OVER
from croupier.running.agenda import Agenda
from croupier.running.contest_file import ContestFile
from croupier.running.friendlies import Friendlies
from croupier.running.live import LiveTables
from croupier.running.luck_account import enter
from croupier.running.luck_process import luck_elsewhere
from croupier.running.offline import drop, play_on
from croupier.running.pool import BrokenMatchError, HopelessMatchError, MatchWorker
from croupier.running.scoring import scored
from croupier.running.tasks import TaskMaker
from croupier.running.uploads import Uploads
from croupier.server.table.task import MatchTask, Played
from croupier.store import contests
from croupier.store.contests import ContestRow
from croupier.store.records import ContestFixture, ContestResult, ResultRecord
from croupier.store.unfinished import all_unfinished
from croupier.store.writer import Writer

log = structlog.get_logger()

POLL_S = 0.5
"""Seconds between two looks at what organisers have decided meanwhile."""


@dataclass
class Progress:
    """How far a contest has come, for those who look on."""

    matches: int = 0
    """Played since the start."""
    hands: int = 0
    running: set[str] = field(default_factory=set)


class Coordinator:
    """Plays a contest until it is complete, or is stopped."""

    def __init__(
        self,
        file: ContestFile,
        engine: Engine,
        contest: ContestRow,
        *,
        workers: Sequence[MatchWorker],
        live: LiveTables | None = None,
        only: str = "",
        until: float | None = None,
        boxed: bool = False,
        changed: Callable[["Coordinator"], None] = lambda coordinator: None,
    ) -> None:
        """`only` is the last stage to play, `until` the time to stop at.

        `boxed` says whether programs run in boxes. Where there are friendly matches, the last of
        the `workers` plays these and nothing else.
        """
        self.file = file
        self.agenda = Agenda(engine, contest, only, until)
        self.progress = Progress()
        self.stopping = False
        self._engine = engine
        self._live = live
        self._maker = TaskMaker(file, boxed)
        self._changed = changed
        self._idle = list(workers)
        self._workers = workers
        spare = self._idle.pop() if file.plan.spare_workers else None
        self._running: dict[MatchName, tuple[str, ...]] = {}
        """The teams of each match that is being played."""
        self._at_tables: set[str] = set()
        """The teams at live tables; there a team plays one match at a time."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        """An internal error in one of them."""
        self._assigning = False
        """A pairing is on its way to the store; the next one depends on it."""
        self._uploads = None if file.uploads is None else Uploads(file, engine, contest)
        self._wake = asyncio.Event()
        self._friendlies = Friendlies(engine, self._maker, spare, live, self._wake.set)

    @property
    def contest(self) -> ContestRow:
        """The contest as it is on record."""
        return self.agenda.contest

    @property
    def course(self) -> Course:
        """The course, as far as it was computed."""
        return self.agenda.course

    async def run(self) -> None:
        """Play until the contest is complete, or nothing more may be started."""
        loop = asyncio.get_running_loop()
        self._writer = Writer(self._engine, loop.call_soon_threadsafe, _trouble)
        try:
            self.agenda.load()
            self.agenda.refresh()
            self._drop_interrupted()
            self._friendlies.begin(self._writer, self.agenda)
            self._changed(self)
            if self._live is not None:
                await self._live.open(self._writer)
            while not self._finished:
                if self._uploads is not None:
                    self._uploads.look()
                self._fill()
                self._look_at_friendlies()
                if self._failure is not None:
                    raise self._failure
                if self._finished:
                    break
                self._wake.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), POLL_S)
            if self._uploads is not None:
                await self._uploads.close()
            await self._friendlies.close(self.agenda)
            if self._live is not None:
                over = self.course.complete
                await self._live.close(OVER if over else "the contest is interrupted")
            await asyncio.gather(*(worker.end() for worker in self._workers))
        finally:
            for worker in self._workers:
                worker.kill()
            self._writer.close()
        self.agenda.load()  # with what was stored at last
        self.agenda.refresh()

    def stop(self) -> None:
        """Start nothing more; a second time, break off what is running."""
        if self.stopping:
            for task in self._tasks:
                task.cancel()
            self._running.clear()
        self.stopping = True
        self._wake.set()

    @property
    def _finished(self) -> bool:
        return not self._running and (self.stopping or self.agenda.is_over)

    # What is due.

    def _look_for_acts(self) -> None:
        if self.agenda.look_for_acts(self._running):
            self._changed(self)

    def _fill(self) -> None:
        """Start as much as there is room for, and nothing that was called off meanwhile."""
        agenda = self.agenda
        self._look_for_acts()
        while not self.stopping:
            if agenda.stale and not agenda.offline and not agenda.online:
                agenda.refresh(self._running)
            if not agenda.is_open:
                return
            if self._start_next():
                continue
            if not agenda.stale or not (self._idle or self._live):
                return
            agenda.refresh(self._running)

    def _start_next(self) -> bool:
        """Start one match; return False if none can be started now."""
        agenda = self.agenda
        if agenda.is_ladder and self._idle and not agenda.offline and not agenda.online:
            # A pairing that was just stored is not in the course yet.
            return False if agenda.stale else self._assign()
        if self._idle and agenda.offline:
            self._start_offline(agenda.offline.popleft())
            return True
        for due in agenda.online:
            playing = self._at_tables.intersection(due.teams)
            if all(agenda.team(team).house for team in playing) and self._friendlies.make_way(
                due.teams
            ):
                agenda.online.remove(due)
                self._start_live(due)
                return True
        return False

    def _look_at_friendlies(self) -> None:
        """Let friendly matches be played with what the contest does not need now."""
        agenda, due = self.agenda, False
        busy = set(self._at_tables)
        if agenda.is_open:
            due = bool(agenda.offline) or agenda.stale or self._assigning
            busy.update(team for one in agenda.online for team in one.teams)
        if not self.stopping:
            self._friendlies.look(agenda, bool(self._idle) and not due, busy)

    @property
    def _busy(self) -> frozenset[str]:
        return frozenset(team for teams in self._running.values() for team in teams)

    def _assign(self) -> bool:
        """Make and record the next pairing of a ladder."""
        if self._assigning:
            return False
        stage = self.course.current
        fixture = next_assignment(stage.field, self._busy)
        if fixture is None:
            return False
        self._assigning = True
        values = contests.fixture_values(
            self.contest.id, stage.plan.name, len(stage.field.assigned) + 1, fixture
        )

        def stored() -> None:
            self._assigning = False
            self.agenda.assign(stage.plan.name, fixture)
            self._wake.set()

        self._writer.write(ContestFixture(values), stored)
        return False

    # Matches.

    def _spawn(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_ended)

    def _task_ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failure = task.exception()
            self._wake.set()

    def _start_offline(self, due: Due) -> None:
        worker = self._idle.pop()
        self._running[due.name] = due.teams
        self.progress.running.add(str(due.name))
        self._spawn(self._play_offline(due, worker, self.course.current))

    async def _play_offline(self, due: Due, worker: MatchWorker, stage: StageCourse) -> None:
        task = self._maker.due(self.contest, self.course, due)
        try:
            played, end, match_id = await play_on(worker, task, self._writer)
            self._over(due, stage, played, end, match_id)
        except BrokenMatchError as error:
            self._broke(due, str(error), hopeless=isinstance(error, HopelessMatchError))
        finally:
            self._idle.append(worker)

    def _broke(self, due: Due, reason: str, *, hopeless: bool = False) -> None:
        """Note that a match broke for reasons of the machine; it is played again.

        One that is `hopeless` was played again often enough, and is set aside at once.
        """
        *_, last = reason.strip().splitlines() or [""]
        before = sum(a.match == str(due.name) and a.kind == BROKEN for a in self.course.acts)
        act = Act(BROKEN, match=str(due.name), why=last)
        broken = MAX_BREAKS if hopeless else before + 1
        for _ in range(before, broken):
            contests.act(self._engine, self.contest, act, "croupier", f"{due.name}: {last}")
        if broken >= MAX_BREAKS:
            log.error("set aside: it broke too often", match=str(due.name), reason=last)
        else:
            log.error("a match broke and is played again", match=str(due.name), reason=last)
        self._ended(due)

    def _start_live(self, due: Due) -> None:
        assert self._live is not None
        task, stage = self._maker.due(self.contest, self.course, due), self.course.current
        self._running[due.name] = due.teams
        self._at_tables.update(due.teams)
        self.progress.running.add(str(due.name))

        def over(played: Played) -> None:
            self._at_tables.difference_update(due.teams)
            if not played.hands and not any(player.forfeit for player in played.players):
                self._broke(due, "nothing was played")
            elif task.luck and played.hands:
                self._spawn(self._add_luck(due, stage, task, played))
            else:
                self._over(due, stage, played, None, played.match_id)

        def failed() -> None:
            self._at_tables.difference_update(due.teams)
            self._broke(due, "an internal error")

        self._live.start(task, over, failed)

    async def _add_luck(
        self, due: Due, stage: StageCourse, task: MatchTask, played: Played
    ) -> None:
        """Store the result of a match at a live table, with its luck."""
        enter(task, played, await luck_elsewhere(self._engine, self.file.store, task))
        self._over(due, stage, played, None, played.match_id)

    def _over(
        self,
        due: Due,
        stage: StageCourse,
        played: Played,
        end: ResultRecord | None,
        match_id: str,
    ) -> None:
        """Store the result of a match; it counts when it is stored."""
        self._look_for_acts()
        if len([team for team in due.teams if not self._has_left(team)]) < 2:
            # The others have been given their walkover meanwhile; what follows from it stays.
            log.info("does not count: a team was taken out meanwhile", match=str(due.name))
            drop(self._writer, match_id)
            self._ended(due)
            return
        result = scored(due.name, due.teams, stage.plan, played, self.course.plan.forfeit_stacks)
        for seat in result.seats:
            if seat.forfeit:
                log.warning("forfeit", match=str(due.name), team=seat.team, reason=seat.forfeit)
        values = contests.result_values(self.contest.id, result, played.digest, match_id)

        def stored() -> None:
            self.agenda.add(result)
            self.progress.matches += 1
            self.progress.hands += played.hands
            self._ended(due)

        self._writer.write(ContestResult(values, end), stored)

    def _has_left(self, team: str) -> bool:
        return self.course.current.field.has_left(team)

    def _ended(self, due: Due) -> None:
        self._running.pop(due.name, None)
        self.progress.running.discard(str(due.name))
        self.agenda.stale = True
        self._changed(self)
        self._wake.set()

    def _drop_interrupted(self) -> None:
        """Drop the records of matches that a crash has interrupted in a worker."""
        teams, contest = self.course.plan.teams_by_name, self.contest
        for beginning in (contest.place(""), contest.friendly_place("")):
            for header, _ in all_unfinished(self._engine, beginning):
                names = [player["name"] for player in msgspec.json.decode(header["players"])]
                if not any(name in teams and teams[name].connects for name in names):
                    drop(self._writer, header["id"])


def _trouble(reason: str) -> None:
    if reason:
        log.error("the store cannot be written; results wait until it can", reason=reason)
    else:
        log.info("the store works again")
