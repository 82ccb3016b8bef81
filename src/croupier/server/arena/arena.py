"""What `croupier serve` and `croupier host` run: tables and listeners in one process."""

import asyncio
import contextlib
import signal
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Engine

from croupier.dialects.dialect import OnDemand
from croupier.dialects.registry import DIALECTS, PEOPLE
from croupier.dialects.roster import Place
from croupier.match.match import OVER
from croupier.server.arena.plan import ArenaPlan, ArenaTable, ListenPlan
from croupier.server.arena.programs import (
    FIRST_PID,
    PIDS_OF_A_TABLE,
    Entrance,
    Programs,
    named_in,
    open_entrance,
)
from croupier.server.arena.sandbox import Surroundings
from croupier.server.arena.startup_checks import IN_THE_FILE, Port, explain_port_error
from croupier.server.lobbies.challenges import ChallengeLobby
from croupier.server.lobbies.prepared import TableLobby
from croupier.server.lobbies.rooms import RoomLobby
from croupier.server.lobbies.routing import RoutingLobby
from croupier.server.net.capacity import Capacity
from croupier.server.net.door import TIME_TO_SPEAK, Door, SiteDoor, door_for
from croupier.server.net.tls import tls_with
from croupier.server.net.turns import Turns
from croupier.server.out.site_process import WebPlan
from croupier.server.table.game import Game
from croupier.server.table.house import House, HouseCallbacks
from croupier.store import registry
from croupier.store.databases import path_of
from croupier.store.unfinished import has_ended

log = structlog.get_logger()

ANY_TABLE = "0"
"""The table number, in the registry, of a player who may sit down anywhere."""

VISITORS = "visitors"
"""The label of programs that belong to no table."""

OPENING_S = 5.0
"""Seconds that the start waits for the record of the tables' openings."""

CLOSING_S = 5.0
"""Seconds that players have to close their connections when the arena ends."""


def first_pid(plan: ArenaPlan, table: ArenaTable) -> int:
    """Return the public number of a table's first program."""
    return FIRST_PID + PIDS_OF_A_TABLE * plan.tables.index(table)


def _surroundings(plan: ArenaPlan) -> Surroundings:
    """Return what programs find around them."""
    store = path_of(plan.store)
    keys = [one.tls.key for one in plan.listen if one.tls is not None]
    own = (store, plan.control, plan.output, plan.transcripts, plan.file, *keys)
    return Surroundings(
        plan.boxed,
        hidden=[path for path in own if path is not None],
        owned=[path for program in plan.programs for path in named_in(program.command, Path())],
    )


class Arena:
    """Runs all tables, listeners and programs of a plan until it is stopped."""

    def __init__(
        self,
        plan: ArenaPlan,
        engine: Engine | None,
        *,
        on_listening: Callable[[str, str, int], None] = lambda scheme, address, port: None,
        callbacks: HouseCallbacks | None = None,
    ) -> None:
        self.plan = plan
        self.engine = engine
        self.tables: dict[str, TableLobby] = {}
        self.rooms: dict[str, RoomLobby] = {}
        """By dialect."""
        self.challenges: dict[str, ChallengeLobby] = {}
        """By dialect."""
        self.ports: dict[str, int] = {}
        """By dialect, its first port."""
        self._entrances: dict[str, Entrance] = {}
        """By dialect, where programs come in."""
        self._on_listening = on_listening
        callbacks = callbacks or HouseCallbacks()
        self._callbacks = replace(
            callbacks, failed=lambda game: self._table_failed(callbacks, game)
        )
        self._servers: list[asyncio.Server] = []
        self._doors: list[Door] = []
        self._capacity = Capacity()
        self._handshakes: Turns
        self._first_words: Turns
        self._seats: tempfile.TemporaryDirectory[str] | None = None
        """The folder of the socket for people, if there is one."""
        self._closing_s = CLOSING_S
        self.completed = False
        """The last match was played to its end."""
        self.failed = False
        """An internal error has stopped the server."""
        self._stopping = False

    async def run(
        self,
        on_open: Callable[[], None] = lambda: None,
        before_tables: Callable[[], None] = lambda: None,
    ) -> None:
        """Open everything, call `on_open`, and play until stopped.

        `before_tables` is called once all ports are open: if it fails, no match has started.
        """
        loop = asyncio.get_running_loop()
        self._finished = asyncio.Event()
        loop.set_exception_handler(self._failed)
        plan = self.plan
        self._handshakes, self._first_words = Turns(loop), Turns(loop)
        self.house = House(
            loop,
            engine=self.engine,
            seed=plan.seed,
            transcripts=plan.transcripts,
            policy=plan.policy,
            limits=plan.limits,
            callbacks=self._callbacks,
        )
        self._programs = Programs(plan.output, _surroundings(plan))
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
            lobby = RoutingLobby(
                self.engine,
                self.tables,
                self.rooms,
                self._tables_of_pids(),
                {
                    player.pid: player.token
                    for player in plan.players
                    if player.pid and player.token
                },
                self.house.raise_alarm,
            )
            self._capacity.tell()
            if plan.web is not None:
                await self.house.open_web(await self._with_seats(plan.web, loop, lobby))
            option = "--listen" if plan.is_host else IN_THE_FILE
            for listener in plan.listen:
                with explain_port_error(Port.of(listener, plan.bind, option)):
                    await self._listen(loop, listener, lobby)
            before_tables()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self.stop)
            for opened in self._on_demand:
                opened.open()
            for name in self.tables:
                if not self._is_played(name):
                    self.reopen(name)
            await self._wait_until_open()
            for place, program in enumerate(plan.visitors):
                entrance = self._entrances[program.dialect]
                self._programs.start(self._label(VISITORS), place, program, entrance)
            on_open()
            await self._finished.wait()
            for server in self._servers:
                server.close()
            await self.house.clients.drain(self._closing_s)
            for door in self._doors:
                await door.drain()
        finally:
            for server in self._servers:
                server.close()
            await self._programs.end_all()
            self.house.close()
            if self._seats is not None:
                self._seats.cleanup()

    async def _wait_until_open(self) -> None:
        """Wait until what the tables open with is on record; a store in trouble says so itself."""
        waiting = [lobby.is_open.wait() for lobby in self.tables.values() if lobby.opens]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*waiting), OPENING_S)

    def stop(self) -> None:
        """End all matches and finish; called again, finish without waiting for them."""
        if self._stopping or self.house.store_trouble:
            self._finished.set()
            self.house.clients.stop_draining()
            return
        self._stopping = True
        self._programs.restarting = False
        for lobby in (*self.tables.values(), *self._on_demand):
            lobby.stop()
        self._finish_when_idle()

    @property
    def _on_demand(self) -> list[RoomLobby | ChallengeLobby]:
        return [*self.rooms.values(), *self.challenges.values()]

    @property
    def games_on_demand(self) -> list[Game]:
        """The games in rooms and against the house."""
        return [game for lobby in self._on_demand for game in lobby.games.values()]

    def _label(self, name: str) -> str:
        """Return the label of the programs of a table."""
        return "host" if self.plan.is_host else name

    def _tables_of_pids(self) -> dict[str, str]:
        """Return, by pid, the tables of players who are recognised by their pid."""
        tables = {p.pid: p.table for p in self.plan.players if p.pid and p.table}
        for table in self.plan.tables:
            for number in range(len(table.programs)):
                tables[str(first_pid(self.plan, table) + number)] = table.plan.name
        return tables

    def _is_played(self, name: str) -> bool:
        """Tell whether the only match of a table ended before the server was restarted."""
        plan = self.tables[name].plan
        if plan.repeat or self.engine is None or not has_ended(self.engine, plan.key):
            return False
        log.info("its match is over; start opens it again", table=name)
        return True

    def reopen(self, name: str) -> None:
        """Open a table for a new match, and start its programs."""
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
            reopened = self.tables[plan.name].game is not game  # by a command that came earlier
            if plan.repeat and not reopened and not (self._stopping or self.plan.once):
                self.reopen(plan.name)

        label = self._label(plan.name)
        return TableLobby(self.house, plan, over, lambda game: self._programs.end(label))

    async def _listen(
        self, loop: asyncio.AbstractEventLoop, listener: ListenPlan, lobby: RoutingLobby
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
            self._capacity,
            self._first_words,
        )
        self._doors.append(door)
        tls = tls_with(listener.tls, self._handshakes)
        server = await door.listen(plan.bind, listener.port, tls)
        self._servers.append(server)
        address, port = server.sockets[0].getsockname()[:2]
        self.ports.setdefault(listener.dialect, port)
        if listener.dialect not in self._entrances:
            entrance = Entrance(plan.bind, port, door.listen_on)
            if tls and plan.starts(listener.dialect) and not plan.boxed:
                entrance = await open_entrance(door, self._servers)
            self._entrances[listener.dialect] = entrance
        self._on_listening(listener.scheme, address, port)
        if self.house.feed is not None:
            self.house.feed.listening(listener.dialect, address, port, tls is not None)

    async def _with_seats(
        self, web: WebPlan, loop: asyncio.AbstractEventLoop, lobby: RoutingLobby
    ) -> WebPlan:
        """Open the socket for people, if there are seats for them, and tell the website."""
        if not any(table.plan.humans for table in self.plan.tables):
            return web
        # Nobody else can enter the folder.
        self._seats = tempfile.TemporaryDirectory(prefix="croupier-seats-")
        path = Path(self._seats.name) / "seats"
        door = SiteDoor(
            PEOPLE,
            lobby,
            loop,
            self.plan.transcripts,
            None,
            TIME_TO_SPEAK,
            self._capacity,
            self._first_words,
        )
        self._doors.append(door)
        self._servers.append(await door.listen_at(path))
        return replace(web, seats=path)

    # Registered players, and programs.

    def _register_players(self) -> None:
        numbers = {table.plan.name: table.plan.number for table in self.plan.tables}
        for player in self.plan.players:
            if player.token and self.engine is not None:
                table = numbers.get(player.table, ANY_TABLE)
                registry.put(self.engine, player.token, player.display, table)

    def _is_registered(self, place: Place, number: str) -> bool:
        # Tables give tokens of their own to players without a key: only a key is looked up.
        if self.engine is None or not place.keyed:
            return False
        player = registry.find(self.engine, place.token or "")
        return player is not None and player.table == number

    def _start_programs(self, table: ArenaTable) -> None:
        for number, program in enumerate(table.programs):
            entrance, first = self._entrances[program.dialect], first_pid(self.plan, table)
            name = self._label(table.plan.name)
            self._programs.start(name, number, program, entrance, first)

    # The end.

    def _over(self, game: Game) -> None:
        self.completed = not self._stopping
        if self.plan.is_host:
            self._closing_s = game.table.match.rules.closing_s
        if self.plan.once:
            self._finished.set()
        elif self._stopping:
            self._finish_when_idle()

    def _finish_when_idle(self) -> None:
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
            return  # a connection broke; its owner is notified
        log.error("internal error", message=context.get("message"), exc_info=error)
        self._fail_if_host()

    def _table_failed(self, callbacks: HouseCallbacks, game: Game) -> None:
        callbacks.failed(game)
        self._fail_if_host()

    def _fail_if_host(self) -> None:
        """Stop a host after an internal error: its only table cannot continue.

        Whatever was announced is stored, so the same command resumes from there.
        """
        if self.plan.is_host:
            self.failed = True
            self._finished.set()
