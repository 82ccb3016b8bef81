"""Command lines of `room`: prepared tables, --once, --hands, --seed, and those that fit nothing."""

import pytest

from tests.support.processes import croupier
from tests.support.rooming import (
    EXIT,
    V1,
    V2,
    RoomHost,
    begin,
    connect,
    finish,
    is_asked,
    passive,
    play_hand,
    step,
    to_turn,
)

# A prepared table.

PREPARED = ("--seats", "2", "--bot", "CallAgent", "--once", "--json")


@pytest.mark.parametrize(("version", "rules"), [(V1, "plain"), (V2, "room")])
def test_any_room_leads_to_a_prepared_table(version: int, rules: str) -> None:
    with RoomHost(*PREPARED, "--hands", "3", rules=rules) as host:
        wish = connect("anything", "a", 9, ["No such agent"], 77 if version == V2 else None)
        guest = host.guest(wish)
        begin([guest])
        for _ in range(3):
            play_hand([guest])
            guest.go_on()
        assert [message["info"] for message in guest.rest()] == ["success"] * (version == V2)
        result = host.result()
        assert host.process.returncode == 0
    assert result["hands"] == 3


def test_at_a_prepared_table_faults_are_folds_and_it_is_played_on() -> None:
    arguments = ("--seats", "3", "--bot", "CallAgent", "--hands", "5", "--once", "--json")
    with RoomHost(*arguments, rules="plain") as host:
        guests = [host.guest(connect(room, name)) for room, name in ((1, "good"), (2, "bad"))]
        begin(guests)
        bad = guests[1]
        for word in ("r101", "nonsense", None, 5, "fold"):
            while (told := step(guests))[0]["info"] != "result":
                for guest, state in zip(guests, told, strict=True):
                    if is_asked(state):
                        guest.act(word if guest is bad else passive(state))
            for guest in guests:
                guest.go_on()
        assert [guest.rest() for guest in guests] == [[], []]
        result = host.result()
    faults = {seat["name"]: seat["faults"] for seat in result["seats"]}
    assert faults == {"good": 0, "bad": 4, "CallAgent0": 0}
    assert result["hands"] == 5


def test_a_prepared_table_goes_on_without_a_player_who_leaves() -> None:
    arguments = ("--seats", "3", "--bot", "CallAgent", "--hands", "6", "--once", "--json")
    with RoomHost(*arguments, rules="plain") as host:
        stays, goes = (host.guest(connect(1, name)) for name in "sg")
        begin([stays, goes])
        play_hand([stays, goes])
        goes.say(EXIT)
        assert goes.rest() == []
        for _ in range(5):
            stays.go_on()
            play_hand([stays])
        assert stays.rest() == []
        assert host.result()["hands"] == 6


def test_a_prepared_table_has_no_rooms_for_house_bots_or_latecomers() -> None:
    with RoomHost(*PREPARED, rules="plain") as host:
        guest = host.guest(connect(1))
        begin([guest])
        asked, _, _ = to_turn([guest])
        bots = {"info": "ai_vs_ai", "room_id": 5, "room_number": 2, "bots": ["CallAgent"] * 2}
        assert "house bots" in host.guest(bots).refusal()
        assert "running" in host.guest(connect(7, "late")).refusal()
        watcher = host.guest({"info": "observer", "room_id": 99})
        assert watcher.hear("state")["action_position"] == asked.frames[-1]["position"]


# The command line.


def test_once_ends_with_the_first_room_and_prints_its_result() -> None:
    with RoomHost("--once", "--json") as host:
        guests = host.seat(V2, V2, games=2)
        for _ in range(2):
            play_hand(guests)
            for guest in guests:
                guest.go_on()
        for guest in guests:
            assert guest.rest()
        host.see_off()
        result = host.result()
        assert host.process.returncode == 0
    assert (result["rules"], result["hands"]) == ("room2", 2)
    assert sorted(seat["name"] for seat in result["seats"]) == ["a", "b"]
    assert result["seed_sha256"] in "".join(host.lines)


def test_once_ends_with_exit_code_0_also_when_a_player_breaks_the_room() -> None:
    with RoomHost("--once", "--json") as host:
        [guest] = host.seat(V1, bots=["CallAgent"])
        begin([guest])
        to_turn([guest])
        guest.act("nonsense")
        guest.rest()
        host.see_off()
        result = host.result()
        assert host.process.returncode == 0
    assert {seat["name"]: seat["faults"] for seat in result["seats"]} == {"a": 1, "CallAgent0": 0}


def test_a_number_of_hands_on_the_command_line_ends_rooms_of_version_one() -> None:
    with RoomHost("--hands", "2", "--json") as host:
        room = host.new_room()
        guests = host.seat(V1, V1, room=room)
        begin(guests)
        play_hand(guests)
        for guest in guests:
            guest.go_on()
        play_hand(guests)
        assert [guest.rest() for guest in guests] == [[], []]
        assert host.result_of(room)["hands"] == 2


def test_the_seed_given_decides_the_cards_of_every_room() -> None:
    seen = []
    for _ in range(2):
        with RoomHost("--seed", "x", "--json") as host:
            cards = []
            for room in ("one", "two"):
                guests = host.seat(V1, V1, room=room)
                begin(guests)
                play_hand(guests)
                cards.append([guest.frames[-2] for guest in guests])
                guests[0].leave()
                assert host.result_of(room)["secret"] is False
            seen.append(cards)
    assert seen[0] == seen[1]
    assert seen[0][0] != seen[0][1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rules", "room", "--listen", "huawei:0"), "huawei"),
        (("--rules", "room", "--listen", "room:0", "--listen", "trend:0"), "trend"),
        (("--rules", "plain", "--listen", "room:0"), "--seats"),
        (("--rules", "room", "--listen", "room:0", "--bot", "CallAgent"), "--bot"),
        (("--rules", "room", "--listen", "room:0", "--audience", "nonsense"), "nonsense"),
        (("--rules", "room", "--listen", "room:0", "--seats", "11"), "11"),
    ],
)
def test_a_command_line_that_fits_nothing_ends_with_2_and_one_sentence(
    arguments: tuple[str, ...], says: str
) -> None:
    ended = croupier("host", *arguments)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert says in ended.stderr
    assert ended.stderr.startswith("Error: ")
    assert ended.stderr.count("\n") == 1


def test_a_prepared_table_of_the_rules_room_ends_with_a_fault() -> None:
    with RoomHost(*PREPARED, "--seats", "3") as host:
        guests = [host.guest(connect(1, name)) for name in "ab"]
        begin(guests)
        asked, _, _ = to_turn(guests)
        asked.act("r1")
        for told in finish(guests):
            assert told[-1]["text"] == f"Player {asked.name} makes an illegal action: r1"
        assert host.result()["hands"] == 1
