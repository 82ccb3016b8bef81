"""The clock of a table: it wakes the match at its deadline, and charges no player for the server.

When a player's time is over, an answer that has arrived but was not read yet still counts as in
time, and the player gets as much time more as the server itself was late.

State owned here: the timer, whether the question of the present turn has left and when, and the
loop's lateness at that moment.
"""

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING

from croupier.match.match import HAND
from croupier.rules.hand import NOBODY, Hand
from croupier.server.table.lag import LagMonitor

if TYPE_CHECKING:
    from croupier.server.table.table import Table


class TurnClock:
    """One timer, armed for the match's deadline or earlier."""

    __slots__ = (
        "_awaited",
        "_awaited_at",
        "_lag",
        "_lag_at_start",
        "_loop",
        "_second_look",
        "_table",
        "_timer",
        "_timer_at",
        "asked_at",
    )

    def __init__(self, table: "Table", loop: asyncio.AbstractEventLoop, lag: LagMonitor) -> None:
        self._table = table
        self._loop = loop
        self._lag = lag
        self._lag_at_start = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._second_look = (-1, -1, -1)
        """The turn whose deadline was put off once, for the loop to read what has arrived."""
        self._awaited: Hand | None = None
        """The hand with a question that was given to a connection and has not left yet."""
        self._awaited_at = 0
        """How many facts that hand had when the question was put."""
        self.asked_at = 0.0
        """When the last question left, by perf_counter: the loop's clock is too coarse."""

    # The question of a turn.

    @property
    def question_pending(self) -> bool:
        """The question to the player who is to act has not left yet."""
        hand = self._awaited
        if hand is None or hand is not self._table.match.hand:
            return False
        return len(hand.facts) == self._awaited_at

    def await_question(self) -> None:
        """Start no turn until the present question has left."""
        hand = self._awaited = self._table.match.hand
        assert hand is not None
        self._awaited_at = len(hand.facts)

    def question_left(self) -> None:
        """Start the turn whose question has left, unless the match has moved on."""
        if self.question_pending:
            self.start_turn()

    def start_turn(self) -> None:
        """Start the time of the player who is asked."""
        self._awaited = None
        self.asked_at = perf_counter()
        now = self._loop.time()
        match = self._table.match
        match.start_clock(now)
        self.arm()
        self._lag_at_start = self._lag.total(now)

    # The deadline.

    def arm(self) -> None:
        """Make sure that the match is woken at its deadline or earlier."""
        match = self._table.match
        deadline = match.deadline
        if deadline is None:
            return
        if match.phase == HAND:
            self._lag.watch(deadline)
        if self._timer is not None:
            if self._timer_at <= deadline:
                return  # woken too early, `is_time` arms the timer again
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._loop.call_at(deadline, self._table.wake)

    def stop(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def is_time(self) -> bool:
        """Tell, when woken, whether the deadline has passed; if not, arm the timer again."""
        self._timer = None
        match = self._table.match
        now = self._loop.time()
        if match.deadline is None or self._table.holds_back:
            return False
        if self.question_pending:
            return False  # the player's time begins when the question has left
        if now < match.deadline:
            self.arm()
            return False
        if match.phase == HAND and match.asked != NOBODY:
            return not self._answer_is_here(now) and not self._was_late(now)
        return True

    def _answer_is_here(self, now: float) -> bool:
        """Read what has arrived; return True if it ends the turn or the loop has to read more."""
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
        """Give the player back the time by which the server was late; return True if it was."""
        lag = self._lag.total(now) - self._lag_at_start
        if lag <= 0:
            return False
        self._lag_at_start += lag
        self._table.extend(lag)
        return True
