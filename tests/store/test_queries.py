"""What may be read of a match, and when."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from croupier.cards import HIDDEN
from croupier.match.events import HandVoided
from croupier.rules.events import Event, HoleDealt, Shown
from croupier.rules.sets import HUAWEI, PLAIN
from croupier.store import queries
from croupier.store.kinds import StoreError
from croupier.store.queries import RecordError, UnknownError
from croupier.store.schema import open_store
from croupier.store.sqlite import UNDER_ALEMBIC
from tests.store.recorded import SALT, Recording, Trouble, record_match

BOTS = ["RandomAgent", "RuleAgent", "CallAgent"]
SHORT = PLAIN.with_fields({"hands": 12})


@pytest.fixture
def engine(store: str) -> Iterator[Engine]:
    engine = open_store(store)
    yield engine
    engine.dispose()


def played(engine: Engine, seed: str, *, match_id: str = "", began: float = 1000.0) -> Recording:
    recording = Recording(engine, SHORT, BOTS, seed, match_id)
    recording.play(began=began)
    return recording


def holes(events: list[Event]) -> list[tuple[int, ...]]:
    return [event.cards for event in events if isinstance(event, HoleDealt)]


def test_matches_are_listed_newest_first(engine: Engine) -> None:
    assert queries.matches(engine) == []
    for name, began in (("b", 2.0), ("a", 3.0), ("c", 1.0)):
        played(engine, name, match_id=name, began=began)
    found = queries.matches(engine)
    assert [match.id for match in found] == ["a", "b", "c"]
    assert [match.hands for match in found] == [12, 12, 12]
    assert found[0] == queries.match(engine, "a")


def test_until_a_match_has_ended_its_seed_and_hidden_cards_are_not_readable(engine: Engine) -> None:
    recording = played(engine, "secret")
    match = queries.match(engine, recording.id)
    assert (match.ended, match.seed, match.salt, match.result) == (None, None, None, None)
    assert match.winners == []
    for hand in queries.all_hands(engine, recording.id):
        assert holes(hand.events) == [(HIDDEN, HIDDEN)] * 3
        assert queries.hand(engine, recording.id, hand.number) == hand


def test_what_was_shown_is_readable_at_once(engine: Engine) -> None:
    recording = played(engine, "secret")
    shown = [
        event.cards
        for hand in queries.all_hands(engine, recording.id)
        for event in hand.events
        if isinstance(event, Shown)
    ]
    assert shown
    assert HIDDEN not in {card for cards in shown for card in cards}


def test_a_match_that_has_ended_is_open(engine: Engine) -> None:
    recording = played(engine, "open")
    recording.end()
    match = queries.match(engine, recording.id)
    assert (match.seed, match.salt) == (recording.seed, SALT)
    assert [line.chips for line in match.standings] == [
        seat["chips"] for seat in (match.result or {})["seats"]
    ]
    assert match.winners == [match.standings[0].name]
    hands = list(queries.all_hands(engine, recording.id))
    assert [hand.events for hand in hands] == recording.hands
    assert HIDDEN not in holes(hands[0].events)[0]


def test_hands_come_in_pages(engine: Engine) -> None:
    recording = played(engine, "pages")
    first = queries.hands(engine, recording.id, limit=5)
    second = queries.hands(engine, recording.id, after=first[-1].number, limit=5)
    assert [hand.number for hand in first + second] == list(range(1, 11))
    assert queries.hands(engine, recording.id, after=12) == []
    assert queries.hand_count(engine, recording.id) == 12


def test_a_hand_that_was_cut_off_is_void(engine: Engine) -> None:
    recording = Recording(engine, SHORT, BOTS, "crash")
    recording.play(hands=4)
    recording.crash()
    recording.go_on()
    voided = queries.hand(engine, recording.id, 5)
    assert voided.events == [HandVoided(5)]
    assert voided.void
    assert not voided.played
    assert queries.match(engine, recording.id).hands == 12
    assert queries.hand_count(engine, recording.id) == 13


@pytest.mark.parametrize(
    ("argument", "match_id"),
    [("20261115-a", "20261115-aaa"), ("20261115-bb", "20261115-bb"), ("last", "20261115-bbc")],
)
def test_a_match_is_found_by_a_unique_beginning_its_id_or_last(
    engine: Engine, argument: str, match_id: str
) -> None:
    for began, name in enumerate(("20261115-aaa", "20261115-bb", "20261115-bbc")):
        played(engine, name, match_id=name, began=began)
    assert queries.find(engine, argument) == match_id


@pytest.mark.parametrize(
    ("argument", "answer"),
    [
        ("2026", "is the beginning of 2 matches: 2026-bbb, 2026-aaa"),
        ("", "which match?"),
        ("2026-abb", "did you mean '2026-"),
        ("%", "there is no match '%'"),
        ("2026______", "there is no match"),
        ("' OR 1=1 --", "there is no match"),
        ("'; DROP TABLE matches; --", "there is no match"),
        ("\udcff\x00", "there is no match"),
        ("LAST", "'last' is the newest"),
    ],
)
def test_a_match_that_is_not_there_is_said_so_and_does_no_harm(
    engine: Engine, argument: str, answer: str
) -> None:
    for began, name in enumerate(("2026-aaa", "2026-bbb")):
        played(engine, name, match_id=name, began=began)
    with pytest.raises(UnknownError) as caught:
        queries.find(engine, argument)
    assert answer in str(caught.value)
    assert len(queries.matches(engine)) == 2


def test_an_empty_store_has_no_last_match(engine: Engine) -> None:
    with pytest.raises(UnknownError, match="no match in the store yet"):
        queries.find(engine, "last")
    with pytest.raises(UnknownError, match="there is no match 'x'"):
        queries.match(engine, "x")


@pytest.mark.parametrize("number", [0, -1, 13, 1 << 70])
def test_a_hand_that_is_not_there_is_said_so_with_those_that_are(
    engine: Engine, number: int
) -> None:
    recording = played(engine, "few")
    with pytest.raises(UnknownError, match=f"no hand {number}; it has the hands 1 to 12"):
        queries.hand(engine, recording.id, number)


@pytest.mark.parametrize(
    ("table", "column", "problem"),
    [
        ("hands", "events", "hand 1 is damaged"),
        ("hands", "state", "hand 1 is damaged"),
        ("matches", "rules", "the header of match .* is damaged"),
        ("matches", "players", "the header of match .* is damaged"),
        ("matches", "result", "the header of match .* is damaged"),
    ],
)
@pytest.mark.parametrize("data", [b"", b"[3]", b'"x"', b"{}}", b"\xff", b"[" * 100_000, 7])
def test_a_damaged_row_is_named(
    tmp_path: Path, table: str, column: str, problem: str, data: object
) -> None:
    path = tmp_path / "damaged.db"
    recording = record_match(path, SHORT.with_fields({"hands": 2}), BOTS, "damage")
    engine = open_store(str(path))
    try:
        with engine.begin() as connection:
            connection.execute(text(f"UPDATE {table} SET {column} = :data"), {"data": data})
        read = partial(queries.hand, number=1) if table == "hands" else queries.match
        with pytest.raises(RecordError, match=problem):
            read(engine, recording.id)
    finally:
        engine.dispose()


def test_a_store_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    engine = open_store(str(path))
    with engine.begin() as connection:
        connection.execute(text(f"PRAGMA user_version = {UNDER_ALEMBIC + 1}"))
    engine.dispose()
    with pytest.raises(StoreError, match="use a newer Croupier"):
        open_store(str(path), create=False)


def test_timeouts_and_reserves_are_in_the_books(tmp_path: Path) -> None:
    path = tmp_path / "books.db"
    rules = HUAWEI.with_fields({"hands": 60})
    recording = record_match(path, rules, BOTS, "books", Trouble(late=40, nonsense=20))
    engine = open_store(str(path))
    try:
        state = queries.match(engine, recording.id).state
    finally:
        engine.dispose()
    assert state is not None
    assert sum(books.timeouts for books in state.players) > 0
    assert sum(books.faults for books in state.players) > 0
    assert [books.chips for books in state.players] == [p.chips for p in recording.match.players]
