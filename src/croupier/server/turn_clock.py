"""The clock of a table: it wakes the match at its deadline, and is fair about it.

When the time of a player is over, what has arrived and was not read yet counts as in time, and so
much time is added as the server itself was late.
"""

import asyncio
from typing import TYPE_CHECKING

from croupier.match.match import HAND
from croupier.rules.hand import NOBODY
from croupier.server.lag import LagMonitor

if TYPE_CHECKING:
    from croupier.server.table import Table


class TurnClock:
    """One timer, armed for the match's deadline or a moment before it."""

    __slots__ = ("_lag", "_lag_at_start", "_loop", "_second_look", "_table", "_timer", "_timer_at")

    def __init__(self, table: "Table", loop: asyncio.AbstractEventLoop, lag: LagMonitor) -> None:
        self._table = table
        self._loop = loop
        self._lag = lag
        self._lag_at_start = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._second_look = (-1, -1, -1)
        """The turn whose deadline was put off once, for the loop to read what has arrived."""

    def start_turn(self) -> None:
        """Let the time of the player who is asked begin."""
        now = self._loop.time()
        match = self._table.match
        match.start_clock(now)
        if match.deadline is not None:
            self._lag.watch(now, match.deadline)
        if self._timer is None:
            self.arm()
        self._lag_at_start = self._lag.total(now)

    def arm(self) -> None:
        """See that the match is woken at its deadline, or before."""
        match = self._table.match
        deadline = match.deadline
        if deadline is None:
            return
        if match.phase == HAND:
            self._lag.watch(self._loop.time(), deadline)
        if self._timer is not None:
            if self._timer_at <= deadline:
                return  # it will find out that it is early, and arm again
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._loop.call_at(deadline, self._table.wake)

    def stop(self) -> None:
        """Wake nobody any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def is_time(self) -> bool:
        """Tell, when woken, whether the deadline has come; if not, arm anew."""
        self._timer = None
        match = self._table.match
        now = self._loop.time()
        if match.deadline is None or self._table.waits_for_the_store:
            return False
        if self._table.question_waits:
            return False  # his time begins when it has left
        if now < match.deadline:
            self.arm()
            return False
        if match.phase == HAND and match.asked != NOBODY:
            return not self._answer_is_here(now) and not self._was_late(now)
        return True

    def _answer_is_here(self, now: float) -> bool:
        """Read what has arrived; tell whether the turn is over by it, or another look is due."""
        client = self._table.clients.get(self._table.match.asked)
        if client is None:
            return False
        turn = self._table.turn
        elsewhere = client.take_waiting_input()
        if turn != self._table.turn:
            self.arm()
            return True
        if elsewhere and self._second_look != turn:
            self._second_look = turn
            self._timer_at = now
            self._timer = self._loop.call_later(0, self._table.wake)
            return True
        return False

    def _was_late(self, now: float) -> bool:
        """Give the player as much time more as the server took from him."""
        lag = self._lag.total(now) - self._lag_at_start
        if lag <= 0:
            return False
        self._lag_at_start += lag
        self._table.extend(lag)
        return True
