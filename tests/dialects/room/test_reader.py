"""The first frame of a connection: what it asks for, how lenient it is, and what it says if not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.dialects.room.frames import BadFrame, FrameReader, frame
from croupier.dialects.room.reader import (
    MAX_TEXT,
    V1,
    V2,
    Connect,
    Wrong,
    first_message,
    is_exit,
    is_start,
)
from croupier.dialects.session import Watch, WatchBots

CONNECT = {"info": "connect", "room_id": 299, "name": "Bob", "room_number": 2, "bots": []}
FOUR = {**CONNECT, "room_number": 4}
BOTS = ["CallAgent", "RandomAgent"]


def short(value: Any) -> str:
    """Return the name of a case."""
    return repr(value)[:20]


def without(frame: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in frame.items() if key not in keys}


def wrong(frame: dict[str, Any]) -> str:
    """Return what is said of a first frame that leads nowhere."""
    message = first_message(frame)
    assert isinstance(message, Wrong), message
    return message.text


# What is asked for.


def test_a_connect_without_game_number_speaks_version_1() -> None:
    message = first_message(CONNECT)
    assert message == Connect("299", "Bob", 2, (), None)
    assert message.version == V1


def test_a_connect_with_game_number_speaks_version_2() -> None:
    message = first_message({**CONNECT, "game_number": 3})
    assert message == Connect("299", "Bob", 2, (), 3)
    assert message.version == V2


def test_bots_are_kept_in_their_order_and_as_often_as_asked_for() -> None:
    message = first_message({**FOUR, "bots": ["CallAgent", "RandomAgent", "CallAgent"]})
    assert message == Connect("299", "Bob", 4, ("CallAgent", "RandomAgent", "CallAgent"), None)


def test_an_observer_watches_a_room() -> None:
    assert first_message({"info": "observer", "room_id": 7}) == Watch("7")
    assert first_message({"info": "observer"}) == Watch("0")


@pytest.mark.parametrize("hands", [None, 5])
def test_ai_vs_ai_watches_as_many_bots_as_the_room_has_seats(hands: int | None) -> None:
    frame = {"info": "ai_vs_ai", "room_id": 7, "room_number": 2, "bots": BOTS}
    if hands is not None:
        frame["game_number"] = hands
    assert first_message(frame) == WatchBots("7", tuple(BOTS), hands, V1 if hands is None else V2)


# Leniency.


def test_a_missing_room_id_means_room_0() -> None:
    message = first_message(without(CONNECT, "room_id"))
    assert isinstance(message, Connect)
    assert message.room == "0"


@pytest.mark.parametrize(("room_id", "room"), [("299", "299"), ("lobby", "lobby"), (-1, "-1")])
def test_a_room_id_may_be_a_text_and_is_then_the_same_room(room_id: Any, room: str) -> None:
    message = first_message({**CONNECT, "room_id": room_id})
    assert isinstance(message, Connect)
    assert message.room == room


def test_missing_bots_and_null_mean_none() -> None:
    assert first_message(without(CONNECT, "bots")) == first_message(CONNECT)
    assert first_message({**CONNECT, "bots": None}) == first_message(CONNECT)


def test_a_first_frame_without_info_but_with_room_number_is_a_connect() -> None:
    assert first_message(without(CONNECT, "info")) == first_message(CONNECT)


def test_numbers_may_be_written_as_texts() -> None:
    assert first_message({**CONNECT, "room_number": "2"}) == first_message(CONNECT)
    message = first_message({**CONNECT, "game_number": "3"})
    assert isinstance(message, Connect)
    assert message.hands == 3


def test_a_game_number_of_null_is_none() -> None:
    assert first_message({**CONNECT, "game_number": None}) == first_message(CONNECT)


def test_further_fields_do_not_matter() -> None:
    assert first_message({**CONNECT, "version": [1, {}]}) == first_message(CONNECT)


@pytest.mark.parametrize("name", ["B", "x" * MAX_TEXT, "Zoë 😀", '"\\', " "])
def test_any_short_text_that_can_be_printed_is_a_name(name: str) -> None:
    message = first_message({**CONNECT, "name": name})
    assert isinstance(message, Connect)
    assert message.name == name


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_room_has_two_to_ten_seats(seats: int) -> None:
    message = first_message({**CONNECT, "room_number": seats})
    assert isinstance(message, Connect)
    assert message.seats == seats


def test_one_seat_is_enough_for_the_player_himself() -> None:
    frame = {**FOUR, "bots": ["CallAgent"] * 3}
    assert isinstance(first_message(frame), Connect)


# What leads nowhere.


@pytest.mark.parametrize(
    "frame",
    [
        {},
        {"info": "start"},
        {"info": "action", "action": "call"},
        {"info": "CONNECT", **without(CONNECT, "info")},
        {"info": 7, "room_number": 2},
        {"info": ["connect"]},
        {"name": "Bob", "room_id": 3},
    ],
)
def test_a_first_frame_of_another_kind_is_told_what_a_connect_looks_like(
    frame: dict[str, Any],
) -> None:
    text = wrong(frame)
    assert text.startswith("the first message has to be a connect, such as {")
    assert '"room_number": 2' in text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (1, "1"),
        (11, "11"),
        (-2, "-2"),
        ("x", "'x'"),
        ("", "''"),
        ("-2", "'-2'"),
        ("²", "'²'"),
        (True, "True"),
        (2.5, "2.5"),
        (2.0, "2.0"),
        (float("nan"), "nan"),
        (None, "None"),
        ([2], "[2]"),
        ({"a": 1}, "{'a': 1}"),
        (10**400, "that"),
        ("2" * 5000, "'" + "2" * 63 + "…"),
    ],
    ids=short,
)
def test_a_room_number_that_no_room_has_is_named(value: Any, shown: str) -> None:
    said = f"room_number is from 2 to 10, not {shown}"
    assert wrong({**CONNECT, "room_number": value}) == said
    assert wrong({"info": "ai_vs_ai", "room_number": value, "bots": BOTS}) == said


def test_a_missing_room_number_is_named() -> None:
    assert wrong(without(CONNECT, "room_number")).startswith("room_number is from 2 to 10, not")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("", "''"),
        (None, "None"),
        (7, "7"),
        (["Bob"], "['Bob']"),
        ({}, "{}"),
        (True, "True"),
        ("x" * (MAX_TEXT + 1), "'" + "x" * (MAX_TEXT - 1) + "…"),
        ("a\nb", r"'a\nb'"),
        ("\x1b[31m", r"'\x1b[31m'"),
        ("\ud800", r"'\ud800'"),
    ],
)
def test_a_name_that_is_no_short_text_to_be_printed_is_named(value: Any, shown: str) -> None:
    assert (
        wrong({**CONNECT, "name": value})
        == f"name is a text of 1 to 64 printable characters, not {shown}"
    )


def test_a_missing_name_is_named() -> None:
    assert wrong(without(CONNECT, "name")).startswith(
        "name is a text of 1 to 64 printable characters, not"
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (10**30, "that"),
        (-(10**4000), "that"),
        ([1], "[1]"),
        ({"id": 1}, "{'id': 1}"),
        (None, "None"),
        (True, "True"),
        (2.5, "2.5"),
        ("", "''"),
        ("x" * 65, "'" + "x" * 63 + "…"),
        ("7\n", r"'7\n'"),
    ],
    ids=short,
)
@pytest.mark.parametrize("info", ["connect", "observer"])
def test_a_room_id_that_is_no_number_and_no_short_text_is_named(
    info: str, value: Any, shown: str
) -> None:
    text = wrong({**CONNECT, "info": info, "room_id": value})
    assert text == f"room_id is a number or a short text, not {shown}"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (-1, "-1"),
        ("x", "'x'"),
        ("0", "'0'"),
        (2.5, "2.5"),
        (True, "True"),
        ([], "[]"),
        (10**9 + 1, "1000000001"),
        (10**400, "that"),
    ],
    ids=short,
)
def test_a_game_number_out_of_range_or_no_number_is_named(value: Any, shown: str) -> None:
    assert (
        wrong({**CONNECT, "game_number": value})
        == f"game_number is from 1 to 1000000000, not {shown}"
    )


def test_the_largest_game_number_is_a_thousand_million() -> None:
    assert isinstance(first_message({**CONNECT, "game_number": 10**9}), Connect)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("CallAgent", "'CallAgent'"),
        (1, "1"),
        ({"CallAgent": 1}, "{'CallAgent': 1}"),
        (["CallAgent", 1], "['CallAgent', 1]"),
        ([None], "[None]"),
        ([["CallAgent"]], "[['CallAgent']]"),
        (False, "False"),
    ],
)
def test_bots_that_are_no_list_of_names_are_named(value: Any, shown: str) -> None:
    assert wrong({**CONNECT, "bots": value}) == f"bots is a list of names, not {shown}"


@pytest.mark.parametrize("count", [2, 3, 500])
def test_bots_that_leave_no_seat_for_the_player_are_refused(count: int) -> None:
    text = wrong({**CONNECT, "bots": ["CallAgent"] * count})
    assert text == (
        f"{count} bots leave no seat for a player in a room of 2 (room_number counts the bots too)"
    )


@pytest.mark.parametrize("count", [0, 1, 3])
def test_bots_that_play_among_themselves_fill_the_room_exactly(count: int) -> None:
    frame = {"info": "ai_vs_ai", "room_number": 2, "bots": ["CallAgent"] * count}
    assert wrong(frame) == f"room_number is 2, but there are {count} bots"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=80)
    | st.sampled_from([10**400, "x" * 100, "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


@given(
    st.fixed_dictionaries(
        {"info": st.sampled_from(["connect", "observer", "ai_vs_ai"]) | JSON},
        optional={
            key: st.sampled_from([good]) | JSON
            for key, good in {**CONNECT, "room_number": 3, "game_number": 1}.items()
            if key != "info"
        },
    )
)
def test_whatever_comes_first_is_understood_or_answered_with_a_short_sentence(
    frame: dict[str, Any],
) -> None:
    message = first_message(frame)
    if isinstance(message, Wrong):
        assert 10 < len(message.text) < 200
    else:
        assert 1 <= len(message.room) <= MAX_TEXT
    if isinstance(message, Connect):
        assert 2 <= message.seats <= 10
        assert len(message.bots) < message.seats
        assert 1 <= len(message.name) <= MAX_TEXT


def test_a_value_nested_as_deeply_as_the_reader_takes_it_is_shown_and_cut() -> None:
    """Showing it must not go deeper than reading it did."""
    shown = 0
    for depth in range(500, 1100):
        body = '{"info": "connect", "name": ' + "[" * depth + "]" * depth + "}"
        (read,) = FrameReader().receive(frame(body))
        if isinstance(read, BadFrame):
            break
        assert (
            wrong(read) == "name is a text of 1 to 64 printable characters, not " + "[" * 64 + "…"
        )
        shown += 1
    assert shown > 100


# After the first frame.


@pytest.mark.parametrize(
    ("frame", "exits"),
    [
        ({"info": "exit"}, True),
        ({"info": "ready", "status": "exit"}, False),
        ({"status": "exit"}, False),
        ({"info": ["exit"]}, False),
        ({}, False),
    ],
)
def test_only_the_info_exit_leaves_the_room(frame: dict[str, Any], exits: bool) -> None:
    assert is_exit(frame) == exits


@pytest.mark.parametrize(
    ("frame", "starts"),
    [
        ({"info": "start"}, True),
        ({"info": "ready", "status": "start"}, True),
        ({"info": "ready"}, True),
        ({"info": "action", "action": "call"}, False),
        ({"info": []}, False),
        ({}, False),
    ],
)
def test_start_and_ready_are_never_an_answer_to_a_question(
    frame: dict[str, Any], starts: bool
) -> None:
    assert is_start(frame) == starts
