"""The `room` listener: the first frame names a room, after that frames go to its table."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.room import reader, words
from croupier.dialects.room.frames import BadFrame, FrameReader
from croupier.dialects.room.reader import EXIT, V1, V2, Connect, Watch, WatchBots, Wrong
from croupier.match.ready import Handshake
from croupier.rules.decisions import Options
from croupier.server.connection import Connection
from croupier.server.door import TIME_TO_SPEAK, TcpDoor
from croupier.server.lobby import Refusal, Rooms
from croupier.server.seating import ROOM
from croupier.server.table import Table

log = structlog.get_logger()

MAX_STRAY = 1000
"""Frames that nobody asked for before a player is cut off. A security limit."""

HANDSHAKES = {V1: Handshake(first=True, last=False), V2: Handshake(first=False, last=True)}


class RoomDoor(TcpDoor):
    """Accepts connections and leads them to their rooms."""

    dialect = ROOM

    def __init__(
        self, rooms: Rooms, loop: asyncio.AbstractEventLoop, transcripts: Path | None
    ) -> None:
        super().__init__(loop, transcripts)
        self._rooms = rooms
        self._readers: dict[Connection, FrameReader] = {}

    def begin(self, connection: Connection) -> None:
        self._readers[connection] = FrameReader()

    def heard(self, connection: Connection) -> None:
        super().heard(connection)
        self._readers.pop(connection, None)

    def hear(self, connection: Connection, data: bytes) -> None:
        frames = self._readers[connection].receive(data)
        if not frames:
            return
        first = frames[0]
        if isinstance(first, BadFrame):
            self._refuse(connection, first.reason)
            return
        wish = reader.first_message(first)
        if isinstance(wish, Wrong):
            self._refuse(connection, wish.text)
            return
        client = RoomClient(connection, self._readers[connection], wish)
        connection.owner = client
        self.heard(connection)
        refusal = self._lead(client, wish)
        if refusal is not None:
            connection.owner = self
            self._refuse(connection, refusal.reason)
            return
        for frame in frames[1:]:
            client.take(frame)

    def too_late(self, connection: Connection) -> None:
        self._refuse(connection, f"no connect message within {TIME_TO_SPEAK:g} s")

    def _lead(self, client: "RoomClient", wish: Connect | Watch | WatchBots) -> Refusal | None:
        if isinstance(wish, Connect):
            return self._rooms.connect(client, wish)
        if isinstance(wish, Watch):
            return self._rooms.watch(client, wish)
        return self._rooms.watch_bots(client, wish)

    def _refuse(self, connection: Connection, reason: str) -> None:
        self.refuse(connection, reason, words.error(reason))


class RoomClient:
    """A connection that is in a room, or waits for one."""

    __slots__ = (
        "_connection",
        "_reader",
        "_stray",
        "can_reload",
        "handshake",
        "listener",
        "name",
        "on_lost",
        "player",
        "started_early",
        "table",
    )

    def __init__(
        self, connection: Connection, frames: FrameReader, wish: Connect | Watch | WatchBots
    ) -> None:
        self.player = -1
        self.name = wish.name if isinstance(wish, Connect) else "observer"
        self.listener = wish.version if isinstance(wish, Connect) else V1
        """The version that the player speaks."""
        self.handshake: Handshake | None = None
        if isinstance(wish, Connect):
            self.handshake = HANDSHAKES[wish.version]
        self.can_reload = False
        self.table: Table | None = None
        self.started_early = False
        """He said that he is ready before his room was full."""
        self.on_lost: Callable[[], None] = lambda: None
        self._connection = connection
        self._reader = frames
        self._stray = 0

    # From the connection.

    def received(self, connection: Connection, data: bytes) -> None:
        """Take bytes of the player."""
        for frame in self._reader.receive(data):
            self.take(frame)

    def lost(self, connection: Connection) -> None:
        """Tell the table that the player is gone."""
        if self.table is not None:
            self.table.lost(self)
        self.on_lost()

    def take(self, frame: dict[str, Any] | BadFrame) -> None:
        """Do what a frame asks for."""
        if self.closed:
            return
        table = self.table
        if isinstance(frame, BadFrame):
            self._connection.transcript.add("#", f"closed: {frame.reason}")
            self.send(words.error(frame.reason))
            self._connection.close()
        elif table is None:
            self._take_before_the_start(frame)
        elif reader.is_exit(frame):
            table.exit(self, EXIT)
        elif table.is_asked(self) and not reader.is_start(frame):
            table.answered(self, frame)
        elif table.awaits_ready and not table.is_ready(self):
            self._stray = 0
            table.ready(self)
        elif reader.is_start(frame):
            table.ready(self)  # early: he need not say it again
            self._count_stray()
        else:
            self._connection.transcript.add("#", "ignored: it is not this player's turn")
            self._count_stray()

    def _take_before_the_start(self, frame: dict[str, Any]) -> None:
        if reader.is_exit(frame):
            self.close()
        elif reader.is_start(frame):
            self.started_early = True
        self._count_stray()

    def _count_stray(self) -> None:
        """Cut off who talks and talks without having been asked."""
        self._stray += 1
        if self._stray > MAX_STRAY:
            log.info("cut off", dialect=ROOM, name=self.name, reason="too many frames")
            self._connection.drop("too many frames that nobody asked for")

    # For the table.

    def send(self, message: bytes) -> None:
        self._connection.send(message)

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        self._stray = 0  # what comes out of turn is dealt with as it comes
        self.send(question)
        left()

    def take_waiting_input(self) -> bool:
        waiting = self._connection.poll()
        if waiting:
            self._connection.data_received(waiting)
        return False

    def decide(self, message: dict[str, Any], options: Options, high: int) -> Answer | Illegal:
        assert self.table is not None
        hand = self.table.match.hand
        assert hand is not None
        return reader.decide(message, self.listener, options, high, hand.pot)

    def flush_transcript(self) -> None:
        self._connection.transcript.flush()

    def note(self, text: str) -> None:
        self._connection.transcript.add("#", text)

    def seated(self, match_id: str) -> None:
        """Open the transcript under the match and the player."""
        assert self.table is not None
        name = self.table.match.players[self.player].name  # unlike his own word, it is his alone
        self._connection.transcript.name(match_id, ROOM, name)
        if self.started_early:
            self.table.ready(self)

    def close(self) -> None:
        self._connection.close()

    @property
    def closed(self) -> bool:
        return self._connection.closed
