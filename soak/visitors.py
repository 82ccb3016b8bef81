"""Visitors who take as much of a server as they can get; each kind of flood is one function.

`soak/flood.py` starts them in a process of their own. Each runs until it is cancelled and counts
what it did, as far as that says something.
"""

import asyncio
import contextlib
import json
import ssl
import struct
from collections import Counter
from collections.abc import Awaitable, Callable

HERE = "127.0.0.1"
AGAIN = 0.5
"""Seconds after which a visitor who was refused asks again."""

Flood = Callable[[dict[str, int], int, Counter[str]], Awaitable[None]]
"""A flood of ports by name, with a number of connections, and what is counted."""


def _frame(**fields: object) -> bytes:
    body = json.dumps(fields).encode()
    return struct.pack("<i", len(body)) + body


async def _say(
    port: int, words: bytes, counts: Counter[str], tls: ssl.SSLContext | None = None
) -> None:
    """Connect, say something, and read until the end."""
    with contextlib.suppress(OSError):
        reader, writer = await asyncio.open_connection(HERE, port, ssl=tls)
        counts["connections"] += 1
        writer.write(words)
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                counts["refused"] += b'"error"' in piece
                counts["bytes"] += len(piece)
        writer.close()


async def _again(port: int, words: bytes, counts: Counter[str], pause: float) -> None:
    while True:
        await _say(port, words, counts)
        await asyncio.sleep(pause)


async def bots(ports: dict[str, int], most: int, counts: Counter[str]) -> None:
    """Ask for matches between ten house bots, and watch them."""
    await asyncio.gather(
        *(
            _again(
                ports["room"],
                _frame(
                    info="ai_vs_ai",
                    room_id=f"flood{number}",
                    room_number=10,
                    bots=["RuleAgent"] * 10,
                ),
                counts,
                AGAIN,
            )
            for number in range(most)
        )
    )


async def rooms(ports: dict[str, int], most: int, counts: Counter[str]) -> None:
    """Open rooms that nobody will fill."""
    await asyncio.gather(
        *(
            _again(
                ports["room"],
                _frame(info="connect", room_id=f"empty{number}", name="x", room_number=10, bots=[]),
                counts,
                AGAIN,
            )
            for number in range(most)
        )
    )


async def refused(ports: dict[str, int], most: int, counts: Counter[str]) -> None:
    """Say nonsense, again and again without a pause."""
    await asyncio.gather(
        *(_again(ports["huawei"], b"nonsense \n", counts, 0.0) for _ in range(most))
    )


async def idle(ports: dict[str, int], most: int, counts: Counter[str]) -> None:
    """Hold connections that say nothing, and open new ones for those that were closed."""
    gate = asyncio.Semaphore(200)  # attempts at a time: the rest would wait in the kernel anyway

    async def hold() -> None:
        while True:
            with contextlib.suppress(OSError):
                async with gate:
                    reader, writer = await asyncio.open_connection(HERE, ports["huawei"])
                counts["connections"] += 1
                counts["open"] += 1
                with contextlib.suppress(OSError):
                    await reader.read(1)
                counts["open"] -= 1
                writer.close()
            await asyncio.sleep(AGAIN)

    await asyncio.gather(*(hold() for _ in range(most)))


async def kuhn(ports: dict[str, int], most: int, counts: Counter[str]) -> None:
    """Begin matches against the house, and leave, again and again without a pause."""

    async def challenge(number: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(HERE, ports["kuhn"])
                writer.write(f"STRT {number}\n".encode())
                answer = await reader.readline()
                counts["matches"] += answer.startswith(b"STKS")
                writer.close()
            await asyncio.sleep(0)

    await asyncio.gather(*(challenge(number) for number in range(1, most + 1)))


async def downloads(ports: dict[str, int], most: int, counts: Counter[str]) -> None:
    """Download what is on record of a running match, again and again."""

    async def get(path: str) -> bytes:
        reader, writer = await asyncio.open_connection(HERE, ports["web"])
        writer.write(f"GET /api/v1{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return answer

    _, _, found = (await get("/matches?per_page=50")).partition(b"\r\n\r\n")
    longest = max(json.loads(found)["items"], key=lambda match: match["hands"])["match"]

    async def download() -> None:
        while True:
            with contextlib.suppress(OSError):
                answer = await get(f"/matches/{longest}/export.jsonl")
                counts["sent" if answer.startswith(b"HTTP/1.1 200") else "refused"] += 1
                counts["bytes"] += len(answer)
            await asyncio.sleep(0)

    await asyncio.gather(*(download() for _ in range(most)))


async def http(ports: dict[str, int], most: int, counts: Counter[str]) -> None:
    """Send requests to the website, a byte a second."""

    async def crawl() -> None:
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(HERE, ports["web"])
                counts["connections"] += 1
                for byte in b"GET / HTTP/1.1\r\nHost: " + b"x" * 100:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    await asyncio.sleep(1.0)
                writer.close()
            await asyncio.sleep(AGAIN)

    await asyncio.gather(*(crawl() for _ in range(most)))


async def tls(ports: dict[str, int], most: int, counts: Counter[str]) -> None:
    """Make the server shake hands, again and again."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE

    async def shake() -> None:
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                _, writer = await asyncio.open_connection(HERE, ports["tls"], ssl=context)
                counts["connections"] += 1
                writer.transport.abort()
            await asyncio.sleep(0)

    await asyncio.gather(*(shake() for _ in range(most)))


FLOODS: dict[str, tuple[Flood, int]] = {
    "bots": (bots, 100),
    "rooms": (rooms, 1000),
    "refused": (refused, 50),
    "idle": (idle, 10_000),
    "kuhn": (kuhn, 50),
    "http": (http, 2000),
    "downloads": (downloads, 20),
    "tls": (tls, 50),
}
"""By name, with the number of connections at a time."""
