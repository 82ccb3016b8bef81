"""The players: one process that holds all connections and does as little as it can.

The quick ones answer every question at once. The slow ones think for a while, at random, and note
with their own clock when a question came and when its answer went; now and then one of them holds
an answer back until it is surely late, which shows that lateness is charged at all.
"""

import gc
import heapq
import os
import random
import select
import socket
import sys
from collections import Counter
from time import monotonic

from bench.server.child import say, settings

FIRST_PID = 1000
QUESTION_END = b"/inquire \n"
ANSWER = b"check \n"
READ_SIZE = 65536
BATCH = 40
BETWEEN_BATCHES = 0.05
"""So many connections are opened in so many seconds: those who sit already want to play too."""

LIMIT = 0.5
THOUGHT = 0.3
HELD = (0.6, 0.7)
LAST_HELD = 1.5
"""Seconds before the end from which no answer is held back, so that all of them are accounted."""


def connect(port: int, number: int, register: bool) -> socket.socket:
    """Open a connection; to an echo, the first word is already a request."""
    sock = socket.create_connection(("127.0.0.1", port), timeout=10)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.settimeout(None)
    pid = FIRST_PID + number
    sock.sendall(b"reg: %d p%d \n" % (pid, pid) if register else ANSWER)
    return sock


def watch(sockets: list[socket.socket]) -> select.epoll:
    """Return what tells who has something to read."""
    poll = select.epoll()
    for sock in sockets:
        poll.register(sock.fileno(), select.EPOLLIN)
    return poll


def answer_at_once(poll: select.epoll, seconds: float) -> tuple[int, float]:
    """Answer for a while; return how many answers that were, and in what time."""
    read, write, wait = os.read, os.write, poll.poll
    answers = 0
    began = monotonic()
    until = began + seconds
    while monotonic() < until:
        for fd, _ in wait(1.0):
            data = read(fd, READ_SIZE)
            # A question is the last thing that is said to anyone before he answers it.
            if data.endswith(QUESTION_END):
                write(fd, ANSWER)
                answers += 1
            elif not data:
                raise ConnectionError("the server has closed a connection")
    return answers, monotonic() - began


class Thinkers:
    """Players who answer after a random time, and what their own clock says of it."""

    def __init__(self, seats: int, held: float, end: float) -> None:
        self.answers = 0
        self.late: Counter[str] = Counter()
        self.longest_in_time = 0.0
        self.seen: list[float] = []
        """From an answer to the next question at its table."""
        self._seats = seats
        self._held = held
        self._end = end
        self._rng = random.Random(1)
        self._poll = select.epoll()
        self._numbers: dict[int, int] = {}
        self._sent_at: dict[int, float] = {}
        self._waiting: list[tuple[float, float, int]] = []

    def add(self, sock: socket.socket) -> None:
        """Take in the next player."""
        self._numbers[sock.fileno()] = len(self._numbers)
        self._poll.register(sock.fileno(), select.EPOLLIN)

    def run(self, until: float) -> None:
        """Play for a while."""
        waiting = self._waiting
        while (now := monotonic()) < until:
            pause = waiting[0][0] - now if waiting else 1.0
            for fd, _ in self._poll.poll(max(0.0, min(pause, until - now))):
                data = os.read(fd, READ_SIZE)
                if not data:
                    raise ConnectionError("the server has closed a connection")
                if QUESTION_END in data:
                    self._asked(fd, monotonic())
            while waiting and waiting[0][0] <= monotonic():
                self._answer(*heapq.heappop(waiting))

    def _asked(self, fd: int, came: float) -> None:
        cause = self._sent_at.pop(self._numbers[fd] // self._seats, None)
        if cause is not None:
            self.seen.append(came - cause)
        hold = self._rng.random() < self._held and came < self._end - LAST_HELD
        delay = self._rng.uniform(*HELD) if hold else self._rng.uniform(0, THOUGHT)
        heapq.heappush(self._waiting, (came + delay, came, fd))

    def _answer(self, due: float, came: float, fd: int) -> None:
        number = self._numbers[fd]
        sent = monotonic()
        os.write(fd, ANSWER)
        self.answers += 1
        if sent - came > LIMIT:
            self.late[f"p{FIRST_PID + number}"] += 1
        else:
            self._sent_at[number // self._seats] = sent
            self.longest_in_time = max(self.longest_in_time, sent - came)


def think(
    port: int, count: int, seats: int, seconds: float, held: float
) -> tuple[Thinkers, list[socket.socket]]:
    """Play from the first connection on, and for a while after the last one."""
    coming = count / BATCH * BETWEEN_BATCHES
    end = monotonic() + coming + seconds
    thinkers = Thinkers(seats, held, end)
    sockets = []
    for number in range(count):
        sockets.append(connect(port, number, register=True))
        thinkers.add(sockets[-1])
        if number % BATCH == BATCH - 1:
            thinkers.run(monotonic() + BETWEEN_BATCHES)
    thinkers.run(end)
    return thinkers, sockets


def main() -> None:
    """Play as the parent says."""
    asked = settings()
    port, count = asked["port"], asked["connections"]
    gc.disable()
    if asked.get("thinking"):
        thinkers, sockets = think(port, count, asked["seats"], asked["seconds"], asked["held"])
        names = ("answers", "late", "longest_in_time", "seen")
        say({name: getattr(thinkers, name) for name in names})
    else:
        sockets = [connect(port, number, asked["register"]) for number in range(count)]
        poll = watch(sockets)
        answer_at_once(poll, asked["warm_up"])
        say("begin")
        answers, seconds = answer_at_once(poll, asked["seconds"])
        say({"answers": answers, "seconds": seconds})
    # Whoever leaves a table is absent from it, so everything is counted before the parent lets go.
    sys.stdin.read()
    for sock in sockets:
        sock.close()


if __name__ == "__main__":
    main()
