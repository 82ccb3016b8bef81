"""Sums over stretches of hands: the same whether they are kept in play or computed later."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from sqlalchemy import Engine, delete, select, update

from croupier.rules.sets import HUAWEI
from croupier.store import kept_stretches, queries, stretches
from croupier.store.records import DropRecord
from croupier.store.schema import HANDS, STRETCHES, open_store
from croupier.store.stretches import Stretch
from croupier.web.archive import digest
from croupier.web.archive.digest import Digest
from tests.store.recorded import Recording, Trouble, record_match, write

MIX = ["RuleAgent", "RandomAgent", "CallAgent", "AllinAgent"]
RULES = replace(HUAWEI, hands=45, stacks="reset", reserve=0, max_timeouts=0)
TROUBLE = Trouble(late=30, nonsense=30, gone=10)


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (stretches, kept_stretches, digest):
        monkeypatch.setattr(module, "STRETCH", 10)


@pytest.fixture
def engine(store: str) -> Iterator[Engine]:
    record_match(store, RULES, MIX, "one", TROUBLE, match_id="m")
    engine = open_store(store)
    yield engine
    engine.dispose()


def kept(engine: Engine) -> dict[int, bytes]:
    query = select(STRETCHES).order_by(STRETCHES.c.last)
    with engine.connect() as connection:
        return {row.last: row.sums for row in connection.execute(query)}


def told(engine: Engine, last: int = 45) -> Any:
    """Return all that a page shows of a match up to a hand."""
    match = queries.match(engine, "m")
    made = Digest(match)
    made.advance(engine, last)
    return made.ranking(match), made.hands(0, 99, by_pot=True), made.hands(0, 99, by_pot=False)


def test_what_is_kept_in_play_is_what_is_computed_from_the_record(engine: Engine) -> None:
    in_play = kept(engine)
    assert list(in_play) == [10, 20, 30, 40]
    with_sums = told(engine)
    with engine.begin() as connection:
        connection.execute(delete(STRETCHES))
    assert told(engine) == with_sums
    assert kept(engine) == in_play, "and it is kept then"


def test_sums_are_used_and_hands_are_not_read_again(engine: Engine) -> None:
    expected = told(engine)
    with engine.begin() as connection:
        connection.execute(update(HANDS).where(HANDS.c.number <= 40).values(events=b"none"))
    assert told(engine) == expected


@pytest.mark.parametrize("last", [1, 9, 10, 11, 37, 40])
def test_nothing_is_told_of_hands_behind_the_last_visible_one(engine: Engine, last: int) -> None:
    with_sums = told(engine, last)
    assert with_sums[1][1] == last
    with engine.begin() as connection:
        connection.execute(delete(STRETCHES))
        connection.execute(delete(HANDS).where(HANDS.c.number > last, HANDS.c.number < 45))
    assert told(engine, last)[1:] == with_sums[1:]


def test_sums_contain_no_cards_and_no_words_of_players(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(delete(STRETCHES))
        shown = update(HANDS).where(HANDS.c.number == 3)
        events = b'[["Faulted",0,"\'my words As Kd\' is no action"]]'
        connection.execute(shown.values(events=events))
    told(engine)
    assert not any(b"words" in sums or b"As" in sums for sums in kept(engine).values())
    numbers = [number for stretch in kept(engine).values() for number in _numbers(stretch)]
    assert numbers == list(range(1, 41))


def _numbers(sums: bytes) -> list[int]:
    return msgspec.msgpack.decode(sums, type=Stretch).numbers


@pytest.mark.parametrize("sums", [b"", b"\x90", b"\x95\x91\x01\x90\x90\x90\x80", b"text", None])
def test_damaged_sums_are_computed_anew(engine: Engine, sums: Any) -> None:
    expected, before = told(engine), kept(engine)
    if sums is None:  # a player who is not there
        stretch = msgspec.msgpack.decode(before[20], type=Stretch)
        stretch.players[9] = stretch.players.pop(0)
        sums = msgspec.msgpack.encode(stretch)
    with engine.begin() as connection:
        connection.execute(update(STRETCHES).where(STRETCHES.c.last == 20).values(sums=sums))
    assert told(engine) == expected
    assert kept(engine) == before


def test_after_a_crash_the_broken_stretch_is_left_to_the_reader(store: str) -> None:
    engine = open_store(store)
    try:
        recording = Recording(engine, RULES, MIX, "one", match_id="m")
        recording.play(hands=13)
        recording.crash()
        recording.go_on()
        recording.end()
        assert list(kept(engine)) == [10, 30, 40]
        last = queries.hand_count(engine, "m")
        with_sums = told(engine, last)
        assert list(kept(engine)) == [10, 20, 30, 40]
        assert [hand.hand for hand in with_sums[2][0] if hand.void] == [14]
        with engine.begin() as connection:
            connection.execute(delete(STRETCHES))
        assert told(engine, last) == with_sums
    finally:
        engine.dispose()


def test_a_dropped_match_leaves_no_sums(engine: Engine) -> None:
    match = queries.match(engine, "m")
    write(engine, [DropRecord("m")])
    assert kept(engine) == {}
    kept_stretches.keep(engine, match.id, {10: Stretch()})
    assert kept(engine) == {}, "nor does a reader that comes too late"
