"""A worker: a process that plays one match after another for a coordinator.

It is started with two descriptors: a socket for tasks and results, and the reading end of a pipe
that closes when the coordinator ends, however that happens; then the worker ends, too.

Matches with a user's Python classes are played in a forked child, so that nothing of one match is
left in the next, and a class that crashes the interpreter or never returns harms only its match.
"""

import asyncio
import mmap
import os
import random
import signal
import socket
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

from croupier import ranking
from croupier.bot_files import BotFileError, load_bot
from croupier.bots import Bot, bots_for
from croupier.rules.decisions import Decision
from croupier.rules.view import View
from croupier.running import in_process
from croupier.running.frames import Done, Failed, FromWorker, Recorded, framed, packed, receive_task
from croupier.server.arena.gc_tuning import tune_garbage_collector
from croupier.server.table.task import MatchTask, Played, PlayerResult, chance_for
from croupier.store.records import Record

if TYPE_CHECKING:
    from croupier.running.luck_account import LuckySink

T = TypeVar("T")

NICENESS = 5
"""Workers give way to live tables, whose clocks are running."""

BATCH = 64
"""Records in one frame."""

REMINDERS = 3
"""How often a bot that does not return is interrupted before it forfeits its match."""

MAX_TIMEOUTS = 10
"""How often a bot may be interrupted in one match."""

MIN_PATIENCE_S = 0.2
"""Seconds that any decision may take: a machine that is busy stalls everyone now and then."""


class BotTimeoutError(Exception):
    """Raised in a bot that does not return in time."""


class BotExitError(Exception):
    """A bot tried to end its process by an exception, which is a mistake like others."""


def main() -> None:
    """Serve the coordinator until it is gone."""
    connection = socket.socket(fileno=int(sys.argv[1]))
    lifeline = int(sys.argv[2])
    # What a bot starts must not keep the coordinator waiting for the end of a connection.
    connection.set_inheritable(False)
    os.set_inheritable(lifeline, False)
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the coordinator
    end_with(lifeline)
    tune_garbage_collector()
    worker = Worker(connection, lifeline)
    while (task := receive_task(connection)) is not None:
        worker.work(task)


def end_with(lifeline: int) -> None:
    """End this process, and all that it has started, when the other end of a pipe is closed."""

    def wait() -> None:
        os.read(lifeline, 1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()


class Worker:
    """Plays matches and reports them."""

    def __init__(self, connection: socket.socket, lifeline: int) -> None:
        self._connection = connection
        self._lifeline = lifeline
        self._note = ChildNote()

    def work(self, task: MatchTask) -> None:
        """Play a match and send its result, or why it broke."""
        own = any(player.bot and player.bot not in bots_for(task.rules) for player in task.players)
        try:
            if own:
                self._in_child(task)
            else:
                self._send(Done(self._play(task)))
        except Exception:
            self._send(Failed(traceback.format_exc()))

    def _send(self, message: FromWorker) -> None:
        self._note.sending = True
        self._connection.sendall(framed(message))
        self._note.sending = False

    def _in_child(self, task: MatchTask) -> None:
        # Or each child would do it anew, while its bots are to load in time.
        ranking.prepare()
        note = ChildNote()
        child = os.fork()
        if not child:
            try:
                end_with(self._lifeline)  # threads are not forked
                self._note = note
                self._send(Done(self._play(task, Monitor(note))))
                note.done = True
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if note.done:
            return
        if note.sending:
            # Half a message is on its way, and nothing that follows would be understood.
            sys.exit(f"{task.name}: its process ended with status {status} while it reported")
        if note.hanging is not None:
            self._send(Done(forfeited(task, {note.hanging: "its bot does not return in time"})))
        else:
            self._send(Failed(f"the process of the match ended with status {status}"))

    def _play(self, task: MatchTask, monitor: "Monitor | None" = None) -> Played:
        bots: dict[int, Bot] = {}
        chance = chance_for(task)
        # Before bots are loaded: some draw in their constructors, or when they are imported.
        random.seed(chance.module_seed)
        known = bots_for(task.rules)
        reasons: dict[int, str] = {}
        for number, player in enumerate(task.players):
            if not player.bot:
                continue
            load = partial(load_bot, player.bot, known, chance.bot(number), Path(task.folder))
            try:
                if monitor is None or player.bot in known:
                    bots[number] = load()
                else:
                    bot = monitor.watched(number, load, task.arrive_s)
                    bots[number] = WatchedBot(bot, number, monitor, _patience(task))
            except (BotFileError, BotTimeoutError, BotExitError) as error:
                # The reason is public, and where the organiser keeps files is nobody's business.
                reasons[number] = str(error).replace(f"{task.folder}/", "")
        if reasons:
            return forfeited(task, reasons)
        batch = Batch(self._send) if task.recorded else None
        if not task.luck:
            return _played(task, bots, batch)
        # Loaded here, like what plays with programs: most contests of house bots need neither.
        from croupier.running.luck_account import LuckAccount, LuckySink

        sink = LuckySink(LuckAccount(task.rules, chance), batch)
        played = _played(task, bots, sink)
        sink.enter(task, played)
        played.match_id = played.match_id if task.recorded else ""
        return played


def _played(task: MatchTask, bots: dict[int, Bot], sink: "Batch | LuckySink | None") -> Played:
    """Play a match whose bots are loaded."""
    if len(bots) == len(task.players):
        played = in_process.play(task, bots, sink)
    else:
        from croupier.running.referee import referee

        played = asyncio.run(referee(task, bots, sink.add if sink is not None else None))
    if sink is not None:
        sink.close()
    return played


class ChildNote:
    """What the child in which a match is played leaves behind, however it ends.

    An exit status would not do: a user's class can end its process with any.
    """

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 3)

    @property
    def done(self) -> bool:
        """Whether the result was sent."""
        return bool(self._shared[0])

    @done.setter
    def done(self, value: bool) -> None:
        self._shared[0] = value

    @property
    def sending(self) -> bool:
        """Whether a message was begun and not sent to its end."""
        return bool(self._shared[1])

    @sending.setter
    def sending(self, value: bool) -> None:
        self._shared[1] = value

    @property
    def hanging(self) -> int | None:
        """The player whose bot did not return, if that was the end."""
        return self._shared[2] - 1 if self._shared[2] else None

    @hanging.setter
    def hanging(self, player: int) -> None:
        self._shared[2] = player + 1


def forfeited(task: MatchTask, reasons: dict[int, str]) -> Played:
    """Return the result of a match that was not played because some players could not."""
    players = [PlayerResult(forfeit=reasons.get(n, "")) for n in range(len(task.players))]
    return Played(0, players)


def _patience(task: MatchTask) -> float:
    return max(MIN_PATIENCE_S, task.rules.decision_ms / 1000)


class Batch:
    """Collects records and sends them in groups."""

    def __init__(self, send: Callable[[FromWorker], None]) -> None:
        self._send = send
        self._records: list[Record] = []

    @property
    def waiting(self) -> int:
        """The number of records that were not sent yet."""
        return len(self._records)

    def write(self, record: Record, acknowledge: Callable[[], None]) -> None:
        """Take a record; nobody waits for it to be stored."""
        self.add(record)

    def add(self, record: Record) -> None:
        """Take a record."""
        self._records.append(record)
        if len(self._records) >= BATCH:
            self.flush()

    def close(self) -> None:
        """Send what is left."""
        self.flush()

    def flush(self) -> None:
        """Send what is left."""
        if self._records:
            self._send(Recorded([packed(record) for record in self._records]))
            self._records = []


class Monitor:
    """Interrupts a bot that does not return, and ends the process if that does not help.

    A thread looks now and then whether the same bot is still running.
    """

    def __init__(self, note: ChildNote) -> None:
        self._note = note
        self._player: int | None = None
        """Whose bot is running."""
        self._patience = MIN_PATIENCE_S
        self._calls = 0
        self._timeouts: Counter[int] = Counter()
        signal.signal(signal.SIGALRM, self._interrupt)
        self._main = threading.get_ident()
        threading.Thread(target=self._watch, daemon=True).start()

    def watched(self, player: int, call: Callable[[], T], patience: float) -> T:
        """Return what a player's bot returns; after `patience` BotTimeoutError is raised in it."""
        self._patience = patience
        self._calls += 1
        self._player = player
        try:
            return call()
        except Exception:
            raise
        except BaseException as error:
            raise BotExitError(f"the bot raised {type(error).__name__}") from error
        finally:
            self._player = None

    def _watch(self) -> None:
        seen, since, reminders = -1, 0.0, 0
        while True:
            time.sleep(MIN_PATIENCE_S / 10)
            player, calls = self._player, self._calls
            if player is None or calls != seen:
                seen, since, reminders = calls, time.monotonic(), 0
            elif time.monotonic() - since > self._patience * (reminders + 1):
                self._timeouts[player] += 1
                if reminders == REMINDERS or self._timeouts[player] > MAX_TIMEOUTS:
                    self._note.hanging = player
                    os._exit(1)
                reminders += 1
                signal.pthread_kill(self._main, signal.SIGALRM)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._player is not None:  # it may have returned meanwhile
            raise BotTimeoutError("the bot did not decide in time")


class WatchedBot(Bot):
    """A user's bot under the eyes of a monitor."""

    def __init__(self, bot: Bot, player: int, monitor: Monitor, patience: float) -> None:
        self._bot = bot
        self._player = player
        self._monitor = monitor
        self._patience = patience

    def decide(self, view: View) -> Decision:
        """Let the bot decide."""
        return self._monitor.watched(self._player, partial(self._bot.decide, view), self._patience)


if __name__ == "__main__":
    main()
