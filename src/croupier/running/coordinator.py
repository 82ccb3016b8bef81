"""Carries a contest out: starts what is due, stores what comes back, until nothing is left.

State owned here: which matches are running, on which worker or at which live table. Everything
else, the course of the contest, is computed from what the store has; so a coordinator can be killed
at any moment, and the next one goes on from there.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec
import structlog
from sqlalchemy import Engine

from croupier.contest.acts import BROKEN, Act
from croupier.contest.course import MAX_BREAKS, Course, Due, StageCourse
from croupier.contest.fixtures import Fixture, MatchName, MatchResult
from croupier.contest.formats.ladder import Ladder, next_assignment
from croupier.contest.plan import HANDS, Team
from croupier.contest.seeds import set_seed
from croupier.running.contest_file import ContestFile
from croupier.running.live import LiveTables
from croupier.running.pool import BrokenMatchError, WorkerProcess
from croupier.running.scoring import filling, scored
from croupier.server.table.task import MatchTask, Played, Player
from croupier.store import contests
from croupier.store.contests import ContestRow
from croupier.store.unfinished import all_unfinished
from croupier.store.writer import (
    ContestFixture,
    ContestResult,
    DropRecord,
    MatchRecord,
    Record,
    ResultRecord,
    Writer,
)

log = structlog.get_logger()

POLL_S = 0.5
"""Seconds between two looks at what organisers have decided meanwhile."""

FIRST_PROGRAM_PID = 5001
"""The numbers of programs: each team has its own, none has that of a team that connects by itself
(they count from 1001) or of a house bot (from 9001)."""

MAX_WAITING = 5000
"""Records that wait to be stored before workers have to wait."""


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
        workers: int,
        live: LiveTables | None = None,
        only: str = "",
        until: float | None = None,
        boxed: bool = False,
        changed: Callable[["Coordinator"], None] = lambda coordinator: None,
    ) -> None:
        """`only` is the last stage to play, `until` the time to stop at.

        `boxed` says whether programs run in boxes.
        """
        self.file = file
        self.contest = contest
        self.course: Course
        self.progress = Progress()
        self.stopping = False
        self._engine = engine
        self._live = live
        self._only = only
        self._until = until
        self._around = file.surroundings(boxed)
        self._changed = changed
        self._idle = [WorkerProcess(file.output) for _ in range(workers)]
        self._workers = list(self._idle)
        self._running: dict[MatchName, tuple[str, ...]] = {}
        """The teams of each match that is being played."""
        self._at_tables: set[str] = set()
        """The teams at live tables; there a team plays one match at a time."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        """An internal error in one of them."""
        self._offline: deque[Due] = deque()
        self._online: deque[Due] = deque()
        self._stale = True
        """The course has to be computed again."""
        self._results: dict[MatchName, MatchResult] = {}
        self._assigned: dict[str, list[Fixture]] = {}
        self._assigning = False
        """A pairing is on its way to the store; the next one depends on it."""
        self._acts: list[Act] = []
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Play until the contest is complete, or nothing more may be started."""
        loop = asyncio.get_running_loop()
        self._writer = Writer(self._engine, loop.call_soon_threadsafe, _trouble)
        try:
            self._load()
            self._refresh()
            self._drop_interrupted()
            self._changed(self)
            if self._live is not None:
                await self._live.open(self._writer)
            while not self._finished:
                self._fill()
                if self._failure is not None:
                    raise self._failure
                if self._finished:
                    break
                self._wake.clear()
                with_timeout = asyncio.wait_for(self._wake.wait(), POLL_S)
                try:
                    await with_timeout
                except TimeoutError:
                    self._look_for_acts()
            if self._live is not None:
                await self._live.close(self._closing_reason)
            await asyncio.gather(*(worker.end() for worker in self._workers))
        finally:
            for worker in self._workers:
                worker.kill()
            self._writer.close()
        self._load()  # with what was stored at last
        self._refresh()

    def stop(self) -> None:
        """Start nothing more; a second time, break off what is running."""
        if self.stopping:
            for task in self._tasks:
                task.cancel()
            self._running.clear()
        self.stopping = True
        self._wake.set()

    def played_in(self, stage: str) -> int:
        """Return how many matches of a stage are played."""
        return sum(name.stage == stage for name in self._results)

    def standing_now(self) -> StageCourse:
        """Return the current stage with every result so far."""
        return self._course().current

    @property
    def _closing_reason(self) -> str:
        return "the contest is over" if self.course.complete else "the contest is interrupted"

    @property
    def _finished(self) -> bool:
        if self._running:
            return False
        if self.stopping or self._is_late:
            return True
        if self.course.complete or self.is_past_last_stage:
            return True
        # What is set aside waits for a decision, which cannot come while this waits for it.
        return not self._due_exists and not self._waits_for_start and not self.course.paused

    @property
    def _due_exists(self) -> bool:
        return self._is_ladder or any(True for _ in self.course.due())

    @property
    def _is_ladder(self) -> bool:
        current = self.course.current
        return isinstance(current.format, Ladder) and not current.complete

    @property
    def _is_late(self) -> bool:
        return self._until is not None and time.time() >= self._until

    @property
    def is_past_last_stage(self) -> bool:
        """Whether the stage that was asked for is complete."""
        names = [stage.plan.name for stage in self.course.stages]
        if not self._only or self._only not in names:
            return False
        return names[-1] != self._only or self.course.current.complete

    @property
    def _waits_for_start(self) -> bool:
        start = self.course.current.plan.start
        return start is not None and time.time() < start

    # What is due.

    def _load(self) -> None:
        """Read what the store has of the contest."""
        self.contest = contests.find(self._engine, self.contest.title)
        self._acts, self._results, self._assigned = contests.history(self._engine, self.contest.id)

    def _refresh(self) -> None:
        """Compute the course again.

        Acts are read after the results that it is made of were stored: their positions say which
        pairings were made without them.
        """
        self._stale = False
        if contests.acts(self._engine, self.contest.id) != self._acts:
            self._load()
        self.course = self._course()
        self._offline.clear()
        self._online.clear()
        for due in self.course.due():
            if due.name not in self._running:
                (self._online if self._is_live(due.teams) else self._offline).append(due)

    def _course(self) -> Course:
        results = list(self._results.values())
        contest = self.contest
        return Course(contest.plan, contest.deal_seed, results, self._acts, self._assigned)

    def _look_for_acts(self) -> None:
        if contests.acts(self._engine, self.contest.id) != self._acts:
            self._refresh()
            self._changed(self)

    def _fill(self) -> None:
        """Start as much as there is room for."""
        while not (self.stopping or self._is_late):
            if self._stale and not self._offline and not self._online:
                self._refresh()
            if self._start_next():
                continue
            if not self._stale:
                return
            self._refresh()

    def _start_next(self) -> bool:
        """Start one match; return False if none can be started now."""
        if self.course.paused or self._waits_for_start or self.is_past_last_stage:
            return False
        if self._is_ladder and self._idle and not self._offline and not self._online:
            # A pairing that was just stored is not in the course yet.
            return False if self._stale else self._assign()
        if self._idle and self._offline:
            self._start_offline(self._offline.popleft())
            return True
        for due in self._online:
            if not any(
                team in self._at_tables and not self._team(team).house for team in due.teams
            ):
                self._online.remove(due)
                self._start_live(due)
                return True
        return False

    @property
    def _busy(self) -> set[str]:
        return {team for teams in self._running.values() for team in teams}

    def _assign(self) -> bool:
        """Make and record the next pairing of a ladder."""
        if self._assigning:
            return False
        stage = self.course.current
        fixture = next_assignment(stage.field, frozenset(self._busy))
        if fixture is None:
            return False
        self._assigning = True
        values = contests.fixture_values(
            self.contest.id, stage.plan.name, len(stage.field.assigned) + 1, fixture
        )

        def stored() -> None:
            self._assigning = False
            self._assigned.setdefault(stage.plan.name, []).append(fixture)
            self._stale = True
            self._wake.set()

        self._writer.write(ContestFixture(values), stored)
        return False

    def _team(self, name: str) -> Team:
        return self.course.plan.teams_by_name[name]

    def _is_live(self, teams: Iterable[str]) -> bool:
        return any(self._team(team).connects for team in teams)

    def _task(self, due: Due) -> MatchTask:
        plan, file = self.course.plan, self.file
        numbers = {team.name: number for number, team in enumerate(plan.teams, FIRST_PROGRAM_PID)}
        players = []
        for name in due.teams:
            team = plan.teams_by_name[name]
            pid = str(numbers[name])
            players.append(Player(name, team.bot, team.command, team.dialect, pid))
        stage = self.course.current.plan
        players += filling(stage, len(players))
        return MatchTask(
            name=str(due.name),
            place=self.contest.place(due.name),
            rules=stage.rules,
            players=tuple(players),
            seed=set_seed(self.contest.deal_seed, due.name),
            secret=self.contest.secret,
            recorded=plan.record == HANDS,
            folder=str(file.folder.resolve()),
            output=str(file.output.resolve()),
            arrive_s=file.program_arrive_s,
            transcripts=str(file.transcripts.resolve()) if file.transcripts is not None else "",
            boxed=self._around.boxed,
            hidden=tuple(map(str, self._around.hidden)),
            owned=tuple(map(str, self._around.owned)),
        )

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

    async def _play_offline(self, due: Due, worker: WorkerProcess, stage: StageCourse) -> None:
        match_id = ""
        end: ResultRecord | None = None

        def take(record: Record) -> None:
            nonlocal match_id, end
            if isinstance(record, ResultRecord):
                end = record  # stored together with the contest's result
                return
            if isinstance(record, MatchRecord):
                match_id = record.values["id"]
            self._writer.write(record, _nothing)

        try:
            played = await worker.play(
                self._task(due), take, lambda: self._writer.waiting < MAX_WAITING
            )
            if end is None and match_id:
                # A bot that hung has ended it: what was recorded of it does not count.
                self._writer.write(DropRecord(match_id), _nothing)
                match_id = ""
            self._over(due, stage, played, end, match_id)
        except BrokenMatchError as error:
            if match_id:
                self._writer.write(DropRecord(match_id), _nothing)
            self._broke(due, str(error))
        finally:
            self._idle.append(worker)

    def _broke(self, due: Due, reason: str) -> None:
        """Note that a match broke for reasons of the machine; it is played again."""
        *_, last = reason.strip().splitlines() or [""]
        log.error("a match broke and is played again", match=str(due.name), reason=last)
        act = Act(BROKEN, match=str(due.name), why=last)
        contests.act(self._engine, self.contest, act, "croupier", f"{due.name}: {last}")
        broken = sum(a.match == str(due.name) and a.kind == BROKEN for a in self.course.acts) + 1
        if broken >= MAX_BREAKS:
            log.error("set aside: it broke too often", match=str(due.name), times=broken)
        self._ended(due)

    def _start_live(self, due: Due) -> None:
        assert self._live is not None
        task, stage = self._task(due), self.course.current
        self._running[due.name] = due.teams
        self._at_tables.update(due.teams)
        self.progress.running.add(str(due.name))

        def over(played: Played) -> None:
            self._at_tables.difference_update(due.teams)
            if not played.hands and not any(player.forfeit for player in played.players):
                self._broke(due, "nothing was played")
                return
            self._over(due, stage, played, None, played.match_id)

        def failed() -> None:
            self._at_tables.difference_update(due.teams)
            self._broke(due, "an internal error")

        self._live.start(task, over, failed)

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
            if match_id:
                self._writer.write(DropRecord(match_id), _nothing)
            self._ended(due)
            return
        result = scored(due.name, due.teams, stage.plan, played, self.course.plan.forfeit_stacks)
        for seat in result.seats:
            if seat.forfeit:
                log.warning("forfeit", match=str(due.name), team=seat.team, reason=seat.forfeit)
        values = contests.result_values(self.contest.id, result, played.digest, match_id)

        def stored() -> None:
            self._results.setdefault(result.name, result)
            self.progress.matches += 1
            self.progress.hands += played.hands
            self._ended(due)

        self._writer.write(ContestResult(values, end), stored)

    def _has_left(self, team: str) -> bool:
        return self.course.current.field.has_left(team)

    def _ended(self, due: Due) -> None:
        self._running.pop(due.name, None)
        self.progress.running.discard(str(due.name))
        self._stale = True
        self._changed(self)
        self._wake.set()

    def _drop_interrupted(self) -> None:
        """Drop the records of matches that a crash has interrupted in a worker."""
        teams = self.course.plan.teams_by_name
        for header, _ in all_unfinished(self._engine, self.contest.place("")):
            names = [player["name"] for player in msgspec.json.decode(header["players"])]
            if not any(name in teams and teams[name].connects for name in names):
                self._writer.write(DropRecord(header["id"]), _nothing)


def _trouble(reason: str) -> None:
    if reason:
        log.error("the store cannot be written; results wait until it can", reason=reason)
    else:
        log.info("the store works again")


def _nothing() -> None:
    """Do nothing: nobody waits for this record."""
