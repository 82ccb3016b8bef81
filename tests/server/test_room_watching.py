"""Those who watch a room: what they see, and that nobody is harmed by them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.rooming import (
    EXIT,
    START,
    V1,
    V2,
    EndedWithinAFrameError,
    Frame,
    Guest,
    RoomHost,
    WatchedHost,
    begin,
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


@pytest.fixture
def host(shared: WatchedHost) -> Iterator[WatchedHost]:
    yield shared
    shared.check()


@pytest.fixture(scope="module")
def open_cards() -> Iterator[RoomHost]:
    with RoomHost("--json", "--audience", "all") as host:
        yield host


def bots_play(room: Any, *bots: str, games: Any = None) -> Frame:
    wish = {"info": "ai_vs_ai", "room_id": room, "room_number": len(bots), "bots": list(bots)}
    return wish if games is None else wish | {"game_number": games}


def watched(host: RoomHost, *versions: int) -> tuple[list[Guest], Guest]:
    """Return players before their first hand, and someone who watches them already."""
    room = host.new_room()
    guests = host.seat(*versions, room=room)
    waiting = [guest for guest in guests if guest.version == V1]
    for guest in waiting:
        guest.hear("name")
    watcher = host.watcher(room, versions[0])
    other = host.new_room()
    host.guest(connect(other))  # a round trip: the server has let the observer in
    host.wait_until_known(other)
    for guest in waiting:
        guest.go_on()
    return guests, watcher


def hand_seen_by(watcher: Guest) -> tuple[list[Frame], Frame]:
    """Return the states and the result of a hand."""
    states = []
    while (told := watcher.next()) is not None and told["info"] == "state":
        states.append(told)
    assert told is not None
    assert told["info"] == "result"
    return states, told


# What is seen.


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_an_observer_sees_every_state_and_no_card_before_the_showdown(
    host: RoomHost, seats: int
) -> None:
    guests, watcher = watched(host, *[V1] * seats)
    results = play_hand(guests)
    states, result = hand_seen_by(watcher)
    own = [told for told in guests[0].frames if told["info"] == "state"]
    assert len(states) == len(own)
    for seen, told in zip(states, own, strict=True):
        if seen["action_position"] != -1:
            assert seen["player_card"] == [[]] * seats
        assert seen["public_card"] == told["public_card"]
        assert seen["action_position"] == told["action_position"]
        assert history(seen) == history(told)
        assert sum(seen["money"]) + seen["desktop_money"] == 20_000 * seats
    assert states[0]["money"][:2] == [19_950, 19_900]
    assert states[0]["round_raise"][:3] == [50, 100, 0][:seats]
    for key in ("win_money", "player_card", "public_card"):
        assert result[key] == results[0][key]
    assert all(result["player_card"])
    assert result["times"] == [1] * seats


def test_after_folds_an_observer_sees_no_card_at_all(host: RoomHost) -> None:
    guests, watcher = watched(host, V1, V1, V1)
    play_hand(guests, lambda _: "fold")
    states, result = hand_seen_by(watcher)
    assert [told["player_card"] for told in [*states, result]] == [[[], [], []]] * 3 + [[[]] * 3]


@pytest.mark.parametrize("word", ["c", "fold"])
def test_with_open_cards_an_observer_sees_what_everyone_holds(
    open_cards: RoomHost, word: str
) -> None:
    guests, watcher = watched(open_cards, V1, V1, V1)
    play_hand(guests, lambda _: word)
    states, result = hand_seen_by(watcher)
    held = {told["position"]: told["private_card"] for told in (g.frames[-2] for g in guests)}
    for seen in states:
        assert seen["player_card"] == [held[place] for place in range(3)]
    for place, cards in enumerate(result["player_card"]):
        assert cards in ([], held[place])


def test_open_cards_are_open_to_observers_only(open_cards: RoomHost) -> None:
    guests, _ = watched(open_cards, V1, V1)
    play_hand(guests, lambda _: "fold")
    assert guests[0].frames[-1]["player_card"] == [[], []]


def test_who_comes_in_the_middle_of_a_hand_sees_where_it_stands(host: RoomHost) -> None:
    room = host.new_room()
    guests = host.seat(V1, V2, V1, room=room)
    begin(guests)
    for word in ("r500", "c", "c", "c"):
        asked, others, state = to_turn(guests)
        asked.act(word)
    _, _, state = to_turn(guests)
    watcher = host.watcher(str(room))
    seen = watcher.hear("state")
    assert history(seen) == history(state)
    assert seen["player_card"] == [[], [], []]
    assert (seen["current_action"], seen["action_player"]) == ("check", 1)
    assert seen["desktop_money"] == 1500
    assert others


def test_totals_and_names_follow_the_players_from_seat_to_seat(host: RoomHost) -> None:
    guests, watcher = watched(host, V1, V1, V1)
    total = {"a": 0, "b": 0, "c": 0}
    for hand in range(4):
        play_hand(guests, lambda _: "c")
        _, result = hand_seen_by(watcher)
        for name, won in zip(result["name"], result["win_money"], strict=True):
            total[name] += won
        assert dict(zip(result["name"], result["total_money"], strict=True)) == total
        assert result["times"] == [hand + 1] * 3
        for guest in guests:
            guest.go_on()
        if hand == 0:
            first = result["name"]
        assert result["name"] == first[hand % 3 :] + first[: hand % 3]


# In the second version.


def test_who_watches_a_room_of_the_second_version_sees_what_its_players_see(
    host: RoomHost,
) -> None:
    guests, watcher = watched(host, V2, V2, V1)
    play_hand(guests)
    states, result = hand_seen_by(watcher)
    own = [told for told in guests[0].frames if told["info"] == "state"]
    for seen, told in zip(states, own, strict=True):
        assert seen["players"] == told["players"]
        assert history(seen) == history(told)
    for key in ("players", "player_card"):
        assert result[key] == guests[0].frames[-1][key]
    assert history(result) == history(guests[0].frames[-1])


def test_a_room_is_watched_in_the_version_of_its_first_player(host: RoomHost) -> None:
    for versions in ((V1, V2), (V2, V1)):
        room = host.new_room()
        guests = host.seat(*versions, room=room)
        begin(guests)
        to_turn(guests)
        seen = host.watcher(room, versions[0]).hear("state")
        assert ("players" in seen) == (versions[0] == V2)


def test_house_bots_are_watched_in_the_second_version_if_a_number_of_games_is_asked_for(
    host: RoomHost,
) -> None:
    room = host.new_room()
    host.guest(bots_play(room, "CallAgent", "CallAgent", games=1000)).hear("state")
    other = host.watcher(room, V2)
    names = {player["name"] for player in other.hear("state")["players"]}
    assert names == {"CallAgent", "CallAgent1"}


def test_a_prepared_table_is_watched_in_the_version_of_its_first_player_of_room() -> None:
    for version in (V1, V2):
        with RoomHost("--seats", "3", "--bot", "CallAgent", rules="plain") as host:
            early = host.watcher(1, version)
            guests = [
                host.guest(connect(1, "a", 3, games=None if version == V1 else 5)),
                host.guest(connect(1, "b", 3, games=5)),
            ]
            begin(guests)
            early.hear("state")
            host.watcher(1, version).hear("state")


# Before the room is full.


@pytest.mark.parametrize("version", [V1, V2])
def test_who_comes_before_the_room_is_full_sees_it_from_its_first_hand(
    host: RoomHost, version: int
) -> None:
    room = host.new_room()
    games = None if version == V1 else 3
    first = host.guest(connect(room, "a", games=games))
    host.wait_until_known(room)
    watchers = [host.watcher(room, version) for _ in range(3)]
    watchers[1].say(EXIT)
    assert watchers[1].rest() == []
    second = host.guest(connect(room, "b", games=games))
    guests = [first, second]
    begin(guests)
    play_hand(guests)
    for watcher in (watchers[0], watchers[2]):
        states, result = hand_seen_by(watcher)
        assert states[0]["action_history"] == [[]]
        assert result["times"] == [1, 1]


@pytest.mark.parametrize("seats", [2, 3])
def test_who_waits_with_the_last_player_that_leaves_is_told_that_there_is_no_room(
    host: RoomHost, seats: int
) -> None:
    room = host.new_room()
    player = host.guest(connect(room, "a", seats))
    host.wait_until_known(room)
    watcher = host.watcher(room)
    host.is_known(room)  # a round trip
    player.leave()
    assert watcher.refusal() == f"room {room} not exists"


def test_no_more_than_a_hundred_wait_to_watch_a_room(host: RoomHost) -> None:
    room = host.new_room()
    first = host.guest(connect(room, "a"))
    host.wait_until_known(room)
    watchers = [host.watcher(room) for _ in range(100)]
    assert "too many" in host.watcher(room).refusal()
    watchers[0].leave()
    watchers.append(host.watcher(room))
    guests = [first, host.guest(connect(room, "b"))]
    begin(guests)
    to_turn(guests)
    for watcher in watchers[1:]:
        watcher.hear("state")
    assert "too many" in host.watcher(room).refusal()


# The end.


def test_an_observer_hears_why_a_room_ends(host: RoomHost) -> None:
    guests, watcher = watched(host, V1, V1)
    asked, _, _ = to_turn(guests)
    asked.act("nonsense")
    finish(guests)
    told = watcher.rest()
    assert [message["info"] for message in told] == ["state", "state", "result", "error"]
    assert told[-1]["text"] == f"Player {asked.name} makes an illegal action: nonsense"


def test_an_observer_hears_of_the_end_of_all_games(host: RoomHost) -> None:
    room = host.new_room()
    guests = host.seat(V2, V2, games=1, room=room)
    to_turn(guests)
    watcher = host.watcher(room, V2)
    watcher.hear("state")
    for guest in guests:
        guest.vanish()
    assert watcher.rest()[-1]["info"] == "error"
    guests = host.seat(V2, V2, games=1, room=room)
    to_turn(guests)
    watcher = host.watcher(room, V2)
    watcher.hear("state")
    guests[0].say(START)
    guests[1].say(START)
    asked = next(g for g in guests if g.frames[-1]["position"] == 0)
    asked.act("fold")
    for guest in guests:
        assert [told["info"] for told in guest.rest()] == ["state", "result", "success"]
    assert [told["info"] for told in watcher.rest()] == ["state", "result", "success"]


def test_an_observer_hears_of_no_error_when_a_player_of_version_one_says_goodbye(
    host: RoomHost,
) -> None:
    guests, watcher = watched(host, V1, V1)
    play_hand(guests)
    hand_seen_by(watcher)
    guests[0].leave()
    assert guests[1].rest() == []
    assert "error" not in [told["info"] for told in watcher.rest()]


def test_an_observer_hears_of_the_error_when_a_player_of_version_two_is_lost(
    host: RoomHost,
) -> None:
    room = host.new_room()
    guests = host.seat(V2, V2, room=room)
    to_turn(guests)
    watcher = host.watcher(room, V2)
    watcher.hear("state")
    asked = next(guest for guest in guests if guest.frames[-1]["position"] == 0)
    asked.act("fold")
    play_hand(guests)
    hand_seen_by(watcher)
    guests[0].leave()
    error = {"info": "error", "text": "Player a disconnected"}
    assert guests[1].rest() == [error]
    assert watcher.rest() == [error]


# Nobody is harmed.


@pytest.mark.parametrize("room", [987_654, "nowhere", 0, "witness "])
def test_a_room_that_does_not_exist_cannot_be_watched(host: RoomHost, room: Any) -> None:
    assert host.watcher(room).refusal() == f"room {room} not exists"


def leave(watcher: Guest) -> None:
    watcher.leave()


def vanish(watcher: Guest) -> None:
    watcher.vanish()


def say_exit(watcher: Guest) -> None:
    watcher.say(EXIT)
    watcher.rest()


def say_nonsense(watcher: Guest) -> None:
    watcher.say(START, {"info": "action", "action": "r20000"}, {}, connect(1))
    watcher.send(frame([]))
    assert watcher.rest()[-1]["info"] == "error"


@pytest.mark.parametrize("how", [leave, vanish, say_exit, say_nonsense])
def test_an_observer_who_goes_harms_nobody(host: RoomHost, how: Any) -> None:
    room = host.new_room()
    guests = host.seat(V1, V2, room=room)
    begin(guests[:1])
    asked, _, _ = to_turn(guests)
    watchers = [host.watcher(room) for _ in range(3)]
    for watcher in watchers:
        watcher.hear("state")
    how(watchers[1])
    asked.act("call")
    play_hand(guests)
    for watcher in (watchers[0], watchers[2]):
        hand_seen_by(watcher)


def test_an_observer_who_never_reads_is_cut_off_and_harms_nobody(host: RoomHost) -> None:
    room = host.new_room()
    # An observer is told all names in every frame; this one is as long as a name can be.
    [guest] = host.seat(V1, bots=["CallAgent"] * 9, room=room, names=["\U0001f0a1" * 64])
    begin([guest])
    to_turn([guest])
    deaf, reader = host.watcher(room), host.watcher(room)
    reader.hear("state")
    reader.leave()  # now the server has let both of them in
    guest.act("c")
    kernel = int(Path("/proc/sys/net/ipv4/tcp_wmem").read_text().split()[2])
    hands = (kernel + 2**21) // 60_000  # more than what the kernel takes for who does not read
    for _ in range(hands):
        play_hand([guest], lambda _: "c")
        guest.go_on()
    guest.leave()
    with suppress(EndedWithinAFrameError):
        deaf.rest()
    results = [told["info"] for told in deaf.frames].count("result")
    assert 0 < results < hands
    assert deaf.frames[-1]["info"] != "error"


def test_no_more_than_a_hundred_watch_a_room(host: RoomHost) -> None:
    room = host.new_room()
    guests = host.seat(V1, V1, room=room)
    begin(guests)
    asked, _, _ = to_turn(guests)
    watchers = [host.watcher(room) for _ in range(100)]
    for watcher in watchers:
        watcher.hear("state")
    assert "too many" in host.watcher(room).refusal()
    watchers[0].leave()
    host.watcher(room).hear("state")
    asked.act("call")
    play_hand(guests)


# House bots among themselves.


def test_house_bots_play_their_games_for_who_asks(host: RoomHost) -> None:
    room = host.new_room()
    bots = ["CallAgent", "RandomAgent", "CallAgent"]
    watcher = host.guest(bots_play(room, *bots, games=3))
    for _ in range(3):
        states, result = hand_seen_by(watcher)
        assert sorted(result["name"]) == ["CallAgent", "CallAgent1", "RandomAgent"]
        assert states[-1]["action_position"] == -1
        assert states[0]["player_card"] == [[], [], []]
    assert watcher.rest() == [{"info": "success", "text": "Complete playing"}]
    result = host.result_of(room)
    assert (result["hands"], result["rules"]) == (3, "room2")
    assert not host.is_known(room)


def test_house_bots_play_without_end_until_the_watcher_leaves(host: RoomHost) -> None:
    room = host.new_room()
    watcher = host.guest(bots_play(room, *["AllinAgent"] * 4))
    for _ in range(3):
        _, result = hand_seen_by(watcher)
    assert sorted(result["name"]) == [f"AllinAgent{index}" for index in range(4)]
    watcher.leave()
    ended = host.result_of(room)
    assert ended["hands"] >= 3
    assert ended["rules"] == "room"
    assert sum(seat["chips"] for seat in ended["seats"]) == 80_000
    host.wait_until_free(room)


def test_others_may_watch_house_bots_too_and_are_told_of_the_end(host: RoomHost) -> None:
    room = host.new_room()
    owner = host.guest(bots_play(room, "CallAgent", "CallAgent"))
    owner.hear("state")
    other = host.watcher(room)
    hand_seen_by(owner)
    hand_seen_by(owner)
    owner.leave()
    assert other.rest()[-1]["info"] == "error"


@pytest.mark.parametrize("games", [None, 5])
def test_house_bots_need_a_free_room(host: RoomHost, games: Any) -> None:
    waiting, playing = host.new_room(), host.new_room()
    host.guest(connect(waiting))
    host.wait_until_known(waiting)
    guests = host.seat(V1, bots=["CallAgent"], room=playing)
    begin(guests)
    for room in (waiting, playing):
        wish = bots_play(room, "CallAgent", "CallAgent", games=games)
        assert host.guest(wish).refusal() == f"room {room} is full"
    play_hand(guests)


def test_nobody_can_sit_down_among_house_bots(host: RoomHost) -> None:
    room = host.new_room()
    owner = host.guest(bots_play(room, "CallAgent", "CallAgent"))
    owner.hear("state")
    assert host.guest(connect(room)).refusal() == f"room {room} is full"


def test_unknown_house_bots_are_not_found(host: RoomHost) -> None:
    room = host.new_room()
    assert host.guest(bots_play(room, "CallAgent", "X")).refusal() == "Agent X not found"
    assert not host.is_known(room)


def test_many_rooms_of_house_bots_leave_others_their_turns(host: RoomHost) -> None:
    owners = [host.guest(bots_play(host.new_room(), *["RandomAgent"] * 6)) for _ in range(20)]
    guests = host.seat(V1, V2, V1)
    begin(guests)
    for _ in range(5):
        play_hand(guests)
        for guest in guests:
            guest.go_on()
    step(guests)
    for owner in owners:
        owner.vanish()


# A delay.


def test_with_a_delay_observers_see_whole_hands_late_with_all_cards() -> None:
    with RoomHost("--audience", "2", "--json") as host:
        guests, watcher = watched(host, V1, V1)
        seen = []
        for hand in range(4):
            play_hand(guests)
            seen.append([g.frames[-2]["private_card"] for g in guests])
            if hand >= 2:
                states, _ = hand_seen_by(watcher)
                held = seen[hand - 2]
                assert sorted(states[0]["player_card"]) == sorted(held)
            if hand < 3:
                for guest in guests:
                    guest.go_on()
        guests[0].leave()
        told = watcher.rest()
        assert [message["info"] for message in told].count("result") == 2
