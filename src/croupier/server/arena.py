"""What `croupier serve` runs: many tables and listeners in one process."""

import asyncio
import signal
from collections.abc import Callable
from typing import Any

import structlog
from sqlalchemy import Engine

from croupier.dialects.room.reader import Connect, Watch, WatchBots
from croupier.match.match import OVER
from croupier.server.arena_plan import ArenaPlan, ArenaTable, ListenPlan
from croupier.server.challenges import KuhnLobby
from croupier.server.door import TcpDoor
from croupier.server.game import Game
from croupier.server.house import House, Watcher
from croupier.server.huawei import HuaweiDoor
from croupier.server.kuhn import KuhnDoor
from croupier.server.lobby import FULL, TAKEN, UNKNOWN, Newcomer, Refusal
from croupier.server.opening import IN_THE_FILE, Port, opening_port
from croupier.server.programs import FIRST_PID, PIDS_OF_A_TABLE, Programs
from croupier.server.room import RoomDoor
from croupier.server.rooms import RoomLobby
from croupier.server.seating import HUAWEI, KUHN, ROOM, TREND, Place
from croupier.server.table import Table
from croupier.server.tables import TableLobby
from croupier.server.trend import TrendDoor
from croupier.store import registry
from croupier.store.cut_off import has_ended

log = structlog.get_logger()

ANY_TABLE = "0"
"""The number in the registry of a table that a player who may sit anywhere is assigned to."""

VISITORS = "visitors"

CLOSING_S = 5.0
"""How long players have to close their connections when the arena ends."""


def first_pid(plan: ArenaPlan, table: ArenaTable) -> int:
    """Return the number in `huawei` of a table's first program."""
    return FIRST_PID + PIDS_OF_A_TABLE * plan.tables.index(table)


class ArenaLobby:
    """Leads newcomers to one of many tables, or to a room."""

    def __init__(
        self, house: House, plan: ArenaPlan, tables: dict[str, TableLobby], rooms: RoomLobby | None
    ) -> None:
        self._house = house
        self._tables = tables
        self._rooms = rooms
        self._tables_of_pids = {p.pid: p.table for p in plan.players if p.pid and p.table}
        for table in plan.tables:
            for number in range(len(table.programs)):
                self._tables_of_pids[str(first_pid(plan, table) + number)] = table.plan.name

    def admit(self, client: Newcomer, place: Place) -> Table | Refusal:
        """Lead a newcomer to the table he belongs to, or to one that can begin the sooner."""
        for lobby in self._tables.values():
            if lobby.expects(place):
                return lobby.admit(client, place)
        if place.dialect != ROOM and any(lobby.has(place) for lobby in self._tables.values()):
            return Refusal(TAKEN, "this player is connected already")
        own = self._own_table(place)
        if own is not None:
            return own.admit(client, place)
        refusal = Refusal(FULL, f"no table has a free place for players of {place.dialect}")
        candidates = [
            lobby for lobby in self._tables.values() if lobby.free and lobby.admits(place.dialect)
        ]
        for lobby in sorted(candidates, key=lambda lobby: lobby.free):
            outcome = lobby.admit(client, place)
            if not isinstance(outcome, Refusal):
                return outcome
            refusal = outcome
        return refusal

    def _own_table(self, place: Place) -> TableLobby | None:
        """Return the table that the organiser has assigned a player to."""
        name = self._tables_of_pids.get(place.pid or "") if place.dialect == HUAWEI else None
        if place.dialect == TREND and self._house.engine is not None:
            player = registry.find(self._house.engine, place.token or "")
            if player is not None:
                for lobby in self._tables.values():
                    if lobby.plan.number == player.table:
                        return lobby
        return self._tables.get(name or "")

    # What players of `room` ask for: a table by its name or number, else a room.

    def connect(self, client: Newcomer, wish: Connect) -> Refusal | None:
        """Lead a player to the table or the room that he names."""
        lobby = self._named(wish.room)
        if lobby is not None:
            return lobby.connect(client, wish)
        if self._rooms is not None:
            return self._rooms.connect(client, wish)
        outcome = self.admit(client, Place(wish.name, ROOM))
        return outcome if isinstance(outcome, Refusal) else None

    def watch(self, client: Newcomer, wish: Watch) -> Refusal | None:
        """Let someone watch the table or the room that he names."""
        lobby = self._named(wish.room)
        if lobby is not None:
            return lobby.watch(client, wish)
        if self._rooms is not None:
            return self._rooms.watch(client, wish)
        return Refusal(UNKNOWN, f"there is no table {wish.room}")

    def watch_bots(self, client: Newcomer, wish: WatchBots) -> Refusal | None:
        """Let house bots play in a room."""
        if self._rooms is not None:
            return self._rooms.watch_bots(client, wish)
        return Refusal(UNKNOWN, "this arena opens no rooms")

    def _named(self, text: str) -> TableLobby | None:
        for lobby in self._tables.values():
            if lobby.admits(ROOM) and text in (lobby.plan.name, lobby.plan.number):
                return lobby
        return None


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
        self.rooms: RoomLobby | None = None
        self.kuhn: KuhnLobby | None = None
        self.ports: dict[str, int] = {}
        """Where each dialect is spoken; of several ports the first."""
        self._on_listening = on_listening
        self._watcher = watcher or Watcher()
        self._servers: list[asyncio.Server] = []
        self._doors: list[TcpDoor] = []
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
        if plan.rooms:
            self.rooms = RoomLobby(self.house, plan.rooms, self._over)
        if plan.kuhn is not None:
            self.kuhn = KuhnLobby(self.house, *plan.kuhn, self._over)
        self._register_players()
        try:
            if plan.web is not None:
                await self.house.open_web(plan.web)
            lobby = ArenaLobby(self.house, plan, self.tables, self.rooms)
            for listener in plan.listen:
                with opening_port(Port.of(listener, plan.bind, IN_THE_FILE)):
                    await self._listen(loop, listener, lobby)
            before_tables()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self.stop)
            for opened in (self.rooms, self.kuhn):
                if opened is not None:
                    opened.open()
            for name in self.tables:
                if not self._is_played(name):
                    self.open_again(name)
            for place, program in enumerate(plan.visitors):
                port = self.ports[program.dialect]
                self._programs.start(VISITORS, place, program, plan.bind, port)
            on_open()
            await self._finished.wait()
            for server in self._servers:
                server.close()
            await self.house.see_off(CLOSING_S)
            for tcp_door in self._doors:
                await tcp_door.see_off()
        finally:
            for server in self._servers:
                server.close()
            await self._programs.end_all()
            self.house.close()

    def stop(self) -> None:
        """End what is being played and finish; asked twice, finish whatever happens."""
        if self._stopping or self.house.store_trouble:
            self._finished.set()
            self.house.wait_no_longer()
            return
        self._stopping = True
        for lobby in (*self.tables.values(), self.rooms, self.kuhn):
            if lobby is not None:
                lobby.stop()
        self._finish_when_still()

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
            if plan.repeat and not self._stopping:
                self.open_again(plan.name)

        return TableLobby(self.house, plan, over, lambda game: self._programs.end(plan.name))

    async def _listen(
        self, loop: asyncio.AbstractEventLoop, listener: ListenPlan, lobby: ArenaLobby
    ) -> None:
        plan = self.plan
        door: HuaweiDoor | TrendDoor | RoomDoor | KuhnDoor
        if listener.dialect == TREND:
            door = TrendDoor(lobby, loop, plan.transcripts, self._display_name)
        elif listener.dialect == ROOM:
            door = RoomDoor(lobby, loop, plan.transcripts)
        elif listener.dialect == HUAWEI:
            door = HuaweiDoor(lobby, loop, plan.transcripts, listener.huawei)
        else:
            assert listener.dialect == KUHN
            assert plan.kuhn is not None
            assert self.kuhn is not None
            patience = plan.kuhn[0].ready_ms / 1000
            door = KuhnDoor(self.kuhn, loop, plan.transcripts, listener.kuhn, patience)
        if isinstance(door, TcpDoor):
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
                registry.enter(self.engine, player.token, player.display, table)

    def _display_name(self, token: str) -> str | None:
        player = None if self.engine is None else registry.find(self.engine, token)
        return None if player is None else player.display

    def _is_registered(self, place: Place, number: str) -> bool:
        player = None if self.engine is None else registry.find(self.engine, place.token or "")
        return player is not None and player.table == number

    def _start_programs(self, table: ArenaTable) -> None:
        for number, program in enumerate(table.programs):
            port, first = self.ports[program.dialect], first_pid(self.plan, table)
            self._programs.start(table.plan.name, number, program, self.plan.bind, port, first)

    # The end.

    def _over(self, game: Game) -> None:
        if self._stopping:
            self._finish_when_still()

    def _finish_when_still(self) -> None:
        """Finish once every match is over and recorded."""
        playing = [
            lobby.game
            for lobby in self.tables.values()
            if lobby.game is not None and lobby.game.table.match.phase != OVER
        ]
        rooms = [] if self.rooms is None else list(self.rooms.games.values())
        challenges = [] if self.kuhn is None else list(self.kuhn.games.values())
        if not any(not game.table.failed for game in (*playing, *rooms, *challenges)):
            self._finished.set()

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log an error of our own that belongs to no table; the others go on."""
        error = context.get("exception")
        if not isinstance(error, OSError):
            log.error("internal error", message=context.get("message"), exc_info=error)
