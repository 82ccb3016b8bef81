"""One TCP connection of a player.

Bytes go out with one write per message, straight to the kernel while it takes them, so that a
player's clock starts when the question has left. What waits in the kernel can be looked at outside
the event loop's turn: that is how old input is dropped before a question, and how an answer counts
that has arrived while the loop was busy.
"""

import asyncio
import os
import select
import socket
from collections.abc import Callable
from typing import Protocol, cast

from croupier.server.transcript import Transcript

MAX_UNSENT = 256 * 1024
"""Bytes that a player may leave unread. A security limit: beyond it he counts as gone."""

READ_SIZE = 64 * 1024

LINGER = 2.0
"""Seconds in which what a player still sends is read, after his connection was closed from here."""


_HANGING_UP = getattr(select, "POLLRDHUP", select.POLLHUP)  # where there is no word for half of it


class Owner(Protocol):
    """Whoever a connection belongs to: the door at first, then a table."""

    def received(self, connection: "Connection", data: bytes) -> None:
        """Take bytes from the player."""

    def lost(self, connection: "Connection") -> None:
        """Note that the connection is gone."""


class Door(Owner, Protocol):
    """The first owner, who hears of every new connection."""

    def opened(self, connection: "Connection") -> None:
        """Note that a connection is there."""

    def lingers(self, connection: "Connection") -> bool:
        """Tell whether a connection that is closed may stay for a while; there may be too many."""

    def ended(self, connection: "Connection") -> None:
        """Note that its socket is closed; that may be a while after its owner has lost it."""


class Connection(asyncio.Protocol):
    """A socket and whom its bytes go to."""

    __slots__ = (
        "_backlog",
        "_door",
        "_fd",
        "_is_lost",
        "_transport",
        "address",
        "closed",
        "owner",
        "transcript",
    )

    def __init__(self, door: Door, transcript: Transcript) -> None:
        self.owner: Owner = door
        self._door = door
        self.transcript = transcript
        self.address = ""
        self.closed = False
        self._transport: asyncio.Transport | None = None
        self._fd = -1
        self._backlog = False
        self._is_lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are no subclass of asyncio's, so this is a cast and not a check.
        self._transport = cast(asyncio.Transport, transport)
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._fd = sock.fileno()
        peer = transport.get_extra_info("peername")
        self.address = peer[0] if isinstance(peer, tuple) else ""
        self._door.opened(self)

    def data_received(self, data: bytes) -> None:
        if self.closed:
            return
        self.transcript.add(">", data)
        self.owner.received(self, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fd = -1
        if not self.closed:
            self.closed = True
            self.transcript.add("#", "connection lost")
        self._lose()
        self._door.ended(self)

    def _lose(self) -> None:
        """Tell the owner, once, that there is no connection any more."""
        if not self._is_lost:
            self._is_lost = True
            self.transcript.close()
            self.owner.lost(self)

    def send(self, message: bytes) -> None:
        """Write one message; a player who does not read is cut off."""
        if not self.closed:
            self._write(message)

    def ask(self, question: bytes, before: Callable[[], None], after: Callable[[], None]) -> None:
        """Write a question: `before` is called just before it leaves, `after` when it has left."""
        before()
        self.send(question)
        after()

    def _write(self, message: bytes) -> None:
        self.transcript.add("<", message)
        transport = self._transport
        assert transport is not None
        if self._backlog and not transport.get_write_buffer_size():
            self._backlog = False
        if not self._backlog:
            try:
                sent = os.write(self._fd, message)
            except BlockingIOError:
                sent = 0
            except OSError:
                self._cut_off("write failed")
                return
            if sent == len(message):
                return
            message = message[sent:]
            self._backlog = True
        transport.write(message)
        if transport.get_write_buffer_size() > MAX_UNSENT:
            self._cut_off(f"more than {MAX_UNSENT} bytes unread")

    def poll(self) -> bytes:
        """Return what has arrived but was not yet given to the owner."""
        if self.closed:
            return b""
        try:
            return os.read(self._fd, READ_SIZE)
        except OSError:
            return b""

    @property
    def hung_up(self) -> bool:
        """The other side has closed, as far as the kernel knows."""
        poll = select.poll()
        poll.register(self._fd, _HANGING_UP)
        return bool(poll.poll(0))

    def close(self) -> None:
        """Close after everything is sent.

        What the player sends meanwhile is read and thrown away for a while: bytes that nobody reads
        would make the kernel reset the connection, and what he was told last might be lost.
        """
        if not self.closed:
            self.closed = True
            self._end()

    def _end(self) -> None:
        assert self._transport is not None
        loop = asyncio.get_running_loop()
        loop.call_soon(self._lose)  # so that nobody is called back from here
        self.transcript.flush()  # before he can know that it is over
        if not self._door.lingers(self):
            self._transport.close()
        elif not self._transport.is_closing():
            self._transport.write_eof()
            loop.call_later(LINGER, self._transport.close)

    def drop(self, reason: str) -> None:
        """Cut the connection off."""
        if not self.closed:
            self._cut_off(reason)

    def _cut_off(self, reason: str) -> None:
        self.closed = True
        self.transcript.add("#", f"cut off: {reason}")
        assert self._transport is not None
        # connection_lost follows from the loop, so that nobody is called back from here.
        self._transport.abort()

    def flush_transcript(self) -> None:
        """Bring the transcript to the disk."""
        self.transcript.flush()
