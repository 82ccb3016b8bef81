"""Bytes into frames, however they are cut, and whatever else may come in."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.dialects.room.frames import HEADER, MAX_BODY, BadFrame, FrameReader, frame

CONNECT = {"info": "connect", "room_id": 299, "name": "Bob", "room_number": 2, "bots": []}
START = {"info": "start"}
ACTION = {"info": "action", "action": "r200"}


def packed(body: bytes) -> bytes:
    """Return a frame of any bytes."""
    return HEADER.pack(len(body)) + body


def of(*values: Any) -> bytes:
    """Return frames of some values, as a program would write them."""
    return b"".join(packed(json.dumps(value).encode()) for value in values)


def read(data: bytes) -> list[dict[str, Any] | BadFrame]:
    """Return the frames of all bytes of a connection."""
    return FrameReader().receive(data)


def reason(data: bytes) -> str:
    """Return why bytes cannot be read."""
    (bad,) = read(data)
    assert isinstance(bad, BadFrame)
    return bad.reason


# Pieces.


@pytest.mark.parametrize("cut", range(len(of(CONNECT)) + 1))
def test_a_frame_may_be_cut_anywhere(cut: int) -> None:
    data = of(CONNECT)
    reader = FrameReader()
    first = reader.receive(data[:cut])
    assert first == ([CONNECT] if cut == len(data) else [])
    assert reader.pending == (0 < cut < len(data))
    assert first + reader.receive(data[cut:]) == [CONNECT]
    assert not reader.pending


def test_frames_may_come_byte_by_byte() -> None:
    reader = FrameReader()
    found = [item for byte in of(CONNECT, START, ACTION) for item in reader.receive(bytes([byte]))]
    assert found == [CONNECT, START, ACTION]


def test_header_and_body_may_come_apart() -> None:
    data = of(START)
    reader = FrameReader()
    assert reader.receive(data[:4]) == []
    assert reader.pending
    assert reader.receive(data[4:]) == [START]


def test_one_segment_may_hold_several_frames_and_the_beginning_of_another() -> None:
    data = of(CONNECT, START, ACTION)
    reader = FrameReader()
    assert reader.receive(data + of(ACTION)[:7]) == [CONNECT, START, ACTION]
    assert reader.pending
    assert reader.receive(of(ACTION)[7:]) == [ACTION]


def test_nothing_at_all_is_no_frame() -> None:
    reader = FrameReader()
    assert reader.receive(b"") == []
    assert not reader.pending


@given(st.data())
def test_however_a_stream_is_cut_its_frames_are_the_same(data: st.DataObject) -> None:
    values = data.draw(
        st.lists(
            st.dictionaries(
                st.text(max_size=5),
                st.recursive(
                    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
                    lambda inner: st.lists(inner, max_size=3),
                    max_leaves=5,
                ),
                max_size=4,
            ),
            max_size=6,
        )
    )
    stream = b"".join(frame(json.dumps(value)) for value in values)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    reader = FrameReader()
    found = [
        item
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        for item in reader.receive(stream[start:end])
    ]
    assert found == values
    assert not reader.pending


# Lengths.


def test_the_length_is_four_bytes_little_endian() -> None:
    assert frame('{"a": 1}')[:4] == b"\x08\0\0\0"
    assert frame('{"a": "' + "x" * 300 + '"}')[:4] == bytes([309 - 256, 1, 0, 0])


@pytest.mark.parametrize("length", [-1, 0, 1, 65537, 2**31 - 1, 1 - 2**31])
def test_a_length_that_no_frame_has_is_refused_before_its_body_comes(length: int) -> None:
    assert reason(HEADER.pack(length)) == f"a frame is 2 to 65536 bytes long, not {length}"


def test_the_shortest_and_the_longest_frame_are_read() -> None:
    assert read(packed(b"{}")) == [{}]
    longest = b'{"a": "' + b"x" * (MAX_BODY - 9) + b'"}'
    assert len(longest) == MAX_BODY == 65536
    assert read(packed(longest)) == [{"a": "x" * (MAX_BODY - 9)}]


def test_bytes_in_the_wrong_order_are_a_length_too_large() -> None:
    """A program that counts big-endian hears about it instead of waiting for ever."""
    said = reason(b"\0\0\0\x11" + json.dumps(START).encode())
    assert said.endswith("bytes long, not 285212672; the length is little-endian")


def test_a_text_without_a_length_is_told_that_it_needs_one() -> None:
    assert reason(json.dumps(START).encode()).endswith("; a frame begins with its length")


# Bodies.


@pytest.mark.parametrize(
    "body",
    [
        b"{'info': 'start'}",
        b'{"info": "start"',
        b'{"info": "start"} {}',
        b'{"info" "start"}',
        b"start",
        b"  ",
        b"\0\0\0",
        b'{"info": "\xff\xfe"}',
        b'{"info": "a\nb"}',
        b"[" * 40_000,
        b"[" * 30_000 + b"]" * 30_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        b'{"room_number": ' + b"9" * 5000 + b"}",
    ],
    ids=range(13),
)
def test_a_body_that_is_not_json_is_refused(body: bytes) -> None:
    assert reason(packed(body)) == "the body of the frame is not JSON"


@pytest.mark.parametrize("value", [[], [START], "start", 12, 1.5, True, None])
def test_a_body_that_is_not_an_object_is_refused(value: Any) -> None:
    text = json.dumps(value).encode().ljust(2)
    assert reason(packed(text)) == "the frame is not a JSON object"


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 4000, "0." + "0" * 4000 + "1", "NaN"])
def test_huge_numbers_are_read_like_any_other(number: str) -> None:
    (found,) = read(packed(f'{{"room_number": {number}}}'.encode()))
    assert isinstance(found, dict)


def test_letters_beyond_ascii_are_read_in_both_spellings() -> None:
    assert read(packed('{"name": "Zoë"}'.encode())) == [{"name": "Zoë"}]
    assert read(packed(b'{"name": "Zo\\u00eb"}')) == [{"name": "Zoë"}]


def test_after_a_bad_frame_nothing_is_read_any_more() -> None:
    reader = FrameReader()
    found = reader.receive(of(START) + packed(b"[]") + of(ACTION))
    assert found == [START, BadFrame("the frame is not a JSON object")]
    assert reader.receive(of(ACTION)) == []
    assert not reader.pending


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_raise(data: bytes) -> None:
    found = read(data)
    assert all(isinstance(item, dict | BadFrame) for item in found)
    assert not any(isinstance(item, BadFrame) for item in found[:-1])


# Writing.


def test_a_frame_is_ascii_or_an_error() -> None:
    assert frame(json.dumps({"name": "Zoë"})) == b'\x14\0\0\0{"name": "Zo\\u00eb"}'
    with pytest.raises(UnicodeEncodeError):
        frame('{"name": "Zoë"}')


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.booleans())))
def test_what_is_written_is_read_again(value: dict[str, Any]) -> None:
    assert read(frame(json.dumps(value))) == [value]
