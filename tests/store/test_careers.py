"""Players' totals, which the writer keeps: every ended match counts once, and no other."""

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest
from sqlalchemy import Engine, delete, update

from croupier.rules.sets import HUAWEI, PLAIN
from croupier.stats import RateEstimate
from croupier.store import careers
from croupier.store.careers import Totals
from croupier.store.queries import match
from croupier.store.records import DropRecord, ResultRecord
from croupier.store.schema import CAREERS, MATCHES, open_store
from tests.store.recorded import record_match, write

BOTS = ["RandomAgent", "CallAgent", "RuleAgent"]


@pytest.fixture
def engine(store: str) -> Iterator[Engine]:
    record_match(store, replace(HUAWEI, hands=6), BOTS, "one", match_id="one")
    record_match(store, replace(PLAIN, hands=5), BOTS[:2], "two", match_id="two")
    record_match(store, replace(PLAIN, hands=9), BOTS, "three", match_id="running", hands=4)
    engine = open_store(store)
    yield engine
    engine.dispose()


def rounded(totals: Totals) -> dict[tuple[str, str, str], tuple[int, int, float, int]]:
    return {
        key: (one.matches, one.hands, round(one.big_blinds, 6), one.wins)
        for key, one in totals.items()
    }


def by_hand(
    engine: Engine, *match_ids: str
) -> dict[tuple[str, str, str], tuple[int, int, float, int]]:
    found: Totals = {}
    for match_id in match_ids:
        row = match(engine, match_id)
        assert row.state is not None
        for line in row.standings:
            books = row.state.players[line.player]
            brought = row.rules.stack * (1 + books.reloads) + row.rules.reserve
            key = (row.players[line.player].bot or line.name, "house", row.rules_name)
            total = found.setdefault(key, careers.Total())
            won = (line.chips - brought) / row.rules.big_blind
            total.add(careers.Total.of_match(books.hands, won, line.rank == 1))
    return rounded(found)


def test_ended_matches_count_and_running_ones_do_not(engine: Engine) -> None:
    with engine.connect() as connection:
        assert connection.execute(CAREERS.select()).first() is not None, "the writer has counted"
    assert rounded(careers.totals(engine)) == by_hand(engine, "one", "two")


def test_a_match_counts_once_even_if_its_end_is_stored_twice(engine: Engine) -> None:
    write(engine, [ResultRecord("one", 3000.0, b"{}"), ResultRecord("one", 3000.0, b"{}")])
    assert rounded(careers.totals(engine)) == by_hand(engine, "one", "two")


def test_a_match_that_ends_and_is_dropped_in_one_group_leaves_nothing(engine: Engine) -> None:
    expected = by_hand(engine, "one", "two")
    write(engine, [ResultRecord("running", 3000.0, b"{}"), DropRecord("running")])
    assert rounded(careers.totals(engine)) == expected


def test_a_dropped_match_no_longer_counts(engine: Engine) -> None:
    expected = by_hand(engine, "two")
    write(engine, [DropRecord("one"), DropRecord("running")])
    assert rounded(careers.totals(engine)) == expected


def test_an_older_store_is_counted_when_it_is_asked_for(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with engine.begin() as connection:
        connection.execute(delete(CAREERS))
        connection.execute(update(MATCHES).values(counted=0))
    monkeypatch.setattr(careers, "BATCH", 1)
    assert rounded(careers.totals(engine)) == by_hand(engine, "one", "two")
    assert rounded(careers.totals(engine)) == by_hand(engine, "one", "two")


def test_a_damaged_match_counts_nothing_and_stops_nobody(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(delete(CAREERS))
        connection.execute(update(MATCHES).values(counted=0))
        connection.execute(update(MATCHES).where(MATCHES.c.id == "one").values(players=b"[1"))
    assert rounded(careers.totals(engine)) == by_hand(engine, "two")


def test_a_house_bot_is_one_player_at_every_seat_and_games_are_apart(engine: Engine) -> None:
    with engine.begin() as connection:
        players = [
            {"name": f"house {seat}", "dialect": "house", "bot": "CallAgent"} for seat in (1, 2)
        ]
        renamed = update(MATCHES).where(MATCHES.c.id == "two")
        connection.execute(renamed.values(players=msgspec.json.encode(players), counted=0))
        connection.execute(delete(CAREERS))
    assert {key: one.matches for key, one in careers.totals(engine).items()} == {
        ("CallAgent", "house", "plain"): 2
    }


def test_a_team_of_a_contest_is_one_player_by_its_name_however_it_plays(
    store: str, engine: Engine
) -> None:
    record_match(store, replace(PLAIN, hands=5), BOTS[:2], "four", match_id="four")
    with engine.begin() as connection:
        for match_id, dialect in (("two", "house"), ("four", "huawei")):
            players = [
                {"name": "Ada", "dialect": dialect, "pid": "5001"},
                {"name": "Bob", "dialect": "house", "pid": "9001", "bot": "CallAgent"},
            ]
            changed = {
                "players": msgspec.json.encode(players),
                "place": "contest 1 a",
                "counted": 0,
            }
            connection.execute(update(MATCHES).where(MATCHES.c.id == match_id).values(changed))
        connection.execute(delete(CAREERS))
    assert {key: one.matches for key, one in careers.totals(engine).items()} == {
        ("Ada", "", "plain"): 2,
        ("CallAgent", "house", "plain"): 2,
    }


def test_players_that_are_a_number_which_anyone_may_take_are_left_out(engine: Engine) -> None:
    with engine.begin() as connection:
        players = [{"name": "77432", "dialect": "kuhn"}, {"name": "Team", "dialect": "kuhn"}]
        players[1]["keyed"] = True  # type: ignore[assignment]
        renamed = update(MATCHES).where(MATCHES.c.id == "two")
        connection.execute(renamed.values(players=msgspec.json.encode(players), counted=0))
        connection.execute(delete(CAREERS))
    assert list(careers.totals(engine)) == [("Team", "kuhn", "plain")]


def test_the_interval_is_that_of_the_matches(engine: Engine) -> None:
    total = careers.Total()
    expected = RateEstimate()
    for hands, won in ((10, 5.0), (20, -3.0), (7, 0.5)):
        total.add(careers.Total.of_match(hands, won, won > 0))
        expected.add(won, hands)
    assert total.rate.rate == expected.rate
    assert total.rate.ci95 == pytest.approx(expected.ci95)
