"""What the doors of all TCP dialects do alike: hear a newcomer out, but not for ever."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import structlog

from croupier.server.connection import LINGER, Connection, Door
from croupier.server.transcript import Transcript

log = structlog.get_logger()

TIME_TO_SPEAK = 10.0
"""Seconds; a connection that has not said what it wants by then is closed."""

MAX_LINGERING = 4096
"""Connections that are closed and still read. A security limit: further ones are just closed."""

MAX_UNHEARD = 4096
"""Connections of one address that have not said yet what they want. A security limit."""


class TcpDoor:
    """Accepts connections; a dialect's own door reads what they say first."""

    dialect = ""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        transcripts: Path | None,
        time_to_speak: float = TIME_TO_SPEAK,
    ) -> None:
        self.loop = loop
        self.connection_type: Callable[[Door, Transcript], Connection] = Connection
        self._time_to_speak = time_to_speak
        self._transcripts = transcripts
        self._unheard: dict[Connection, asyncio.TimerHandle] = {}
        self._by_address: Counter[str] = Counter()
        self._connections: set[Connection] = set()
        self._lingering: set[Connection] = set()
        self._last_gone = asyncio.Event()

    async def listen(self, bind: str, port: int) -> asyncio.Server:
        """Open the port."""
        return await self.loop.create_server(self.connection, bind, port, backlog=4096)

    def connection(self) -> Connection:
        """Return the protocol object of a new connection."""
        return self.connection_type(self, Transcript(self._transcripts))

    def opened(self, connection: Connection) -> None:
        """Hear a newcomer out, unless too many of its address are waiting already."""
        self._connections.add(connection)
        address = connection.address
        if self._by_address[address] >= MAX_UNHEARD:
            log.warning(
                "refused", dialect=self.dialect, address=address, reason="too many connections"
            )
            connection.drop("too many connections that have not said what they want")
            return
        self._by_address[address] += 1
        self._unheard[connection] = self.loop.call_later(
            self._time_to_speak, self._too_late, connection
        )
        self.begin(connection)

    def lingers(self, connection: Connection) -> bool:
        """Let a connection that is closed stay for a while, unless too many do already."""
        if len(self._lingering) >= MAX_LINGERING:
            return False
        self._lingering.add(connection)
        return True

    def ended(self, connection: Connection) -> None:
        """Forget a connection whose socket is closed."""
        self._lingering.discard(connection)
        self._connections.discard(connection)
        if not self._connections:
            self._last_gone.set()

    async def see_off(self) -> None:
        """Close all connections, and wait for a while until the others have done so too."""
        for connection in list(self._connections):
            connection.close()
        if self._connections:
            self._last_gone.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._last_gone.wait(), LINGER)

    def begin(self, connection: Connection) -> None:
        """Prepare to read what a newcomer says."""

    def received(self, connection: Connection, data: bytes) -> None:
        """Take bytes of someone who has not said yet what he wants."""
        if connection in self._unheard:
            self.hear(connection, data)

    def hear(self, connection: Connection, data: bytes) -> None:
        """Take bytes of a newcomer."""
        raise NotImplementedError

    def lost(self, connection: Connection) -> None:
        """Forget a connection that has gone before it said what it wants."""
        self.heard(connection)

    def heard(self, connection: Connection) -> None:
        """Wait for this newcomer no longer."""
        timer = self._unheard.pop(connection, None)
        if timer is not None:
            timer.cancel()
            self._by_address[connection.address] -= 1
            if not self._by_address[connection.address]:
                del self._by_address[connection.address]

    def refuse(self, connection: Connection, reason: str, message: bytes = b"") -> None:
        """Send a newcomer away; the message is what his dialect says of it, if anything."""
        log.info("refused", dialect=self.dialect, address=connection.address, reason=reason)
        connection.transcript.name("refused", self.dialect)
        connection.transcript.add("#", f"refused: {reason}")
        self.heard(connection)
        if message:
            connection.send(message)
        connection.close()

    def too_late(self, connection: Connection) -> None:
        """Send away who has not said in time what he wants."""
        self.refuse(connection, f"nothing said within {self._time_to_speak:g} s")

    def _too_late(self, connection: Connection) -> None:
        if connection in self._unheard:
            self.too_late(connection)
