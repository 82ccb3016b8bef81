"""Flood a server in several ways, one after the other, and measure what players notice.

    python -m soak.flood [--seconds 5] [--tables 20] [--load 1000] [FLOOD ...]

An arena of its own, on ports of this machine that nobody else uses, has tables at which two players
each call whatever comes. For each flood, decisions per second and the server's memory are printed
before, during and after it; `soak/visitors.py` says what the floods are, and the visitors run in a
process of their own, with a file limit of their own. Everything ends by itself.

Players make a fixed number of decisions per second, spread evenly over the tables, as long as the
server keeps up: a question is answered when the next decision of its table is due, or at once if it
came later than that, and what was missed is not made up for. Players who answer as fast as they can
(`--load 0`) take all that is left of the machine, visitors too, and on two cores every flood would
halve what is left, whatever the server does. So the measure is whether a load that the server bears
is still borne, and what the server makes of its time is printed beside it:

- its reaction: from an answer to the next question of that table, at the end of a hand with the
  commit to the store; the median, and what one of a hundred exceeds,
- its processor time, of one core, and that of the visitors.

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
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from croupier.runtime import new_loop
from soak.visitors import FLOODS

TARGET = 0.8
SETTLE = 2.0
"""Seconds between two measurements."""
DECISION_MS = 1000
STARTING = 60.0
"""Seconds for whatever is not measured; after that the server ends in any case."""

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
[[listen]]
dialect = "kuhn"
port = 0
[rooms]
[kuhn]
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
WANTED = {"huawei", "room", "tls", "kuhn", "web", "metrics"}


class Table:
    """When the two players of a table decide."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._due = time.perf_counter()
        self.answered_at = 0.0

    def wait(self, now: float) -> float:
        """Return how long the question that came now has to wait for its answer."""
        self._due = max(now, self._due + self._interval)
        return self._due - now


class Players:
    """All players of all tables, who call."""

    def __init__(self, tables: int, load: float) -> None:
        """`load` is how many decisions they make a second, in all; 0 for all they can."""
        self._tables = [Table(tables / load if load else 0.0) for _ in range(tables)]
        self.decisions = 0
        self.reactions: list[float] = []
        """Seconds from each answer to the next question of its table."""
        self.slow = 0
        """Answers that were sent too late by the player's own clock."""

    def start(self, port: int) -> list[asyncio.Task[None]]:
        """Let two players sit down at each table."""
        return [
            asyncio.create_task(self._play(port, 1001 + 2 * number + side, table))
            for number, table in enumerate(self._tables)
            for side in (0, 1)
        ]

    async def _play(self, port: int, pid: int, table: Table) -> None:
        """Play until the connection ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"reg: {pid} p{pid} \n".encode())
        unread = b""
        while piece := await reader.read(65536):
            unread += piece
            while b"/inquire" in unread:
                _, _, unread = unread.partition(b"/inquire")
                arrived = time.perf_counter()
                if table.answered_at:
                    self.reactions.append(arrived - table.answered_at)
                if wait := table.wait(arrived):
                    await asyncio.sleep(wait)
                writer.write(b"call \n")
                table.answered_at = time.perf_counter()
                self.decisions += 1
                self.slow += table.answered_at - arrived > DECISION_MS / 1000


@dataclass(frozen=True)
class Figures:
    """What was measured for some seconds."""

    rate: float
    """Decisions per second."""
    median: float
    """Of the server's reaction, in seconds."""
    slowest: float
    """The reaction that one of a hundred exceeds."""
    processor: float
    """The server's share of a core."""
    memory: float
    """Of the server, in MB, at the end."""

    def __str__(self) -> str:
        return (
            f"{self.rate:,.0f} decisions/s, reaction {1000 * self.median:.1f} ms"
            f" (1 %: {1000 * self.slowest:.0f} ms), {self.processor:.0%} of a core,"
            f" RSS {self.memory:.0f} MB"
        )


class Server:
    """The arena's process, and what it says about itself."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
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
        # A server whose output nobody reads would stop one day.
        threading.Thread(target=process.stdout.read, daemon=True).start()
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        self._pid = children[0]

    async def watch(self, players: Players, seconds: float) -> Figures:
        """Measure for a while."""
        players.reactions.clear()
        decisions, processor, since = players.decisions, self._processor, time.perf_counter()
        await asyncio.sleep(seconds)
        took = time.perf_counter() - since
        reactions = sorted(players.reactions) or [math.inf]
        return Figures(
            rate=(players.decisions - decisions) / took,
            median=reactions[len(reactions) // 2],
            slowest=reactions[len(reactions) * 99 // 100],
            processor=(self._processor - processor) / took,
            memory=self._memory,
        )

    @property
    def _memory(self) -> float:
        """The memory of the server, in MB."""
        status = Path(f"/proc/{self._pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) / 1024

    @property
    def _processor(self) -> float:
        """The processor time that the server has taken, in seconds."""
        _, _, fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    async def timeouts(self) -> int:
        """Return how many questions were answered with nothing in time."""
        url = f"http://127.0.0.1:{self.ports['metrics']}/metrics"
        data = await asyncio.to_thread(lambda: urllib.request.urlopen(url, timeout=30).read())
        counted = re.search(r"^croupier_timeouts_total (\S+)", data.decode(), re.M)
        assert counted is not None
        return int(float(counted[1]))


async def visit(name: str, ports: dict[str, int], seconds: float) -> None:
    """Be the visitors, and print what became of them."""
    # Connections that are given up in the middle of a handshake are no news here.
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    flood, most = FLOODS[name]
    counts: Counter[str] = Counter()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(flood(ports, most, counts), seconds)
    share = time.process_time() / seconds
    print(
        ", ".join(f"{count:,} {what}" for what, count in counts.items()), f"{share:.0%} of a core"
    )


async def measure(
    name: str, options: argparse.Namespace, server: Server, players: Players
) -> tuple[float, int]:
    """Print the figures of one flood; return the share of decisions, and the false timeouts."""
    late, slow = await server.timeouts(), players.slow
    before = await server.watch(players, options.seconds)
    visitors = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "soak.flood", "--seconds", str(options.seconds + 2 * SETTLE)),
        *("--visit", json.dumps(server.ports), name),
        stdout=subprocess.PIPE,
    )
    await asyncio.sleep(2 * SETTLE)
    during = await server.watch(players, options.seconds)
    told, _ = await visitors.communicate()
    await asyncio.sleep(SETTLE)
    after = await server.watch(players, options.seconds)
    false = max(0, await server.timeouts() - late - (players.slow - slow))
    print(f"{name}:\n  before  {before}\n  during  {during}\n  after   {after}")
    print(f"  visitors: {told.decode().strip()}; false timeouts: {false}", flush=True)
    return during.rate / before.rate, false


async def measure_all(options: argparse.Namespace, server: Server) -> bool:
    """Measure one flood after the other; return whether players noticed little of any."""
    players = Players(options.tables, options.load)
    playing = players.start(server.ports["huawei"])
    await asyncio.sleep(SETTLE)
    found = {name: await measure(name, options, server, players) for name in options.floods}
    for task in playing:
        task.cancel()
    false = sum(count for _, count in found.values())
    shares = ", ".join(f"{name} {share:.0%}" for name, (share, _) in found.items())
    print(f"decisions during floods, of those before: {shares}; false timeouts: {false}")
    return not false and all(share >= TARGET for share, _ in found.values())


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
        limit = STARTING + len(options.floods) * 4 * (options.seconds + SETTLE)
        command = ["timeout", str(limit), sys.executable, "-m", "croupier", "serve", str(file)]
        with log.open("w") as errors, subprocess.Popen(
            [*command, "--web", "0"], stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process:  # fmt: skip
            try:
                with asyncio.Runner(loop_factory=new_loop) as runner:
                    return runner.run(measure_all(options, Server(process, log)))
            finally:
                process.terminate()
                process.communicate()


def main() -> None:
    """Read the options, and measure or be the visitors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("floods", nargs="*", default=list(FLOODS), metavar="|".join(FLOODS))
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--tables", type=int, default=20, help="of two players each")
    parser.add_argument("--load", type=float, default=1000.0, help="decisions/s; 0: all they can")
    parser.add_argument("--visit", help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = set(options.floods) - FLOODS.keys()
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(FLOODS)}")
    if options.visit is not None:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(visit(options.floods[0], json.loads(options.visit), options.seconds))
        return
    sys.exit(not run(options))


if __name__ == "__main__":
    main()
