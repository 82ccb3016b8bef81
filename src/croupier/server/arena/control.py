"""An organiser's commands to a running arena, over a Unix socket that only its user can open.

A request is a line of JSON, and so is its answer. Every command is written to the audit log with
its outcome.
"""

import asyncio
import contextlib
import os
import socket
import time
from pathlib import Path
from typing import Any

import msgspec
import structlog

from croupier.match.match import HAND, OVER, PAUSED, SEATING
from croupier.rules.rules import nearest
from croupier.server.arena.arena import Arena
from croupier.server.lobbies.prepared import TableLobby
from croupier.server.table.game import Game
from croupier.server.table.opening import MAX_BEACON
from croupier.store.records import AuditRecord

log = structlog.get_logger()

MAX_REQUEST = 4096
"""Bytes of a request. A security limit."""

TABLE = "table"
"""The kind of a prepared table; tables on demand have kinds of their own."""


class ControlError(ValueError):
    """A request that cannot be fulfilled; the text says why."""


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """A command of an organiser."""

    command: str
    table: str = ""
    player: str = ""
    actor: str = "control"
    beacon: str = ""
    """The value of the beacon that the table has announced."""


class PlayerRow(msgspec.Struct):
    """A player at a table; `out` is why it is out of the match, if it is."""

    name: str
    dialect: str
    chips: int
    online: bool
    out: str


class TableRow(msgspec.Struct):
    """The state of a table."""

    table: str
    state: str
    kind: str = TABLE
    number: str = ""
    """Its number in protocols that number tables, and in the registry."""
    match: str = ""
    rules: str = ""
    seats: int = 0
    hand: int = 0
    players: list[PlayerRow] = []
    commitment: str = ""
    """The digest of the seed, to which the server is bound before the first player joins."""
    opening: int | None = None
    """Which opening of the table it is, if that is on record."""
    announced: str = ""
    """The beacon whose value enters the deals, if there is one."""
    beacon: str = ""
    """The value of the beacon, once the match has begun."""
    secret: bool = True
    """Whether nobody but the server knows the seed until the end."""


class Control:
    """Executes commands."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._commands = {
            "pause": self._pause,
            "resume": self._resume,
            "end": self._end,
        }

    async def execute(self, request: Request) -> dict[str, Any]:
        """Execute a request and return its answer."""
        if request.command == "tables":
            return {"ok": True, "tables": self.tables()}
        try:
            text = self._act(request)
            answer: dict[str, Any] = {"ok": True, "text": text}
        except ControlError as error:
            answer = {"ok": False, "error": str(error)}
        await self._arena.house.write_audit(
            AuditRecord(
                time.time(),
                request.actor[:64],
                request.command[:32],
                request.table[:64],
                (request.player or request.beacon)[:64],
                str(answer.get("text") or answer.get("error")),
            )
        )
        return answer

    def tables(self) -> list[TableRow]:
        """Return the state of each table."""
        rows = [_row(lobby.plan.name, lobby.game, lobby) for lobby in self._arena.tables.values()]
        return rows + [_row(name, game) for name, game in self._on_demand().items()]

    def _on_demand(self) -> dict[str, Game]:
        """Return the games in rooms and against the house, by the names on pages."""
        return {game.name: game for game in self._arena.games_on_demand}

    def _act(self, request: Request) -> str:
        if request.command == "withdraw":
            return self._withdraw(request.table, request.player)
        if request.command == "start":
            return self._start(request.table, request.beacon)
        command = self._commands.get(request.command)
        if command is None:
            raise ControlError(f"unknown command {request.command!r}")
        return command(request.table)

    def _lobby(self, name: str) -> TableLobby:
        lobby = self._arena.tables.get(name)
        if lobby is None:
            raise self._unknown(name, list(self._arena.tables))
        return lobby

    def _game(self, name: str) -> Game:
        """Return the running game of a table or room."""
        on_demand = self._on_demand()
        game = on_demand.get(name)
        if game is None and name not in self._arena.tables:
            raise self._unknown(name, [*self._arena.tables, *on_demand])
        if game is None:
            game = self._arena.tables[name].game
        if game is None or game.table.match.phase == OVER or game.table.failed:
            raise ControlError(f"nothing is being played at {name}")
        return game

    def _unknown(self, name: str, known: list[str]) -> ControlError:
        return ControlError(
            f"there is no table {name!r}{nearest(name, known)}"
            f" (there are {', '.join(known) or 'none'})"
        )

    def _start(self, name: str, beacon: str) -> str:
        if name in self._on_demand():
            raise ControlError(f"{name} starts by itself")
        lobby = self._lobby(name)
        game = lobby.game
        if game is None or game.table.match.phase == OVER or game.table.failed:
            return self._reopen(lobby, beacon)
        if game.table.match.phase != SEATING:
            raise ControlError(f"{name} has started already")
        _check_beacon(name, game.opening.announced, beacon)
        lobby.start(beacon)
        if game.table.match.phase == SEATING:
            raise ControlError(
                f"{name} has {len(game.table.match.players)} of the two players that a match needs"
            )
        return f"{name} starts with {len(game.table.match.players)} players"

    def _reopen(self, lobby: TableLobby, beacon: str) -> str:
        name = lobby.plan.name
        if beacon:
            raise ControlError(
                f"{name} is not open: `croupier start {name}` opens it, and the value of a beacon"
                " is given when its match is to start"
            )
        spent = lobby.spent_beacon
        if spent:
            raise ControlError(
                f"the beacon of {name} has been used for match {spent}; announce another in the"
                " arena's file"
            )
        self._arena.reopen(name)
        return f"{name} is open for a new match"

    def _pause(self, name: str) -> str:
        game = self._game(name)
        match = game.table.match
        if match.phase == SEATING:
            raise ControlError(f"{name} has not started yet")
        if match.phase == PAUSED:
            raise ControlError(f"{name} is paused already")
        game.table.pause()
        when = "after this hand" if match.phase == HAND else "before the next hand"
        return f"{name} pauses {when}"

    def _resume(self, name: str) -> str:
        game = self._game(name)
        if not game.table.match.pausing:
            raise ControlError(f"{name} is not paused")
        game.table.resume()
        return f"{name} goes on"

    def _end(self, name: str) -> str:
        self._game(name).table.stop()
        return f"the match at {name} ends"

    def _withdraw(self, name: str, player: str) -> str:
        game = self._game(name)
        if game.table.match.phase == SEATING:
            raise ControlError(f"{name} has not started yet")
        number = _player_of(game, player)
        if game.table.match.players[number].out:
            raise ControlError(f"{player} is out already")
        game.table.withdraw(number)
        return f"{game.seating.names[number]} is withdrawn from {name}"


def _check_beacon(name: str, announced: str, beacon: str) -> None:
    """Refuse a start without the value of the beacon, or with one that nobody announced."""
    if announced and not beacon:
        raise ControlError(
            f"{name} has announced a beacon ({announced}); give its value with:"
            f" croupier start {name} --beacon TEXT"
        )
    if beacon and not announced:
        raise ControlError(f"{name} has announced no beacon, so there is no value to give")
    if len(beacon) > MAX_BEACON or not beacon.isprintable():
        raise ControlError(f"the value of a beacon has 1 to {MAX_BEACON} printable characters")


def _player_of(game: Game, text: str) -> int:
    """Return the player with this name or pid."""
    for number, place in enumerate(game.seating.places):
        if text in (game.seating.names[number], place.name, place.pid):
            return number
    known = list(game.seating.names.values())
    raise ControlError(
        f"there is no player {text!r}{nearest(text, known)} (there are {', '.join(known)})"
    )


def _row(name: str, game: Game | None, lobby: TableLobby | None = None) -> TableRow:
    kind, number = TABLE, ""
    if lobby is not None:
        number = lobby.plan.number
    elif game is not None:
        kind = game.kind
    if game is None:
        return TableRow(name, "closed", kind, number)
    match = game.table.match
    state = "failed" if game.table.failed else match.phase
    return TableRow(
        name,
        "pausing" if match.pausing and state not in (PAUSED, OVER) else state,
        kind,
        number,
        game.table.id,
        match.rules.name,
        match.size,
        match.number,
        [
            PlayerRow(
                game.seating.names[number],
                place.dialect,
                entrant.chips,
                entrant.online,
                entrant.out,
            )
            for number, (place, entrant) in enumerate(
                zip(game.seating.places, match.players, strict=False)
            )
        ],
        game.commitment,
        game.opening.number,
        game.opening.announced,
        game.chance.beacon,
        game.secret,
    )


class ControlSocket:
    """The socket that receives commands."""

    def __init__(self, path: Path, control: Control) -> None:
        self._path = path
        self._control = control
        self._server: asyncio.AbstractServer | None = None

    async def open(self) -> None:
        """Listen; a socket that nobody answers is left over from a crash and is replaced."""
        if self._path.exists():
            if not self._path.is_socket():
                raise ControlError(f"{self._path} is no socket; it is left as it is")
            if _is_answered(self._path):
                raise ControlError(f"another arena is running with the control socket {self._path}")
            self._path.unlink()
        before = os.umask(0o177)  # only the user who runs the arena may open it
        try:
            self._server = await asyncio.start_unix_server(
                self._serve, str(self._path), limit=MAX_REQUEST
            )
        finally:
            os.umask(before)

    async def close(self) -> None:
        """Stop listening and remove the socket."""
        if self._server is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            try:
                line = await reader.readline()
                request = msgspec.json.decode(line, type=Request)
                answer = await self._control.execute(request)
            except (msgspec.DecodeError, ValueError) as error:
                answer = {"ok": False, "error": f"not a request: {error}"}
            writer.write(msgspec.json.encode(answer) + b"\n")
            await writer.drain()
            writer.close()


def _is_answered(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True


def ask(path: Path, request: Request, seconds: float = 10.0) -> dict[str, Any]:
    """Send a request to a running arena and return its answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        try:
            connection.connect(str(path))
            connection.sendall(msgspec.json.encode(request) + b"\n")
            data = b""
            while not data.endswith(b"\n"):
                piece = connection.recv(1 << 16)
                if not piece:
                    break
                data += piece
        except FileNotFoundError:
            raise ControlError(
                f"no arena is running here: there is no control socket {path}"
                " (start one with `croupier serve`, or name its socket with --control)"
            ) from None
        except OSError as error:
            raise ControlError(f"the arena at {path} does not answer: {error}") from None
    try:
        answer: dict[str, Any] = msgspec.json.decode(data, type=dict[str, Any])
    except msgspec.DecodeError:
        raise ControlError(f"the arena at {path} gave no answer") from None
    return answer
