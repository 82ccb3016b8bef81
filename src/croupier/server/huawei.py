"""The `huawei` listener: registration at the door, then a seat at the table."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import structlog

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.huawei.reader import (
    BLANK,
    MAX_UNREAD,
    SILENCE,
    HuaweiReader,
    Registration,
    decide,
    parse_registration,
)
from croupier.dialects.huawei.speaker import Listener
from croupier.match.ready import Handshake
from croupier.rules.decisions import Options
from croupier.server.connection import Connection
from croupier.server.door import TIME_TO_SPEAK, TcpDoor
from croupier.server.lobby import Lobby, Refusal
from croupier.server.pacing import PacedConnection
from croupier.server.seating import HUAWEI, Place
from croupier.server.table import Table

log = structlog.get_logger()


MAX_GAP_MS = 1000

DISCARDED = "discarded: it came before the question"
"""What the transcript says of bytes that nobody asked for."""


@dataclass(frozen=True)
class HuaweiOptions:
    """How a listener speaks."""

    gap_ms: int = 1
    """Milliseconds from one message to the next on the same connection; 0: none are waited for."""


class HuaweiDoor(TcpDoor):
    """Accepts connections and hears their registration."""

    dialect = HUAWEI

    def __init__(
        self,
        lobby: Lobby,
        loop: asyncio.AbstractEventLoop,
        transcripts: Path | None,
        options: HuaweiOptions = HuaweiOptions(),  # noqa: B008  (it is frozen)
    ) -> None:
        super().__init__(loop, transcripts)
        if options.gap_ms:
            self.connection_type = partial(PacedConnection, options.gap_ms / 1000)
        self._lobby = lobby
        self._readers: dict[Connection, HuaweiReader] = {}
        self._flushes: dict[Connection, asyncio.TimerHandle] = {}

    def begin(self, connection: Connection) -> None:
        self._readers[connection] = HuaweiReader()

    def heard(self, connection: Connection) -> None:
        super().heard(connection)
        self._readers.pop(connection, None)
        flush = self._flushes.pop(connection, None)
        if flush is not None:
            flush.cancel()

    def hear(self, connection: Connection, data: bytes) -> None:
        flush = self._flushes.pop(connection, None)
        if flush is not None:
            flush.cancel()
        reader = self._readers[connection]
        messages = reader.receive(data)
        if messages:
            self._register(connection, reader, messages[0])
        elif reader.overflown:
            self.refuse(connection, "too much input without a registration")
        elif reader.pending:
            self._flushes[connection] = self.loop.call_later(SILENCE, self._flush, connection)

    def too_late(self, connection: Connection) -> None:
        self.refuse(connection, f"no registration within {TIME_TO_SPEAK:g} s")

    def _flush(self, connection: Connection) -> None:
        reader = self._readers.get(connection)
        if reader is not None and not connection.closed:
            for message in reader.flush():
                self._register(connection, reader, message)

    def _register(self, connection: Connection, reader: HuaweiReader, message: bytes) -> None:
        registration = parse_registration(message)
        if isinstance(registration, Illegal):
            self.refuse(connection, registration.reason)
            return
        client = HuaweiClient(connection, reader, registration, self.loop)
        connection.owner = client
        self.heard(connection)
        place = Place(registration.name, HUAWEI, registration.pid)
        outcome = self._lobby.admit(client, place)
        if isinstance(outcome, Refusal):
            connection.owner = self
            self.refuse(connection, outcome.reason)
            return


class HuaweiClient:
    """A registered player's connection."""

    __slots__ = (
        "_connection",
        "_flush_timer",
        "_loop",
        "_reader",
        "_stray",
        "can_reload",
        "handshake",
        "listener",
        "name",
        "on_lost",
        "pid",
        "player",
        "table",
    )

    def __init__(
        self,
        connection: Connection,
        reader: HuaweiReader,
        registration: Registration,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """`reader` is the one that read the registration: its newline may still be coming."""
        self.player = -1
        self.pid = registration.pid
        self.name = registration.name
        self.listener = Listener(registration.notify, registration.bets)
        self.handshake: Handshake | None = None
        self.can_reload = False
        self.table: Table | None = None
        self.on_lost: Callable[[], None] = lambda: None
        self._connection = connection
        self._reader = reader
        reader.registered = True
        reader.discard()
        self._loop = loop
        self._flush_timer: asyncio.TimerHandle | None = None
        self._stray = 0

    # From the connection.

    def received(self, connection: Connection, data: bytes) -> None:
        """Take bytes: an answer if one is asked for, otherwise nothing."""
        table = self.table
        if table is None or not table.is_asked(self):
            self._note_discarded(data)
            self._stray += len(data)
            if self._stray > MAX_UNREAD:
                self._cut_off("too much input that nobody asked for")
            return
        if len(data) > MAX_UNREAD:
            self._cut_off("more input than any answer has")
            return
        messages = self._reader.receive(data)
        if messages:
            if len(messages) > 1 and any(messages[1:]):
                self.note(DISCARDED)
            self._answer(table, messages[0])
        elif self._reader.overflown:
            self._cut_off("an endless message")
        elif self._reader.pending:
            if self._flush_timer is not None:
                self._flush_timer.cancel()
            self._flush_timer = self._loop.call_later(SILENCE, self._flush)

    def lost(self, connection: Connection) -> None:
        """Tell the table that the player is gone."""
        if self.table is not None:
            self.table.lost(self)
        self.on_lost()

    def _cut_off(self, reason: str) -> None:
        log.info("cut off", pid=self.pid, reason=reason)
        self._connection.drop(reason)

    def _note_discarded(self, data: bytes) -> None:
        if data.strip(BLANK):  # the newline of an answer may come after it
            self.note(DISCARDED)

    def _flush(self) -> None:
        self._flush_timer = None
        table = self.table
        if table is not None and table.is_asked(self):
            for message in self._reader.flush():
                self._answer(table, message)

    def _answer(self, table: Table, message: bytes) -> None:
        # Whatever else has come was sent before the next question.
        self._reader.discard()
        table.answered(self, message)

    # For the table.

    def send(self, message: bytes) -> None:
        self._connection.send(message)

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        self._connection.ask(question, self._forget_input, left)

    def _forget_input(self) -> None:
        """Drop what has come before a question."""
        self._reader.discard()
        self._stray = 0
        waiting = self._connection.poll()
        if waiting:
            self._connection.transcript.add(">", waiting)
            self._note_discarded(waiting)
            if len(waiting) > MAX_UNREAD:
                self._cut_off("too much input that nobody asked for")

    def take_waiting_input(self) -> bool:
        waiting = self._connection.poll()
        if waiting:
            self._connection.data_received(waiting)
        elif self._reader.pending:
            self._flush()
        return False

    def decide(self, message: bytes, options: Options, high: int) -> Answer | Illegal:
        return decide(message, options, high)

    def flush_transcript(self) -> None:
        self._connection.flush_transcript()

    def note(self, text: str) -> None:
        self._connection.transcript.add("#", text)

    def seated(self, match_id: str) -> None:
        """Open the transcript under the match and the player."""
        self._connection.transcript.name(match_id, self.pid, self.name)

    def close(self) -> None:
        self._connection.close()

    @property
    def closed(self) -> bool:
        return self._connection.closed
