"""One match with programs: a house of its own, with a door for each dialect that they speak.

Programs in boxes come in through listeners of their own; without boxes a door is open on the
loopback interface. Each program gets a key that is drawn for this match alone, so that no other
program of the machine can take its seat.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import structlog

from croupier.bots import Bot
from croupier.dialects.registry import DIALECTS
from croupier.server.arena.plan import Program
from croupier.server.arena.programs import (
    FIRST_PID,
    ProgramError,
    Programs,
    absolute,
    filled_in,
    program_name,
)
from croupier.server.arena.sandbox import Surroundings
from croupier.server.lobbies.calls import Call
from croupier.server.lobbies.fixtures import FixtureLobby
from croupier.server.lobbies.teams import ProgramLobby
from croupier.server.net.door import Door, door_for
from croupier.server.table.house import House
from croupier.server.table.task import MatchTask, Played, Player
from croupier.store.records import Acknowledge, Record

log = structlog.get_logger()

CLOSING_S = 1.0
"""Seconds that programs have to close their connections when the match is over."""


class MatchFailedError(RuntimeError):
    """An internal error has ended a match without a result."""


async def referee(
    task: MatchTask, bots: Mapping[int, Bot], on_record: Callable[[Record], None] | None = None
) -> Played:
    """Play a match between programs, and bots of this process by their places in the task.

    `on_record` takes what the store would. Raise MatchFailedError after an internal error, which is
    no player's fault.
    """
    loop = asyncio.get_running_loop()
    records = None if on_record is None else PassedOn(on_record, loop)
    house = House(loop, records=records)
    around = Surroundings(
        task.boxed, Path(task.folder), list(map(Path, task.hidden)), list(map(Path, task.owned))
    )
    programs = Programs(Path(task.output), around)
    match = _RefereedMatch(task, house, programs)
    try:
        return await match.play(bots)
    finally:
        await match.end()
        house.close()


class PassedOn:
    """Passes records on at once; each is acknowledged in the next turn of the loop."""

    waiting = 0

    def __init__(
        self, on_record: Callable[[Record], None], loop: asyncio.AbstractEventLoop
    ) -> None:
        self._on_record = on_record
        self._loop = loop

    def write(self, record: Record, acknowledge: Acknowledge) -> None:
        """Pass a record on."""
        self._on_record(record)
        self._loop.call_soon(acknowledge)

    def close(self) -> None:
        """Do nothing: no record is left."""


class _RefereedMatch:
    """A match, the doors to it, and its programs."""

    def __init__(self, task: MatchTask, house: House, programs: Programs) -> None:
        self._task = task
        self._house = house
        self._programs = programs
        self._lobby = FixtureLobby(house)
        self._doors: list[Door] = []

    async def play(self, bots: Mapping[int, Bot]) -> Played:
        """Let the programs play and return the result."""
        task, loop = self._task, self._house.loop
        result: asyncio.Future[Played] = loop.create_future()

        def failed() -> None:
            result.set_exception(MatchFailedError(f"{task.name} failed; the log has the reason"))

        players = {place: one for place, one in enumerate(task.players) if place not in bots}
        self._lobby.call(Call(task, task.arrive_s, result.set_result, bots, failed))
        for place, player in players.items():
            self._start(place, player)
        return await result

    async def end(self) -> None:
        """Let the programs and their connections end."""
        self._lobby.close("the match is over")
        self._programs.end(self._task.name)
        await self._house.clients.drain(CLOSING_S)
        await self._programs.end_all()
        for door in self._doors:
            await door.drain()

    def _door_for(self, player: Player, key: str) -> Door:
        """Return the door for the program of a player alone."""
        door = door_for(
            DIALECTS[player.dialect],
            ProgramLobby(
                self._lobby, player.team, key, self._programs.has_to_prove(player.command)
            ),
            self._house.loop,
            Path(self._task.transcripts) if self._task.transcripts else None,
            time_to_speak=self._task.arrive_s,
        )
        self._doors.append(door)
        return door

    def _start(self, place: int, player: Player) -> None:
        """Start a program; if that is not possible, it does not play."""
        task = self._task
        key = DIALECTS[player.dialect].key(secrets.randbelow)
        entrance = self._programs.own_entrance(task.name, self._door_for(player, key))
        host, port = self._programs.reached_at(entrance)
        fields = {
            "host": host,
            "port": port,
            "pid": player.pid or FIRST_PID + place,
            "name": player.team,
            "key": key,
            "seats": len(task.players),
        }
        name = program_name(task.name, player.team)
        program = Program(player.command, player.dialect)
        try:
            words = filled_in(absolute(player.command, Path(task.folder)), fields)
            self._programs.start_apart(
                task.name, name, program, words, entrance, partial(self._ended, player.team)
            )
        except (ProgramError, OSError) as error:
            self._lobby.give_up(player.team, f"cannot be started: {error}")

    def _ended(self, team: str, how: str) -> None:
        log.warning("a program ended before its match", match=self._task.name, team=team, how=how)
        self._lobby.give_up(team, how)
