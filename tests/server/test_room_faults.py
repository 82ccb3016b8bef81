"""`croupier host` in `room` against those who do what they must not: no other room notices."""

import random
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from tests.support.hosting import PATIENCE
from tests.support.rooming import (
    EXIT,
    READY,
    START,
    V1,
    V2,
    Frame,
    Guest,
    RoomHost,
    WatchedHost,
    action,
    begin,
    broken,
    connect,
    finish,
    frame,
    history,
    play_hand,
    step,
    to_turn,
)


@pytest.fixture(scope="module")
def shared() -> Iterator[WatchedHost]:
    with WatchedHost() as host:
        yield host


@pytest.fixture(scope="module")
def silent(shared: WatchedHost) -> Iterator[list[Guest]]:
    """Connections that never say anything."""
    guests = [Guest(shared.port) for _ in range(300)]
    yield guests
    for guest in guests:
        guest.close()


@pytest.fixture
def host(shared: WatchedHost, silent: list[Guest]) -> Iterator[WatchedHost]:
    yield shared
    shared.check()


LONE = "\ud800"
"""Half of a pair: JSON can spell it, UTF-8 cannot."""

both_versions = pytest.mark.parametrize("version", [V1, V2])


# Answers that are none.

ILLEGAL: list[Any] = [
    "r101",
    "r199",
    "r20001",
    "check",
    "raise",
    "allin",
    "r",
    "r-200",
    "r 200",
    "r200.0",
    "r２００",
    "r" + "9" * 40,
    "R200",
    "Call",
    "",
    200,
    True,
    ["call"],
    {"call": 1},
    "x" * 5000,
    "\x00\n\x1b[31m",
    LONE,
]


@pytest.mark.parametrize("word", ILLEGAL, ids=ascii)
@both_versions
def test_an_illegal_action_is_a_fold_and_ends_the_room(
    host: RoomHost, version: int, word: Any
) -> None:
    guests = host.seat(version, version, version)
    begin(guests)
    asked, _, state = to_turn(guests)
    assert state["legal_actions"] == ["fold", "call", "raise"]
    asked.act(word)
    for told in finish(guests):
        text = broken(told)
        assert text.startswith(f"Player {asked.name} makes an illegal action: ")
        assert len(text) < 120
        assert text.isprintable()
        if isinstance(word, str) and word.isprintable() and len(word) <= 64:
            assert word in text
        assert history(told[-3])[0][0] == (2, "fold")


def test_an_illegal_action_is_told_as_it_was_said(host: RoomHost) -> None:
    [guest] = host.seat(V2, bots=["CallAgent"], names=["X"])
    to_turn([guest])
    guest.act("r101")
    assert broken(guest.rest()) == "Player X makes an illegal action: r101"


def test_call_where_nothing_is_owed_is_illegal(host: RoomHost) -> None:
    guests = host.seat(V1, V1)
    begin(guests)
    small, [big], _ = to_turn(guests)
    small.act("call")
    step(guests)
    big.act("call")
    for told in finish(guests):
        assert broken(told) == f"Player {big.name} makes an illegal action: call"


def test_a_fifth_raise_is_illegal_in_version_two(host: RoomHost) -> None:
    guests = host.seat(V2, V2)
    for _ in range(4):
        asked, _, state = to_turn(guests)
        asked.act(f"r{state['raise_range'][0]}")
    asked, _, state = to_turn(guests)
    assert state["legal_actions"] == ["fold", "call"]
    asked.act("r20000")
    for told in finish(guests):
        assert broken(told) == f"Player {asked.name} makes an illegal action: r20000"


def test_bet_is_illegal_in_version_one(host: RoomHost) -> None:
    guests = host.seat(V1, V1)
    begin(guests)
    asked, _, _ = to_turn(guests)
    asked.act("bet")
    for told in finish(guests):
        assert broken(told) == f"Player {asked.name} makes an illegal action: bet"


@pytest.mark.parametrize(
    "message", [{"info": "action"}, {}, {"info": "action", "action": None}, {"info": "connect"}]
)
@both_versions
def test_an_answer_without_an_action_is_a_fold_and_ends_the_room(
    host: RoomHost, version: int, message: Frame
) -> None:
    guests = host.seat(version, version, version)
    begin(guests)
    asked, _, _ = to_turn(guests)
    asked.say(message)
    for told in finish(guests):
        assert broken(told) == f"No action in Player {asked.name}' message"


def test_the_room_of_a_fault_is_played_to_the_end_of_the_hand(host: RoomHost) -> None:
    room = host.new_room()
    guests = host.seat(V1, V2, bots=["CallAgent"], room=room)
    begin(guests[:1])
    bad, others, _ = to_turn(guests)
    bad.act("nonsense")
    told = finish(guests)
    final = told[0][-3]
    assert len(final["public_card"]) == 5
    assert len(history(final)) == 4
    seats = {seat["name"]: seat for seat in host.result_of(room)["seats"]}
    assert [seats[guest.name]["faults"] for guest in (bad, *others)] == [1, 0]
    assert sum(seat["chips"] for seat in seats.values()) == 60_000


def test_the_first_fault_is_the_one_that_is_told(host: RoomHost) -> None:
    guests = host.seat(V1, V1, V1)
    begin(guests)
    first, _, _ = to_turn(guests)
    first.act("one")
    second, _, _ = to_turn(guests)
    second.act("two")
    for told in finish(guests):
        assert broken(told) == f"Player {first.name} makes an illegal action: one"


def test_after_a_fault_nobody_is_asked_for_a_ready(host: RoomHost) -> None:
    guests = host.seat(V2, V2, games=2)
    asked, others, _ = to_turn(guests)
    asked.act("nonsense")
    for told in finish([asked, *others]):
        assert [message["info"] for message in told] == ["state", "result", "error"]


# Who goes away.


def leave(guest: Guest) -> None:
    guest.leave()


def vanish(guest: Guest) -> None:
    guest.vanish()


@pytest.mark.parametrize("how", [leave, vanish])
@both_versions
def test_who_leaves_while_asked_is_folded(
    host: RoomHost, version: int, how: Callable[[Guest], None]
) -> None:
    guests = host.seat(version, version, version)
    begin(guests)
    asked, others, _ = to_turn(guests)
    how(asked)
    for told in finish(others):
        assert broken(told) == f"Player {asked.name} disconnected"
        assert history(told[-3])[0][0] == (2, "fold")


@pytest.mark.parametrize("how", [leave, vanish])
@both_versions
def test_who_leaves_out_of_turn_is_folded_when_it_comes(
    host: RoomHost, version: int, how: Callable[[Guest], None]
) -> None:
    guests = host.seat(version, version, version)
    begin(guests)
    asked, [gone, other], _ = to_turn(guests)
    place = gone.frames[-1]["position"]
    how(gone)
    if how is vanish:  # wait until the server has noticed
        room = host.new_room()
        host.guest(connect(room))
        host.wait_until_known(room)
    asked.act("call")
    for told in finish([asked, other]):
        assert broken(told) == f"Player {gone.name} disconnected"
        assert (place, "fold") in history(told[-3])[0]


@both_versions
def test_a_room_whose_players_are_all_gone_ends_by_itself(host: RoomHost, version: int) -> None:
    room = host.new_room()
    guests = host.seat(version, version, bots=["CallAgent", "CallAgent"], room=room)
    begin(guests)
    to_turn(guests)
    for guest in guests:
        guest.vanish()
    assert host.result_of(room)["hands"] == 1
    host.wait_until_free(room)


@pytest.mark.parametrize("how", [leave, vanish])
@pytest.mark.parametrize("other", [V1, V2])
def test_a_player_of_version_one_who_leaves_between_hands_ends_the_room_normally(
    host: RoomHost, other: int, how: Callable[[Guest], None]
) -> None:
    guests = host.seat(V1, other, V1)
    begin(guests)
    play_hand(guests)
    how(guests[0])
    assert [message["info"] for message in guests[1].rest()] == ["success"] * (other == V2)
    assert guests[2].rest() == []


def test_a_player_of_version_one_who_leaves_before_the_first_hand_is_named(host: RoomHost) -> None:
    guests = host.seat(V1, V1)
    for guest in guests:
        guest.hear("name")
    guests[1].go_on()
    guests[0].leave()
    assert guests[1].rest() == [{"info": "error", "text": "Player a disconnected"}]


@pytest.mark.parametrize("other", [V1, V2])
def test_a_player_of_version_two_who_leaves_between_hands_is_named(
    host: RoomHost, other: int
) -> None:
    guests = host.seat(V2, other)
    begin(guests)
    play_hand(guests)
    guests[0].leave()
    assert guests[1].rest() == [{"info": "error", "text": "Player a disconnected"}]


def test_who_leaves_after_the_last_hand_spoils_nothing(host: RoomHost) -> None:
    guests = host.seat(V2, V2, games=1)
    play_hand(guests)
    guests[0].leave()
    guests[1].go_on()
    assert guests[1].rest() == [{"info": "success", "text": "Complete playing"}]


@both_versions
def test_exit_while_asked_is_a_fold(host: RoomHost, version: int) -> None:
    guests = host.seat(version, version, version)
    begin(guests)
    asked, _, _ = to_turn(guests)
    asked.say(EXIT)
    for told in finish(guests):
        assert broken(told) == f"Player {asked.name} exit the room"


@both_versions
def test_exit_out_of_turn_is_a_fold_when_the_turn_comes(host: RoomHost, version: int) -> None:
    guests = host.seat(version, version)
    begin(guests)
    asked, [gone], _ = to_turn(guests)
    gone.say(EXIT)
    room = host.new_room()
    host.guest(connect(room))  # a round trip: the server has read it
    host.wait_until_known(room)
    asked.act("call")
    # Were he asked all the same he would check here, so this test ends either way.
    told = finish(guests)[guests.index(asked)]
    assert broken(told) == f"Player {gone.name} exit the room"
    assert history(told[-3]) == [[(0, "call"), (1, "fold")]]


@both_versions
def test_exit_out_of_turn_ends_the_room_after_the_hand(host: RoomHost, version: int) -> None:
    guests = host.seat(version, version, version)
    begin(guests)
    asked, [gone, other], _ = to_turn(guests)
    gone.say(EXIT)
    gone.leave()
    asked.act("call")
    for told in finish([asked, other]):
        assert broken(told) == f"Player {gone.name} exit the room"


@both_versions
def test_exit_between_hands_ends_the_room(host: RoomHost, version: int) -> None:
    guests = host.seat(version, version)
    begin(guests)
    play_hand(guests)
    guests[0].go_on()
    guests[1].say(EXIT)
    for guest in guests:
        assert guest.rest() == [{"info": "error", "text": "Player b exit the room"}]


def test_exit_before_the_first_hand_ends_the_room(host: RoomHost) -> None:
    guests = host.seat(V1, V1)
    for guest in guests:
        guest.hear("name")
    guests[0].say(EXIT)
    for guest in guests:
        assert guest.rest() == [{"info": "error", "text": "Player a exit the room"}]


@both_versions
def test_exit_right_behind_the_connect_leaves_no_room(host: RoomHost, version: int) -> None:
    room = host.new_room()
    guest = host.guest()
    guest.say(connect(room, games=None if version == V1 else 2), EXIT, EXIT)
    assert guest.rest() == []
    assert not host.is_known(room)


# Who is late.


@pytest.fixture(scope="module")
def hasty() -> Iterator[RoomHost]:
    """A host where answers are due at once; so nobody in these tests answers in time."""
    with RoomHost("--json", "--set", "decision_ms=100") as host:
        yield host


@pytest.fixture(scope="module")
def impatient() -> Iterator[RoomHost]:
    """A host where a ready is due at once; who means to be in time says it before."""
    with RoomHost("--json", "--set", "ready_ms=100") as host:
        yield host


@both_versions
def test_who_does_not_answer_in_time_is_folded_and_ends_the_room(
    hasty: RoomHost, version: int
) -> None:
    room = hasty.new_room()
    guests = hasty.seat(version, version, room=room)
    begin(guests)
    late, others, _ = to_turn(guests)
    for guest in (late, *others):
        told = guest.rest()
        assert [message["info"] for message in told] == ["state", "result", "error"]
        assert broken(told) == f"Player {late.name} did not act in time"
        assert history(told[0]) == [[(0, "fold")]]
    seats = {seat["name"]: seat["timeouts"] for seat in hasty.result_of(room)["seats"]}
    assert seats == {late.name: 1, others[0].name: 0}


def test_half_a_frame_is_no_answer(hasty: RoomHost) -> None:
    [guest] = hasty.seat(V1, bots=["CallAgent"])
    begin([guest])
    to_turn([guest])
    guest.send(frame(action("call"))[:-1])
    assert broken(guest.rest()) == "Player a did not act in time"


def test_starts_are_no_answer(hasty: RoomHost) -> None:
    [guest] = hasty.seat(V1, bots=["CallAgent"])
    begin([guest])
    to_turn([guest])
    guest.say(*[START, READY] * 50)
    assert broken(guest.rest()) == "Player a did not act in time"


@pytest.mark.parametrize("other", [V1, V2])
def test_who_is_not_ready_for_the_first_hand_ends_the_room(impatient: RoomHost, other: int) -> None:
    room = impatient.new_room()
    ready = impatient.guest()
    wish = connect(room, "ready", games=None if other == V1 else 3)
    ready.introduce(wish)
    ready.say(wish, START)
    impatient.wait_until_known(room)
    late = impatient.guest(connect(room, "late"))
    late.hear("name")
    for guest in (ready, late):
        *before, error = guest.rest()
        assert [message["info"] for message in before] in ([], ["name"])
        assert error == {"info": "error", "text": "Player late was not ready in time"}
    assert impatient.result_of(room)["hands"] == 0


def test_who_is_not_ready_for_the_next_hand_ends_the_room(impatient: RoomHost) -> None:
    guests = impatient.seat(V2, V2)
    asked, [other], _ = to_turn(guests)
    asked.go_on()  # in time for sure: the hand is not over yet
    asked.act("fold")
    for guest in guests:
        *_, error = guest.rest()
        assert error == {"info": "error", "text": f"Player {other.name} was not ready in time"}


def test_after_the_last_hand_the_room_ends_also_without_a_ready(impatient: RoomHost) -> None:
    room = impatient.new_room()
    guests = impatient.seat(V2, V2, games=1, room=room)
    asked, _, _ = to_turn(guests)
    asked.act("fold")
    for guest in guests:
        assert guest.rest()
    assert impatient.result_of(room)["hands"] == 1


# Frames that are none.

NO_FRAMES = {
    "length -1": b"\xff\xff\xff\xff",
    "length -2**31": b"\x00\x00\x00\x80",
    "length 2**31-1": b"\xff\xff\xff\x7f",
    "length 0": b"\x00\x00\x00\x00",
    "length 1": b"\x01\x00\x00\x00{",
    "length 64 KiB + 1": b"\x01\x00\x01\x00",
    "big-endian": b"\x00\x00\x00\x10" + b"x" * 16,
    "HTTP": b"GET / HTTP/1.1\r\n\r\n",
    "no JSON": frame(b"hello world"),
    "half of JSON": frame(b'{"info": "start"'),
    "two objects": frame(b"{}{}"),
    "array": frame([1, 2]),
    "text": frame("connect"),
    "number": frame(b"12"),
    "null": frame(b"null"),
    "no UTF-8": frame(b'{"info": "\xff\xfe"}'),
    "NULs": frame(bytes(100)),
    "deep": frame(b'{"name":' + b"[" * 60_000),
    "deep and whole": frame(b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}"),
    "long number": frame(b'{"room_id": 1' + b"0" * 5000 + b"}"),
}
no_frames = pytest.mark.parametrize("data", NO_FRAMES.values(), ids=NO_FRAMES)


@no_frames
def test_a_newcomer_with_a_bad_frame_is_told_and_closed(host: RoomHost, data: bytes) -> None:
    guest = host.guest(data)
    assert len(guest.refusal()) > 10


@no_frames
def test_a_waiting_player_with_a_bad_frame_is_told_and_his_place_is_free(
    host: RoomHost, data: bytes
) -> None:
    room = host.new_room()
    guest = host.guest(connect(room))
    guest.send(data)
    assert len(guest.refusal()) > 10
    assert not host.is_known(room)


@no_frames
def test_a_player_with_a_bad_frame_is_closed_and_ends_his_room(host: RoomHost, data: bytes) -> None:
    for is_asked in (True, False):
        guests = host.seat(V1, V2)
        begin(guests[:1])
        asked, [other], _ = to_turn(guests)
        bad, good = (asked, other) if is_asked else (other, asked)
        bad.send(data)
        assert len(bad.refusal()) > 10
        if not is_asked:
            good.act("call")
        [told] = finish([good])
        assert broken(told) == f"Player {bad.name} disconnected"


def test_nothing_is_read_after_a_bad_frame(host: RoomHost) -> None:
    room = host.new_room()
    guest = host.guest()
    guest.send(frame([]) + frame(connect(room)))
    assert guest.refusal() == "the frame is not a JSON object"
    assert not host.is_known(room)


# Wishes that cannot be granted.


@pytest.mark.parametrize("seats", [0, 1, 11, -2, 10**30, "x", "", "٣", None, 2.0, True, [2], {}])
def test_a_room_has_2_to_10_seats(host: RoomHost, seats: Any) -> None:
    room = host.new_room()
    for games in (None, 3):
        text = host.guest(connect(room, seats=seats, games=games)).refusal()
        assert text.startswith("room_number is from 2 to 10, not ")
    assert not host.is_known(room)


@pytest.mark.parametrize(("seats", "bots"), [(2, 2), (2, 3), (3, 3), (10, 10), (2, 3000)])
def test_a_player_needs_a_seat_beside_the_bots(host: RoomHost, seats: int, bots: int) -> None:
    room = host.new_room()
    text = host.guest(connect(room, seats=seats, bots=["CallAgent"] * bots)).refusal()
    assert text.startswith(f"{bots} bots leave no seat")
    assert not host.is_known(room)


@pytest.mark.parametrize(
    "agent", ["X", "", "callagent", "CallAgent0", "Zoë", LONE, "a\nb=c", "x" * 64], ids=ascii
)
@both_versions
def test_an_unknown_agent_is_not_found(host: RoomHost, agent: str, version: int) -> None:
    room = host.new_room()
    games = None if version == V1 else 3
    wish = connect(room, seats=3, bots=["CallAgent", agent], games=games)
    assert host.guest(wish).refusal() == f"Agent {agent} not found"
    assert not host.is_known(room)


BAD_WISHES: dict[str, Any] = {
    "bots a text": connect(1, bots="CallAgent"),
    "bots a number": connect(1, bots=1),
    "bots of numbers": connect(1, bots=[1]),
    "bots an object": connect(1, bots={"CallAgent": 1}),
    "no name": {"info": "connect", "room_id": 1, "room_number": 2, "bots": []},
    "empty name": connect(1, ""),
    "name a number": connect(1, 5),
    "name a list": connect(1, ["a"]),
    "long name": connect(1, "x" * 65),
    "name no unicode": connect(1, LONE),
    "name of two lines": connect(1, 'a\n{"match": "forged"}'),
    "name with colours": connect(1, "\x1b[31mred"),
    "room null": connect(None),
    "room a list": connect([1]),
    "room a fraction": connect(1.5),
    "room true": connect(True),
    "room empty": connect(""),
    "room huge": connect(10**40),
    "room long": connect("x" * 65),
    "room no unicode": connect(LONE),
    "room of two lines": connect('1\n{"match": "forged"}'),
    "room infinite": b'{"info": "connect", "room_id": 1e999, "name": "a", "room_number": 2}',
    "games 0": connect(1, games=0),
    "games -1": connect(1, games=-1),
    "games huge": connect(1, games=10**12),
    "games a text": connect(1, games="many"),
    "games true": connect(1, games=True),
    "start": START,
    "ready": READY,
    "action": action("call"),
    "exit": EXIT,
    "empty": {},
    "other info": {"info": "Connect", "room_number": 2, "name": "a"},
    "info a list": {"info": ["connect"], "room_number": 2, "name": "a"},
    "bots without size": {"info": "ai_vs_ai", "room_id": 1, "bots": ["CallAgent"] * 2},
    "too few bots": {"info": "ai_vs_ai", "room_id": 1, "room_number": 3, "bots": ["CallAgent"]},
    "watch no room": {"info": "observer", "room_id": {}},
}


@pytest.mark.parametrize("wish", BAD_WISHES.values(), ids=BAD_WISHES)
def test_a_wish_that_cannot_be_granted_is_refused_with_a_sentence(
    host: RoomHost, wish: Any
) -> None:
    text = host.guest(frame(wish)).refusal()
    assert len(text) > 10
    assert len(text) < 300
    assert text.isprintable()
    assert not host.is_known(1)


# Floods.


def flood(guest: Guest, *messages: Any) -> None:
    """Send until the server has had enough."""
    with suppress(ConnectionError):
        guest.say(*messages)


STRAY = [action("call")] * 10_000


def test_a_flood_while_waiting_cuts_its_sender_off_and_frees_the_place(host: RoomHost) -> None:
    room = host.new_room()
    guest = host.guest(connect(room))
    flood(guest, *STRAY)
    assert guest.rest() == []
    assert not host.is_known(room)


@pytest.mark.parametrize("words", [STRAY, [START] * 10_000], ids=["actions", "starts"])
def test_a_flood_out_of_turn_cuts_its_sender_off(host: RoomHost, words: list[Frame]) -> None:
    guests = host.seat(V1, V2)
    begin(guests[:1])
    asked, [flooder], _ = to_turn(guests)
    flood(flooder, *words)
    with suppress(ConnectionError):
        assert flooder.rest() == []
    asked.act("call")
    [told] = finish([asked])
    assert broken(told) == f"Player {flooder.name} disconnected"


def test_a_flood_of_starts_while_asked_cuts_its_sender_off(host: RoomHost) -> None:
    guests = host.seat(V1, V2)
    begin(guests[:1])
    asked, [other], _ = to_turn(guests)
    flood(asked, *[START] * 10_000)
    [told] = finish([other])
    assert broken(told) == f"Player {asked.name} disconnected"


def test_a_flood_before_the_first_hand_cuts_its_sender_off(host: RoomHost) -> None:
    flooder, other = host.seat(V1, V1)
    begin([flooder])
    other.hear("name")
    flood(flooder, *[START] * 10_000, EXIT)
    # Who is cut off cannot say exit.
    assert other.rest() == [{"info": "error", "text": f"Player {flooder.name} disconnected"}]


def test_a_flood_of_an_observer_cuts_it_off(host: RoomHost) -> None:
    room = host.new_room()
    guests = host.seat(V1, V1, room=room)
    begin(guests)
    asked, _, _ = to_turn(guests)
    watcher = host.guest({"info": "observer", "room_id": room})
    watcher.hear("state")
    flood(watcher, *STRAY)
    watcher.rest()
    asked.act("call")
    play_hand(guests)


def test_a_flood_in_ones_turn_is_as_many_answers(host: RoomHost) -> None:
    room = host.new_room()
    [guest] = host.seat(V1, bots=["CallAgent"], room=room)
    begin([guest])
    guest.hear("state")
    flood(guest, *[action("call")] * 10_000)  # sooner or later a check is due
    guest.rest()
    assert host.result_of(room)["hands"] == 1


# Those who do not read, and those who do not speak.


def deaf(host: RoomHost, wish: Frame) -> Guest:
    """Return a guest with a small window, who will never read."""
    guest = host.guest()
    guest.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    guest.introduce(wish)
    guest.say(wish)
    return guest


def test_a_player_who_never_reads_is_cut_off(host: RoomHost) -> None:
    room = host.new_room()
    guest = deaf(host, connect(room, "deaf", 10, ["CallAgent"] * 9))
    # `c` is a start between hands and an answer within them, so it can be said blindly.
    blind = frame(action("c")) * 50
    with suppress(ConnectionError):
        for _ in range(1000):
            guest.send(blind)
    result = host.result_of(room)
    assert result["hands"] < 10_000
    assert {seat["faults"] for seat in result["seats"]} == {0}


def test_a_player_who_never_reads_keeps_nobody_waiting_in_other_rooms(host: RoomHost) -> None:
    rooms = [host.new_room() for _ in range(5)]
    for room in rooms:
        deaf(host, connect(room, "deaf", 10, ["RandomAgent"] * 9, 1000))
        host.wait_until_known(room)
    guests = host.seat(V1, V2, bots=["RuleAgent"])
    begin(guests[:1])
    for _ in range(3):
        play_hand(guests)
        for guest in guests:
            guest.go_on()


def test_connections_that_say_nothing_keep_nobody_out(host: RoomHost, silent: list[Guest]) -> None:
    quiet = [host.guest() for _ in range(300)]
    half = [host.guest(frame(connect(room))[:-1]) for room in range(50)]
    guests = host.seat(V1, V2, V1)
    begin(guests)
    for _ in range(5):
        play_hand(guests)
        for guest in guests:
            guest.go_on()
    for guest in quiet + half:
        guest.close()


# All of it at once.


def misbehave(host: RoomHost, dice: random.Random) -> None:
    """Break one room in one of all ways, and see that it is broken for all who sit there."""
    version, other = dice.choice([V1, V2]), dice.choice([V1, V2])
    way = dice.randrange(9)
    if way == 0:
        host.guest(dice.choice(list(NO_FRAMES.values()))).refusal()
        return
    if way == 1:
        host.guest(frame(dice.choice(list(BAD_WISHES.values())))).refusal()
        return
    guests = host.seat(version, other, bots=["RandomAgent"])
    begin(guests)
    if way == 2:
        for guest in guests:
            guest.vanish()
        return
    bad, good, _ = to_turn(guests)
    if way == 3:
        bad.act(dice.choice(ILLEGAL))
    elif way == 4:
        bad.say({})
    elif way == 5:
        bad.leave()
    elif way == 6:
        bad.vanish()
    elif way == 7:
        bad.say(EXIT)
    else:
        bad.send(dice.choice(list(NO_FRAMES.values())))
    for told in finish(good):
        assert bad.name in broken(told)


def test_any_number_of_rooms_may_break_while_others_play(host: RoomHost) -> None:
    def play(seed: int) -> None:
        guests = host.seat(V1, V2, bots=["CallAgent"], games=15)
        begin(guests[:1])
        for _ in range(15):
            for result in play_hand(guests, lambda _: "c"):
                assert len(result["player_card"]) == 3
            for guest in guests:
                guest.go_on()

    def break_rooms(seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(10):
            misbehave(host, dice)

    with ThreadPoolExecutor(8) as pool:
        tasks = [play] * 4 + [break_rooms] * 4
        for future in [pool.submit(task, seed) for seed, task in enumerate(tasks)]:
            future.result(PATIENCE)


def test_connections_that_say_nothing_are_closed_with_a_sentence(
    host: RoomHost, silent: list[Guest]
) -> None:
    for guest in silent:
        assert guest.refusal() == "no connect message within 10 s"
