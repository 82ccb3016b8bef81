"""Play for minutes on end, and measure what a server takes more and more of.

    python -m soak.growth [--minutes 10] [--tables 8] [--mb 20] [--descriptors 5]

Players of `huawei` call whatever comes, at tables of two whose matches follow each other. Every
second the server's resident memory, its open descriptors and the size of its store are read, with
the number of hands on record. The first fifth is warming up; over the rest the growth per million
hands is the slope of a straight line, which says something after some 100,000 hands. The exit code
is 1 if memory or descriptors grow by more than allowed. The store has to grow: it keeps every hand.
"""

import argparse
import asyncio
import os
import sqlite3
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from soak.serving import Server, free_ports

ARENA = """
store = "arena.db"
control = "arena.sock"
[[listen]]
dialect = "huawei"
port = {port}
gap_ms = 0
"""
TABLE = """
[[table]]
name = "t{number}"
number = {number}
seats = 2
wait_s = 0
set = {{ hands = 1000, decision_ms = 60000 }}
"""
WARM_UP = 0.2
"""The share of all samples that is left out."""
EVERY_S = 1.0
NOISE_MB = 10.0
"""Memory that comes and goes; less than that is not called growth, however few hands it took."""


@dataclass(frozen=True)
class Sample:
    """What a server has taken after so many hands."""

    hands: int
    memory: float
    descriptors: int
    store: float


async def call(port: int, pid: int) -> None:
    """Play one match after the other, and call whatever comes."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"reg: {pid} p{pid} \n".encode())
            unread = b""
            while piece := await reader.read(65536):
                unread += piece
                while b"/inquire" in unread:
                    _, _, unread = unread.partition(b"/inquire")
                    writer.write(b"call \n")
            writer.close()
        await asyncio.sleep(0.05)


def sample(pid: int, store: Path) -> Sample:
    """Read the figures of a process from the system."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        (hands,) = connection.execute("SELECT max(rowid) FROM hands").fetchone()
    status = Path(f"/proc/{pid}/status").read_text()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    files = (store, Path(f"{store}-wal"))
    size = sum(file.stat().st_size for file in files if file.exists())
    descriptors = len(os.listdir(f"/proc/{pid}/fd"))
    return Sample(hands or 0, int(resident.split()[1]) / 1024, descriptors, size / 1e6)


def per_million(samples: list[Sample], figure: str) -> float:
    """Return by how much a figure grows in a million hands."""
    points = [(one.hands / 1e6, float(getattr(one, figure))) for one in samples]
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


async def measure(options: argparse.Namespace, folder: Path) -> list[Sample]:
    """Play, and return what was measured."""
    (port,) = free_ports(1)
    tables = (TABLE.format(number=number + 1) for number in range(options.tables))
    (folder / "arena.toml").write_text(ARENA.format(port=port) + "".join(tables))
    server = Server(folder)
    await server.start()
    pids = range(1001, 1001 + 2 * options.tables)
    playing = [asyncio.create_task(call(port, pid)) for pid in pids]
    samples = []
    deadline = time.monotonic() + 60 * options.minutes
    while time.monotonic() < deadline:
        await asyncio.sleep(EVERY_S)
        samples.append(sample(server.pid, folder / "arena.db"))
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await server.stop()
    return samples


def main() -> None:
    """Read the options, measure, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="of play")
    parser.add_argument("--tables", type=int, default=8, help="of two players each")
    parser.add_argument("--mb", type=float, default=20.0, help="of memory per million hands")
    parser.add_argument("--descriptors", type=float, default=5.0, help="per million hands")
    options = parser.parse_args()
    print("load: {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()), f"on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        samples = asyncio.run(measure(options, Path(folder)))
    kept = samples[int(WARM_UP * len(samples)) :]
    if len(kept) < 2:
        sys.exit("too short: nothing was measured after warming up")
    first, last = kept[0], kept[-1]
    memory, descriptors = per_million(kept, "memory"), per_million(kept, "descriptors")
    print(
        f"{last.hands - first.hands:,} hands after warming up: memory {first.memory:.1f} to"
        f" {last.memory:.1f} MB, descriptors {first.descriptors} to {last.descriptors}; per million"
        f" hands {memory:+.1f} MB of memory, {descriptors:+.1f} descriptors,"
        f" {per_million(kept, 'store'):+,.0f} MB of store"
    )
    leaks = memory > options.mb and last.memory - first.memory > NOISE_MB
    sys.exit(leaks or descriptors > options.descriptors)


if __name__ == "__main__":
    main()
