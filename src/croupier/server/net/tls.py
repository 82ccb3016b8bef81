"""TLS on a listener: the layer between a socket and the link that uses it.

To its link it is a transport, and keeps what links rely on: a message becomes one write, straight
to the kernel while it accepts bytes, and input can be read outside the event loop. The transports
of the loop promise neither, so the TLS session is driven here, with buffers instead of a socket.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from croupier.server.net.certificate import Certificate, TlsFiles
from croupier.server.net.stream import FAILED, READ_SIZE, ByteStream, PlainStream
from croupier.server.net.turns import Turns

MAX_SILENT = 64 * 1024
"""Bytes that may come in a row without a byte for the link. A security limit: a record has 16 KiB
at most, and some kinds cost the server more than the peer."""

CutOff = Callable[[str, str], None]
"""Log that the connection from an address is aborted, and why."""


class Tls(NamedTuple):
    """What the TLS connections of a listener share."""

    certificate: Certificate
    handshakes: Turns
    """One for all listeners of a process."""


def tls_with(files: TlsFiles | None, handshakes: Turns) -> Tls | None:
    """Return what a listener with these files needs, if it has any."""
    return None if files is None else Tls(Certificate(files), handshakes)


class TlsStream(ByteStream):
    """The bytes of a link, encrypted on their way."""

    def __init__(self, transport: "TlsTransport") -> None:
        self._transport = transport

    def send(self, data: bytes) -> int:
        return self._transport.send(data)

    def read_waiting(self) -> bytes:
        return self._transport.read_waiting()


class TlsTransport(asyncio.Protocol, asyncio.Transport):
    """The encrypted side of a connection, as its link sees it."""

    def __init__(self, protocol: asyncio.BaseProtocol, shared: Tls, cut_off: CutOff) -> None:
        super().__init__()
        self._protocol = protocol
        self._handshakes = shared.handshakes
        self._cut_off = cut_off
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        context = shared.certificate.context()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._is_open = False
        """The handshake is done."""
        self._has_ended = False
        """Nothing more is read or written."""
        self._silent = 0
        """Bytes since the last one for the link."""
        self._raw: asyncio.Transport
        self._stream: PlainStream

    # From the loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._raw = cast(asyncio.Transport, transport)
        self._stream = PlainStream(self._raw)
        self._protocol.connection_made(self)

    def data_received(self, data: bytes) -> None:
        plain = self._take(data)
        if plain:
            self._deliver(plain)

    def eof_received(self) -> bool | None:
        receiver = cast(asyncio.Protocol, self._protocol)
        return receiver.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._has_ended = True
        self._protocol.connection_lost(exc)
        # Some 40 KB, for which the garbage collector, which runs rarely, would come late.
        del self._tls, self._incoming, self._outgoing

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()

    # What comes in.

    def read_waiting(self) -> bytes:
        """Return input that has arrived but was not read yet."""
        data = self._stream.read_waiting()
        return self._take(data) if data else b""

    def _take(self, data: bytes) -> bytes:
        """Return what the peer has said, as far as it is complete."""
        if self._has_ended:
            return b""
        self._silent += len(data)
        self._incoming.write(data)
        if not self._is_open:
            self._handshakes.run(self._address, self._shake_hands)
            plain = b""
        else:
            plain = self._read()
        if plain:
            self._silent = 0
        elif self._silent > MAX_SILENT:
            self._break_off("too many bytes without a message")
        return plain

    def _shake_hands(self) -> None:
        """Go on with the handshake, and deliver what has come with its end."""
        if self._has_ended or self._is_open:
            return
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            self._flush()
            return
        except ssl.SSLError as error:
            self._flush()  # tells the peer why
            self._break_off(f"no TLS: {error.reason or 'not understood'}")
            return
        self._is_open = True
        self._flush()
        plain = self._read()
        if plain:
            self._silent = 0
            self._deliver(plain)

    def _read(self) -> bytes:
        pieces = []
        try:
            while True:
                piece = self._tls.read(READ_SIZE)
                if not piece:
                    break
                pieces.append(piece)
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            # The peer has closed its side, as if the connection had ended; not from within a read.
            asyncio.get_running_loop().call_soon(self.close)
        except ssl.SSLError as error:
            self._flush()
            self._break_off(f"broken TLS: {error.reason or 'not understood'}")
            return b""
        self._flush()
        return b"".join(pieces)

    def _deliver(self, plain: bytes) -> None:
        if not isinstance(self._protocol, asyncio.BufferedProtocol):
            cast(asyncio.Protocol, self._protocol).data_received(plain)
            return
        rest = memoryview(plain)
        while rest and not self._has_ended:
            # typeshed has no better type.
            buffer = cast(memoryview, self._protocol.get_buffer(len(rest)))
            size = min(len(buffer), len(rest))
            buffer[:size] = rest[:size]
            rest = rest[size:]
            self._protocol.buffer_updated(size)

    def _break_off(self, reason: str) -> None:
        self._cut_off(self._address, reason)
        self.abort()

    @property
    def _address(self) -> str:
        peer = self._raw.get_extra_info("peername")
        return peer[0] if isinstance(peer, tuple) else ""

    # For the link: a transport.

    def send(self, data: Any) -> int:
        """Send a message; return how many bytes have not left yet, or FAILED.

        Before the handshake is done there is nobody to hear it.
        """
        if not self._is_open or self._has_ended:
            return 0
        try:
            self._tls.write(data)
        except ssl.SSLError:
            return FAILED  # the session is broken: whoever writes to it is not to blame
        return self._flush()

    def _flush(self) -> int:
        """Send what the TLS session has to say, with one write."""
        data = self._outgoing.read()
        return self._stream.send(data) if data else 0

    def write(self, data: Any) -> None:
        if self.send(data) == FAILED:
            self.abort()

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(list_of_data))

    def get_write_buffer_size(self) -> int:
        return self._raw.get_write_buffer_size()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        if name == "ssl_object":
            return self._tls
        return self._raw.get_extra_info(name, default)

    def is_closing(self) -> bool:
        return self._raw.is_closing()

    def pause_reading(self) -> None:
        self._raw.pause_reading()

    def resume_reading(self) -> None:
        self._raw.resume_reading()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        """Say that nothing follows; what the peer still sends is read and dropped."""
        self._say_goodbye()
        self._raw.write_eof()

    def close(self) -> None:
        self._say_goodbye()
        self._raw.close()

    def abort(self) -> None:
        self._has_ended = True
        self._raw.abort()

    def _say_goodbye(self) -> None:
        if not self._has_ended:
            self._has_ended = True
            if self._is_open:
                with contextlib.suppress(ssl.SSLError):  # the peer's goodbye is not awaited
                    self._tls.unwrap()
                self._flush()
