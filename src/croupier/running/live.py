"""Live tables: where teams that connect by themselves play, in the coordinator's process.

House bots play here directly. Users' Python classes do not: one that thinks long would stop every
clock, so they are started as programs that join over a protocol.
"""

import asyncio
import hashlib
import secrets
import shlex
import sys
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Engine

from croupier.bots import Bot, bots_for, house_bot
from croupier.dialects.dialect import Dialect
from croupier.dialects.registry import DIALECTS
from croupier.dialects.session import Hello, Refusal, RefusalKind
from croupier.match.audience import Policy
from croupier.rules.rules import Rules
from croupier.running.contest_file import ContestFile
from croupier.server.arena.plan import ListenPlan, Program
from croupier.server.arena.programs import (
    LOOPBACK,
    ProgramError,
    Programs,
    absolute,
    filled_in,
    literal,
    program_name,
)
from croupier.server.arena.rules_file import rules_text
from croupier.server.arena.startup_checks import IN_THE_FILE, Port, explain_port_error
from croupier.server.lobbies.calls import Call
from croupier.server.lobbies.fixtures import FixtureLobby
from croupier.server.lobbies.teams import KeyedLobby, ProgramLobby
from croupier.server.net.capacity import Capacity
from croupier.server.net.door import Door, door_for
from croupier.server.net.tls import tls_with
from croupier.server.net.turns import Turns
from croupier.server.out.site_process import WebPlan
from croupier.server.table.house import House
from croupier.server.table.task import MatchTask, Played, Player, chance_for
from croupier.store import contests
from croupier.store.contests import ContestRow
from croupier.store.registry import same_display
from croupier.store.sealing import Seals
from croupier.store.unfinished import last_ended, unfinished
from croupier.store.writer import Writer
from croupier.store.wrong_keys import WrongKeys

log = structlog.get_logger()

CLOSING_S = 2.0
"""Seconds that players have to close their connections when the contest is over."""


class LiveTables:
    """Opens the ports of a contest and plays matches at tables."""

    def __init__(
        self,
        file: ContestFile,
        engine: Engine,
        contest: ContestRow,
        on_listening: Callable[[str, str, int], None],
        boxed: bool = False,
        web: WebPlan | None = None,
    ) -> None:
        """`on_listening` is told the scheme, the address and the port of each listener.

        `boxed` says whether programs run in boxes. `web` is the site on which tables are shown.
        """
        self._file = file
        self._engine = engine
        self._contest = contest
        self._on_listening = on_listening
        self._web = web
        self._servers: list[asyncio.Server] = []
        self._doors: list[Door] = []
        self._capacity = Capacity()
        self._program_doors: dict[str, list[Door]] = {}
        """By match, those of single programs."""
        self._options: dict[str, Mapping[str, Any]] = {}
        """By dialect, those of its listener."""
        self._programs = Programs(file.output, file.surroundings(boxed))
        self._wrong_keys = WrongKeys("croupier")

    async def open(self, writer: Writer) -> None:
        """Open all ports."""
        loop = asyncio.get_running_loop()
        self._writer = writer
        policy = Policy() if self._web is None else self._web.policy
        self._house = House(
            loop, engine=self._engine, records=writer, policy=policy, shown=self._is_shown
        )
        if self._web is not None:
            await self._house.open_web(self._web)
        self._lobby = FixtureLobby(self._house)
        self._handshakes, self._first_words = Turns(loop), Turns(loop)
        for listener in self._file.listen:
            address, port = await self._listen(listener, self._file.bind)
            self._on_listening(listener.scheme, address, port)

    async def close(self, reason: str) -> None:
        """Send everyone away and close the ports."""
        self._lobby.close(reason)
        for server in self._servers:
            server.close()
        await self._house.clients.drain(CLOSING_S)
        await self._programs.end_all()
        for door in (*self._doors, *chain.from_iterable(self._program_doors.values())):
            await door.drain()
        self._house.close_web()
        self._house.lag.close()

    def _is_shown(self, place: str) -> bool:
        """Tell whether a match may be watched: the deals of a sealed one come again."""
        return not Seals(self._engine).holds(place)

    def _door_for(
        self, dialect: Dialect, entrance: KeyedLobby | ProgramLobby, options: Mapping[str, Any]
    ) -> Door:
        return door_for(
            dialect,
            entrance,
            self._house.loop,
            self._file.transcripts,
            dict(options),
            capacity=self._capacity,
            first_words=self._first_words,
        )

    async def _listen(self, listener: ListenPlan, bind: str) -> tuple[str, int]:
        """Open a port, and return its address and number."""
        entrance = KeyedLobby(self._lobby, self._identify)
        door = self._door_for(DIALECTS[listener.dialect], entrance, listener.options)
        self._options[listener.dialect] = listener.options
        with explain_port_error(Port.of(listener, bind, IN_THE_FILE)):
            tls = tls_with(listener.tls, self._handshakes)
            server = await door.listen(bind, listener.port, tls)
        self._doors.append(door)
        self._servers.append(server)
        address, port = server.sockets[0].getsockname()[:2]
        if self._house.feed is not None:
            self._house.feed.listening(listener.dialect, address, port, tls is not None)
        local = LOOPBACK if address == "0.0.0.0" else address
        return local, port

    # Matches.

    def start(
        self, task: MatchTask, over: Callable[[Played], None], failed: Callable[[], None]
    ) -> None:
        """Call the teams of a match and play it, or go on with it where it was interrupted."""
        call, programs = self._call(task, over, failed)
        interrupted = unfinished(self._engine, task.place)
        ended = last_ended(self._engine, task.place)
        if interrupted is not None:
            self._lobby.resume(call, *interrupted)
        elif ended is not None:
            # Its end was stored, and a crash came before the contest's result.
            self._lobby.recall(call, *ended)
            return
        else:
            self._lobby.call(call)
        for player in programs:
            self._start_program(task, player)

    def cut_short(self, name: str) -> None:
        """Let a match end now, or not begin; its result is what was played."""
        self._lobby.cut_short(name)

    def _call(
        self, task: MatchTask, over: Callable[[Played], None], failed: Callable[[], None]
    ) -> tuple[Call, list[Player]]:
        chance = chance_for(task)
        bots: dict[int, Bot] = {}
        programs = []
        players = []
        for place, player in enumerate(task.players):
            if player.bot in bots_for(task.rules):
                bots[place] = house_bot(player.bot, chance.bot(place))
            elif player.bot:
                player = _joining(player, task)
            if player.command:
                programs.append(player)
            players.append(player)

        def ended(played: Played) -> None:
            self._end_programs(task.name)
            over(played)

        def broken() -> None:
            self._end_programs(task.name)
            failed()

        called = MatchTask(
            task.name,
            task.place,
            task.rules,
            tuple(players),
            task.seed,
            task.secret,
            task.recorded,
            task.folder,
            task.output,
            twin=task.twin,
        )
        return Call(called, self._file.arrive_s, ended, bots, broken), programs

    def _start_program(self, task: MatchTask, player: Player) -> None:
        dialect = DIALECTS[player.dialect]
        options = self._options.get(player.dialect, {})
        key = dialect.key(secrets.randbelow)
        has_to_prove = self._programs.has_to_prove(player.command)
        own = ProgramLobby(self._lobby, player.team, key, has_to_prove)
        door = self._door_for(dialect, own, options)
        self._program_doors.setdefault(task.name, []).append(door)
        entrance = self._programs.own_entrance(task.name, door)
        host, port = self._programs.reached_at(entrance)
        fields = {
            "host": host,
            "port": port,
            "pid": player.pid,
            "name": player.team,
            "key": key,
            "seats": len(task.players),
        }

        name = program_name(task.name, player.team)
        program = Program(player.command, player.dialect)
        try:
            words = filled_in(absolute(player.command, Path(task.folder)), fields)
            ended = partial(self._lobby.give_up, player.team)
            self._programs.start_apart(task.name, name, program, words, entrance, ended)
        except (ProgramError, OSError) as error:
            self._lobby.give_up(player.team, f"cannot be started: {error}")

    def _end_programs(self, match: str) -> None:
        self._programs.end(match)
        self._program_doors.pop(match, None)

    # Keys.

    def _identify(self, dialect: Dialect, hello: Hello) -> str | Refusal:
        pid = hello.place.pid
        known = [
            key
            for key in contests.keys(self._engine, self._contest.id)
            if key.dialect == dialect.name
        ]
        for key in known:
            if key.opens(hello.secret):
                return key.team
        for key in known:
            if pid is not None and pid == key.pid:
                self._raise_alarm(key.team)
                return Refusal(RefusalKind.UNKNOWN, f"wrong key for pid {pid}")
        for key in known:
            if same_display(hello.secret, key.team):
                self._raise_alarm(key.team)
                return Refusal(RefusalKind.UNKNOWN, "a team's name is not its key")
        return Refusal(RefusalKind.UNKNOWN, "this key belongs to no team of the contest")

    def _raise_alarm(self, team: str) -> None:
        """Tell the organiser that somebody tries to play for somebody else."""
        record = self._wrong_keys.seen(self._contest.title, team)
        if record is not None:
            log.warning("wrong key", team=team)
            self._writer.write(record, lambda: None)


def _joining(player: Player, task: MatchTask) -> Player:
    """Return a player that joins with its Python class over a protocol, and knows the rules."""
    rules = Path(task.output).resolve() / f"{task.rules.name}-{_digest(task.rules)}.toml"
    if not rules.exists():
        rules.parent.mkdir(parents=True, exist_ok=True)
        rules.write_text(rules_text(task.rules), "utf-8")
    dialect = _dialect_for(task.rules, len(task.players))
    file, _, name = player.bot.rpartition(":")
    bot = f"{(Path(task.folder) / file).resolve()}:{name}"
    words = [sys.executable, "-m", "croupier", "join"]
    address = f"{dialect.name}://{{host}}:{{port}}"
    if "pid" in dialect.settings:  # one that is drawn could be somebody else's
        address += "?pid={pid}"
    command = shlex.join([*words, address, "--bot", literal(bot), "--name", "{key}"])
    command += f" --rules {shlex.quote(literal(str(rules)))}"
    return Player(player.team, "", command, dialect.name, player.pid)


def _digest(rules: Rules) -> str:
    return hashlib.sha256(rules_text(rules).encode()).hexdigest()[:8]


def _dialect_for(rules: Rules, seats: int) -> Dialect:
    """Return a dialect in which a game can be played."""
    return next(
        dialect
        for dialect in DIALECTS.values()
        if dialect.plays(rules) and dialect.max_seats >= seats
    )
