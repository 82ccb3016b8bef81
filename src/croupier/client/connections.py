"""Connections to a server over TCP and WebSocket, behind one interface.

A `Connection` carries bytes or whole messages and knows nothing of dialects; a `Session` owns it.
"""

import asyncio
import logging
import os
import ssl
from contextlib import suppress
from typing import Protocol

from picows import (
    WSCloseCode,
    WSError,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    ws_connect,
)

from croupier.client.address import Address
from croupier.client.result import JoinError
from croupier.dialects.dialect import Transport
from croupier.dialects.player_side import WireError, one_line

CONNECT_TIMEOUT = 10.0
CLOSE_TIMEOUT = 1.0
READ_SIZE = 64 * 1024
MAX_MESSAGE = 1024 * 1024
"""Limit on the bytes of one WebSocket message, so that a server cannot exhaust memory."""

# Connection errors are reported as JoinError; picows would log them a second time.
logging.getLogger("picows").addHandler(logging.NullHandler())


class Connection(Protocol):
    """An open connection; `code` and `reason` come from the WebSocket close frame, if any."""

    code: int
    reason: str

    async def receive(self) -> bytes:
        """Return the next bytes (over WebSocket one whole message), or b"" once it is closed."""

    def send(self, data: bytes) -> None:
        """Send bytes (over WebSocket as one message)."""

    async def close(self) -> None:
        """Close the connection if it is still open."""


def trust(ca: str | os.PathLike[str] | None) -> ssl.SSLContext:
    """Return what servers' certificates are checked with: the system's authorities, or a file."""
    try:
        return ssl.create_default_context(cafile=ca)
    except ssl.SSLError:
        raise JoinError(f"{ca} has no certificate in PEM") from None
    except OSError as error:
        raise JoinError(f"cannot read {ca}: {_one_line(error)}") from None


async def connect(
    address: Address, tls: ssl.SSLContext | None, seconds: float = CONNECT_TIMEOUT
) -> Connection:
    """Open a connection; raise JoinError if that fails or takes more than `seconds`."""
    try:
        async with asyncio.timeout(seconds):
            if address.dialect.transport is Transport.WEBSOCKET:
                return await WebSocketConnection.open(address, tls)
            reader, writer = await asyncio.open_connection(address.host, address.port, ssl=tls)
            return TcpConnection(reader, writer)
    except TimeoutError:
        reason = f"no answer within {seconds:g} s"
    except ssl.SSLCertVerificationError as error:
        reason = f"its certificate is not trusted: {error.verify_message}"
    except ssl.SSLError as error:
        reason = f"that server does not speak TLS ({error.reason or _one_line(error)})"
    except WSError as error:
        name = address.dialect.name
        reason = f"that server does not speak WebSocket, as {name} does ({_one_line(error)})"
    except (OSError, UnicodeError) as error:
        reason = _one_line(error)
    raise JoinError(f"cannot connect to {address.netloc}: {reason}")


def _one_line(error: BaseException) -> str:
    number = getattr(error, "errno", None)
    # asyncio replaces the system's text with its own; a failed name lookup has a negative number.
    text = os.strerror(number) if number and number > 0 else getattr(error, "strerror", None)
    return " ".join((text or str(error) or type(error).__name__).split())


class TcpConnection:
    """A TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.code = 0
        self.reason = ""
        self._reader = reader
        self._writer = writer

    async def receive(self) -> bytes:
        try:
            return await self._reader.read(READ_SIZE)
        except OSError:
            return b""

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    async def close(self) -> None:
        self._writer.close()
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await self._writer.wait_closed()
        except OSError:  # TimeoutError included: do not wait for a peer that does not read
            self._writer.transport.abort()


class WebSocketConnection(WSListener):
    """A WebSocket connection."""

    def __init__(self) -> None:
        self.code = 0
        self.reason = ""
        self._messages: asyncio.Queue[bytes] = asyncio.Queue()
        self._partial = b""
        self._too_large = False
        self._transport: WSTransport | None = None

    @classmethod
    async def open(cls, address: Address, tls: ssl.SSLContext | None) -> "WebSocketConnection":
        """Connect to the address and complete the WebSocket handshake."""
        scheme = "ws" if tls is None else "wss"
        _, connection = await ws_connect(
            cls,
            f"{scheme}://{address.netloc}/{address.table}",
            ssl_context=tls,
            max_frame_size=MAX_MESSAGE,
            websocket_handshake_timeout=CONNECT_TIMEOUT,
        )
        # picows treats a connection closed during the handshake as a success.
        if not isinstance(connection, WebSocketConnection):
            raise WSError("it closed the connection")
        return connection

    # Callbacks of picows.

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            self.code = frame.get_close_code().value
            self.reason = one_line((frame.get_close_message() or b"").decode("utf-8", "replace"))
            transport.send_close(WSCloseCode.OK)
            transport.disconnect()
        elif frame.msg_type in (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION):
            self._partial += frame.get_payload_as_bytes()
            if len(self._partial) > MAX_MESSAGE:
                self._partial = b""
                self._too_large = True
                transport.disconnect(False)
            elif frame.fin:
                message, self._partial = self._partial, b""
                self._messages.put_nowait(message or b" ")  # b"" means closed

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._messages.put_nowait(b"")

    # The Connection interface.

    async def receive(self) -> bytes:
        message = await self._messages.get()
        if self._too_large:
            raise WireError(f"a message of more than {MAX_MESSAGE} bytes")
        if not message and self._transport is not None:
            try:
                await self._transport.wait_disconnected()
            except WSError as error:
                raise WireError(_one_line(error)) from None
        return message

    def send(self, data: bytes) -> None:
        assert self._transport is not None
        if data and not self._transport.is_disconnected:
            self._transport.send(WSMsgType.TEXT, data)

    async def close(self) -> None:
        assert self._transport is not None
        if not self._transport.is_disconnected:
            self._transport.send_close(WSCloseCode.OK)
            self._transport.disconnect()
        with suppress(WSError):
            await self._transport.wait_disconnected()
