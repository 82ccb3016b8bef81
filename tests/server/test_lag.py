"""The loop's own lateness: counted while somebody's time runs, and not looked for otherwise."""

import asyncio
import time

import pytest

from croupier.server.table.lag import PERIOD, TOLERATED, LagMonitor

pytestmark = pytest.mark.serial


def test_a_loop_that_is_held_up_is_late_by_as_much() -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        lag = LagMonitor(loop)
        lag.watch(loop.time() + 60)
        await asyncio.sleep(0)
        began = time.monotonic()
        time.sleep(5 * TOLERATED)  # what the loop must not do
        held_up = time.monotonic() - began
        present = lag.total(loop.time())
        assert present > held_up - 2 * PERIOD
        while lag._total == 0:
            await asyncio.sleep(0)
        assert lag.total(loop.time()) >= present
        lag.close()

    asyncio.run(scenario())


def test_where_nobody_s_time_runs_nothing_is_looked_for() -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        lag = LagMonitor(loop)
        assert lag._timer is None
        lag.watch(loop.time())
        while lag._timer is not None:
            await asyncio.sleep(0)
        before = lag.total(loop.time())
        time.sleep(5 * TOLERATED)
        assert lag.total(loop.time()) == before
        lag.watch(loop.time() + 60)
        assert lag.total(loop.time()) == before
        lag.close()

    asyncio.run(scenario())
