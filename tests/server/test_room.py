"""`croupier host` in `room` over real sockets: whole conversations, and who gets into which."""

import random
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
    connect,
    frame,
    history,
    is_asked,
    passive,
    play_hand,
    step,
    to_turn,
)


@pytest.fixture(scope="module")
def shared() -> Iterator[WatchedHost]:
    with WatchedHost() as host:
        yield host


@pytest.fixture
def host(shared: WatchedHost) -> Iterator[WatchedHost]:
    yield shared
    shared.check()


# Whole conversations.

COMPANIES = [
    (1, ["CallAgent"]),
    (2, []),
    (2, ["RandomAgent"]),
    (3, ["RandomAgent", "CallAgent", "RandomAgent"]),
    (6, []),
    (4, ["RuleAgent", "AllinAgent", "CallAgent", "CallAgent", "RandomAgent", "RuleAgent"]),
    (10, []),
    (1, ["CallAgent"] * 9),
]
"""How many sockets and which house bots: rooms of 2, 3, 6 and 10 seats."""


class Bold:
    """Chooses among what is legal, by its own dice."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def __call__(self, state: Frame) -> str:
        word = self._dice.choice([*state["legal_actions"][1:], "call", "call", "raise", "fold"])
        if word == "raise" and state["raise_range"]:
            low, high = state["raise_range"]
            return f"r{self._dice.choice([low, low, low, high])}"
        return "fold" if word == "fold" else passive(state)


@pytest.mark.parametrize(("sockets", "bots"), COMPANIES)
def test_a_conversation_of_the_first_version(host: RoomHost, sockets: int, bots: list[str]) -> None:
    guests = host.seat(*[V1] * sockets, bots=bots)
    seats = sockets + len(bots)
    names = [guest.hear("name") for guest in guests]
    places = [name["position"] for name in names]
    assert all(name["name"] == names[0]["name"] for name in names)
    assert [name["name"][name["position"]] for name in names] == [guest.name for guest in guests]
    numbered = [f"{bot}{index}" for index, bot in enumerate(bots)]
    assert sorted(names[0]["name"]) == sorted([*numbered, *(guest.name for guest in guests)])
    for hand in range(4):
        for guest in guests:
            guest.go_on()
        results = play_hand(guests, Bold(hand))
        assert all(result == results[0] for result in results)
        assert len(results[0]["win_money"]) == seats
        for guest, place in zip(guests, places, strict=True):
            last = guest.frames[-2]
            assert last["action_position"] == -1
            assert last["position"] == (place - hand) % seats  # everyone moves one seat down
            shown = results[0]["player_card"][last["position"]]
            assert shown in ([], last["private_card"])
    guests[0].leave()
    assert [guest.rest() for guest in guests[1:]] == [[]] * (sockets - 1)


@pytest.mark.parametrize(("sockets", "bots"), COMPANIES)
def test_a_conversation_of_the_second_version(
    host: RoomHost, sockets: int, bots: list[str]
) -> None:
    room = host.new_room()
    guests = host.seat(*[V2] * sockets, bots=bots, games=4, room=room)
    called = [
        bot + (str(number) if (number := bots[:i].count(bot)) else "") for i, bot in enumerate(bots)
    ]
    for hand in range(4):
        results = play_hand(guests, Bold(hand))
        for guest, result in zip(guests, results, strict=True):
            assert result["players"] == results[0]["players"]
            names = [player["name"] for player in result["players"]]
            assert sorted(names) == sorted([*called, *(guest.name for guest in guests)])
            last = guest.frames[-2]
            assert names[last["position"]] == guest.name
            assert [player["name"] for player in last["players"]] == names
            cards = result["player_card"]
            if sum(map(bool, cards)) == 1:  # it ended by folds: everyone sees his own
                assert cards[last["position"]] == last["private_card"]
            assert result["action_history"] == last["action_history"]
            guest.go_on()
    for guest in guests:
        assert guest.rest() == [{"info": "success", "text": "Complete playing"}]
    result = host.result_of(room)
    assert (result["rules"], result["hands"]) == ("room2", 4)
    assert sum(seat["chips"] for seat in result["seats"]) == 20_000 * (sockets + len(bots))


def test_every_hand_starts_with_the_same_chips_and_wins_add_up(host: RoomHost) -> None:
    room = host.new_room()
    guests = host.seat(V2, V2, bots=["RandomAgent"], games=6, room=room)
    won: dict[str, int] = {}
    for hand in range(6):
        for player in play_hand(guests, Bold(hand))[0]["players"]:
            assert player["totalMoney"] == 20_000
            won[player["name"]] = won.get(player["name"], 0) + player["win_money"]
        for guest in guests:
            guest.go_on()
    chips = {seat["name"]: seat["chips"] - 20_000 for seat in host.result_of(room)["seats"]}
    assert chips == won


def test_all_frames_are_ascii_whatever_the_names_are(host: RoomHost) -> None:
    guests = host.seat(V1, V2, names=["Zoë 名字 \U0001f0a1", 'q"\\'])
    begin(guests[:1])
    for result in play_hand(guests)[1:]:  # the bytes were decoded as ASCII
        assert {player["name"] for player in result["players"]} == {guest.name for guest in guests}


def test_the_same_name_twice_is_told_apart(host: RoomHost) -> None:
    guests = host.seat(V1, V1, V1, names=["Bob", "Bob", "Bob"])
    names = [guest.hear("name") for guest in guests]
    assert len({name["position"] for name in names}) == 3
    assert len(set(names[0]["name"])) == 3


def test_a_player_called_like_a_house_bot_is_told_apart(host: RoomHost) -> None:
    for version in (V1, V2):
        [guest] = host.seat(
            version, bots=["CallAgent"], names=["CallAgent" + "0" * (version == V1)]
        )
        begin([guest])
        play_hand([guest])
        told = guest.frames[0]
        names = told["name"] if version == V1 else [player["name"] for player in told["players"]]
        assert len(set(names)) == 2


@pytest.mark.parametrize("versions", [(V1, V2), (V2, V1)])
def test_house_bots_have_the_names_of_each_player_s_own_version(
    host: RoomHost, versions: tuple[int, int]
) -> None:
    bots = ["CallAgent", "RuleAgent", "CallAgent"]
    guests = host.seat(*versions, bots=bots, names=["x", "y"])
    first, second = guests if versions[0] == V1 else guests[::-1]
    begin([first])
    play_hand(guests)
    named = first.frames[0]["name"]
    assert set(named) == {"x", "y", "CallAgent0", "RuleAgent1", "CallAgent2"}
    shown = {player["name"] for player in second.frames[0]["players"]}
    assert shown == {"x", "y", "CallAgent", "RuleAgent", "CallAgent1"}


# Which rules, and whose frames.


def raise_and_raise(state: Frame) -> str:
    return f"r{state['raise_range'][0]}" if state["raise_range"] else passive(state)


@pytest.mark.parametrize("second", [V1, V2])
def test_a_first_player_of_version_two_brings_its_rules(host: RoomHost, second: int) -> None:
    guests = host.seat(V2, second, games=2)
    begin(guests)
    for _ in range(2):
        play_hand(guests, raise_and_raise)
        for guest in guests:
            streets = history(guest.frames[-2])
            raises = [sum(word.startswith("r") for _, word in street) for street in streets]
            assert raises[0] == 4
            assert max(raises) == 4
            guest.go_on()
    assert guests[0].rest() == [{"info": "success", "text": "Complete playing"}]
    assert [message["info"] for message in guests[1].rest()] == ["success"] * (second == V2)


@pytest.mark.parametrize("second", [V1, V2])
def test_a_first_player_of_version_one_brings_its_rules(host: RoomHost, second: int) -> None:
    guests = host.seat(V1, second, games=1)
    begin(guests)
    for _ in range(3):  # the second player's number of games does not count
        play_hand(guests, raise_and_raise)
        for guest in guests:
            streets = history(guest.frames[-2])
            assert sum(word.startswith("r") for _, word in streets[0]) > 4
            guest.go_on()
    to_turn(guests)


def test_a_player_of_version_one_is_waited_for_in_a_room_of_version_two(host: RoomHost) -> None:
    new, old = host.seat(V2, V1)
    assert old.hear("name")["name"][old.frames[0]["position"]] == "b"
    room = host.new_room()
    host.guest(connect(room))  # a round trip
    host.wait_until_known(room)
    new.socket.setblocking(False)
    with pytest.raises(BlockingIOError):
        new.socket.recv(1)
    new.socket.settimeout(PATIENCE)
    old.go_on()
    step([new, old])


def test_a_player_of_version_two_says_nothing_before_the_first_hand(host: RoomHost) -> None:
    old, new = host.seat(V1, V2)
    begin([old])
    play_hand([old, new])
    old.go_on()
    new.go_on()
    step([old, new])


def test_the_first_player_decides_size_and_bots(host: RoomHost) -> None:
    room = host.new_room()
    first = host.guest(connect(room, "first", 4, ["CallAgent", "AllinAgent"]))
    host.wait_until_known(room)
    second = host.guest(connect(room, "second", 2, ["No such agent"]))
    names = ["AllinAgent1", "CallAgent0", "first", "second"]
    for guest in (first, second):
        assert sorted(guest.hear("name")["name"]) == names


def test_bet_is_a_raise_by_the_pot_in_version_two(host: RoomHost) -> None:
    guests = host.seat(V2, V2)
    asked, others, state = to_turn(guests)
    assert state["raise_range"] == [200, 20_000]
    asked.act("bet")
    assert history(step([asked, *others])[0]) == [[(0, "r300")]]


@pytest.mark.parametrize("version", [V1, V2])
def test_the_short_forms_are_understood_and_never_sent(host: RoomHost, version: int) -> None:
    guests = host.seat(version, version, version)
    begin(guests)
    play_hand(guests, lambda _: "c")
    assert history(guests[0].frames[-2])[0] == [(2, "call"), (0, "call"), (1, "check")]
    for guest in guests:
        guest.go_on()
    play_hand(guests, lambda _: "f")
    assert history(guests[0].frames[-2])[0] == [(2, "fold"), (0, "fold")]


# Several rooms.


def test_rooms_do_not_notice_each_other(host: RoomHost) -> None:
    def play(seed: int) -> None:
        versions = [V1 + (seed + place) % 2 for place in range(1 + seed % 4)]
        guests = host.seat(*versions, bots=["RandomAgent"] * (1 + seed % 2), games=12)
        begin(guests)
        for hand in range(12):
            for result in play_hand(guests, Bold(100 * seed + hand)):
                assert len(result["player_card"]) == len(versions) + 1 + seed % 2
            for guest in guests:
                guest.go_on()

    with ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(play, seed) for seed in range(16)]:
            future.result(PATIENCE)


def test_one_may_play_in_several_rooms_at_once(host: RoomHost) -> None:
    rooms = [host.seat(V1, bots=["CallAgent"], names=["me"])[0] for _ in range(5)]
    for guest in rooms:
        begin([guest])
    for _ in range(2):
        for guest in rooms:
            play_hand([guest])
            guest.go_on()


@pytest.mark.parametrize("version", [V1, V2])
def test_the_id_of_a_room_is_free_again_after_its_end(host: RoomHost, version: int) -> None:
    room = host.new_room()
    for _ in range(3):
        guests = host.seat(version, version, room=room, games=1)
        begin(guests)
        play_hand(guests)
        if version == V1:
            guests[0].leave()
        else:
            for guest in guests:
                guest.go_on()
        for guest in guests[version == V1 :]:
            guest.rest()  # who has seen the end can come back at once
    assert not host.is_known(room)


@pytest.mark.parametrize("seats", [1, 2])
def test_a_full_room_is_closed_to_others(host: RoomHost, seats: int) -> None:
    room = host.new_room()
    guests = host.seat(*[V1] * seats, bots=["CallAgent"], room=room)
    begin(guests)
    for games in (None, 5):
        late = host.guest(connect(room, "late", games=games))
        assert late.refusal() == f"room {room} is full"
    play_hand(guests)


def leave(guest: Guest) -> None:
    guest.leave()


def say_exit(guest: Guest) -> None:
    guest.say(EXIT)
    assert guest.rest() == []


@pytest.mark.parametrize("how", [leave, say_exit])
def test_a_waiting_player_who_leaves_frees_his_place(host: RoomHost, how: Any) -> None:
    room = host.new_room()
    first = host.guest(connect(room, "first", 3))
    host.wait_until_known(room)
    how(host.guest(connect(room, "gone", 3)))
    others = [host.guest(connect(room, name, 3)) for name in ("second", "third")]
    for guest in (first, *others):
        assert sorted(guest.hear("name")["name"]) == ["first", "second", "third"]


@pytest.mark.parametrize("how", [leave, say_exit])
def test_with_its_only_player_a_waiting_room_is_gone(host: RoomHost, how: Any) -> None:
    room = host.new_room()
    first = host.guest(connect(room, "first", 5, ["AllinAgent"]))
    host.wait_until_known(room)
    how(first)
    assert not host.is_known(room)
    next_ = host.guest(connect(room, "next", 2, ["CallAgent"]))
    assert sorted(next_.hear("name")["name"]) == ["CallAgent0", "next"]


def test_when_the_first_of_those_who_wait_leaves_the_room_stays_as_he_wished(
    host: RoomHost,
) -> None:
    room = host.new_room()
    first = host.guest(connect(room, "first", 4, ["CallAgent"]))
    host.wait_until_known(room)
    second = host.guest(connect(room, "second", 2))
    second.say(START)
    assert host.is_known(room)  # a round trip: the second waits too
    first.leave()
    rest = [host.guest(connect(room, name, 2)) for name in ("third", "fourth")]
    for guest in (second, *rest):
        names = sorted(guest.hear("name")["name"])
        assert names == ["CallAgent0", "fourth", "second", "third"]


def test_who_says_exit_in_the_moment_in_which_the_room_would_be_full_is_not_seated(
    host: RoomHost,
) -> None:
    room = host.new_room()
    first, second = host.guest(connect(room, "first")), host.guest()
    host.wait_until_known(room)
    second.introduce(connect(room, "second"))
    host.process.send_signal(signal.SIGSTOP)  # so that it finds both at once when it goes on
    try:
        first.say(EXIT)
        second.say(connect(room, "second"))
    finally:
        host.process.send_signal(signal.SIGCONT)
    assert first.rest() == []
    third = host.guest(connect(room, "third"))
    for guest in (second, third):
        assert sorted(guest.hear("name")["name"]) == ["second", "third"]


# Leniency.


def without(wish: Frame, *keys: str) -> Frame:
    return {key: value for key, value in wish.items() if key not in keys}


LENIENT = {
    "no bots": without(connect(1, "b"), "bots"),
    "bots null": connect(1, "b", bots=None),
    "no info": without(connect(1, "b"), "info"),
    "size as text": connect(1, "b", "2"),
    "games as text": connect(1, "b", games="7"),
    "games null": connect(1, "b", game_number=None),
    "room as text": connect("1", "b"),
    "more fields": connect(1, "b", version=9, info_="x"),
    "size alone": {"room_number": 2, "name": "b", "room_id": 1},
}


@pytest.mark.parametrize("wish", LENIENT.values(), ids=LENIENT)
def test_a_connect_is_read_leniently(host: RoomHost, wish: Frame) -> None:
    room = host.new_room()
    wish = wish | {"room_id": type(wish["room_id"])(room)}
    first = host.guest(connect(room))
    host.wait_until_known(room)
    guests = [first, host.guest(wish)]
    begin(guests)
    play_hand(guests)


def test_a_missing_room_id_means_room_zero(host: RoomHost) -> None:
    first = host.guest(without(connect(0), "room_id"))
    host.wait_until_known(0)
    guests = [first, host.guest(connect(0, "b"))]
    begin(guests)
    play_hand(guests)
    guests[0].leave()
    host.wait_until_free(0)
    guests = host.seat(V2, V2, room="0")
    play_hand(guests)


def test_text_and_number_name_the_same_room_and_other_texts_other_rooms(host: RoomHost) -> None:
    room = host.new_room()
    first = host.guest(connect(str(room)))
    host.wait_until_known(room)
    host.guest(connect(f"{room} ", "elsewhere"))
    host.guest(connect(f"0{room}", "elsewhere"))
    host.guest(connect(-room, "elsewhere"))
    second = host.guest(connect(room, "b"))
    assert sorted(first.hear("name")["name"]) == ["a", "b"]
    assert sorted(second.hear("name")["name"]) == ["a", "b"]


ANYTHING: list[Any] = [
    READY,
    START,
    {"info": "ready", "status": "exit"},
    {"info": "whatever"},
    {"info": None},
    {"info": ["exit"]},
    {},
    action("call"),
    connect(1),
]


@pytest.mark.parametrize("word", ANYTHING)
@pytest.mark.parametrize("version", [V1, V2])
def test_any_frame_but_exit_counts_as_ready(host: RoomHost, version: int, word: Frame) -> None:
    guests = host.seat(version, version, games=2)
    for guest in guests:
        if version == V1:
            guest.hear("name")
            guest.say(word)
    for _ in range(2):
        play_hand(guests)
        for guest in guests:
            guest.say(word)
    if version == V2:
        for guest in guests:
            assert guest.rest() == [{"info": "success", "text": "Complete playing"}]
    else:
        to_turn(guests)


@pytest.mark.parametrize("stray", [START, READY])
@pytest.mark.parametrize("version", [V1, V2])
def test_a_start_while_asked_is_no_action(host: RoomHost, version: int, stray: Frame) -> None:
    guests = host.seat(version, version)
    begin(guests)
    asked, others, _ = to_turn(guests)
    asked.say(stray, stray, stray, action("call"))
    assert history(step([asked, *others])[0]) == [[(0, "call")]]


def test_a_start_right_behind_the_connect_counts(host: RoomHost) -> None:
    room = host.new_room()
    wish = connect(room, bots=["CallAgent"])
    guest = host.guest()
    guest.introduce(wish)
    guest.say(wish, START)
    guest.hear("name")
    guest.hear("state")


def test_a_start_before_the_room_is_full_counts(host: RoomHost) -> None:
    room = host.new_room()
    first = host.guest()
    first.introduce(connect(room))
    first.say(connect(room), START)
    host.wait_until_known(room)
    second = host.guest(connect(room, "b"))
    assert second.hear("name")
    second.go_on()
    assert first.hear("name")
    play_hand([first, second])


def test_a_start_within_the_hand_counts_for_the_next(host: RoomHost) -> None:
    guests = host.seat(V1, V1)
    begin(guests)
    asked, others, _ = to_turn(guests)
    for guest in guests:
        guest.go_on()
    asked.act("call")
    play_hand([asked, *others])
    to_turn(guests)


def test_an_action_out_of_turn_is_no_answer_to_a_later_question(host: RoomHost) -> None:
    guests = host.seat(V1, V1)
    begin(guests)
    asked, [other], _ = to_turn(guests)
    other.act("r5000")
    room = host.new_room()
    host.guest(connect(room))  # a round trip: the server has read what came before
    host.wait_until_known(room)
    asked.act("call")
    state = step([asked, other])[0]
    assert history(state) == [[(0, "call")]]
    other.act("check")
    assert history(step([asked, other])[0])[0] == [(0, "call"), (1, "check")]


# Pieces and segments.


def test_a_connect_may_be_cut_at_every_byte(host: RoomHost) -> None:
    other = host.new_room()
    host.guest(connect(other))
    host.wait_until_known(other)
    for cut in range(1, len(frame(connect(other, bots=["CallAgent"])))):
        room = host.new_room()
        whole = frame(connect(room, bots=["CallAgent"]))
        guest = host.guest()
        guest.introduce(connect(room))
        guest.send(whole[:cut])
        assert host.is_known(other)  # a round trip: the first piece is read
        guest.send(whole[cut:])
        guest.hear("name")


def test_a_conversation_may_come_byte_by_byte(host: RoomHost) -> None:
    guest = host.guest()
    wish = connect(host.new_room(), bots=["CallAgent"])
    guest.introduce(wish)

    def spell(message: Frame) -> None:
        for byte in frame(message):
            guest.send(bytes([byte]))

    spell(wish)
    guest.hear("name")
    for _ in range(2):
        spell(START)
        while (told := guest.next()) is not None and told["info"] != "result":
            if is_asked(told):
                spell(action(passive(told)))


def test_a_whole_hand_may_come_in_one_segment(host: RoomHost) -> None:
    [guest] = host.seat(V1, bots=["CallAgent"])
    place = guest.hear("name")["position"]
    for hand in range(4):
        first = action("check" if (place + hand) % 2 else "call")
        guest.say(START, first, *[action("check")] * 3)
        while (told := guest.next()) is not None and told["info"] != "result":
            pass
        assert sum(len(street) for street in history(guest.frames[-2])) == 8


def test_the_next_frame_may_begin_in_the_segment_of_the_last(host: RoomHost) -> None:
    guest = host.guest()
    wish = connect(host.new_room(), bots=["CallAgent"])
    guest.introduce(wish)
    data = frame(wish) + frame(START)
    guest.send(data[:-7])
    guest.hear("name")
    guest.send(data[-7:])
    guest.hear("state")


def test_a_frame_of_64_kib_is_read(host: RoomHost) -> None:
    wish = connect(host.new_room(), bots=["CallAgent"], padding="")
    size = len(frame(wish)) - 4
    wish["padding"] = "x" * (64 * 1024 - size)
    host.guest(wish).hear("name")
