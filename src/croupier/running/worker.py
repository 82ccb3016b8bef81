"""A worker: a process that plays one match after another for a coordinator.

It is started with two descriptors: a socket for tasks and results, and the reading end of a pipe
that closes when the coordinator ends, however that happens; then the worker ends, too.

Matches with a user's Python classes are played in a forked child, so that nothing of one match is
left in the next, and a class that crashes the interpreter or never returns harms only its match.
"""

import asyncio
import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from croupier.bot_files import BotFileError, load_bot
from croupier.bots import Bot, bots_for
from croupier.match.chance import SeededChance
from croupier.running import in_process
from croupier.running.frames import Done, Failed, FromWorker, Recorded, framed, packed, receive_task
from croupier.server.arena.gc_tuning import tune_garbage_collector
from croupier.server.table.task import MatchTask, Played, PlayerResult
from croupier.store.writer import Record

NICENESS = 5
"""Workers give way to live tables, whose clocks are running."""

BATCH = 64
"""Records in one frame."""

HANGING = 100
"""Exit status of a child in which the bot of player 0 hangs; the next for player 1, and so on."""

REMINDERS = 3
"""How often a bot that does not return is interrupted before its match is broken off."""


class BotTimeoutError(Exception):
    """Raised in a bot that does not return in time."""


def main() -> None:
    """Serve the coordinator until it is gone."""
    connection = socket.socket(fileno=int(sys.argv[1]))
    lifeline = int(sys.argv[2])
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the coordinator
    end_with(lifeline)
    tune_garbage_collector()
    worker = Worker(connection, lifeline)
    while (task := receive_task(connection)) is not None:
        worker.work(task)


def end_with(lifeline: int) -> None:
    """End this process when the other end of a pipe is closed."""

    def wait() -> None:
        os.read(lifeline, 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


class Worker:
    """Plays matches and reports them."""

    def __init__(self, connection: socket.socket, lifeline: int) -> None:
        self._connection = connection
        self._lifeline = lifeline

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
        self._connection.sendall(framed(message))

    def _in_child(self, task: MatchTask) -> None:
        child = os.fork()
        if not child:
            try:
                end_with(self._lifeline)  # threads are not forked
                self._send(Done(self._play(task, Monitor(task))))
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status >= HANGING:
            seconds = (1 + REMINDERS) * _patience(task)
            reason = f"its bot did not return for {seconds:g} s"
            self._send(Done(forfeited(task, {status - HANGING: reason})))
        elif status:
            self._send(Failed(f"the process of the match ended with status {status}"))

    def _play(self, task: MatchTask, monitor: "Monitor | None" = None) -> Played:
        bots: dict[int, Bot] = {}
        chance = SeededChance(task.seed)
        asked = monitor.asked if monitor is not None else None
        for number, player in enumerate(task.players):
            if not player.bot:
                continue
            if asked is not None:
                asked(number)
            try:
                known = bots_for(task.rules)
                bots[number] = load_bot(player.bot, known, chance.bot(number), Path(task.folder))
            except (BotFileError, BotTimeoutError) as error:
                return forfeited(task, {number: str(error) or "its bot took too long to load"})
        batch = Batch(self._send) if task.recorded else None
        if len(bots) == len(task.players):
            played = in_process.play(task, bots, batch, asked)
        else:
            # Loaded here, since most contests have no programs.
            from croupier.running.referee import referee

            if monitor is not None:
                monitor.stop()  # the clocks of the table count
            played = asyncio.run(referee(task, bots, batch.add if batch is not None else None))
        if batch is not None:
            batch.flush()
        return played


def forfeited(task: MatchTask, reasons: dict[int, str]) -> Played:
    """Return the result of a match that was not played because some players could not."""
    players = [PlayerResult(forfeit=reasons.get(n, "")) for n in range(len(task.players))]
    return Played(0, players)


def _patience(task: MatchTask) -> float:
    return max(1.0, task.rules.decision_ms / 1000)


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

    A decision costs two assignments; a thread looks at them now and then.
    """

    def __init__(self, task: MatchTask) -> None:
        self._patience = _patience(task)
        self._player = 0
        self._question = 0
        self._stopped = False
        signal.signal(signal.SIGALRM, _interrupt)
        self._main = threading.get_ident()
        threading.Thread(target=self._watch, daemon=True).start()

    def asked(self, player: int) -> None:
        """Note that a player's bot is about to run."""
        self._player = player
        self._question += 1

    def stop(self) -> None:
        """Stop watching."""
        self._stopped = True

    def _watch(self) -> None:
        seen, since, reminders = -1, 0.0, 0
        while not self._stopped:
            time.sleep(self._patience / 10)
            if self._question != seen:
                seen, since, reminders = self._question, time.monotonic(), 0
            elif time.monotonic() - since > self._patience * (reminders + 1):
                if reminders == REMINDERS:
                    os._exit(HANGING + self._player)
                reminders += 1
                signal.pthread_kill(self._main, signal.SIGALRM)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise BotTimeoutError("the bot did not decide in time")


if __name__ == "__main__":
    main()
