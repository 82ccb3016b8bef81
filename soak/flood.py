"""Let one visitor ask for a hundred matches of house bots, and measure what players notice.

    python soak/flood.py [--seconds 5] [--tables 8] [--bots 10] [--requests 100]

An arena of its own, on ports of this machine that nobody else uses, has tables at which two players
each call whatever comes. Their decisions per second are counted before, during and after the flood,
in which a process of its own asks for matches between house bots, reads all that it is sent, and
asks again whenever it is refused. Everything ends by itself. The exit code is 1 if less than 80 %
of the decisions are left during the flood.

Server, players and visitor share the machine: with other work on it, the figures say little. So the
load is printed, too.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TARGET = 0.8
SETTLE = 1.0
"""Seconds between two measurements."""
AGAIN = 0.5
"""Seconds after which the visitor asks again."""
LIMIT = 120
"""Seconds after which every process ends in any case."""

ARENA = """
store = "flood.db"
[[listen]]
dialect = "huawei"
port = 0
gap_ms = 0
[[listen]]
dialect = "room"
port = 0
[rooms]
"""
TABLE = """
[[table]]
name = "t{number}"
number = {number}
seats = 2
dialects = ["huawei"]
set = {{ hands = 1000000, stack = 1000000000, decision_ms = 60000 }}
"""


class Players:
    """All players of all tables, who call."""

    def __init__(self) -> None:
        self.decisions = 0

    async def play(self, port: int, pid: int) -> None:
        """Play until the connection ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"reg: {pid} p{pid} \n".encode())
        unread = b""
        while piece := await reader.read(65536):
            unread += piece
            while b"/inquire" in unread:
                _, _, unread = unread.partition(b"/inquire")
                writer.write(b"call \n")
                self.decisions += 1

    async def rate(self, seconds: float) -> float:
        """Return the decisions per second from now on."""
        before, since = self.decisions, time.perf_counter()
        await asyncio.sleep(seconds)
        return (self.decisions - before) / (time.perf_counter() - since)


async def visit(port: int, room: str, bots: int, counts: dict[str, int]) -> None:
    """Ask for a match between house bots, and read it; ask again after each refusal."""
    wish = {"info": "ai_vs_ai", "room_id": room, "room_number": bots, "bots": ["RuleAgent"] * bots}
    body = json.dumps(wish).encode()
    while True:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(struct.pack("<i", len(body)) + body)
            counts["asked"] += 1
            first = await reader.read(65536)
            counts["refused"] += b'"error"' in first
            counts["bytes"] += len(first)
            while piece := await reader.read(65536):
                counts["bytes"] += len(piece)
            writer.close()
        await asyncio.sleep(AGAIN)


async def flood(port: int, bots: int, requests: int, seconds: float) -> None:
    """Be the visitor, and print what became of it."""
    counts = {"asked": 0, "refused": 0, "bytes": 0}
    visits = [visit(port, f"flood{number}", bots, counts) for number in range(requests)]
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*visits), seconds)
    print(json.dumps(counts))


async def measure(options: argparse.Namespace, ports: dict[str, int]) -> float:
    """Print the figures; return the share of decisions that is left during the flood."""
    players = Players()
    pids = range(1001, 1001 + 2 * options.tables)
    playing = [asyncio.create_task(players.play(ports["huawei"], pid)) for pid in pids]
    await asyncio.sleep(SETTLE)
    before = await players.rate(options.seconds)
    print(f"before: {before:,.0f} decisions/s at {options.tables} tables", flush=True)
    visitor = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, "--seconds", str(options.seconds + 2 * SETTLE)),
        *("--bots", str(options.bots), "--requests", str(options.requests)),
        *("--visit", str(ports["room"])),
        stdout=subprocess.PIPE,
    )
    await asyncio.sleep(SETTLE)
    during = await players.rate(options.seconds)
    told, _ = await visitor.communicate()
    counts = json.loads(told)
    print(
        f"during: {during:,.0f} decisions/s ({during / before:.0%}); the visitor asked for"
        f" {counts['asked']} matches, {counts['refused']} were refused, and it was sent"
        f" {counts['bytes'] / 1e6:.1f} MB"
    )
    await asyncio.sleep(SETTLE)
    after = await players.rate(options.seconds)
    print(f"after:  {after:,.0f} decisions/s ({after / before:.0%})")
    for task in playing:
        task.cancel()
    return during / before


def run(options: argparse.Namespace) -> float:
    """Start the arena, measure, and end it."""
    print("load:   {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()), f"on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        tables = (TABLE.format(number=number + 1) for number in range(options.tables))
        file = Path(folder) / "arena.toml"
        file.write_text(ARENA + "".join(tables))
        command = ["timeout", str(LIMIT), sys.executable, "-m", "croupier", "serve", str(file)]
        log = open(Path(folder) / "log", "w")  # noqa: SIM115
        with log, subprocess.Popen(
            [*command, "--web", "-1"], stdout=subprocess.PIPE, stderr=log, text=True
        ) as server:  # fmt: skip
            assert server.stdout is not None
            ports: dict[str, int] = {}
            while len(ports) < 2:
                line = server.stdout.readline()
                if not line:
                    sys.exit((Path(folder) / "log").read_text())
                found = re.match(r"listening: (\w+) .*:(\d+)", line)
                if found:
                    ports[found[1]] = int(found[2])
            try:
                return asyncio.run(measure(options, ports))
            finally:
                server.terminate()
                server.communicate()
                lines = len((Path(folder) / "log").read_text().splitlines())
                print(f"log:    {lines} lines")


def main() -> None:
    """Read the options, and measure or be the visitor."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--tables", type=int, default=8, help="of two players each")
    parser.add_argument("--bots", type=int, default=10, help="in each match that is asked for")
    parser.add_argument("--requests", type=int, default=100, help="of the visitor at a time")
    parser.add_argument("--visit", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.visit is not None:
        asyncio.run(flood(options.visit, options.bots, options.requests, options.seconds))
        return
    share = run(options)
    sys.exit(share < TARGET)


if __name__ == "__main__":
    main()
