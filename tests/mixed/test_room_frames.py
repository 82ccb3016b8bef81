"""Players of `room` at a prepared table of other rules, over real sockets."""

import pytest

from tests.support.hosting import HostProcess
from tests.support.rooming import (
    READY,
    START,
    V1,
    V2,
    Guest,
    connect,
    is_asked,
    passive,
    play_hand,
)

PLAIN = ("--rules", "plain", "--seats", "2", "--bot", "CallAgent", "--hands", "2", "--seed", "x")


def to_question(guest: Guest) -> None:
    while not is_asked(guest.hear("state")):
        pass


@pytest.mark.parametrize("version", [V1, V2])
def test_a_stray_start_is_never_an_action(version: int) -> None:
    with HostProcess(*PLAIN, "--once", "--json", dialect="room") as host:
        wish = connect("anywhere", "bob", games=1 if version == V2 else None)
        guest = Guest(host.port, wish)
        if version == V1:
            guest.hear("name")
            guest.go_on()
        for hand in (1, 2):
            to_question(guest)
            guest.say(START, READY, START)
            guest.act(passive(guest.frames[-1]))
            play_hand([guest])
            if hand == 1 or version == V2:
                guest.go_on()
        rest = [frame["info"] for frame in guest.rest()]
        assert rest == (["success"] if version == V2 else [])
        guest.close()
        result = host.result()
    assert result["hands"] == 2, "game_number means nothing at a prepared table"
    assert [seat["faults"] for seat in result["seats"]] == [0, 0]


def test_an_early_start_counts_for_the_next_hand() -> None:
    with HostProcess(*PLAIN, "--once", "--json", dialect="room") as host:
        guest = Guest(host.port, connect(1, "bob"))
        guest.hear("name")
        guest.go_on()
        to_question(guest)
        guest.say(START)
        guest.act(passive(guest.frames[-1]))
        play_hand([guest])
        # He has said already that he is ready: the next hand begins by itself.
        to_question(guest)
        guest.act(passive(guest.frames[-1]))
        play_hand([guest])
        guest.rest()
        guest.close()
        assert host.result()["hands"] == 2


def test_an_illegal_action_is_a_fold_and_the_room_plays_on() -> None:
    with HostProcess(*PLAIN, "--once", "--json", dialect="room") as host:
        guest = Guest(host.port, connect(1, "bob"))
        guest.hear("name")
        guest.go_on()
        to_question(guest)
        guest.act("r1")
        play_hand([guest])
        guest.go_on()
        play_hand([guest])
        assert guest.rest() == []
        guest.close()
        result = host.result()
    faults = {seat["name"]: seat["faults"] for seat in result["seats"]}
    assert faults == {"bob": 1, "CallAgent0": 0}
    assert result["hands"] == 2
