"""The `huawei` listener: registration at the door, then a seat at the table."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import structlog

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.huawei.reader import (
    MAX_UNREAD,
    SILENCE,
    HuaweiReader,
    Registration,
    decide,
    parse_registration,
)
from croupier.dialects.huawei.speaker import Listener
from croupier.rules.decisions import Options
from croupier.server.connection import Connection
from croupier.server.lobby import HUAWEI, Lobby, Place, Refusal
from croupier.server.table import Table
from croupier.server.transcript import Transcript

log = structlog.get_logger()

TIME_TO_REGISTER = 10.0
"""Seconds; a connection that has not registered by then is closed."""

MAX_UNREGISTERED = 256
"""Connections of one address that have not registered yet. A security limit."""


@dataclass
class _Waiting:
    """A connection that has not registered yet."""

    reader: HuaweiReader
    too_late: asyncio.TimerHandle
    flush: asyncio.TimerHandle | None = None


class HuaweiDoor:
    """Accepts connections and hears their registration."""

    def __init__(
        self, lobby: Lobby, loop: asyncio.AbstractEventLoop, transcripts: Path | None
    ) -> None:
        self._lobby = lobby
        self._loop = loop
        self._transcripts = transcripts
        self._waiting: dict[Connection, _Waiting] = {}
        self._by_address: Counter[str] = Counter()

    def connection(self) -> Connection:
        """Return the protocol object of a new connection."""
        return Connection(self, Transcript(self._transcripts))

    def opened(self, connection: Connection) -> None:
        """Hear a newcomer out, unless too many of its address are waiting already."""
        address = connection.address
        if self._by_address[address] >= MAX_UNREGISTERED:
            log.warning("refused", dialect="huawei", address=address, reason="too many connections")
            connection.drop("too many connections that have not registered")
            return
        self._by_address[address] += 1
        timer = self._loop.call_later(TIME_TO_REGISTER, self._too_late, connection)
        self._waiting[connection] = _Waiting(HuaweiReader(), timer)

    def received(self, connection: Connection, data: bytes) -> None:
        """Take bytes of someone who has not registered."""
        waiting = self._waiting.get(connection)
        if waiting is None:
            return
        if waiting.flush is not None:
            waiting.flush.cancel()
        reader = waiting.reader
        messages = reader.receive(data)
        if messages:
            self._register(connection, reader, messages[0])
        elif reader.overflown:
            self._refuse(connection, "too much input without a registration")
        elif reader.pending:
            waiting.flush = self._loop.call_later(SILENCE, self._flush, connection)

    def lost(self, connection: Connection) -> None:
        """Forget a connection that has gone before it registered."""
        self._leave(connection)

    def _flush(self, connection: Connection) -> None:
        waiting = self._waiting.get(connection)
        if waiting is not None and not connection.closed:
            for message in waiting.reader.flush():
                self._register(connection, waiting.reader, message)

    def _register(self, connection: Connection, reader: HuaweiReader, message: bytes) -> None:
        registration = parse_registration(message)
        if isinstance(registration, Illegal):
            self._refuse(connection, registration.reason)
            return
        client = HuaweiClient(connection, reader, registration, self._loop)
        connection.owner = client
        self._leave(connection)
        place = Place(registration.name, HUAWEI, registration.pid)
        outcome = self._lobby.admit(client, place)
        if isinstance(outcome, Refusal):
            connection.owner = self
            self._refuse(connection, outcome.reason)
            return
        log.info(
            "registered",
            table=outcome.id,
            dialect="huawei",
            pid=registration.pid,
            name=registration.name,
        )

    def _too_late(self, connection: Connection) -> None:
        if connection in self._waiting:
            self._refuse(connection, f"no registration within {TIME_TO_REGISTER:g} s")

    def _refuse(self, connection: Connection, reason: str) -> None:
        log.info("refused", dialect="huawei", address=connection.address, reason=reason)
        connection.transcript.add("#", f"refused: {reason}")
        self._leave(connection)
        connection.close()

    def _leave(self, connection: Connection) -> None:
        waiting = self._waiting.pop(connection, None)
        if waiting is not None:
            waiting.too_late.cancel()
            if waiting.flush is not None:
                waiting.flush.cancel()
            self._by_address[connection.address] -= 1
            if not self._by_address[connection.address]:
                del self._by_address[connection.address]


class HuaweiClient:
    """A registered player's connection."""

    __slots__ = (
        "_connection",
        "_flush_timer",
        "_loop",
        "_reader",
        "_stray",
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
            self._stray += len(data)
            if self._stray > MAX_UNREAD:
                self._cut_off("too much input that nobody asked for")
            return
        if len(data) > MAX_UNREAD:
            self._cut_off("more input than any answer has")
            return
        messages = self._reader.receive(data)
        if messages:
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

    def forget_input(self) -> None:
        self._reader.discard()
        self._stray = 0
        waiting = self._connection.poll()
        if waiting:
            self._connection.transcript.add(">", waiting)
            self._connection.transcript.add("#", "discarded: it came before the question")
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
