"""A host within the test's own loop: its clocks are fair, and it ends once."""

import asyncio
import time
from typing import Any

import pytest

from croupier.match.events import TimedOut, TurnExtended
from croupier.rules.sets import HUAWEI
from croupier.server.arena.arena import Arena
from croupier.server.arena.plan import ArenaPlan, ArenaTable, ListenPlan
from croupier.server.lobbies.table_plan import TablePlan
from croupier.server.table.house import HouseCallbacks

pytestmark = pytest.mark.serial


class Bystander(asyncio.Protocol):
    """A player in the same loop who answers when he is told to."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.over = asyncio.Event()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(b"reg: 1 a \n")

    def data_received(self, data: bytes) -> None:
        if b"inquire/" in data:
            self.asked.set()
        if b"game-over" in data:
            self.over.set()

    def answer(self, data: bytes) -> None:
        assert self.transport is not None
        self.transport.write(data)


def host_plan(table: TablePlan, *, once: bool = False) -> ArenaPlan:
    return ArenaPlan([ListenPlan("huawei", 0)], [ArenaTable(table)], is_host=True, once=once)


async def hosted(decision_ms: int, scenario: Any) -> tuple[dict[str, Any], list[object]]:
    """Host a match of one hand against a house bot; return its result and its events."""
    rules = HUAWEI.with_fields({"decision_ms": decision_ms, "hands": 1, "closing_s": 0})
    ports: asyncio.Queue[int] = asyncio.Queue()
    results: list[dict[str, Any]] = []
    host = Arena(
        host_plan(TablePlan(rules, 2, ["CallAgent"]), once=True),
        None,
        on_listening=lambda dialect, address, port: ports.put_nowait(port),
        callbacks=HouseCallbacks(result=results.append),
    )
    running = asyncio.create_task(host.run())
    player = Bystander()
    port = await ports.get()
    await asyncio.get_running_loop().create_connection(lambda: player, "127.0.0.1", port)
    await player.asked.wait()
    (lobby,) = host.tables.values()
    assert lobby.game is not None
    seen: list[object] = []
    view = lobby.game.table.view
    original = view.see

    class Watching:
        def __getattr__(self, name: str) -> Any:
            return getattr(view, name)

        def see(self, event: Any) -> None:
            seen.append(event)
            original(event)

    lobby.game.table.view = Watching()  # type: ignore[assignment]
    await scenario(player)
    await running
    return results[0], seen


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Any:
    factory = None
    if request.param == "uvloop":
        factory = pytest.importorskip("uvloop").new_event_loop

    def runner(coroutine: Any) -> Any:
        with asyncio.Runner(loop_factory=factory) as one:
            return one.run(coroutine)

    return runner


def test_a_turn_is_extended_by_what_the_loop_was_late_and_the_record_says_so(run: Any) -> None:
    async def scenario(player: Bystander) -> None:
        time.sleep(0.3)  # the server does nothing else meanwhile

    result, events = run(hosted(200, scenario))
    extended = [event for event in events if isinstance(event, TurnExtended)]
    assert extended[0].ms >= 250  # on a busy machine the loop may be late once more
    assert result["seats"][-1]["timeouts"] or result["seats"][0]["timeouts"]


def test_an_answer_that_arrived_while_the_loop_was_busy_counts(run: Any) -> None:
    async def scenario(player: Bystander) -> None:
        player.answer(b"fold \n")
        await asyncio.sleep(0)  # it leaves for the kernel
        time.sleep(0.3)  # and the deadline passes before anyone could read it

    result, events = run(hosted(100, scenario))
    assert all(seat["timeouts"] == 0 for seat in result["seats"])
    assert not any(isinstance(event, TimedOut) for event in events)


def test_a_match_that_is_stopped_between_two_hands_ends_once(run: Any) -> None:
    async def scenario() -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = []
        plan = host_plan(TablePlan(HUAWEI, 2, ["CallAgent", "CallAgent"]))
        callbacks = HouseCallbacks(hand=lambda game: host.stop(), result=results.append)
        host = Arena(plan, None, callbacks=callbacks)
        await host.run()
        return results

    (result,) = run(scenario())
    assert result["hands"] == 1
