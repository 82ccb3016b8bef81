"""House bots among themselves get the time that players leave them."""

import asyncio
from collections.abc import Callable
from itertools import pairwise

import pytest

from croupier.bots import house_bot
from croupier.match.chance import SeededChance
from croupier.match.match import Match
from croupier.rules.sets import PLAIN
from croupier.server.table.bot_time import MAX_PAUSE, BotTime
from croupier.server.table.counters import Counters
from croupier.server.table.lag import LagMonitor
from croupier.server.table.table import Table

LEAST = 0.05
HAND = 0.01
"""Seconds that a hand of house bots takes here."""


class Loop(asyncio.SelectorEventLoop):
    """A loop whose clock is turned by what waits for it, and by whoever says to have worked."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def time(self) -> float:
        return self.now

    def run_until(self, end: float) -> None:
        """Pass the time, straight from one event to the next."""
        while self.now < end:
            self.call_soon(self.stop)
            self.run_forever()
            if not self._ready:  # type: ignore[attr-defined]
                timers = [timer.when() for timer in self._scheduled]  # type: ignore[attr-defined]
                self.now = max(self.now, min([end, *timers]))


class Tables:
    """Tables of house bots, each of which plays a hand after the other."""

    def __init__(self, loop: Loop, count: int, answers_s: float = 0.0) -> None:
        """With `answers_s`, a player answers as often."""
        self.loop = loop
        self.counters = Counters()
        self.hands = [0] * count
        self.time = BotTime(loop, self.counters, LEAST, loop.time)
        self._answers_s = answers_s
        if answers_s:
            loop.call_later(answers_s, self._answer)
        for table in range(count):
            self.time.run(lambda table=table: self._play(table))  # type: ignore[misc]

    def _play(self, table: int) -> None:
        self.loop.now += HAND
        self.hands[table] += 1
        self.time.run(lambda: self._play(table))

    def _answer(self) -> None:
        self.counters.answers += 1
        self.loop.call_later(self._answers_s, self._answer)

    @property
    def busy(self) -> float:
        """The seconds that house bots have taken."""
        return HAND * sum(self.hands)


@pytest.fixture
def loop() -> Loop:
    return Loop()


def test_where_nobody_answers_house_bots_have_all_the_time(loop: Loop) -> None:
    tables = Tables(loop, 3)
    loop.run_until(10.0)
    assert tables.busy == pytest.approx(10.0, abs=HAND)
    loop.close()


@pytest.mark.parametrize("count", [1, 100])
def test_while_players_answer_house_bots_have_the_least_share_however_many_tables_there_are(
    loop: Loop, count: int
) -> None:
    tables = Tables(loop, count, answers_s=0.001)
    loop.run_until(1.0)
    before = tables.busy
    loop.run_until(21.0)
    assert (tables.busy - before) / 20 == pytest.approx(LEAST, rel=0.1)
    loop.close()


def test_the_fewer_answers_there_are_the_more_time_is_left_to_house_bots(loop: Loop) -> None:
    shares = []
    for answers_s in (0.001, 0.1, 1.0, 100.0):
        one = Loop()
        tables = Tables(one, 5, answers_s)
        one.run_until(20.0)
        shares.append(tables.busy)
        one.close()
    assert shares == sorted(shares)
    assert shares[0] < shares[-1] / 10
    loop.close()


def test_tables_take_turns(loop: Loop) -> None:
    tables = Tables(loop, 7, answers_s=0.001)
    loop.run_until(20.0)
    assert max(tables.hands) - min(tables.hands) <= 1
    loop.close()


def test_a_step_that_took_long_is_followed_by_a_pause_that_ends(loop: Loop) -> None:
    counters = Counters()
    time = BotTime(loop, counters, LEAST, loop.time)
    taken: list[float] = []

    def think() -> None:
        counters.answers += 1
        loop.now += 60.0
        taken.append(loop.now)
        time.run(think)

    time.run(think)
    loop.run_until(200.0)
    pauses = [later - earlier for earlier, later in pairwise(taken)]
    assert pauses == [pytest.approx(60.0 + MAX_PAUSE)] * 3
    loop.close()


def test_a_table_of_house_bots_waits_for_its_turn_before_each_hand(loop: Loop) -> None:
    chance = SeededChance(bytes(32))
    match = Match(PLAIN, 2, chance, loop.time())
    turns: list[Callable[[], None]] = []
    table = Table(
        *(match, "m", "t", {0: "a", 1: "b"}, loop, LagMonitor(loop)),
        writer=None,
        wall_clock=lambda: 0.0,
        bot_time=turns.append,
    )
    for player, name in enumerate("ab"):
        table.join(name, bot=house_bot("CallAgent", chance.bot(player)))
    for hand in range(5):
        loop.run_until(loop.now + 1.0)
        assert (match.played, len(turns)) == (hand, 1)
        turns.pop()()
    table.stop()
    loop.close()
