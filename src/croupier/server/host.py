"""What `croupier host` runs: listeners, and prepared tables in turn, rooms, or Kuhn poker."""

import asyncio
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Engine

from croupier.match.audience import Policy
from croupier.rules.rules import Rules
from croupier.server.arena_plan import ListenPlan, Program
from croupier.server.challenges import KuhnLobby
from croupier.server.door import TcpDoor
from croupier.server.game import Game
from croupier.server.house import House, Watcher
from croupier.server.huawei import HuaweiDoor
from croupier.server.kuhn import KuhnDoor
from croupier.server.opening import Port, opening_port
from croupier.server.programs import Programs
from croupier.server.room import RoomDoor
from croupier.server.rooms import RoomLobby
from croupier.server.seating import ROOM, TREND
from croupier.server.tables import TableLobby, TablePlan
from croupier.server.trend import TrendDoor
from croupier.server.web_child import WebPlan

log = structlog.get_logger()


@dataclass
class Plan:
    """What a host is asked to do: keep a table, or rooms of these rules by version, or Kuhn."""

    listen: list[ListenPlan]
    """Port 0 picks a free one."""
    table: TablePlan | None = None
    rooms: dict[int, Rules] = field(default_factory=dict)
    kuhn: tuple[Rules, str] | None = None
    """The rules, and the bot that plays for the house."""
    bind: str = "127.0.0.1"
    seed: bytes | None = None
    once: bool = False
    engine: Engine | None = None
    transcripts: Path | None = None
    policy: Policy = Policy()  # noqa: RUF009  (it is frozen)
    web: WebPlan | None = None
    """The website, if there is one."""
    programs: list[Program] = field(default_factory=list)
    """Players' programs that are started with each match."""
    display_name: Callable[[str], str | None] = lambda token: None
    """What the organiser calls the owner of a `trend` token."""


class Host:
    """Runs tables in one event loop."""

    def __init__(
        self,
        plan: Plan,
        on_listening: Callable[[str, str, int], None] = lambda dialect, address, port: None,
        on_open: Callable[[Game], None] = lambda game: None,
        on_hand: Callable[[Game], None] = lambda game: None,
        on_result: Callable[[dict[str, Any]], None] = lambda result: None,
    ) -> None:
        self.plan = plan
        self._on_listening = on_listening
        self._watcher = Watcher(on_open, on_hand, on_result, lambda game: self._fail())
        self._finished = asyncio.Event()
        self._stopping = False
        self._completed = False
        self.failed = False
        """An error of our own has ended it."""
        self._closing_s = 0
        self._programs = Programs(plan.transcripts or Path("programs"))
        self._ports: dict[str, int] = {}

    @property
    def game(self) -> Game | None:
        """The game at the prepared table."""
        return self._lobby.game if isinstance(self._lobby, TableLobby) else None

    async def run(self) -> bool:
        """Listen and play until stopped; return whether the last match was played to its end."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._failed)
        plan = self.plan
        self._house = House(
            loop,
            engine=plan.engine,
            seed=plan.seed,
            transcripts=plan.transcripts,
            policy=plan.policy,
            watcher=self._watcher,
        )
        self._lobby: TableLobby | RoomLobby | KuhnLobby
        if plan.table is not None:
            self._lobby = TableLobby(
                self._house, plan.table, self._over, lambda game: self._programs.end("host")
            )
        elif plan.kuhn is not None:
            self._lobby = KuhnLobby(self._house, *plan.kuhn, self._over)
        else:
            self._lobby = RoomLobby(self._house, plan.rooms, self._over)
        servers = []
        self._doors: list[TcpDoor] = []
        try:
            if plan.web is not None:
                await self._house.open_web(plan.web)
            for listener in plan.listen:
                with opening_port(Port.of(listener, plan.bind, "--listen")):
                    server = await self._listen(loop, listener)
                servers.append(server)
                address, port = server.sockets[0].getsockname()[:2]
                self._ports.setdefault(listener.dialect, port)
                self._on_listening(listener.dialect, address, port)
                if self._house.feed is not None:
                    self._house.feed.listening(listener.dialect, address, port)
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self.stop)
            self._open()
            await self._finished.wait()
            for server in servers:
                server.close()
            await self._house.see_off(self._closing_s)
            for door in self._doors:
                await door.see_off()
        finally:
            for server in servers:
                server.close()
            await self._programs.end_all()
            self._house.close()
        return self._completed

    def _open(self) -> None:
        self._lobby.open()
        for number, program in enumerate(self.plan.programs):
            port = self._ports[program.dialect]
            self._programs.start("host", number, program, self.plan.bind, port)

    async def _listen(
        self, loop: asyncio.AbstractEventLoop, listener: ListenPlan
    ) -> asyncio.Server:
        plan, lobby = self.plan, self._lobby
        door: TcpDoor
        if isinstance(lobby, KuhnLobby):
            assert plan.kuhn is not None
            time_to_speak = plan.kuhn[0].ready_ms / 1000
            door = KuhnDoor(lobby, loop, plan.transcripts, listener.kuhn, time_to_speak)
        elif listener.dialect == ROOM:
            door = RoomDoor(lobby, loop, plan.transcripts)
        elif listener.dialect == TREND:
            assert isinstance(lobby, TableLobby)
            trend = TrendDoor(lobby, loop, plan.transcripts, plan.display_name)
            return await trend.listen(plan.bind, listener.port)
        else:
            assert isinstance(lobby, TableLobby)
            door = HuaweiDoor(lobby, loop, plan.transcripts, listener.huawei)
        self._doors.append(door)
        return await door.listen(plan.bind, listener.port)

    def stop(self) -> None:
        """End what is being played and finish; asked twice, finish whatever happens."""
        if self._stopping or self._house.store_trouble:
            self._finished.set()
            self._house.wait_no_longer()
            return
        self._stopping = True
        if not self._lobby.stop():
            self._finished.set()

    def _over(self, game: Game) -> None:
        self._closing_s = game.table.match.rules.closing_s
        self._completed = not self._stopping
        if self.plan.once or (self._stopping and not self._others_playing()):
            self._finished.set()
        elif isinstance(self._lobby, TableLobby):
            self._open()

    def _others_playing(self) -> bool:
        return not isinstance(self._lobby, TableLobby) and bool(self._lobby.games)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End after an error of our own: a table that stands still for ever helps nobody.

        What was announced is stored, so the same command goes on from there.
        """
        error = context.get("exception")
        if isinstance(error, OSError):
            return  # a connection that broke; its owner is told
        log.error("internal error", message=context.get("message"), exc_info=error)
        self._fail()

    def _fail(self) -> None:
        self.failed = True
        self._finished.set()
