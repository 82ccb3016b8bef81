"""Hands are packed in the store, and every row that was ever written can be read."""

from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import LargeBinary, func, select, type_coerce

from croupier.rules.sets import PLAIN
from croupier.store.packing import NEWEST, dictionary, pack, unpack
from croupier.store.schema import HANDS, open_store
from tests.store.recorded import record_match


@given(st.binary())
def test_what_is_packed_is_unpacked(data: bytes) -> None:
    assert unpack(pack(data)) == data


@pytest.mark.parametrize("data", [b"[]", b"{}", b'[["HandEnded",[1]]]', b" [1]", b""])
def test_rows_of_older_versions_are_read_as_they_are(data: bytes) -> None:
    assert unpack(data) == data


@given(st.binary(), st.integers(0, 200))
def test_what_is_damaged_raises_nothing(data: bytes, end: int) -> None:
    unpack(bytes([NEWEST]) + data)
    unpack(pack(data)[:end])


def test_the_dictionaries_are_those_that_stores_were_packed_with() -> None:
    digests = [sha256(dictionary(number + 1)).hexdigest() for number in range(NEWEST)]
    assert digests == ["e4478df6d26111abe3337b24d7e2adf87cd12039cc9a963a0aae16c0101b2ff0"]


def test_a_hand_at_six_seats_takes_at_most_1500_bytes(store: str, tmp_path: Path) -> None:
    bots = [
        "TightPassive",
        "LooseAggressive",
        "CallAgent",
        "RandomAgent",
        "RuleAgent",
        "RandomAgent",
    ]
    record_match(store, PLAIN.with_fields({"hands": 300, "stack": 100_000}), bots, "size")
    engine = open_store(store)
    columns = [type_coerce(HANDS.c[name], LargeBinary) for name in ("events", "state", "times")]
    size = sum(func.length(column) for column in columns)
    with engine.connect() as connection:
        hands, total = connection.execute(select(func.count(), func.sum(size))).one()
    engine.dispose()
    assert hands == 300
    assert int(total) / hands < 1000
    path = tmp_path / "store.db"
    if path.exists():
        assert path.stat().st_size / hands < 1500
