"""Flood a server in several ways, one after the other, and measure what players notice.

    python -m soak.flood [--seconds 5] [--tables 8] [bots rooms refused idle http tls]

An arena of its own, on ports of this machine that nobody else uses, has tables at which two players
each call whatever comes. For each flood, decisions per second and the server's memory are printed
before, during and after it; `soak/visitors.py` says what the floods are, and the visitors run in a
process of their own, with a file limit of their own. Everything ends by itself.

A false timeout is one whose answer was sent in time by its sender's own stamps: players count their
answers that took longer than allowed, and every timeout of the server beyond those is false.

The exit code is 1 if a flood leaves less than 80 % of the decisions or causes a false timeout.
Server, players and visitors share the machine: with other work on it, the figures say little. So
the load is printed, too.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from pathlib import Path

from soak.visitors import FLOODS

TARGET = 0.8
SETTLE = 2.0
"""Seconds between two measurements."""
DECISION_MS = 1000
LIMIT = 300
"""Seconds after which the server ends in any case."""

ARENA = """
store = "flood.db"
metrics = 0
[[listen]]
dialect = "huawei"
port = 0
gap_ms = 0
[[listen]]
dialect = "room"
port = 0
[[listen]]
dialect = "huawei"
port = 0
tls = { cert = "cert.pem", key = "key.pem" }
[rooms]
"""
TABLE = """
[[table]]
name = "t{number}"
number = {number}
seats = 2
dialects = ["huawei"]
set = {{ hands = 1000000, stack = 1000000000, decision_ms = {decision_ms} }}
"""
NAMES = {"huawei+tls": "tls"}
WANTED = {"huawei", "room", "tls", "web", "metrics"}


class Players:
    """All players of all tables, who call."""

    def __init__(self) -> None:
        self.decisions = 0
        self.slow = 0
        """Answers that were sent too late by the player's own clock."""

    async def play(self, port: int, pid: int) -> None:
        """Play until the connection ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"reg: {pid} p{pid} \n".encode())
        unread = b""
        while piece := await reader.read(65536):
            arrived = time.perf_counter()
            unread += piece
            while b"/inquire" in unread:
                _, _, unread = unread.partition(b"/inquire")
                writer.write(b"call \n")
                self.decisions += 1
                self.slow += time.perf_counter() - arrived > DECISION_MS / 1000

    async def rate(self, seconds: float) -> float:
        """Return the decisions per second from now on."""
        before, since = self.decisions, time.perf_counter()
        await asyncio.sleep(seconds)
        return (self.decisions - before) / (time.perf_counter() - since)


class Server:
    """The arena's process, and what it says about itself."""

    def __init__(self, folder: Path, process: subprocess.Popen[str], log: Path) -> None:
        self.log = log
        self.ports: dict[str, int] = {}
        assert process.stdout is not None
        while self.ports.keys() < WANTED:
            line = process.stdout.readline()
            if not line:
                sys.exit(log.read_text())
            if found := re.match(r"listening: (\S+) .*:(\d+)", line):
                self.ports[NAMES.get(found[1], found[1])] = int(found[2])
            elif found := re.match(r"(web|metrics): http://[^:]+:(\d+)/", line):
                self.ports[found[1]] = int(found[2])
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        self._pid = children[0]

    @property
    def rss_mb(self) -> float:
        """The memory of the server, in MB."""
        status = Path(f"/proc/{self._pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) / 1024

    async def timeouts(self) -> int:
        """Return how many questions were answered with nothing in time."""
        url = f"http://127.0.0.1:{self.ports['metrics']}/metrics"
        data = await asyncio.to_thread(lambda: urllib.request.urlopen(url, timeout=30).read())
        counted = re.search(r"^croupier_timeouts_total (\S+)", data.decode(), re.M)
        assert counted is not None
        return int(float(counted[1]))


async def visit(name: str, ports: dict[str, int], seconds: float) -> None:
    """Be the visitors, and print what became of them."""
    flood, most = FLOODS[name]
    counts: Counter[str] = Counter()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(flood(ports, most, counts), seconds)
    print(json.dumps(counts))


async def measure(name: str, options: argparse.Namespace, server: Server, players: Players) -> bool:
    """Print the figures of one flood; return whether players noticed little of it."""
    late, slow = await server.timeouts(), players.slow
    before, memory = await players.rate(options.seconds), server.rss_mb
    ports = json.dumps(server.ports)
    visitors = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "soak.flood", "--seconds", str(options.seconds + 2 * SETTLE)),
        *("--visit", ports, name),
        stdout=subprocess.PIPE,
    )
    await asyncio.sleep(2 * SETTLE)
    during, held = await players.rate(options.seconds), server.rss_mb
    told, _ = await visitors.communicate()
    await asyncio.sleep(SETTLE)
    after, left = await players.rate(options.seconds), server.rss_mb
    false = max(0, await server.timeouts() - late - (players.slow - slow))
    print(
        f"{name:8} decisions/s {before:6,.0f} before, {during:6,.0f} during"
        f" ({during / before:.0%}), {after:6,.0f} after ({after / before:.0%});"
        f" RSS {memory:.0f}, {held:.0f}, {left:.0f} MB;"
        f" false timeouts {false}; visitors: {told.decode().strip()}",
        flush=True,
    )
    return during >= TARGET * before and not false


async def measure_all(options: argparse.Namespace, server: Server) -> bool:
    """Measure one flood after the other; return whether all is well."""
    players = Players()
    pids = range(1001, 1001 + 2 * options.tables)
    playing = [asyncio.create_task(players.play(server.ports["huawei"], pid)) for pid in pids]
    await asyncio.sleep(SETTLE)
    well = [await measure(name, options, server, players) for name in options.floods]
    for task in playing:
        task.cancel()
    return all(well)


def run(options: argparse.Namespace) -> bool:
    """Start the arena, measure, and end it."""
    print("load: {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()), f"on {os.cpu_count()} cores")
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables = (
            TABLE.format(number=number + 1, decision_ms=DECISION_MS)
            for number in range(options.tables)
        )
        file, log = folder / "arena.toml", folder / "log"
        file.write_text(ARENA + "".join(tables))
        subprocess.run(
            "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
            f" -keyout {folder}/key.pem -out {folder}/cert.pem".split(),
            check=True,
            stderr=subprocess.DEVNULL,
        )
        command = ["timeout", str(LIMIT), sys.executable, "-m", "croupier", "serve", str(file)]
        with log.open("w") as errors, subprocess.Popen(
            [*command, "--web", "0"], stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process:  # fmt: skip
            try:
                return asyncio.run(measure_all(options, Server(folder, process, log)))
            finally:
                process.terminate()
                process.communicate()
                print(f"log: {len(log.read_text().splitlines())} lines")


def main() -> None:
    """Read the options, and measure or be the visitors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("floods", nargs="*", default=list(FLOODS), metavar="|".join(FLOODS))
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--tables", type=int, default=8, help="of two players each")
    parser.add_argument("--visit", help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = set(options.floods) - FLOODS.keys()
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(FLOODS)}")
    if options.visit is not None:
        asyncio.run(visit(options.floods[0], json.loads(options.visit), options.seconds))
        return
    sys.exit(not run(options))


if __name__ == "__main__":
    main()
