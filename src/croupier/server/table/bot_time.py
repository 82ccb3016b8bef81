"""The time of tables where only house bots play: a share of the loop's, which players come before.

A table of players is slowed down by its players' thinking, one of house bots by nothing. So tables
of house bots take turns, one hand each, and after each turn there is a pause that depends on how
long it took. While players answer, the share of house bots is halved from turn to turn, down to the
least one; while nobody does, it is doubled up to the whole time.

State owned here: the steps that wait for their turn, the present share, and the pause that is due.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter

from croupier.server.table.counters import Counters

Step = Callable[[], None]

RESOLUTION = 0.001
"""Seconds; shorter pauses are added up, because the loop's timers do not know them."""

MAX_PAUSE = 1.0
"""Seconds; no turn is followed by a longer pause."""


class BotTime:
    """Lets steps of tables take turns within a share of the time."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        counters: Counters,
        least: float,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`counters` tell whether players answer; `least` is the share while they do."""
        self._loop = loop
        self._counters = counters
        self._least = least
        self._clock = clock
        self._steps: deque[Step] = deque()
        self._share = 1.0
        self._due = 0.0
        """Seconds of pause that no timer has waited for yet."""
        self._answers = 0
        self._is_pausing = False

    def run(self, step: Step) -> None:
        """Run a step when it is its turn; it must not raise."""
        self._steps.append(step)
        self._go_on()

    def _go_on(self) -> None:
        """Wait for the pause that is due, then for the next turn of the loop."""
        if self._is_pausing or not self._steps:
            return
        self._is_pausing = True
        if self._due < RESOLUTION:
            self._loop.call_soon(self._take_turn)
        else:
            self._loop.call_later(min(self._due, MAX_PAUSE), self._take_turn)
            self._due = 0.0

    def _take_turn(self) -> None:
        began = self._clock()
        self._steps.popleft()()
        took = self._clock() - began
        self._adjust_share()
        self._due += took * (1 / self._share - 1)
        self._is_pausing = False
        self._go_on()

    def _adjust_share(self) -> None:
        answers = self._counters.answers
        if answers != self._answers:
            self._answers = answers
            self._share = max(self._least, self._share / 2)
        else:
            self._share = min(1.0, self._share * 2)
