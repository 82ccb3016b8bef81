"""Servers that say what a script says, over real sockets, for the client to cope with."""

import base64
import hashlib
import re
import socket
import struct
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

PATIENCE = 60.0
"""Seconds after which something that should have happened counts as failed."""

HEAR = None
"""In a script: wait until the player has said something."""

HOLD = "hold"
"""In a script: say nothing more, and keep the connection open until the player closes it."""

RESET = "reset"
"""In a script: cut the connection as a crash does, so that the player's kernel hears a reset."""

UPGRADE = "upgrade"
"""In a script of TCP: make a WebSocket of the connection, as the player has just asked for."""

Line = bytes | str | None
Script = Sequence[Line]


def upgraded(request: bytes) -> bytes:
    """Return what makes a WebSocket of a TCP connection."""
    (key,) = re.findall(rb"(?i)^sec-websocket-key: *(\S+)", request, re.M)
    digest = hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n"
    )


def text_frame(message: bytes) -> bytes:
    """Return a message of less than 64 KiB as WebSocket has it."""
    padded = message.ljust(126)  # a shorter one would have to say its length in another way
    return b"\x81\x7e" + struct.pack(">H", len(padded)) + padded


class TcpServer:
    """Follows one script for each connection, one after the other; then it closes it."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = scripts
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(PATIENCE)
        self.port: int = self._socket.getsockname()[1]
        self.heard: list[list[bytes]] = []
        """What the player said over each connection."""
        self._lines = 0
        self._progress = threading.Condition()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def wait_for_line(self, lines: int) -> None:
        """Wait until so many lines of the script are done."""
        with self._progress:
            assert self._progress.wait_for(lambda: self._lines >= lines, PATIENCE)

    def _serve(self) -> None:
        for number, script in enumerate(self._scripts, 1):
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return  # nobody came any more
            if number == len(self._scripts):
                self._socket.close()  # whoever comes after the last script finds nobody
            connection.settimeout(PATIENCE)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.heard.append([])
            with connection, suppress(ConnectionError):
                self._follow(connection, script)

    def _follow(self, connection: socket.socket, script: Script) -> None:
        for line in script:
            if line is HEAR:
                data = connection.recv(65536)
                if not data:
                    return
                self.heard[-1].append(data)
            elif line == HOLD:
                while connection.recv(65536):
                    pass
            elif line == RESET:
                nothing_kept = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, nothing_kept)
                return
            elif line == UPGRADE:
                connection.sendall(upgraded(self.heard[-1][-1]))
            else:
                assert isinstance(line, bytes)
                connection.sendall(line)
            with self._progress:
                self._lines += 1
                self._progress.notify_all()

    def __enter__(self) -> "TcpServer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes who waits for the next connection
        self._thread.join(PATIENCE)
        self._socket.close()


class WebSocketServer:
    """The same over WebSocket; a script may end with a close code and a reason."""

    def __init__(self, *scripts: Script, close: tuple[int, str] = (1000, "")) -> None:
        self._scripts = iter(scripts)
        self._close = close
        self.heard: list[list[str | bytes]] = []
        self._server: Server = serve(self._follow, "127.0.0.1", 0)
        self.port: int = self._server.socket.getsockname()[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _follow(self, connection: ServerConnection) -> None:
        script = next(self._scripts, ())
        self.heard.append(heard := [])
        with suppress(ConnectionClosed):
            for line in script:
                if line is HEAR:
                    heard.append(connection.recv(PATIENCE))
                elif line == HOLD:
                    connection.recv(PATIENCE)
                elif line == DROP:
                    connection.socket.close()
                    return
                else:
                    connection.send(line.decode() if isinstance(line, bytes) else line)
            connection.close(*self._close)

    def __enter__(self) -> "WebSocketServer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join(PATIENCE)


DROP = "drop"
"""In a script of WebSocket: cut the connection without saying so."""
