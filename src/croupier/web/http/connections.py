"""The connections of browsers: how many there are, and how long a request may take to arrive.

Uvicorn has no limit for either. A connection counts as a newcomer until its request has arrived, so
that slow ones give way to others, and is closed if that takes too long.
"""

import asyncio
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from croupier.server.net.capacity import Capacity
from croupier.server.net.repeated_log import RepeatedLog
from croupier.server.net.tcp import address_of

_ARRIVING = (h11.IDLE, h11.SEND_BODY)


class BrowserProtocol(H11Protocol):
    """A connection of a browser; `limited` makes a class with limits."""

    capacity: Capacity
    log: RepeatedLog
    request_s: float
    _address = ""
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        stream = cast(asyncio.Transport, transport)
        super().connection_made(stream)
        self._address = address_of(stream)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self not in self.connections or self.conn.their_state not in _ARRIVING:
            self._request_arrived()
        elif self._timer is None:
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._request_arrived()
        super().connection_lost(exc)

    def _await_request(self) -> None:
        self._timer = self.loop.call_later(self.request_s, self._too_slow)
        descriptor = self.transport.get_extra_info("socket").fileno()
        abort = self.transport.abort
        gave_way = self.capacity.admit(self, self._address, descriptor, abort)
        if gave_way:
            self.log.note(
                "turned away",
                gave_way,
                reason=f"{self.capacity.files:,} open files allow"
                f" {self.capacity.newcomers:,} connections that wait for a request",
            )
        if not self.capacity.is_waiting(self, self._address):
            abort()

    def _request_arrived(self) -> None:
        """Wait no longer: the request is here, or the connection is a WebSocket, or lost."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.capacity.forget(self, self._address)

    def _too_slow(self) -> None:
        self._timer = None
        reason = f"no request within {self.request_s:g} s"
        self.log.note("cut off", self._address, reason=reason)
        self.transport.abort()


def limited(
    capacity: Capacity, loop: asyncio.AbstractEventLoop, request_s: float
) -> type[BrowserProtocol]:
    """Return the class of connections that share a capacity."""
    fields: dict[str, Any] = {
        "capacity": capacity,
        "log": RepeatedLog(loop, "web"),
        "request_s": request_s,
    }
    return type("LimitedBrowserProtocol", (BrowserProtocol,), fields)
