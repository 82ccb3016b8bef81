"""What 500 spectators of one table cost the referee: `python -m bench.server.spectators`.

Three tables in turns, of the same program with the same players: one without a website, one with a
website that nobody looks at, and one with its spectators. What counts is the CPU of the referee's
own process per decision; the website is a process of its own, whose cost is told beside it.
"""

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import websockets

SPECTATORS = 500
ROUNDS = 3
HANDS = 400
PAUSE = 0.002
"""Seconds that a player thinks: as fast as the table goes, nobody could watch it."""

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of(process: int) -> float:
    """Return the seconds that a process has worked."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def child_of(process: int) -> int:
    """Return the website's process."""
    path = Path(f"/proc/{process}/task/{process}/children")
    return int(path.read_text().split()[0])


async def player(port: int, pid: int) -> int:
    """Call whatever comes; return how many questions were answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"reg: {pid} p{pid} \n".encode())
    answered, unread = 0, b""
    while b"game-over" not in unread:
        piece = await reader.read(65536)
        if not piece:
            break
        unread += piece
        while b"/inquire" in unread:
            _, _, unread = unread.partition(b"/inquire")
            await asyncio.sleep(PAUSE)
            writer.write(b"call \n")
            answered += 1
    writer.close()
    return answered


async def spectator(address: str) -> int:
    """Follow the table to its end; return how many messages came."""
    count = 0
    with contextlib.suppress(websockets.ConnectionClosed, OSError):
        async with websockets.connect(address, max_size=None, open_timeout=60) as connection:
            async for _ in connection:
                count += 1
    return count


async def one_round(spectators: int | None, store: str) -> dict[str, Any]:
    """Play a match; return the referee's CPU per decision, and what was seen.

    Without a number of spectators there is no website.
    """
    with_web = spectators is not None
    web = ["--web", "0"] if with_web else []
    command = [sys.executable, "-m", "croupier", "host", "--listen", "huawei:0", "--seats", "2",
               "--hands", str(HANDS), "--once", "--json", "--store", store, *web]  # fmt: skip
    host = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
    )
    assert host.stdout is not None
    port, site = 0, ""
    while not port or (with_web and not site):
        line = await asyncio.to_thread(host.stdout.readline)
        found = re.search(r"listening: huawei .*:(\d+)", line)
        port = int(found.group(1)) if found else port
        found = re.search(r"web: http://(\S+?)/?$", line)
        site = found.group(1) if found else site
    address = f"ws://{site}/api/v1/tables/huawei/live"
    crowd = [asyncio.create_task(spectator(address)) for _ in range(spectators or 0)]
    await asyncio.sleep(3)
    before = cpu_of(host.pid)
    web_before = cpu_of(child_of(host.pid)) if with_web else 0.0
    drain = asyncio.create_task(asyncio.to_thread(host.stdout.read))
    answered = sum(await asyncio.gather(player(port, 1001), player(port, 1002)))
    used = cpu_of(host.pid) - before
    web_used = cpu_of(child_of(host.pid)) - web_before if with_web else 0.0
    host.terminate()
    await asyncio.to_thread(host.wait)
    await drain
    seen = await asyncio.gather(*crowd)
    return {
        "decisions": answered,
        "us": 1e6 * used / answered,
        "web_us": 1e6 * web_used / answered,
        "messages": sum(seen),
    }


def run() -> dict[str, Any]:
    """Measure in turns and print what was seen."""
    tables: dict[int | None, list[dict[str, Any]]] = {None: [], 0: [], SPECTATORS: []}
    for _ in range(ROUNDS):
        for spectators, rounds in tables.items():
            with tempfile.TemporaryDirectory() as folder:
                rounds.append(asyncio.run(one_round(spectators, f"{folder}/bench.db")))
    alone, unwatched, watched = (median(row["us"] for row in rounds) for rounds in tables.values())
    result = {
        "spectators": SPECTATORS,
        "referee_us_per_decision": round(alone, 1),
        "referee_us_per_decision_with_website": round(unwatched, 1),
        "referee_us_per_decision_watched": round(watched, 1),
        "growth_percent": round(100 * (watched / alone - 1), 1),
        "growth_by_spectators_percent": round(100 * (watched / unwatched - 1), 1),
        "website_us_per_decision": round(median(row["web_us"] for row in tables[SPECTATORS]), 1),
        "messages": sum(row["messages"] for row in tables[SPECTATORS]),
    }
    by_spectators = result["growth_by_spectators_percent"]
    print(
        f"{SPECTATORS} spectators: {alone:.0f} µs of the referee per decision without a website,"
        f" {unwatched:.0f} µs with one, {watched:.0f} µs with them ({result['growth_percent']:+.1f}"
        f" %, of which {by_spectators:+.1f} % by the spectators; asked: at most +10 %)"
    )
    return result


if __name__ == "__main__":
    print(json.dumps(run()))
