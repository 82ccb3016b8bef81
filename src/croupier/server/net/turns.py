"""The time for newcomers: a share of the loop's, which addresses take turns in.

What a newcomer asks for costs the server more than its peer: a TLS handshake, or a table of its own
with its record, takes about a millisecond. Whoever opens one connection after another must not slow
down those who play, nor keep others from coming in. So such steps are done one at a time, after
each there is a pause, and those of one address wait for each other only.

State owned here: the steps that wait, and the pause that is due.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter

Step = Callable[[], None]

SHARE = 0.25
"""Of the loop's time."""

RESOLUTION = 0.001
"""Seconds; shorter pauses are added up, because the loop's timers do not know them."""


class Turns:
    """Runs steps within a share of the time, by address in turn."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, clock: Callable[[], float] = perf_counter
    ) -> None:
        self._loop = loop
        self._clock = clock
        self._waiting: dict[str, deque[Step]] = {}
        """By address; the first is next."""
        self._due = 0.0
        """Seconds of pause that no timer has waited for yet."""
        self._is_pausing = False

    def run(self, address: str, step: Step) -> None:
        """Run a step when it is its turn."""
        self._waiting.setdefault(address, deque()).append(step)
        self._go_on()

    def _go_on(self) -> None:
        if self._is_pausing or not self._waiting:
            return
        self._is_pausing = True
        if self._due < RESOLUTION:
            self._loop.call_soon(self._take_turn)
        else:
            self._loop.call_later(self._due, self._take_turn)
            self._due = 0.0

    def _take_turn(self) -> None:
        address, steps = next(iter(self._waiting.items()))
        del self._waiting[address]
        step = steps.popleft()
        if steps:
            self._waiting[address] = steps  # behind the others
        began = self._clock()
        try:
            step()
        finally:  # whatever became of this one, others are waiting
            self._due += (self._clock() - began) * (1 / SHARE - 1)
            self._is_pausing = False
            self._go_on()
