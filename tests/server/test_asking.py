"""A player is asked when the question has left: a listener's gap costs no one time or order.

With a gap as long as here, a question follows the cards by a tenth of a second, in which everything
can happen that must not be taken for an answer, or for a player who is late.
"""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from croupier.dialects.huawei.session import DISCARDED
from croupier.dialects.session import Expected
from croupier.match.events import Faulted, TimedOut
from croupier.rules.events import Acted, Event
from croupier.rules.sets import HUAWEI
from croupier.server.arena.arena import Arena
from croupier.server.arena.plan import ArenaPlan, ArenaTable, ListenPlan
from croupier.server.lobbies.table_plan import TablePlan
from croupier.server.table.house import HouseCallbacks
from croupier.server.table.table import Table
from tests.support.hosting import MESSAGE, PATIENCE

GAP_MS = 100


class Guest(asyncio.Protocol):
    """A player in the same loop, whose messages can be waited for."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.closed = False
        self.messages: list[str] = []
        """The names of what has come."""
        self.answer = b""
        """What every question is answered with."""
        self._buffer = b""
        self._more = asyncio.Event()

    def itself(self) -> "Guest":
        return self

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.send(f"reg: {self.pid} guest \n".encode())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (match := MESSAGE.match(self._buffer)) is not None:
            self._buffer = self._buffer[match.end() :]
            self.messages.append((match[1] or b"game-over").decode("ascii"))
            if self.messages[-1] == "inquire" and self.answer:
                self.send(self.answer)
        self._more.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        self._more.set()

    def send(self, data: bytes) -> None:
        self.transport.write(data)

    async def until(self, name: str) -> None:
        while name not in self.messages:
            assert not self.closed
            self._more.clear()
            await self._more.wait()


class Hosted:
    """A host with one guest, or two on listeners of their own, against a bot."""

    def __init__(
        self, gaps: tuple[int, ...], transcripts: Path | None = None, **settings: int
    ) -> None:
        rules = HUAWEI.with_fields({"hands": 1, "closing_s": 0} | settings)
        listeners = [ListenPlan("huawei", 0, {"gap_ms": gap}) for gap in gaps]
        table = TablePlan(rules, 1 + len(gaps), ["CallAgent"])
        self.ports: asyncio.Queue[int] = asyncio.Queue()
        self.results: list[dict[str, Any]] = []
        self.events: list[Event] = []
        plan = ArenaPlan(listeners, [ArenaTable(table)], is_host=True, once=True)
        plan.transcripts = transcripts
        self.host = Arena(
            plan,
            None,
            on_listening=lambda dialect, address, port: self.ports.put_nowait(port),
            callbacks=HouseCallbacks(
                opened=lambda game: setattr(game.table, "feed", self.events.append),
                result=self.results.append,
            ),
        )
        self.guests = [Guest(pid) for pid, _ in enumerate(gaps, 1001)]

    async def play(self, scenario: "Scenario") -> dict[str, Any]:
        running = asyncio.create_task(self.host.run())
        loop = asyncio.get_running_loop()
        ports = [await self.ports.get() for _ in self.guests]
        for guest, port in zip(self.guests, ports, strict=True):
            await loop.create_connection(guest.itself, "127.0.0.1", port)
        try:
            async with asyncio.timeout(PATIENCE):
                await scenario(self)
                await running
        finally:
            for guest in self.guests:
                guest.transport.abort()
            running.cancel()
            await asyncio.wait([running])
        return self.results[0]

    @property
    def guest(self) -> Guest:
        return self.guests[0]

    @property
    def table(self) -> Table:
        (lobby,) = self.host.tables.values()
        assert lobby.game is not None
        return lobby.game.table

    @property
    def player(self) -> int:
        """The player number of the first guest."""
        (number,) = (
            n for n, entrant in enumerate(self.table.match.players) if entrant.name == "guest"
        )
        return number

    @property
    def is_asked(self) -> bool:
        """An answer of the first guest is waited for."""
        client = self.table.clients[self.player]
        return self.table.expected_of(client) is Expected.ANSWER

    def seen(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


Scenario = Callable[[Hosted], Coroutine[Any, Any, None]]
Play = Callable[..., tuple[dict[str, Any], Hosted]]


@pytest.fixture(params=["asyncio", "uvloop"])
def play(request: pytest.FixtureRequest) -> Play:
    factory = None
    if request.param == "uvloop":
        factory = pytest.importorskip("uvloop").new_event_loop

    def runner(
        scenario: Scenario, *, gaps: tuple[int, ...] = (GAP_MS,), **settings: Any
    ) -> tuple[dict[str, Any], Hosted]:
        async def whole() -> tuple[dict[str, Any], Hosted]:
            hosted = Hosted(gaps, **settings)
            return await hosted.play(scenario), hosted

        with asyncio.Runner(loop_factory=factory) as one:
            return one.run(whole())

    return runner


def timeouts(result: dict[str, Any]) -> int:
    return sum(seat["timeouts"] for seat in result["seats"])


def test_the_time_to_decide_begins_when_the_question_has_left(play: Play) -> None:
    async def scenario(hosted: Hosted) -> None:
        hosted.guest.answer = b"check \n"
        await hosted.guest.until("game-over")

    result, hosted = play(scenario, decision_ms=GAP_MS // 2)
    assert timeouts(result) == 0
    assert hosted.guest.messages[:4] == ["seat", "blind", "hold", "inquire"]
    assert hosted.guest.messages[-3:] == ["showdown", "pot-win", "game-over"]


def test_what_comes_while_the_question_waits_is_no_answer(play: Play, tmp_path: Path) -> None:
    async def scenario(hosted: Hosted) -> None:
        await hosted.guest.until("hold")
        assert not hosted.is_asked
        hosted.guest.send(b"fold \n")
        hosted.guest.answer = b"check \n"
        await hosted.guest.until("game-over")

    result, hosted = play(scenario, transcripts=tmp_path)
    assert timeouts(result) == 0
    assert not hosted.seen(Faulted)
    (transcript,) = tmp_path.iterdir()
    lines = [line.split(" ", 2)[1:] for line in transcript.read_text().splitlines()]
    assert lines[lines.index([">", r"b'fold \n'"]) + 1] == ["#", DISCARDED]
    assert sum(sign == "#" and text == DISCARDED for sign, text in lines) == 1
    assert {event.action for event in hosted.seen(Acted)} <= {"check", "call"}


@pytest.mark.parametrize("absence_ms", [0, 50])
def test_who_goes_while_the_question_waits_is_gone_when_his_turn_comes(
    play: Play, absence_ms: int
) -> None:
    async def scenario(hosted: Hosted) -> None:
        await hosted.guest.until("hold")
        hosted.guest.transport.abort()

    result, hosted = play(scenario, absence_ms=absence_ms, decision_ms=50)
    assert len(hosted.seen(TimedOut)) == timeouts(result) == 1


def test_a_match_that_is_stopped_while_the_question_waits_ends_in_order(play: Play) -> None:
    async def scenario(hosted: Hosted) -> None:
        await hosted.guest.until("hold")
        hosted.host.stop()
        await hosted.guest.until("game-over")

    result, hosted = play(scenario, decision_ms=1)
    assert hosted.guest.messages == ["seat", "blind", "hold", "inquire", "game-over"]
    assert result["hands"] == timeouts(result) == 0


def test_who_is_withdrawn_while_the_question_waits_is_not_asked(play: Play) -> None:
    async def scenario(hosted: Hosted) -> None:
        await hosted.guest.until("hold")
        hosted.table.withdraw(hosted.player)
        await hosted.guest.until("game-over")

    result, _ = play(scenario, hands=5, decision_ms=1)
    assert result["hands"] == 1
    assert timeouts(result) == 0


def test_a_question_that_is_taken_back_while_it_waits_starts_no_clock(play: Play) -> None:
    async def scenario(hosted: Hosted) -> None:
        await hosted.guest.until("hold")
        hosted.table.expire_turn()
        hosted.guest.answer = b"check \n"
        await hosted.guest.until("game-over")

    result, hosted = play(scenario, hands=2, decision_ms=500)
    assert result["hands"] == 2
    assert timeouts(result) == 1
    assert hosted.guest.messages[:5] == ["seat", "blind", "hold", "inquire", "pot-win"]


def test_other_players_do_not_wait_for_a_slow_connection(play: Play) -> None:
    async def scenario(hosted: Hosted) -> None:
        slow, fast = hosted.guests
        await fast.until("hold")
        assert slow.messages in ([], ["seat"])
        for guest in hosted.guests:
            guest.transport.abort()

    play(scenario, gaps=(1000, 0))


def test_without_a_gap_a_question_leaves_with_the_cards(play: Play) -> None:
    async def scenario(hosted: Hosted) -> None:
        await hosted.guest.until("hold")
        assert hosted.is_asked
        hosted.guest.transport.abort()

    play(scenario, gaps=(0,))
