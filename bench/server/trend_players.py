"""The players at `trend` tables: one process with all connections that does as little as it can.

They speak WebSocket by hand: of a frame they read its length and the name of its event, and every
request is answered at once with a check, which calls when something is owed.
"""

import gc
import os
import select
import socket
import sys
from time import monotonic

from bench.server.child import say, settings
from bench.server.players import watch

UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
REQUESTS = (b'{"eventName":"__action"', b'{"eventName":"__bet"')
READ_SIZE = 1 << 18
CLOSE = 0x88


def frame(payload: bytes) -> bytes:
    """Return a short text as a client sends it, masked with nothing."""
    assert len(payload) < 126
    return bytes((0x81, 0x80 | len(payload), 0, 0, 0, 0)) + payload


ANSWER = frame(b'{"eventName":"__action","data":{"action":"check"}}')


def connect(port: int, number: int) -> socket.socket:
    """Open a connection and join."""
    sock = socket.create_connection(("127.0.0.1", port), timeout=10)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.sendall(UPGRADE)
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        more = sock.recv(READ_SIZE)
        if not more:
            raise ConnectionError(f"no WebSocket: {answer!r}")
        answer += more
    sock.settimeout(None)
    sock.sendall(frame(b'{"eventName":"__join","data":{"playerName":"p%d"}}' % number))
    return sock


class Players:
    """All of them, and what has come of a frame whose rest is still on its way."""

    def __init__(self, poll: select.epoll) -> None:
        self._poll = poll
        self._rests: dict[int, bytes] = {}

    def answer_at_once(self, seconds: float) -> tuple[int, int, float]:
        """Play for a while; return how many answers and bytes that were, and in what time."""
        read, write, wait, rests = os.read, os.write, self._poll.poll, self._rests
        answers = came = 0
        began = monotonic()
        until = began + seconds
        while monotonic() < until:
            for fd, _ in wait(1.0):
                data = read(fd, READ_SIZE)
                if not data:
                    raise ConnectionError("the server has closed a connection")
                came += len(data)
                if fd in rests:
                    data = rests.pop(fd) + data
                at, length = 0, len(data)
                while at < length:
                    start, end = bounds(data, at)
                    if end > length:
                        rests[fd] = data[at:]
                        break
                    if data.startswith(REQUESTS, start):
                        write(fd, ANSWER)
                        answers += 1
                    at = end
        return answers, came, monotonic() - began


def bounds(data: bytes, at: int) -> tuple[int, int]:
    """Return where the payload of a frame begins and ends; beyond the data if it is not whole."""
    if len(data) < at + 4:
        return at + 4, at + 4
    if data[at] == CLOSE:
        raise ConnectionError("the server has said goodbye")
    size = data[at + 1]
    if size < 126:
        return at + 2, at + 2 + size
    if size == 126:
        return at + 4, at + 4 + (data[at + 2] << 8 | data[at + 3])
    raise ValueError("a frame of more than 64 KiB")


def main() -> None:
    """Play as the parent says."""
    asked = settings()
    gc.disable()
    sockets = [connect(asked["port"], number) for number in range(asked["connections"])]
    players = Players(watch(sockets))
    players.answer_at_once(asked["warm_up"])
    say("begin")
    answers, came, seconds = players.answer_at_once(asked["seconds"])
    say({"answers": answers, "bytes": came, "seconds": seconds})
    # Whoever leaves a table is absent from it, so everything is counted before the parent lets go.
    sys.stdin.read()
    for sock in sockets:
        sock.close()


if __name__ == "__main__":
    main()
