"""The bare echo: the same kind of loop, one answer of a given length to whatever comes."""

import asyncio
import socket
from time import process_time
from typing import cast

import uvloop

from bench.server.child import listen_to_parent, say, settings
from bench.server.players import QUESTION_END


class Echo(asyncio.Protocol):
    """Answers each request with the same message."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(self._message)


async def main() -> None:
    """Serve until the parent has heard enough."""
    message = QUESTION_END.rjust(settings()["length"], b".")
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Echo(message), "127.0.0.1", 0, backlog=1024)
    over = listen_to_parent(loop, lambda: {"cpu": process_time()})
    say({"port": server.sockets[0].getsockname()[1]})
    await over.wait()


if __name__ == "__main__":
    uvloop.run(main())
