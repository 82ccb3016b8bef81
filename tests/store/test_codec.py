"""Events as JSON: what comes out is what went in, and nothing else comes out."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.match.events import ALL_EVENTS
from croupier.rules.events import Event
from croupier.rules.sets import HUAWEI
from croupier.store.codec import CodecError, decode, encode, to_object
from tests.store.recorded import Trouble, record_match

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.sampled_from([kind.__name__ for kind in ALL_EVENTS]),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
ROWS = st.builds(
    lambda kind, fields: [kind.__name__, *fields],
    st.sampled_from(ALL_EVENTS),
    st.lists(VALUES, max_size=4),
)


def decoded(data: bytes) -> list[Event] | None:
    """Return the events, or None if they are refused; anything else fails the test."""
    try:
        return decode(data)
    except CodecError:
        return None


@given(st.binary(max_size=200))
def test_any_bytes_are_events_or_refused(data: bytes) -> None:
    decoded(data)


@given(VALUES | st.lists(ROWS, max_size=4))
def test_any_json_is_events_that_come_out_alike_or_refused(value: Any) -> None:
    events = decoded(json.dumps(value).encode())
    if events is not None:
        assert decode(encode(events)) == events


@pytest.mark.parametrize("data", [b"[[[]]]", b"[[[[]]]]", b'[["Joined"' * 50])
def test_nested_nonsense_is_refused(data: bytes) -> None:
    with pytest.raises(CodecError):
        decode(data)


def test_a_whole_match_comes_out_as_it_went_in(tmp_path: Path) -> None:
    rules = HUAWEI.with_fields({"hands": 40})
    recording = record_match(
        tmp_path / "match.db",
        rules,
        ["RandomAgent", "RuleAgent", "CallAgent"],
        "codec",
        Trouble(late=20, nonsense=20, gone=20),
    )
    for events in recording.hands:
        assert decode(encode(events)) == events
        for event in events:
            assert list(to_object(event)) == ["event", *event.__slots__]
