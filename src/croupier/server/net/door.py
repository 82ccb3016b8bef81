"""Doors: they accept connections and wait a limited time for the first message of each.

There is one for TCP and one for WebSocket, with the same limits. What a newcomer sends is parsed by
the session of its dialect.
"""

import asyncio
import contextlib
import logging
import os
import socket
from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import Any, cast

from picows import (
    WSAutoPingStrategy,
    WSListener,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from croupier.dialects.dialect import GAP_MS, Dialect, Transport
from croupier.dialects.session import Farewell, Refusal, RefusalKind
from croupier.server.net.capacity import Capacity
from croupier.server.net.client import Client, Lobby
from croupier.server.net.link import Link
from croupier.server.net.pacing import PacedLink
from croupier.server.net.repeated_log import RepeatedLog
from croupier.server.net.tcp import LINGER, SiteLink, TcpLink, acknowledge, address_of
from croupier.server.net.tls import Tls, TlsTransport
from croupier.server.net.transcript import Transcript
from croupier.server.net.turns import Turns
from croupier.server.net.websocket import (
    MAX_MESSAGE,
    PING_AFTER,
    Ears,
    WebSocketLink,
    chosen_subprotocol,
    is_listed,
)

TIME_TO_SPEAK = 10.0
"""Seconds; a connection whose first message has not come by then is closed."""

TIME_TO_UPGRADE = 5.0
"""Seconds; a connection that has not become a WebSocket by then is closed."""

READ_SIZE = 16 * 1024

SUBPROTOCOL = "Sec-WebSocket-Protocol"
CONNECTION = "Connection"
UPGRADE = "Upgrade"

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
        capacity: Capacity | None = None,
        first_words: Turns | None = None,
    ) -> None:
        """`options` are those of the listener: the gap between messages, and those of sessions.

        All doors of a process share one `capacity`, and the time for the first messages.
        """
        self.dialect = dialect
        self.lobby = lobby
        self.loop = loop
        self._options = dict(options or {})
        self._gap_ms: int = self._options.pop(GAP_MS, dialect.gap_ms)
        self._time_to_speak = time_to_speak
        self._transcripts = transcripts
        self._pending: dict[Client, asyncio.TimerHandle] = {}
        self.capacity = capacity or Capacity()
        self._first_words = first_words or Turns(loop)
        self._log = RepeatedLog(loop, dialect.name)
        self._failures: Counter[str] = Counter()
        self._links: set[Link] = set()
        self._lingering: set[Link] = set()
        self._all_ended = asyncio.Event()

    async def listen(self, bind: str, port: int, tls: Tls | None = None) -> asyncio.Server:
        """Open a port, with TLS or without."""
        connection = self.connection if tls is None else partial(self._encrypted, tls)
        backlog = self.capacity.backlog
        return await self.loop.create_server(connection, bind, port, backlog=backlog)

    async def listen_on(self, listener: socket.socket) -> asyncio.Server:
        """Accept connections of a socket that listens already, too, without TLS."""
        return await self.loop.create_server(self.connection, sock=listener)

    def connection(self) -> asyncio.BaseProtocol:
        """Return what a new connection is handled by."""
        raise NotImplementedError

    def _encrypted(self, tls: Tls) -> asyncio.BaseProtocol:
        return TlsTransport(self.connection(), tls, self.cut_off)

    def transcript(self) -> Transcript:
        """Return the transcript of a new connection."""
        return Transcript(self._transcripts)

    # From the links.

    def opened(self, link: Link, descriptor: int) -> Client | None:
        """Await the first message of a newcomer, unless there are too many."""
        self._links.add(link)
        client = Client(link, self, self._options)
        if not self.let_wait(client, link.address, descriptor, link.turn_away):
            link.turn_away()
            return None
        self._pending[client] = self.loop.call_later(self._time_to_speak, self._timed_out, client)
        return client

    def let_wait(
        self, newcomer: Hashable, address: str, descriptor: int, drop: Callable[[], None]
    ) -> bool:
        """Count a newcomer, for which another may have to give way; return False if it has to."""
        capacity = self.capacity
        gave_way = capacity.admit(newcomer, address, descriptor, drop)
        if gave_way:
            self._log.note(
                "turned away",
                gave_way,
                reason=f"{capacity.files:,} open files allow {capacity.connections:,} connections,"
                f" {capacity.newcomers:,} of them before their first message",
            )
        return capacity.is_waiting(newcomer, address)

    def let_linger(self, link: Link) -> bool:
        """Let a closed connection drain its input for a while; return False if too many do."""
        if len(self._lingering) >= self.capacity.lingering:
            return False
        self._lingering.add(link)
        return True

    def ended(self, link: Link) -> None:
        """Forget a connection whose socket is closed."""
        self._lingering.discard(link)
        self._links.discard(link)
        if not self._links:
            self._all_ended.set()

    async def drain(self) -> None:
        """Close all connections, and wait a while for the peers to close theirs."""
        self._log.flush()
        for link in list(self._links):
            link.close()
        if self._links:
            self._all_ended.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_ended.wait(), LINGER)

    # From the clients.

    def in_turn(self, client: Client, step: Callable[[], None]) -> None:
        """Run a step for a newcomer when it is its turn."""
        self._first_words.run(client.address, step)

    def admitted(self, client: Client) -> None:
        """Stop waiting for the first message of this newcomer."""
        timer = self._pending.pop(client, None)
        if timer is not None:
            timer.cancel()
        self.capacity.forget(client, client.address)

    def lost(self, client: Client) -> None:
        """Forget a client whose connection is lost."""
        self.admitted(client)

    def cut_off(self, address: str, reason: str) -> None:
        """Log that a connection from an address is aborted."""
        self._log.note("cut off", address, reason=reason)

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
        self._log.note("refused", address, reason=reason, **codes)

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

    def connection(self) -> asyncio.BaseProtocol:
        return cast(asyncio.BaseProtocol, self._link())  # it has all methods of one

    def _link(self) -> TcpLink:
        if self.link_type is not None:
            return self.link_type(self, self.transcript())
        if self._gap_ms:
            return PacedLink(self._gap_ms / 1000, self, self.transcript())
        return TcpLink(self, self.transcript())


class SiteDoor(TcpDoor):
    """A door for the website's process, which speaks for people: a Unix socket, and no port."""

    link_type = SiteLink

    async def listen_at(self, path: Path) -> asyncio.Server:
        """Open the socket."""
        return await self.loop.create_unix_server(
            self.connection, os.fspath(path), backlog=self.capacity.backlog
        )


class WebSocketDoor(Door):
    """A door for dialects over WebSocket."""

    def connection(self) -> "_Upgrade":
        def link(request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
            upgrade.end()
            headers = request.headers
            if is_listed(UPGRADE, headers.get(CONNECTION, "")):
                headers[CONNECTION] = UPGRADE  # picows accepts nothing beside it, as Firefox has it
            ears = upgrade.ears = Ears(WebSocketLink(self, self.transcript()))
            chosen = chosen_subprotocol(headers.get(SUBPROTOCOL, ""))
            if not chosen:
                return ears
            response = WSUpgradeResponse.create_101_response({SUBPROTOCOL: chosen})
            return WSUpgradeResponseWithListener(response, ears)

        # What ws_create_server of picows does, which leaves no way to see a connection that is
        # none of a WebSocket yet.
        upgrade = _Upgrade(
            None,  # host and port of a server
            None,  # path
            False,  # is it a client's
            link,
            logging.getLogger("picows.server"),
            True,  # disconnect on an exception
            TIME_TO_UPGRADE,
            True,  # ping
            PING_AFTER,
            PING_AFTER,
            WSAutoPingStrategy.PING_WHEN_IDLE,
            False,  # pong: the link answers, after it has looked at the frame
            MAX_MESSAGE,
            None,  # further headers
            READ_SIZE,
        )
        upgrade.door = self
        return upgrade


class _Upgrade(WSProtocol):  # type: ignore[misc]
    """A connection that is a newcomer before it is a WebSocket."""

    door: WebSocketDoor
    address = ""
    ears: Ears | None = None
    """What hears its messages, as soon as it is a WebSocket."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        stream = cast(asyncio.Transport, transport)
        self.address = address_of(stream)
        descriptor = stream.get_extra_info("socket").fileno()
        if not self.door.let_wait(self, self.address, descriptor, stream.abort):
            stream.abort()

    def buffer_updated(self, size: int) -> None:
        ears = self.ears
        messages = 0 if ears is None else ears.messages
        super().buffer_updated(size)
        if ears is None or ears.messages == messages:  # these bytes are a piece of something
            stream = self.transport.underlying_transport
            if not stream.is_closing():
                acknowledge(stream)

    def connection_lost(self, exc: Exception | None) -> None:
        self.end()
        super().connection_lost(exc)

    def end(self) -> None:
        """Count it no longer, because it is a WebSocket now, or lost."""
        self.door.capacity.forget(self, self.address)


_DOORS = {
    Transport.TCP: TcpDoor,
    Transport.WEBSOCKET: WebSocketDoor,
    Transport.SITE: SiteDoor,
}


def door_for(
    dialect: Dialect,
    lobby: Lobby,
    loop: asyncio.AbstractEventLoop,
    transcripts: Path | None,
    options: dict[str, Any] | None = None,
    time_to_speak: float = TIME_TO_SPEAK,
    capacity: Capacity | None = None,
    first_words: Turns | None = None,
) -> Door:
    """Return the door for a dialect's transport."""
    door = _DOORS[dialect.transport]
    return door(dialect, lobby, loop, transcripts, options, time_to_speak, capacity, first_words)
