"""Run the site's process, from its settings to its shutdown."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from sqlalchemy import Engine
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from croupier.runtime import new_loop
from croupier.server.net.capacity import Capacity
from croupier.store.schema import open_store
from croupier.web.admin.audit import flush_failed_logins
from croupier.web.http.app import application
from croupier.web.http.connections import limited
from croupier.web.http.settings import Settings
from croupier.web.site import Site

BACKLOG = 1024
SHUTDOWN_S = 2
MAX_SPECTATOR_MESSAGE = 1024
"""The maximum size of a spectator's message, in bytes; all are ignored. A security limit."""


class _Server(uvicorn.Server):
    """A server that leaves signal handling to the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals."""
        yield


class _WebSocket(WebSocketsSansIOProtocol):
    """A spectator's connection.

    Uvicorn considers a handshake incomplete when the site rejects it with an HTTP response such as
    404, and logs an error. Any response completes the handshake.
    """

    async def send(self, message: Any) -> None:
        """Send a message, and mark a rejected handshake as complete."""
        await super().send(message)
        if self.close_sent and self.initial_response is not None:
            self.handshake_complete = True


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Run the site until it is told to stop or its referee is gone.

    Raise OSError if it cannot listen, and StoreError if the store cannot be used.
    """
    with _store(settings) as engine, _listening(settings.bind, settings.port) as listener:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(_serve(settings, engine, listener, announce))


async def _serve(
    settings: Settings, engine: Engine, listener: socket.socket, announce: Callable[[str], None]
) -> None:
    site = Site.of(settings, engine)
    loop = asyncio.get_running_loop()
    server = _Server(
        uvicorn.Config(
            application(site),
            log_config=None,
            log_level=logging.WARNING,
            access_log=False,
            lifespan="off",
            http=limited(Capacity(), loop, settings.request_s),
            ws=_WebSocket,
            proxy_headers=False,  # else someone guessing the token could forge its address
            server_header=False,
            ws_max_size=MAX_SPECTATOR_MESSAGE,
            ws_per_message_deflate=False,  # would compress again for each spectator
            timeout_graceful_shutdown=SHUTDOWN_S,
        )
    )

    def end() -> None:
        server.should_exit = True

    loop.add_signal_handler(signal.SIGTERM, end)
    # Ctrl-C reaches the referee and its site alike; spectators should see how the matches end.
    loop.add_signal_handler(signal.SIGINT, end if settings.feed is None else lambda: None)
    # Only after the handlers are set: a program that reads this line may stop the process at once.
    if settings.announce:
        announce(f"web: http://{_address(listener)}/")
    following = None
    if settings.feed is not None:
        following = asyncio.create_task(site.feed.follow(socket.socket(fileno=settings.feed)))
        following.add_done_callback(lambda _: end())
    await server.serve(sockets=[listener])
    await flush_failed_logins(site)
    gone = following is not None and following.done() and following.exception() is None
    if settings.seats is not None and gone:
        # The referee may have been killed; it removes the socket otherwise.
        with contextlib.suppress(OSError):
            os.unlink(settings.seats)
            os.rmdir(os.path.dirname(settings.seats))
    if following is not None:
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following


def _address(listener: socket.socket) -> str:
    address, port = listener.getsockname()[:2]
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


@contextmanager
def _store(settings: Settings) -> Iterator[Engine]:
    """Open the store, or a temporary empty one if none is configured."""
    with contextlib.ExitStack() as stack:
        store = settings.store
        if store is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="croupier-web-"))
            store = str(Path(folder) / "none.db")
        engine = open_store(store)
        stack.callback(engine.dispose)
        yield engine


@contextmanager
def _listening(bind: str, port: int) -> Iterator[socket.socket]:
    with socket.create_server((bind, port), backlog=BACKLOG, family=_family(bind)) as listener:
        yield listener


def _family(bind: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in bind else socket.AF_INET


def print_line(text: str) -> None:
    """Print a line and flush it."""
    print(text, flush=True)


def print_error(text: str) -> None:
    """Print an error message and flush it."""
    print(text, file=sys.stderr, flush=True)
