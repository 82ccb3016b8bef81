"""Hands recorded per second in both kinds of stores, by tables that each wait for their record.

`python -m bench.stores [--seconds 2]`. PostgreSQL is left out where it is not installed. Here its
cluster is on this machine and syncs to disk as it would in earnest.
"""

import argparse
import tempfile
import threading
import time
from itertools import count
from pathlib import Path

import msgspec
from sqlalchemy import text

from croupier.rules.sets import PLAIN
from croupier.store import queries
from croupier.store.databases import claim
from croupier.store.records import HandRecord
from croupier.store.schema import open_store
from croupier.store.writer import Writer
from tests.store.recorded import record_match
from tests.support import postgres

TABLES = (1, 32, 256)
BOTS = ["RuleAgent", "TightAggressive", "CallAgent", "RandomAgent", "RuleAgent", "LoosePassive"]


def sample(folder: Path) -> list[HandRecord]:
    """Return real hands at six seats, to be recorded again and again."""
    store = str(folder / "sample.db")
    rules = PLAIN.with_fields({"hands": 200, "stack": 1_000_000})
    recording = record_match(store, rules, BOTS, "bench")
    engine = open_store(store)
    hands = queries.hands(engine, recording.id)
    engine.dispose()
    states = [msgspec.json.encode(state) for state in recording.states]
    times = [(player, 1000 + player) for player in range(len(BOTS))]
    return [
        HandRecord("", 0, 0.0, row.events, state, times)
        for row, state in zip(hands, states, strict=True)
    ]


def measure(
    store: str, durability: str, tables: int, seconds: float, hands: list[HandRecord]
) -> float:
    """Return the hands per second that so many tables get recorded."""
    engine = open_store(store, durability=durability)
    access = claim(engine)
    writer = Writer(engine, lambda call: call())
    stop = threading.Event()
    done = [0]
    numbers = [count(1) for _ in range(tables)]

    def next_hand(table: int) -> None:
        if stop.is_set():
            return
        number = next(numbers[table])
        hand = hands[(number + table) % len(hands)]
        record = HandRecord(
            f"{tables}-{durability}-{table}",
            number,
            time.time(),
            hand.events,
            hand.state,
            hand.times,
        )

        def stored() -> None:
            done[0] += 1
            next_hand(table)

        writer.write(record, stored)

    began = time.monotonic()
    for table in range(tables):
        next_hand(table)
    time.sleep(seconds)
    stop.set()
    rate = done[0] / (time.monotonic() - began)
    writer.close()
    access.close()
    engine.dispose()
    return rate


def main() -> None:
    """Measure all kinds side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    seconds: float = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hands = sample(folder)
        stores = [
            ("SQLite, process", str(folder / "process.db"), "process"),
            ("SQLite, power", str(folder / "power.db"), "power"),
        ]
        if postgres.binaries() is None:
            print(postgres.WHY_NOT)
            _report(stores, seconds, hands)
            return
        with postgres.cluster() as cluster:
            store = cluster.fresh()
            engine = open_store(store)
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text("ALTER SYSTEM SET fsync TO on"))
                connection.execute(text("ALTER SYSTEM SET full_page_writes TO on"))
                connection.execute(text("SELECT pg_reload_conf()"))
            engine.dispose()
            _report([*stores, ("PostgreSQL", store, "process")], seconds, hands)


def _report(stores: list[tuple[str, str, str]], seconds: float, hands: list[HandRecord]) -> None:
    for name, store, durability in stores:
        for tables in TABLES:
            rate = measure(store, durability, tables, seconds, hands)
            print(f"{name:16} {tables:4} tables {rate:8,.0f} hands/s", flush=True)


if __name__ == "__main__":
    main()
