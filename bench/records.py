"""The site's answers with a million hands on record, in both kinds of stores.

`python -m bench.records [--hands 1000000]` plays a small contest, copies its matches inside the
database until there are that many hands (0.5 GB with the default, in a temporary folder that is
removed at the end), and asks a site for everything that its pages ask for. PostgreSQL is left out
where it is not installed. A look is the first of its kind, "again" the one after it.
"""

import argparse
import json
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from urllib.request import urlopen

from sqlalchemy import Engine, func, insert, literal, select, text
from sqlalchemy.schema import Column, MetaData, Table
from sqlalchemy.types import Integer, String

from bench.web import fetch, site
from croupier.store import careers
from croupier.store.schema import HANDS, MATCHES, PARTICIPANTS, open_store
from tests.support import postgres
from tests.support.contests import ContestFolder, house_teams, stage

TEAMS = 8
HANDS_OF_A_MATCH = 100


def fill(store: str, folder: Path, hands: int) -> str:
    """Play a contest into a store and copy its matches; return the id of one of them."""
    file = f'title = "Cup"\nstore = "{store}"\nseed = "7"\n'
    contest = ContestFolder(
        folder, file + house_teams(TEAMS) + stage("round-robin", HANDS_OF_A_MATCH)
    )
    contest.play()
    engine = open_store(store)
    try:
        with engine.connect() as connection:
            played = connection.execute(select(func.count()).select_from(HANDS)).scalar_one()
            match_id = connection.execute(select(MATCHES.c.id).limit(1)).scalar_one()
        _copy(engine, hands // played)
        careers.totals(engine)
        return str(match_id)
    finally:
        engine.dispose()


def _copy(engine: Engine, copies: int) -> None:
    numbers = Table("numbers", MetaData(), Column("n", Integer), prefixes=["TEMPORARY"])
    with engine.begin() as connection:
        numbers.create(connection)
        connection.execute(insert(numbers), [{"n": number} for number in range(1, copies)])
        suffix = literal("-") + numbers.c.n.cast(String)
        new = {
            MATCHES.c.id: MATCHES.c.id + suffix,
            MATCHES.c.place: literal("table copy") + suffix,
            MATCHES.c.began: MATCHES.c.began - numbers.c.n,
            MATCHES.c.counted: literal(0),
            HANDS.c.match_id: HANDS.c.match_id + suffix,
            PARTICIPANTS.c.match_id: PARTICIPANTS.c.match_id + suffix,
        }
        for table in (MATCHES, PARTICIPANTS, HANDS):
            columns = [new.get(column, column) for column in table.c]
            rows = select(*columns).select_from(table.join(numbers, literal(1) == literal(1)))
            connection.execute(insert(table).from_select(list(table.c), rows))
        numbers.drop(connection)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


def looks(store: str, match_id: str) -> None:
    """Print how long a site takes for each path, the first time and again."""
    with site(store) as api:
        with urlopen(f"{api}/contests") as answer:
            (contest,) = json.load(answer)["items"]
        page, cup = f"/matches/{match_id}", f"/contests/{contest['contest']}"
        paths = [
            "/status",
            "/matches",
            "/matches?page=300",
            "/matches?status=running",
            "/matches?player=A",
            "/matches?player=Nobody",
            "/rules",
            "/players",
            "/openings",
            page,
            f"{page}/chips",
            f"{page}/hands",
            f"{page}/hands?order=pot",
            f"{page}/hands/50",
            "/contests",
            cup,
            f"{cup}/stages/{contest['stages'][0]['name']}",
            f"{cup}/teams/A",
            f"{cup}/play/A",
        ]
        for path in paths:
            first, again = (1e3 * fetch(api + path)[0] for _ in range(2))
            shown = path.replace(match_id, "MATCH")
            print(f"  {shown:<32} first {first:8,.1f} ms  again {again:8,.1f} ms", flush=True)


def main() -> None:
    """Make the stores one after the other and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000)
    hands: int = parser.parse_args().hands
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as name:
        kinds = ["SQLite"]
        if postgres.binaries() is None:
            print(postgres.WHY_NOT)
        else:
            kinds.append("PostgreSQL")
        for kind in kinds:
            folder = Path(name) / kind
            folder.mkdir()
            own = nullcontext() if kind == "SQLite" else postgres.cluster()
            with own as cluster:
                store = str(folder / "store.db") if cluster is None else cluster.fresh()
                began = time.perf_counter()
                match_id = fill(store, folder, hands)
                took = time.perf_counter() - began
                print(f"{kind}, {hands:,} hands, made in {took:.0f} s", flush=True)
                looks(store, match_id)


if __name__ == "__main__":
    main()
