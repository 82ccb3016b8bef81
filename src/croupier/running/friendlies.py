"""Friendly matches, played while the contest is: with a worker of their own, and at live tables.

They never keep the contest waiting. One is started only while a worker of the contest is idle and
nothing is due, on a worker that the contest does not use; at a live table only while none of its
teams is due, and it ends early when one is. The contest's end is theirs.

State owned here: which of them are being played. Which there are, and how far they came, is in the
store (`store.friendlies`).
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

import msgspec
import structlog
from sqlalchemy import Engine

from croupier.contest.friendlies import OVER, problem_of
from croupier.running.agenda import Agenda
from croupier.running.live import LiveTables
from croupier.running.offline import drop, play_on
from croupier.running.pool import BrokenMatchError, MatchWorker
from croupier.running.tasks import TaskMaker
from croupier.server.table.task import MatchTask, Played
from croupier.store import friendlies
from croupier.store.friendlies import (
    CANCELLED,
    PLAYED,
    PLAYING,
    WAITING,
    Friendly,
    Outcome,
    State,
)
from croupier.store.records import FriendlyResult, ResultRecord
from croupier.store.unfinished import unfinished
from croupier.store.writer import Writer

log = structlog.get_logger()

LOOK_S = 0.5
"""Seconds between two looks at what teams have asked for."""

EARLY = "it ended early: the contest wanted one of its teams, or was over"
"""What is said of a match at a live table that had to make way."""

ENDING_S = 5.0
"""Seconds that matches at live tables have to end when the contest is over."""


class Friendlies:
    """Plays what teams have asked for, one match on the worker at a time."""

    def __init__(
        self,
        engine: Engine,
        maker: TaskMaker,
        worker: MatchWorker | None,
        live: LiveTables | None,
        wake: Callable[[], None],
    ) -> None:
        """Without a `worker` nothing is played; without `live` tables, nothing at these.

        `wake` is called when something has ended.
        """
        self._wake = wake
        self._engine = engine
        self._maker = maker
        self._worker = worker
        self._live = live
        self._looked = 0.0
        self._offline: tuple[int, asyncio.Task[None]] | None = None
        """What the worker plays."""
        self._tables: dict[int, MatchTask] = {}
        """The matches at live tables, by the numbers of their requests."""
        self._called_off: set[int] = set()
        """Those of them that are to end."""
        self._table_free = asyncio.Event()

    def begin(self, writer: Writer, agenda: Agenda) -> None:
        """Take up what was asked for before; what a crash interrupted waits again."""
        self._writer = writer
        for one in friendlies.open_ones(self._engine, agenda.contest.id):
            friendlies.move(self._engine, one.number, [PLAYING], WAITING)
        for one in friendlies.open_ones(self._engine, agenda.contest.id):
            self._is_cancelled(one, agenda)

    def look(self, agenda: Agenda, idle: bool, busy: AbstractSet[str]) -> None:
        """Answer what cannot be played any more, and start what costs the contest nothing.

        `idle` says whether a worker of the contest is; `busy` teams are not called to live tables.
        """
        if self._offline is not None and self._offline[1].done():
            self._offline[1].result()  # an internal error ends the contest's process, as elsewhere
            self._offline = None
        if self._worker is None or time.monotonic() < self._looked + LOOK_S:
            return
        self._looked = time.monotonic()
        for one in friendlies.open_ones(self._engine, agenda.contest.id):
            # What is being played may be over already, with its result on the way to the store.
            if one.state == PLAYING or self._is_cancelled(one, agenda):
                continue
            if one.state != WAITING or not agenda.goes_on:
                continue
            if agenda.is_live(one.teams):
                if self._live is not None and not (self._taken(one.teams) or busy & {*one.teams}):
                    self._start_live(one, agenda, self._live)
            elif idle and self._offline is None:
                self._start_offline(one, agenda, self._worker)

    def make_way(self, teams: Sequence[str]) -> bool:
        """Let matches end whose teams the contest wants now; tell whether none is left."""
        wanted = self._taken(teams)
        for number, task in self._tables.items():
            if wanted.intersection(_teams(task)):
                self._call_off(number, task)
        return not wanted

    async def close(self, agenda: Agenda) -> None:
        """Break off what is being played.

        It is played again, or goes on at its table, when the contest does. If that is over, tables
        end with what was played, and whatever is left is answered.
        """
        if self._offline is not None:
            number, task = self._offline
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            self._answer(number, WAITING)
        over = agenda.course.complete
        for number, called in self._tables.items() if over else ():
            self._call_off(number, called)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ENDING_S):
                while over and self._tables:
                    self._table_free.clear()
                    await self._table_free.wait()
        for one in friendlies.open_ones(self._engine, agenda.contest.id):
            if over:
                self._cancel(one, agenda, OVER)
            elif one.number in self._tables:
                self._answer(one.number, WAITING)

    # What is being played.

    def _taken(self, teams: Sequence[str]) -> set[str]:
        """Return those of the teams that play a friendly match at a live table."""
        return {*teams}.intersection(
            team for task in self._tables.values() for team in _teams(task)
        )

    def _start_offline(self, one: Friendly, agenda: Agenda, worker: MatchWorker) -> None:
        if not friendlies.move(self._engine, one.number, [WAITING], PLAYING):
            return  # it was withdrawn meanwhile
        task = self._maker.friendly(agenda.contest, agenda.course, one)
        playing = asyncio.get_running_loop().create_task(self._play(one.number, task, worker))
        self._offline = one.number, playing

    async def _play(self, number: int, task: MatchTask, worker: MatchWorker) -> None:
        try:
            played, end, match_id = await play_on(worker, task, self._writer)
        except BrokenMatchError as error:
            *_, last = str(error).strip().splitlines() or [""]
            self._broke(number, last)
        else:
            self._over(number, task, played, match_id, end)

    def _start_live(self, one: Friendly, agenda: Agenda, live: LiveTables) -> None:
        if not friendlies.move(self._engine, one.number, [WAITING], PLAYING):
            return
        task = self._tables[one.number] = self._maker.friendly(agenda.contest, agenda.course, one)

        def failed() -> None:
            drop(self._writer, self._interrupted(task.place))
            self._broke(one.number, "an internal error")

        live.start(
            task, lambda played: self._over(one.number, task, played, played.match_id), failed
        )

    def _call_off(self, number: int, task: MatchTask) -> None:
        """Let a match at a live table end now."""
        if number not in self._called_off:
            self._called_off.add(number)
            assert self._live is not None
            self._live.cut_short(task.name)

    def _over(
        self,
        number: int,
        task: MatchTask,
        played: Played,
        match_id: str,
        end: ResultRecord | None = None,
    ) -> None:
        """Store what a match came to."""
        players = list(zip(_teams(task), played.players, strict=True))
        forfeits = "; ".join(f"{name}: {one.forfeit}" for name, one in players if one.forfeit)
        if played.hands:
            chips = {name: one.chips for name, one in players}
            early = number in self._called_off and played.hands < task.rules.hands
            why = EARLY if early and not forfeits else forfeits
            self._answer(number, PLAYED, Outcome(why, match_id, played.hands, chips), end)
            log.info("a friendly match was played", number=number, hands=played.hands)
            return
        drop(self._writer, match_id)
        if number in self._called_off:
            self._answer(number, WAITING)
        else:
            self._broke(number, forfeits or "nothing was played")

    def _broke(self, number: int, why: str) -> None:
        log.warning("a friendly match could not be played", number=number, reason=why)
        self._answer(number, CANCELLED, Outcome(why))

    def _answer(
        self,
        number: int,
        state: State,
        outcome: Outcome = Outcome(),  # noqa: B008  (it is frozen)
        end: ResultRecord | None = None,
    ) -> None:
        """Store a new state; whatever is answered for good already stays."""

        def stored() -> None:
            self._called_off.discard(number)
            self._tables.pop(number, None)
            self._table_free.set()
            self._wake()

        answer = msgspec.json.encode(outcome)
        self._writer.write(FriendlyResult(number, state, answer, end), stored)

    # What is not played any more.

    def _is_cancelled(self, one: Friendly, agenda: Agenda) -> bool:
        bot = one.opponent if one.house else ""
        why = problem_of(agenda.course, *one.teams, bot=bot)
        if why:
            self._cancel(one, agenda, why)
        return bool(why)

    def _cancel(self, one: Friendly, agenda: Agenda, why: str) -> None:
        log.info("a friendly match is not played", number=one.number, reason=why)
        if one.state != PLAYING or one.number in self._tables:
            drop(self._writer, self._interrupted(agenda.contest.friendly_place(one.number)))
        self._answer(one.number, CANCELLED, Outcome(why))

    def _interrupted(self, place: str) -> str:
        """Return the record of a match that has not ended, if there is one."""
        found = unfinished(self._engine, place)
        return "" if found is None else str(found[0]["id"])


def _teams(task: MatchTask) -> list[str]:
    return [player.team for player in task.players]
