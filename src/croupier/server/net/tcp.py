"""One TCP connection of a player.

Each message is one write, straight to the kernel while it accepts bytes (`stream`), so that a
player's clock starts when the question has left. Input can be polled outside the event loop: this
is how stale input is dropped before a question, and how an answer counts that arrived while the
loop was busy. With TLS both go through the TLS session of the connection (`tls`).
"""

import asyncio
import contextlib
import select
import socket
from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import mypyc_attr

from croupier.dialects.session import Farewell
from croupier.server.net.client import Client
from croupier.server.net.link import Link
from croupier.server.net.stream import FAILED, ByteStream, PlainStream
from croupier.server.net.tls import TlsStream, TlsTransport
from croupier.server.net.transcript import Transcript

if TYPE_CHECKING:
    from croupier.server.net.door import TcpDoor

MAX_UNSENT: Final = 256 * 1024
"""Bytes that a player may leave unread. A security limit: beyond it, it is disconnected."""

LINGER: Final = 2.0
"""Seconds for which input is still drained after the server has closed a connection."""


_QUICK_ACK: Final = getattr(socket, "TCP_QUICKACK", None)  # Linux only

# Without POLLRDHUP, as on macOS, a half-closed connection goes unnoticed.
_HANGING_UP: Final = getattr(select, "POLLRDHUP", select.POLLHUP)


KEEP_ALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""After a minute of silence the peer's machine is asked whether it is still there, for a minute."""


def keep_alive(sock: socket.socket) -> None:
    """Let the kernel find out when a peer is gone without a word."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEEP_ALIVE.items():
        if hasattr(socket, name):  # not everywhere
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def address_of(transport: asyncio.BaseTransport) -> str:
    """Return the address of the peer."""
    peer = transport.get_extra_info("peername")
    return peer[0] if isinstance(peer, tuple) else ""


def acknowledge(transport: asyncio.BaseTransport) -> None:
    """Acknowledge the received bytes at once, where the system can.

    A program without TCP_NODELAY sends the second piece of a message, or what follows a message
    that nobody asked for, only when the first is acknowledged. The kernel does that with the next
    message in return, or after 40 ms or more.
    """
    if _QUICK_ACK is not None:
        with contextlib.suppress(OSError):  # the connection may be gone already
            sock = transport.get_extra_info("socket")
            sock.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)


@mypyc_attr(allow_interpreted_subclasses=True)
class TcpLink(Link):
    """A TCP socket and the client whose bytes it carries: the protocol of a transport.

    It is none of asyncio's classes, from which compiled ones cannot be derived.
    """

    __slots__ = (
        "_client",
        "_door",
        "_fd",
        "_is_lost",
        "_peer_finished",
        "_stream",
        "_transport",
    )

    def __init__(self, door: "TcpDoor", transcript: Transcript) -> None:
        super().__init__(transcript)
        self._client: Client | None = None
        self._door = door
        self._transport: asyncio.Transport | None = None
        self._stream: ByteStream
        self._fd = -1
        self._is_lost = False
        self._peer_finished = False
        """The peer has closed its side: nothing more will come."""

    # From the transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are no subclass of asyncio's, so an isinstance check would fail.
        self._transport = cast(asyncio.Transport, transport)
        if isinstance(transport, TlsTransport):
            self._stream = TlsStream(transport)
        else:
            self._stream = PlainStream(self._transport)
        sock = transport.get_extra_info("socket")
        self._fd = sock.fileno()
        self.prepare(sock)
        self.address = address_of(transport)
        self._client = self._door.opened(self, self._fd)

    def prepare(self, sock: socket.socket) -> None:
        """Set the options of the socket."""
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        keep_alive(sock)

    def data_received(self, data: bytes) -> None:
        if not self.closed and self._client is not None:
            self._client.received(data)

    def eof_received(self) -> bool:
        """Let the transport close, unless a peer that says no more has something left to hear."""
        self._peer_finished = True
        if not self.closed and self._client is not None and self._client.says_no_more():
            return True
        if not self._has_queue:
            return False
        self.close()
        return True

    @property
    def _has_queue(self) -> bool:
        """Whether messages are waiting here, and not in the transport."""
        return False

    def pause_writing(self) -> None:
        """Go on: what a player leaves unread is limited here."""

    def resume_writing(self) -> None:
        """Do nothing: writing was never paused."""

    def connection_lost(self, exc: Exception | None) -> None:
        self._fd = -1
        if not self.closed:
            self.closed = True
            self.transcript.add("#", "connection lost")
        self._lose()
        self._door.ended(self)

    def _lose(self) -> None:
        """Tell the client, once, that the connection is lost."""
        if not self._is_lost:
            self._is_lost = True
            self.transcript.close()
            if self._client is not None:
                self._client.lost()
                self._client = None  # no cycle is left for the garbage collector, which runs rarely

    def send(self, message: bytes) -> None:
        """Write one message; a player that does not read is disconnected."""
        if not self.closed:
            self._write(message)

    def ask(self, question: bytes) -> None:
        """Write a question at once."""
        client = self._client
        if client is not None:
            client.about_to_ask()
            self.send(question)
            client.question_left()

    def _write(self, message: bytes) -> None:
        self.transcript.add("<", message)
        unsent = self._stream.send(message)
        if unsent == FAILED:
            self._abort("write failed")
        elif unsent > MAX_UNSENT:
            self._drop(f"more than {MAX_UNSENT} bytes unread")

    def pause_reading(self) -> None:
        """Leave further input in the kernel."""
        if self._transport is not None and not self.closed:
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read again, if that was paused."""
        if self._transport is not None and not self.closed:
            self._transport.resume_reading()

    def acknowledge(self) -> None:
        """Acknowledge the received bytes at once: nothing is sent in return for now."""
        if self._transport is not None and not self.closed:
            acknowledge(self._transport)

    def poll(self) -> bytes:
        """Return input that has arrived but was not read yet."""
        return b"" if self.closed else self._stream.read_waiting()

    @property
    def hung_up(self) -> bool:
        """The peer has closed the connection, as far as the kernel knows."""
        poll = select.poll()
        poll.register(self._fd, _HANGING_UP)
        return bool(poll.poll(0))

    def close(self, farewell: Farewell | None = None) -> None:
        """Close after everything is sent, with this farewell.

        Input is drained for a while after that: unread bytes would make the kernel reset the
        connection, and the player might lose the last messages.
        """
        if farewell is not None and farewell.message:
            self.send(farewell.message)
        if not self.closed:
            self.closed = True
            self._end()

    def _end(self) -> None:
        assert self._transport is not None
        loop = asyncio.get_running_loop()
        loop.call_soon(self._lose)  # later, so that no caller is re-entered
        self.transcript.flush()  # before the player can notice the end
        if self._peer_finished or not self._door.let_linger(self):
            self._transport.close()
        elif not self._transport.is_closing():
            with contextlib.suppress(OSError):  # the peer has reset it: the loop will tell
                self._transport.write_eof()
            loop.call_later(LINGER, self._transport.close)

    def drop(self, reason: str) -> None:
        """Abort the connection."""
        if not self.closed:
            self._drop(reason)

    def _drop(self, reason: str) -> None:
        self._door.cut_off(self.address, reason)
        self._abort(reason)

    def turn_away(self) -> None:
        """Abort the connection of a newcomer, for which there is no room."""
        if not self.closed:
            self._abort("turned away")

    def _abort(self, reason: str) -> None:
        self.closed = True
        self.transcript.add("#", f"cut off: {reason}")
        assert self._transport is not None
        # The loop calls connection_lost later, so that no caller is re-entered.
        self._transport.abort()


class SiteLink(TcpLink):
    """A connection of the website's process over a Unix socket, for one person."""

    __slots__ = ()

    def prepare(self, sock: socket.socket) -> None:
        """Set nothing: these options are TCP's."""

    def acknowledge(self) -> None:
        """Do nothing: there is nothing to acknowledge on a Unix socket."""
