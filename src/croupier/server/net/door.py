"""Doors: they accept connections and hear newcomers out, but not for ever.

One door for TCP and one for WebSocket; what a newcomer says is read by the session of its dialect,
and the limits are the same for both.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog
from picows import WSListener, WSUpgradeRequest, ws_create_server

from croupier.dialects.dialect import GAP_MS, Dialect, Transport
from croupier.dialects.session import Farewell, Refusal, RefusalKind
from croupier.server.net.client import Client, Lobby
from croupier.server.net.pacing import PacedLink
from croupier.server.net.tcp import LINGER, TcpLink
from croupier.server.net.transcript import Transcript
from croupier.server.net.websocket import MAX_MESSAGE, PING_AFTER, WebSocketLink

log = structlog.get_logger()

TIME_TO_SPEAK = 10.0
"""Seconds; a connection that has not said what it wants by then is closed."""

MAX_LINGERING = 4096
"""Connections that are closed and still read. A security limit: further ones are just closed."""

MAX_UNHEARD = 4096
"""Connections of one address that have not said yet what they want. A security limit."""

FREE_FAILURES = 20
MAX_ADDRESSES = 10_000
SLOW_SECONDS = 2.0
"""Where names are secret: after so many failures of one address each refusal is so much later."""


class Door:
    """A listener: accepts connections and waits until they have said what they want."""

    def __init__(
        self,
        dialect: Dialect,
        lobby: Lobby,
        loop: asyncio.AbstractEventLoop,
        transcripts: Path | None,
        options: dict[str, Any] | None = None,
        time_to_speak: float = TIME_TO_SPEAK,
    ) -> None:
        """`options` are those of the listener: the gap between messages, the rest for sessions."""
        self.dialect = dialect
        self.lobby = lobby
        self.loop = loop
        self._options = dict(options or {})
        self._gap_ms: int = self._options.pop(GAP_MS, dialect.gap_ms)
        self._time_to_speak = time_to_speak
        self._transcripts = transcripts
        self._unheard: dict[Client, asyncio.TimerHandle] = {}
        self._by_address: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._links: set[TcpLink | WebSocketLink] = set()
        self._lingering: set[TcpLink | WebSocketLink] = set()
        self._last_gone = asyncio.Event()

    async def listen(self, bind: str, port: int) -> asyncio.Server:
        """Open the port."""
        raise NotImplementedError

    def transcript(self) -> Transcript:
        """Return the transcript of a new connection."""
        return Transcript(self._transcripts)

    # From the links.

    def opened(self, link: TcpLink | WebSocketLink) -> Client | None:
        """Hear a newcomer out, unless too many of its address are waiting already."""
        self._links.add(link)
        address = link.address
        if self._by_address[address] >= MAX_UNHEARD:
            self._log_refusal(address, "too many connections")
            link.drop("too many connections that have not said what they want")
            return None
        self._by_address[address] += 1
        client = Client(link, self, self._options)
        self._unheard[client] = self.loop.call_later(self._time_to_speak, self._too_late, client)
        return client

    def lingers(self, link: TcpLink | WebSocketLink) -> bool:
        """Let a connection that is closed stay for a while, unless too many do already."""
        if len(self._lingering) >= MAX_LINGERING:
            return False
        self._lingering.add(link)
        return True

    def ended(self, link: TcpLink | WebSocketLink) -> None:
        """Forget a connection whose socket is closed."""
        self._lingering.discard(link)
        self._links.discard(link)
        if not self._links:
            self._last_gone.set()

    async def drain(self) -> None:
        """Close all connections, and wait for a while until the others have done so too."""
        for link in list(self._links):
            link.close()
        if self._links:
            self._last_gone.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._last_gone.wait(), LINGER)

    # From the clients.

    def admitted(self, client: Client) -> None:
        """Wait for this newcomer no longer."""
        timer = self._unheard.pop(client, None)
        if timer is not None:
            timer.cancel()
            self._by_address[client.address] -= 1
            if not self._by_address[client.address]:
                del self._by_address[client.address]

    def lost(self, client: Client) -> None:
        """Forget a client that has gone before it said what it wants."""
        self.admitted(client)

    def refuse(self, client: Client, farewell: Farewell) -> None:
        """Send a newcomer away; one that guesses at secrets has to wait for it."""
        self._log_refusal(client.address, farewell.note or farewell.reason, code=farewell.code)
        self.admitted(client)
        if self.dialect.private_names and self._failed_often(client.address):
            self.loop.call_later(SLOW_SECONDS, client.send_away, farewell)
        else:
            client.send_away(farewell)

    def _log_refusal(self, address: str, reason: str, code: int = 0) -> None:
        codes = {"code": code} if code else {}
        log.info("refused", dialect=self.dialect.name, address=address, reason=reason, **codes)

    def _failed_often(self, address: str) -> bool:
        if len(self._failures) > MAX_ADDRESSES:
            self._failures.clear()
        self._failures[address] += 1
        return self._failures[address] > FREE_FAILURES

    def _too_late(self, client: Client) -> None:
        if client in self._unheard:
            client.refuse(
                Refusal(
                    RefusalKind.NOT_UNDERSTOOD,
                    f"no {self.dialect.first_message} within {self._time_to_speak:g} s",
                )
            )


class TcpDoor(Door):
    """A door for dialects over TCP."""

    link_type: Callable[["TcpDoor", Transcript], TcpLink] | None = None
    """Instead of the usual ones."""

    async def listen(self, bind: str, port: int) -> asyncio.Server:
        return await self.loop.create_server(self._link, bind, port, backlog=4096)

    def _link(self) -> TcpLink:
        if self.link_type is not None:
            return self.link_type(self, self.transcript())
        if self._gap_ms:
            return PacedLink(self._gap_ms / 1000, self, self.transcript())
        return TcpLink(self, self.transcript())


class WebSocketDoor(Door):
    """A door for dialects over WebSocket."""

    async def listen(self, bind: str, port: int) -> asyncio.Server:
        return await ws_create_server(
            self._link,
            bind,
            port,
            max_frame_size=MAX_MESSAGE,
            enable_auto_ping=True,
            auto_ping_idle_timeout=PING_AFTER,
            auto_ping_reply_timeout=PING_AFTER,
            backlog=4096,
        )

    def _link(self, request: WSUpgradeRequest) -> WSListener:
        return WebSocketLink(self, self.transcript())


_DOORS = {Transport.TCP: TcpDoor, Transport.WEBSOCKET: WebSocketDoor}


def door_for(
    dialect: Dialect,
    lobby: Lobby,
    loop: asyncio.AbstractEventLoop,
    transcripts: Path | None,
    options: dict[str, Any] | None = None,
    time_to_speak: float = TIME_TO_SPEAK,
) -> Door:
    """Return the door for a dialect's transport."""
    return _DOORS[dialect.transport](dialect, lobby, loop, transcripts, options, time_to_speak)
