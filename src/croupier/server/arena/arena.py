"""What `croupier serve` and `croupier host` run: tables and listeners in one process."""

import asyncio
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import structlog
from sqlalchemy import Engine

from croupier.dialects.dialect import OnDemand
from croupier.dialects.registry import DIALECTS
from croupier.dialects.roster import Place
from croupier.match.match import OVER
from croupier.server.arena.opening import IN_THE_FILE, Port, opening_port
from croupier.server.arena.plan import ArenaPlan, ArenaTable, ListenPlan
from croupier.server.arena.programs import FIRST_PID, PIDS_OF_A_TABLE, Programs
from croupier.server.lobbies.challenges import ChallengeLobby
from croupier.server.lobbies.main import MainLobby
from croupier.server.lobbies.prepared import TableLobby
from croupier.server.lobbies.rooms import RoomLobby
from croupier.server.net.door import TIME_TO_SPEAK, Door, door_for
from croupier.server.table.game import Game
from croupier.server.table.house import House, Watcher
from croupier.store import registry
from croupier.store.unfinished import has_ended

log = structlog.get_logger()

ANY_TABLE = "0"
"""The number in the registry of a table that a player who may sit anywhere is assigned to."""

VISITORS = "visitors"

CLOSING_S = 5.0
"""How long players have to close their connections when the arena ends."""


def first_pid(plan: ArenaPlan, table: ArenaTable) -> int:
    """Return the public number of a table's first program."""
    return FIRST_PID + PIDS_OF_A_TABLE * plan.tables.index(table)


class Arena:
    """Runs everything that a plan names, until it is stopped."""

    def __init__(
        self,
        plan: ArenaPlan,
        engine: Engine | None,
        *,
        on_listening: Callable[[str, str, int], None] = lambda dialect, address, port: None,
        watcher: Watcher | None = None,
    ) -> None:
        self.plan = plan
        self.engine = engine
        self.tables: dict[str, TableLobby] = {}
        self.rooms: dict[str, RoomLobby] = {}
        """By dialect."""
        self.challenges: dict[str, ChallengeLobby] = {}
        """By dialect."""
        self.ports: dict[str, int] = {}
        """Where each dialect is spoken; of several ports the first."""
        self._on_listening = on_listening
        watcher = watcher or Watcher()
        self._watcher = replace(watcher, failed=lambda game: self._table_failed(watcher, game))
        self._servers: list[asyncio.Server] = []
        self._doors: list[Door] = []
        self._closing_s = CLOSING_S
        self.completed = False
        """The last match was played to its end."""
        self.failed = False
        """An internal error has ended the server."""
        self._stopping = False

    async def run(
        self,
        on_open: Callable[[], None] = lambda: None,
        before_tables: Callable[[], None] = lambda: None,
    ) -> None:
        """Open everything and play until stopped; `on_open` is called once all is open.

        `before_tables` is called once all ports are open: what fails there fails before any match.
        """
        loop = asyncio.get_running_loop()
        self._finished = asyncio.Event()
        loop.set_exception_handler(self._failed)
        plan = self.plan
        self.house = House(
            loop,
            engine=self.engine,
            seed=plan.seed,
            transcripts=plan.transcripts,
            policy=plan.policy,
            watcher=self._watcher,
        )
        self._programs = Programs(plan.output)
        for table in plan.tables:
            self.tables[table.plan.name] = self._lobby(table)
        for name, on_demand in plan.on_demand.items():
            dialect = DIALECTS[name]
            if dialect.on_demand is OnDemand.ROOMS:
                self.rooms[name] = RoomLobby(self.house, dialect, on_demand.rules, self._over)
            else:
                (rules,) = on_demand.rules
                self.challenges[name] = ChallengeLobby(
                    self.house, dialect, rules, on_demand.bot, self._over
                )
        self._register_players()
        try:
            if plan.web is not None:
                await self.house.open_web(plan.web)
            lobby = MainLobby(self.engine, self.tables, self.rooms, self._tables_of_pids())
            option = "--listen" if plan.is_host else IN_THE_FILE
            for listener in plan.listen:
                with opening_port(Port.of(listener, plan.bind, option)):
                    await self._listen(loop, listener, lobby)
            before_tables()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self.stop)
            for opened in self._on_demand:
                opened.open()
            for name in self.tables:
                if not self._is_played(name):
                    self.open_again(name)
            for place, program in enumerate(plan.visitors):
                port = self.ports[program.dialect]
                self._programs.start(self._label(VISITORS), place, program, plan.bind, port)
            on_open()
            await self._finished.wait()
            for server in self._servers:
                server.close()
            await self.house.drain(self._closing_s)
            for door in self._doors:
                await door.drain()
        finally:
            for server in self._servers:
                server.close()
            await self._programs.end_all()
            self.house.close()

    def stop(self) -> None:
        """End what is being played and finish; asked twice, finish whatever happens."""
        if self._stopping or self.house.store_trouble:
            self._finished.set()
            self.house.stop_draining()
            return
        self._stopping = True
        for lobby in (*self.tables.values(), *self._on_demand):
            lobby.stop()
        self._finish_when_still()

    @property
    def _on_demand(self) -> list[RoomLobby | ChallengeLobby]:
        return [*self.rooms.values(), *self.challenges.values()]

    @property
    def games_on_demand(self) -> list[Game]:
        """What is being played in rooms and against the house."""
        return [game for lobby in self._on_demand for game in lobby.games.values()]

    def _label(self, name: str) -> str:
        """Return under which name programs run."""
        return "host" if self.plan.is_host else name

    def _tables_of_pids(self) -> dict[str, str]:
        """Return at which tables the players belong that are known by their number."""
        tables = {p.pid: p.table for p in self.plan.players if p.pid and p.table}
        for table in self.plan.tables:
            for number in range(len(table.programs)):
                tables[str(first_pid(self.plan, table) + number)] = table.plan.name
        return tables

    def _is_played(self, name: str) -> bool:
        """Tell whether a table had the one match that it is there for, before a restart."""
        plan = self.tables[name].plan
        if plan.repeat or self.engine is None or not has_ended(self.engine, plan.key):
            return False
        log.info("its match is over; start opens it again", table=name)
        return True

    def open_again(self, name: str) -> None:
        """Open a table, with its programs."""
        lobby = self.tables[name]
        lobby.open()
        for table in self.plan.tables:
            if table.plan.name == name:
                self._start_programs(table)

    def _lobby(self, table: ArenaTable) -> TableLobby:
        plan = table.plan
        plan.is_registered = lambda place: self._is_registered(place, plan.number)

        def over(game: Game) -> None:
            self._over(game)
            if plan.repeat and not (self._stopping or self.plan.once):
                self.open_again(plan.name)

        label = self._label(plan.name)
        return TableLobby(self.house, plan, over, lambda game: self._programs.end(label))

    async def _listen(
        self, loop: asyncio.AbstractEventLoop, listener: ListenPlan, lobby: MainLobby
    ) -> None:
        plan, dialect = self.plan, DIALECTS[listener.dialect]
        challenges = self.challenges.get(dialect.name)
        door = door_for(
            dialect,
            challenges or lobby,
            loop,
            plan.transcripts,
            dict(listener.options),
            challenges.rules.ready_ms / 1000 if challenges is not None else TIME_TO_SPEAK,
        )
        self._doors.append(door)
        server = await door.listen(plan.bind, listener.port)
        self._servers.append(server)
        address, port = server.sockets[0].getsockname()[:2]
        self.ports.setdefault(listener.dialect, port)
        self._on_listening(listener.dialect, address, port)
        if self.house.feed is not None:
            self.house.feed.listening(listener.dialect, address, port)

    # Players whom the organiser knows.

    def _register_players(self) -> None:
        numbers = {table.plan.name: table.plan.number for table in self.plan.tables}
        for player in self.plan.players:
            if player.token and self.engine is not None:
                table = numbers.get(player.table, ANY_TABLE)
                registry.put(self.engine, player.token, player.display, table)

    def _is_registered(self, place: Place, number: str) -> bool:
        player = None if self.engine is None else registry.find(self.engine, place.token or "")
        return player is not None and player.table == number

    def _start_programs(self, table: ArenaTable) -> None:
        for number, program in enumerate(table.programs):
            port, first = self.ports[program.dialect], first_pid(self.plan, table)
            name = self._label(table.plan.name)
            self._programs.start(name, number, program, self.plan.bind, port, first)

    # The end.

    def _over(self, game: Game) -> None:
        self.completed = not self._stopping
        if self.plan.is_host:
            self._closing_s = game.table.match.rules.closing_s
        if self.plan.once:
            self._finished.set()
        elif self._stopping:
            self._finish_when_still()

    def _finish_when_still(self) -> None:
        """Finish once every match is over and recorded."""
        playing = [
            lobby.game
            for lobby in self.tables.values()
            if lobby.game is not None and lobby.game.table.match.phase != OVER
        ]
        if all(game.table.failed for game in (*playing, *self.games_on_demand)):
            self._finished.set()

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log an internal error that belongs to no table."""
        error = context.get("exception")
        if isinstance(error, OSError):
            return  # a connection that broke; its owner is told
        log.error("internal error", message=context.get("message"), exc_info=error)
        self._fail_if_host()

    def _table_failed(self, watcher: Watcher, game: Game) -> None:
        watcher.failed(game)
        self._fail_if_host()

    def _fail_if_host(self) -> None:
        """End a host after an internal error: a table that stands still for ever helps nobody.

        What was announced is stored, so the same command resumes from there.
        """
        if self.plan.is_host:
            self.failed = True
            self._finished.set()
