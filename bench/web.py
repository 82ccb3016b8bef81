"""`python -m bench.web`: the site's answers for a very long match and for very many short ones.

It makes two stores in a temporary folder (about 1 GB with the default sizes, removed at the end),
and asks a site of its own, started anew for each line, so that it remembers nothing. "Once" is a
store as older versions wrote it, in which nothing was kept: what every first look took before, and
what the first one of all still takes. "Kept" is one in which sums were kept as matches were played.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from sqlalchemy import Engine, text

from croupier.bots import house_bot
from croupier.deals import seed_from_text
from croupier.match.chance import SeededChance
from croupier.rules.sets import HUAWEI
from croupier.running.in_process import play
from croupier.server.table.task import MatchTask, Player
from croupier.store import careers
from croupier.store.records import Record
from croupier.store.schema import open_store
from croupier.store.writer import Writer
from croupier.web.archive.downloads import MAX_OPEN

BOTS = ("RuleAgent", "CallAgent", "RandomAgent", "CallAgent", "RandomAgent", "RuleAgent")
SHORT_HANDS = 2
SHORT_PLAYERS = 2
PLAYED = 200
"""Short matches that are really played; the others are their copies."""
TEAMS = 60
SECONDS = 600


class Sink:
    """A writer that makes the match wait when it falls behind."""

    def __init__(self, engine: Engine) -> None:
        self._writer = Writer(engine, lambda call: call())

    @property
    def waiting(self) -> int:
        """The number of records that are not stored yet."""
        return self._writer.waiting

    def write(self, record: Record, acknowledge: object) -> None:
        """Store a record."""
        while self._writer.waiting > 4000:
            time.sleep(0.01)
        self._writer.write(record, lambda: None)

    def close(self) -> None:
        """Store what is left."""
        self._writer.close()


def record(sink: Sink, hands: int, teams: Sequence[str], seed: str) -> str:
    """Play a match into a store and return its id."""
    number = seed_from_text(seed)
    chance = SeededChance(number)
    bots = {
        place: house_bot(name, chance.bot(place)) for place, name in enumerate(BOTS[: len(teams)])
    }
    players = tuple(Player(team, bot) for team, bot in zip(teams, BOTS, strict=False))
    rules = HUAWEI.with_fields({"hands": hands, "stacks": "reset", "reserve": 0})
    task = MatchTask(
        name=seed,
        place="bench",
        rules=rules,
        players=players,
        seed=number,
        secret=False,
        recorded=True,
        folder="",
        output="",
    )
    return play(task, bots, sink).match_id


def copy_matches(engine: Engine, copies: int) -> None:
    """Multiply the matches of a store, and count them as the writer would have."""
    with engine.begin() as connection:
        for table in ("matches", "hands"):
            rows = connection.execute(text(f"PRAGMA table_info({table})"))
            columns = [row.name for row in rows]
            key = "id" if table == "matches" else "match_id"
            new = {key: f"{key} || '-' || n", "counted": "0", "began": "began + n"}
            values = ", ".join(new.get(name, name) for name in columns)
            connection.execute(
                text(
                    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
                    f" WHERE n < :copies) INSERT INTO {table} SELECT {values} FROM {table}, c"
                ),
                {"copies": copies - 1},
            )
    careers.totals(engine)


def forget(engine: Engine) -> None:
    """Make a store one of an older version, which kept no sums."""
    with engine.begin() as connection:
        for statement in ("DELETE FROM stretches", "DELETE FROM careers"):
            connection.execute(text(statement))
        connection.execute(text("UPDATE matches SET counted = 0"))


@contextmanager
def site(store: Path | str) -> Iterator[str]:
    """Run a site and yield the address of its API."""
    command = [sys.executable, "-m", "croupier.web"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"port": 0, "store": str(store)}) + "\n")
    process.stdin.flush()
    try:
        address = process.stdout.readline().removeprefix("web: ").strip()
        fetch(f"{address}api/v1/tables")
        yield f"{address}api/v1"
    finally:
        process.terminate()
        process.wait()


def fetch(url: str) -> tuple[float, int]:
    """Return how many seconds an answer took, and its size."""
    began = time.perf_counter()
    size = 0
    with urlopen(url, timeout=SECONDS) as answer:
        while part := answer.read(1 << 20):
            size += len(part)
    return time.perf_counter() - began, size


def looks(title: str, store: Path, paths: Sequence[str], match_id: str = "") -> None:
    """Print how long a fresh site takes for each path, the first time and again."""
    for path in paths:
        with site(store) as api:
            first, again = fetch(api + path)[0], fetch(api + path)[0]
        shown = path.replace(match_id, "MATCH") if match_id else path
        print(
            f"  {title:<6} {shown:<32} first {first * 1e3:10,.1f} ms  again {again * 1e3:8,.1f} ms"
        )


def exports(store: Path, match_id: str) -> None:
    """Print what an export takes, what others get meanwhile, and what one too many is told."""
    with site(store) as api:
        url = f"{api}/matches/{match_id}/export.jsonl"
        fetch(f"{api}/matches/{match_id}")
        took: list[tuple[float, int]] = []
        thread = threading.Thread(target=lambda: took.append(fetch(url)))
        thread.start()
        others = []
        while thread.is_alive():
            others.append(1e3 * fetch(f"{api}/matches/{match_id}")[0])
            time.sleep(0.1)
        others.sort()
        print(
            f"  an export of {took[0][1] / 1e6:,.0f} MB takes {took[0][0]:.1f} s; a page meanwhile"
            f" {others[len(others) // 2]:.0f} ms (median), {others[-1]:.0f} ms at most"
        )
        with ExitStack() as stack:
            for _ in range(MAX_OPEN):
                stack.enter_context(urlopen(url, timeout=SECONDS))
            try:
                fetch(url)
            except HTTPError as error:
                said = json.loads(error.read())["error"]
                print(f"  number {MAX_OPEN + 1}: {error.code}, {said}")


def main() -> None:
    """Make the stores and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--matches", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as name:
        store = Path(name) / "long.db"
        engine = open_store(str(store))
        sink = Sink(engine)
        match_id = record(sink, options.hands, [f"T{place}" for place in range(6)], "long")
        sink.close()
        size = sum(path.stat().st_size for path in Path(name).iterdir())
        print(f"one match of {options.hands:,} hands, {size / 1e6:,.0f} MB", flush=True)
        page = f"/matches/{match_id}"
        paths = [page, f"{page}/hands?order=pot", f"{page}/chips"]
        looks("kept", store, paths, match_id)
        forget(engine)
        looks("once", store, paths[:1], match_id)
        exports(store, match_id)
        engine.dispose()
        for path in Path(name).iterdir():
            path.unlink()

        store = Path(name) / "many.db"
        engine = open_store(str(store))
        sink = Sink(engine)
        rng = random.Random(1)
        teams = [f"Team {number}" for number in range(TEAMS)]
        for number in range(PLAYED):
            record(sink, SHORT_HANDS, rng.sample(teams, SHORT_PLAYERS), f"short {number}")
        sink.close()
        copy_matches(engine, max(1, options.matches // PLAYED))
        size = sum(path.stat().st_size for path in Path(name).iterdir())
        print(
            f"{options.matches:,} matches of {SHORT_HANDS} hands, {size / 1e6:,.0f} MB", flush=True
        )
        paths = ["/players", "/status", "/matches", "/matches?page=1000"]
        looks("kept", store, paths)
        forget(engine)
        looks("once", store, paths[:1])
        engine.dispose()


if __name__ == "__main__":
    main()
