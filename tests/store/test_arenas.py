"""Arenas that share a database keep their matches apart, and are all shown."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine

from croupier.cli.main import main
from croupier.commitments import commitment_to, opening_digest
from croupier.match.audience import Policy
from croupier.rules.sets import PLAIN
from croupier.running.contest_reader import read_contest
from croupier.running.opening import ChangedContestError, open_contest
from croupier.store import arenas, openings, queries
from croupier.store.copying import copy_store
from croupier.store.databases import claim
from croupier.store.kinds import StoreError
from croupier.store.places import table_name
from croupier.store.records import OpeningRecord
from croupier.store.schema import open_store
from croupier.store.unfinished import all_unfinished, has_ended, unfinished
from croupier.web.archive.records import Records
from tests.store.recorded import Recording, write
from tests.support import postgres
from tests.support.contests import CUP, house_teams, stage

PLACE = "test"
"""Where recordings are played."""

SITE = "https://north.example.org/arena"


@pytest.fixture
def connect(store: str) -> Iterator[Callable[[], Engine]]:
    """Open the same store, once for each server."""
    engines: list[Engine] = []

    def one_more() -> Engine:
        engines.append(open_store(store))
        return engines[-1]

    yield one_more
    for engine in engines:
        engine.dispose()


def play_as(engine: Engine, arena: str, match_id: str, hands: int = 2) -> None:
    """Let an arena open the place and play there; with `hands` the match is interrupted."""
    access = claim(engine, arena)
    seed, salt = bytes(32), bytes(32)
    commitment = commitment_to(seed, salt, "")
    opening = {
        "place": PLACE,
        "number": 1,
        "at": 1.0,
        "seed": seed,
        "salt": salt,
        "secret": 1,
        "announced": "",
        "commitment": commitment,
        "previous": "",
        "digest": opening_digest("", PLACE, 1, 1.0, commitment, ""),
    }
    write(engine, [OpeningRecord(opening)])
    rules = PLAIN.with_fields({"hands": 5})
    recording = Recording(engine, rules, ["CallAgent", "RuleAgent"], match_id, match_id)
    recording.play(hands=hands)
    if not hands:
        recording.end()
    access.close()


def test_an_arena_resumes_its_own_matches_and_no_others(connect: Callable[[], Engine]) -> None:
    engine = connect()
    play_as(engine, "north", "n1")
    play_as(engine, "", "d1", hands=0)
    claim(engine, "south").close()
    assert unfinished(engine, PLACE) is None
    assert all_unfinished(engine, "") == []
    assert openings.last(engine, PLACE) is None
    claim(engine, "north").close()
    found = unfinished(engine, PLACE)
    assert found is not None
    assert (found[0]["id"], not has_ended(engine, PLACE)) == ("n1", True)
    claim(engine, "").close()
    assert has_ended(engine, PLACE)
    chains = openings.by_place(openings.chain(engine))
    assert [[row.arena for row in rows] for rows in chains] == [[""], ["north"]]
    assert not any(openings.problems(rows) for rows in chains)


def test_openings_are_read_page_by_page_the_newest_first(connect: Callable[[], Engine]) -> None:
    engine = connect()
    for arena in ("north", "south", ""):
        play_as(engine, arena, f"{arena}1", hands=0)
    table = table_name(PLACE)

    def read(*asked: Any) -> tuple[list[str], int]:
        rows, total = openings.page(engine, *asked)
        return [row.arena for row in rows], total

    assert read(None, "", 0, 2) == (["south", "north"], 3)
    assert read(None, table, 2, 2) == ([""], 3)
    assert read("north", table, 0, 2) == (["north"], 1)
    assert read("north", "elsewhere", 0, 2) == ([], 0)


def test_each_arena_of_a_database_has_one_server(postgres_server: postgres.Cluster) -> None:
    store = postgres_server.fresh()
    north, south, second, copy = (open_store(store) for _ in range(4))
    held = [claim(north, "north"), claim(south, "south")]
    with pytest.raises(StoreError, match="in use by another host for the arena 'north'"):
        claim(second, "north")
    target = open_store(postgres_server.fresh())
    with pytest.raises(StoreError, match="in use"):
        copy_store(copy, target)
    for access in held:
        access.close()
    copy_store(copy, target)
    claim(second, "north").close()
    for engine in (north, south, second, copy, target):
        engine.dispose()


def test_commands_and_pages_show_the_matches_of_all_arenas(
    store: str, connect: Callable[[], Engine]
) -> None:
    engine = connect()
    for arena in ("north", "south"):
        play_as(engine, arena, f"{arena}-1")
        play_as_ended = Recording(engine, PLAIN.with_fields({"hands": 1}), ["CallAgent"] * 2, arena)
        play_as_ended.play()
        play_as_ended.end()
    arenas.announce(engine, "north", "https://old.example.org")
    arenas.announce(engine, "north", SITE)
    arenas.announce(engine, "south", "")
    shown = CliRunner().invoke(main, ["tables", "--all", "--store", store, "--json"])
    rows = [(row["arena"], row["match"], row["hands"]) for row in json.loads(shown.stdout)]
    assert rows == [("north", "north-1", 2), ("south", "south-1", 2)]
    assert [row["site"] for row in json.loads(shown.stdout)] == [SITE, None]
    assert SITE in CliRunner().invoke(main, ["tables", "--all", "--store", store]).stdout
    listed = CliRunner().invoke(main, ["matches", "--store", store]).stdout
    assert "south" in listed
    assert {match.arena for match in queries.matches(engine)} == {"north", "south"}

    def watched(own: str | None, match_id: str) -> str | None:
        return Records(engine, Policy(), own).summaries([match_id])[0].watch

    assert watched("north", "north-1") == "/live/test-"
    assert watched("south", "north-1") == watched(None, "north-1") == f"{SITE}/live/test-"
    assert watched("north", "south-1") is None, "nobody knows where"
    assert watched("north", "plain-north") is None, "it is over"
    elsewhere = Records(engine, Policy(), "south").elsewhere()
    assert [one.match for one in elsewhere] == ["north-1"]
    assert Records(engine, Policy(), "north").elsewhere() == []


def test_a_contest_of_another_arena_is_not_taken_for_ones_own(
    connect: Callable[[], Engine],
) -> None:
    text = CUP + house_teams(2) + stage("round-robin", 2)
    engine = connect()
    north = read_contest(f'arena = "north"\n{text}')
    row = open_contest(engine, north)
    assert row.arena == "north"
    assert open_contest(engine, north) == row
    with pytest.raises(ChangedContestError, match="contest of the arena 'north', not of the arena"):
        open_contest(engine, read_contest(text))
