"""What a person says, as the server's side hears it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.dialects.base import Answer
from croupier.dialects.browser.session import MAX_LINE, BrowserSession
from croupier.dialects.session import (
    Answered,
    Exit,
    Expected,
    Flood,
    Hello,
    Refusal,
    RefusalKind,
    Said,
    Stray,
    Wrong,
)
from croupier.dialects.tokens import token_of
from croupier.rules.decisions import CALL, FOLD, raise_to
from tests.support.situations import FakeSeat, all_at_once, asked_view, byte_by_byte

TOKEN = "0123456789abcdef"
HAND = asked_view().number
HELLO: dict[str, Any] = {"type": "hello", "table": "main", "name": "Ann", "token": TOKEN}
CALLS: dict[str, Any] = {"type": "act", "hand": HAND, "street": 0, "action": "call"}


def line(**message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


def greeted() -> BrowserSession:
    session = BrowserSession()
    (hello,) = session.receive(line(**HELLO), FakeSeat(seated=False))
    assert isinstance(hello, Hello)
    return session


def said(message: dict[str, Any], expected: Expected = Expected.ANSWER) -> Said:
    (item,) = greeted().receive(line(**message), FakeSeat(expected=expected))
    return item


def test_a_person_is_known_by_the_digest_of_its_token_and_names_its_table() -> None:
    (hello,) = BrowserSession().receive(line(**HELLO), FakeSeat(seated=False))
    assert isinstance(hello, Hello)
    assert (hello.table, hello.place.name, hello.place.token) == ("main", "Ann", token_of(TOKEN))
    assert TOKEN not in repr(hello)


@pytest.mark.parametrize(
    "change",
    [
        {"type": "act"},
        {"table": 1},
        {"name": ""},
        {"name": " "},
        {"name": "a\nb"},
        {"name": "x" * 25},
        {"name": None},
        {"token": "short"},
        {"token": "x" * 65},
        {"token": 12345678901234567},
    ],
)
def test_a_hello_that_lacks_something_is_refused_with_what_is_missing(change: Any) -> None:
    (wrong,) = BrowserSession().receive(line(**HELLO | change), FakeSeat(seated=False))
    assert isinstance(wrong, Wrong)
    assert json.loads(wrong.farewell.message)["reason"] == wrong.farewell.reason


@pytest.mark.parametrize(
    ("change", "decision"),
    [
        ({"action": "fold"}, FOLD),
        ({"action": "call"}, CALL),
        ({"action": "raise", "to": 250}, raise_to(250)),
    ],
)
def test_a_decision_names_its_action_and_a_raise_its_total(change: Any, decision: Any) -> None:
    assert said(CALLS | change) == Answered(Answer(decision))


@pytest.mark.parametrize(
    "change",
    [
        {"hand": HAND + 1},
        {"street": 1},
        {"action": "raise"},
        {"action": "raise", "to": 10},
        {"action": "raise", "to": 10**9},
        {"action": "raise", "to": True},
        {"action": "raise", "to": 250.5},
        {"action": "bluff"},
    ],
)
def test_what_is_no_decision_for_this_question_costs_nothing(change: Any) -> None:
    assert isinstance(said(CALLS | change), Stray)


def test_a_decision_out_of_turn_is_ignored() -> None:
    assert isinstance(said(CALLS, Expected.NOTHING), Stray)


def test_a_person_may_leave() -> None:
    assert isinstance(said({"type": "leave"}, Expected.NOTHING), Exit)


def test_a_refusal_says_its_kind_and_reason() -> None:
    farewell = BrowserSession().refuse(Refusal(RefusalKind.FULL, "the table is full"))
    refused = {"type": "refused", "kind": "full", "reason": "the table is full"}
    assert json.loads(farewell.message) == refused


def test_the_token_stays_out_of_transcripts() -> None:
    session = BrowserSession()
    assert session.loggable(line(**HELLO)) == b""
    list(session.receive(line(**HELLO), FakeSeat(seated=False)))
    assert session.loggable(line(**CALLS)) == line(**CALLS)


def test_messages_in_pieces_are_the_same() -> None:
    data = line(**CALLS) + line(type="leave")
    seat = FakeSeat(expected=Expected.ANSWER)
    assert list(byte_by_byte(data)(greeted(), seat)) == list(all_at_once(data)(greeted(), seat))


def test_a_line_without_an_end_is_cut_off() -> None:
    (item,) = greeted().receive(b"x" * (MAX_LINE + 1), FakeSeat())
    assert isinstance(item, Flood)


@given(st.lists(st.binary(max_size=40), max_size=5), st.booleans())
def test_no_bytes_raise_anything(pieces: list[bytes], asked: bool) -> None:
    session = greeted()
    seat = FakeSeat(expected=Expected.ANSWER if asked else Expected.NOTHING)
    for piece in pieces:
        for item in session.receive(piece + b"\n", seat):
            assert isinstance(item, Stray)
