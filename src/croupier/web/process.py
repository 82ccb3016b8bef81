"""The process of the site: from its settings to its end."""

import asyncio
import contextlib
import logging
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
from croupier.store.schema import open_store
from croupier.web.admin.audit import refusals_left
from croupier.web.http.app import application
from croupier.web.http.settings import Settings
from croupier.web.site import Site

BACKLOG = 1024
SHUTDOWN_S = 2
MAX_SPEECH = 1024
"""Bytes that a spectator may send at once: he has nothing to say. A security limit."""


class _Server(uvicorn.Server):
    """A server that leaves signals to the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class _WebSocket(WebSocketsSansIOProtocol):
    """A connection of a spectator.

    Uvicorn takes a request that was refused with an answer of its own, such as 404, for one that
    was never answered, and complains in the log. An answer completes the handshake.
    """

    async def send(self, message: Any) -> None:
        """Send what the site answers."""
        await super().send(message)
        if self.close_sent and self.initial_response is not None:
            self.handshake_complete = True


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Run the site until it is told to end, or its referee is gone.

    Raises OSError if it cannot listen, and StoreError if the store cannot be used.
    """
    with _store(settings) as engine, _listening(settings.bind, settings.port) as listener:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(_serve(settings, engine, listener, announce))


async def _serve(
    settings: Settings, engine: Engine, listener: socket.socket, announce: Callable[[str], None]
) -> None:
    site = Site.of(settings, engine)
    server = _Server(
        uvicorn.Config(
            application(site),
            log_config=None,
            log_level=logging.WARNING,
            access_log=False,
            lifespan="off",
            ws=_WebSocket,
            proxy_headers=False,  # whoever guesses the token could pretend any address
            server_header=False,
            ws_max_size=MAX_SPEECH,
            ws_per_message_deflate=False,  # it would be done again for each spectator
            timeout_graceful_shutdown=SHUTDOWN_S,
        )
    )
    loop = asyncio.get_running_loop()

    def end() -> None:
        server.should_exit = True

    loop.add_signal_handler(signal.SIGTERM, end)
    # Ctrl-C reaches a referee and his site alike; spectators are to see how the matches end.
    loop.add_signal_handler(signal.SIGINT, end if settings.feed is None else lambda: None)
    # Not before: whoever reads the line may end the process at once.
    announce(f"web: http://{_address(listener)}/")
    following = None
    if settings.feed is not None:
        following = asyncio.create_task(site.feed.follow(socket.socket(fileno=settings.feed)))
        following.add_done_callback(lambda _: end())
    await server.serve(sockets=[listener])
    await refusals_left(site)
    if following is not None:
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following


def _address(listener: socket.socket) -> str:
    address, port = listener.getsockname()[:2]
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


@contextmanager
def _store(settings: Settings) -> Iterator[Engine]:
    """Open the store; without one the site has an empty one that is gone afterwards."""
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


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)


def complain(text: str) -> None:
    """Print why nothing can be done."""
    print(text, file=sys.stderr, flush=True)
