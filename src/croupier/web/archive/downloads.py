"""Stream downloads of any size without letting them take the site over.

One thread produces the chunks of all downloads in turn, since two would only compete for the
interpreter with those who answer everybody else. A download that is not read holds no thread; there
may be only so many, of one address fewer, and one whose reader stops or creeps is cut off. Nothing
is kept on disk: the files would be larger than the store, and would have to follow what the
audience may see.
"""

import time
from collections.abc import AsyncIterator, Callable, Iterator

import structlog
from anyio import CapacityLimiter, fail_after, to_thread
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from croupier.server.table.limits import Quota

log = structlog.get_logger()

MAX_OPEN = 8
"""Downloads at the same time. A security limit."""

MAX_OPEN_PER_ADDRESS = 2

PATIENCE_S = 30.0
"""How long a reader may take for one chunk. A security limit."""

LEAST_RATE = 16 * 1024
"""Bytes per second that a reader has to take on average, apart from that time. A security limit."""

RETRY_S = 30

CHUNK = 1 << 16
"""The approximate size of a chunk, in characters."""


class Downloads:
    """The downloads that are being sent."""

    def __init__(self) -> None:
        self._quota = Quota(MAX_OPEN, MAX_OPEN_PER_ADDRESS)
        self._thread = CapacityLimiter(1)

    async def start(self, parts: Iterator[str], name: str, kind: str, address: str) -> Response:
        """Return a response with the parts of a file; raise HTTPException if it has to wait.

        `address` is the reader's.
        """
        refusal = self._quota.refusal(address, "downloads")
        if refusal:
            raise HTTPException(503, refusal, {"retry-after": str(RETRY_S)})
        chunks = _chunks(parts)
        self._quota.add(chunks, address)
        try:
            # Produce the first chunk before responding, while an error can still change the status.
            first = await self._next(chunks)
        except BaseException:
            self._quota.discard(chunks)
            raise
        return _Download(self._rest(first, chunks), name, kind, lambda: self._quota.discard(chunks))

    async def _rest(self, chunk: str | None, chunks: Iterator[str]) -> AsyncIterator[str]:
        while chunk is not None:
            yield chunk
            chunk = await self._next(chunks)

    async def _next(self, chunks: Iterator[str]) -> str | None:
        return await to_thread.run_sync(next, chunks, None, limiter=self._thread)


class _Download(StreamingResponse):
    """A response that gives up on a reader that stops or creeps."""

    def __init__(
        self, body: AsyncIterator[str], name: str, kind: str, ended: Callable[[], None]
    ) -> None:
        super().__init__(body, media_type=kind, headers=as_file(name))
        self._name = name
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file."""
        stopped = False
        to_spare = PATIENCE_S
        """Seconds that this reader may still take."""

        async def patiently(message: Message) -> None:
            nonlocal stopped, to_spare
            to_spare += len(message.get("body", b"")) / LEAST_RATE
            since = time.monotonic()
            try:
                with fail_after(min(PATIENCE_S, to_spare)):
                    await send(message)
            except TimeoutError:
                stopped = True
                raise
            to_spare -= time.monotonic() - since

        try:
            await super().__call__(scope, receive, patiently)
        except Exception:
            if not stopped:
                raise
            # The server closes a connection whose response has not been completed.
            log.info("a download was not read", file=self._name)
        finally:
            self._ended()


def as_file(name: str) -> dict[str, str]:
    """Return the headers with which a browser stores a response as a file."""
    safe = "".join(
        char if char.isascii() and (char.isalnum() or char in "._-") else "_" for char in name
    )
    return {"content-disposition": f'attachment; filename="{safe}"'}


def _chunks(parts: Iterator[str]) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size > CHUNK:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)
