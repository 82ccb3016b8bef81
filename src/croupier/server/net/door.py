"""Doors: they accept connections and wait a limited time for the first message of each.

There is one for TCP and one for WebSocket, with the same limits. What a newcomer sends is parsed by
the session of its dialect.
"""

import asyncio
import contextlib
import socket
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
"""Seconds; a connection whose first message has not come by then is closed."""

MAX_LINGERING = 4096
"""Closed connections whose input is still drained. A security limit: others close at once."""

MAX_PENDING = 4096
"""Connections of one address whose first message is awaited. A security limit."""

FREE_FAILURES = 20
"""Refusals of one address without delay, where names are secret."""

MAX_ADDRESSES = 10_000
"""Addresses whose failures are counted; beyond that, counting starts anew."""

SLOW_SECONDS = 2.0
"""The delay of each refusal after those."""


class Door:
    """Accepts connections on a port and awaits the first message of each."""

    def __init__(
        self,
        dialect: Dialect,
        lobby: Lobby,
        loop: asyncio.AbstractEventLoop,
        transcripts: Path | None,
        options: dict[str, Any] | None = None,
        time_to_speak: float = TIME_TO_SPEAK,
    ) -> None:
        """`options` are those of the listener: the gap between messages, and those of sessions."""
        self.dialect = dialect
        self.lobby = lobby
        self.loop = loop
        self._options = dict(options or {})
        self._gap_ms: int = self._options.pop(GAP_MS, dialect.gap_ms)
        self._time_to_speak = time_to_speak
        self._transcripts = transcripts
        self._pending: dict[Client, asyncio.TimerHandle] = {}
        self._by_address: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._links: set[TcpLink | WebSocketLink] = set()
        self._lingering: set[TcpLink | WebSocketLink] = set()
        self._all_ended = asyncio.Event()

    async def listen(self, bind: str, port: int) -> asyncio.Server:
        """Open the port."""
        raise NotImplementedError

    async def listen_on(self, listener: socket.socket) -> asyncio.Server:
        """Accept connections of a socket that listens already, too."""
        raise NotImplementedError

    def transcript(self) -> Transcript:
        """Return the transcript of a new connection."""
        return Transcript(self._transcripts)

    # From the links.

    def opened(self, link: TcpLink | WebSocketLink) -> Client | None:
        """Await the first message of a newcomer, unless too many of its address are pending."""
        self._links.add(link)
        address = link.address
        if self._by_address[address] >= MAX_PENDING:
            self._log_refusal(address, "too many connections")
            link.drop("too many connections that have not said what they want")
            return None
        self._by_address[address] += 1
        client = Client(link, self, self._options)
        self._pending[client] = self.loop.call_later(self._time_to_speak, self._timed_out, client)
        return client

    def let_linger(self, link: TcpLink | WebSocketLink) -> bool:
        """Let a closed connection drain its input for a while; return False if too many do."""
        if len(self._lingering) >= MAX_LINGERING:
            return False
        self._lingering.add(link)
        return True

    def ended(self, link: TcpLink | WebSocketLink) -> None:
        """Forget a connection whose socket is closed."""
        self._lingering.discard(link)
        self._links.discard(link)
        if not self._links:
            self._all_ended.set()

    async def drain(self) -> None:
        """Close all connections, and wait a while for the peers to close theirs."""
        for link in list(self._links):
            link.close()
        if self._links:
            self._all_ended.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_ended.wait(), LINGER)

    # From the clients.

    def admitted(self, client: Client) -> None:
        """Stop waiting for the first message of this newcomer."""
        timer = self._pending.pop(client, None)
        if timer is not None:
            timer.cancel()
            self._by_address[client.address] -= 1
            if not self._by_address[client.address]:
                del self._by_address[client.address]

    def lost(self, client: Client) -> None:
        """Forget a client whose connection is lost."""
        self.admitted(client)

    def refuse(self, client: Client, farewell: Farewell) -> None:
        """Turn a newcomer away, with a delay for an address that guesses at secret names."""
        self._log_refusal(client.address, farewell.note or farewell.reason, code=farewell.code)
        self.admitted(client)
        secret = self.dialect.private_names or self.lobby.keyed
        if secret and self._failed_often(client.address):
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

    def _timed_out(self, client: Client) -> None:
        if client in self._pending:
            client.refuse(
                Refusal(
                    RefusalKind.NOT_UNDERSTOOD,
                    f"no {self.dialect.first_message} within {self._time_to_speak:g} s",
                )
            )


class TcpDoor(Door):
    """A door for dialects over TCP."""

    link_type: Callable[["TcpDoor", Transcript], TcpLink] | None = None
    """Overrides the choice of link."""

    async def listen(self, bind: str, port: int) -> asyncio.Server:
        return await self.loop.create_server(self._link, bind, port, backlog=4096)

    async def listen_on(self, listener: socket.socket) -> asyncio.Server:
        return await self.loop.create_server(self._link, sock=listener)

    def _link(self) -> TcpLink:
        if self.link_type is not None:
            return self.link_type(self, self.transcript())
        if self._gap_ms:
            return PacedLink(self._gap_ms / 1000, self, self.transcript())
        return TcpLink(self, self.transcript())


class WebSocketDoor(Door):
    """A door for dialects over WebSocket."""

    async def listen(self, bind: str, port: int) -> asyncio.Server:
        return await self._serve(host=bind, port=port, backlog=4096)

    async def listen_on(self, listener: socket.socket) -> asyncio.Server:
        return await self._serve(sock=listener)

    async def _serve(self, **where: Any) -> asyncio.Server:
        return await ws_create_server(
            self._link,
            max_frame_size=MAX_MESSAGE,
            enable_auto_ping=True,
            auto_ping_idle_timeout=PING_AFTER,
            auto_ping_reply_timeout=PING_AFTER,
            **where,
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
