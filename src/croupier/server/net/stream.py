"""The bytes of a connection, between its transport and the kernel.

Writes go straight to the kernel while it accepts bytes, so that a message is one write and has left
when the call returns; input can be read outside the event loop.
"""

import asyncio
import os
import select
from typing import Final

from mypy_extensions import mypyc_attr

READ_SIZE: Final = 64 * 1024

FAILED: Final = -1
"""The connection cannot be written to any more."""


@mypyc_attr(allow_interpreted_subclasses=True)
class ByteStream:
    """What a link writes to and reads from."""

    def send(self, data: bytes) -> int:
        """Write a message; return how many bytes have not left yet, or FAILED."""
        raise NotImplementedError

    def read_waiting(self) -> bytes:
        """Return input that has arrived but was not read yet."""
        raise NotImplementedError


class PlainStream(ByteStream):
    """The stream of a transport."""

    __slots__ = ("_backlog", "_fd", "_poll", "_transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._fd: int = transport.get_extra_info("socket").fileno()
        self._backlog = False
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN)

    def send(self, data: bytes) -> int:
        transport = self._transport
        if transport.is_closing():
            return 0  # its socket may be another connection's by now
        if self._backlog and not transport.get_write_buffer_size():
            self._backlog = False
        if not self._backlog:
            try:
                sent = os.write(self._fd, data)
            except BlockingIOError:
                sent = 0
            except OSError:
                return FAILED
            if sent == len(data):
                return 0
            data = data[sent:]
            self._backlog = True
        transport.write(data)
        return transport.get_write_buffer_size()

    def read_waiting(self) -> bytes:
        if self._transport.is_closing():
            return b""
        try:
            # Mostly there is nothing, and asking costs less than a read that fails.
            if not self._poll.poll(0):
                return b""
            return os.read(self._fd, READ_SIZE)
        except OSError:
            return b""
