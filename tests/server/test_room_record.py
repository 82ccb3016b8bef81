"""Rooms on record: every one is stored, and a crash ends it at its last finished hand."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.hosting import PATIENCE
from tests.server.rooming import (
    EXIT,
    START,
    V1,
    V2,
    Guest,
    RoomHost,
    action,
    begin,
    broken,
    connect,
    croupier,
    finish,
    play_hand,
    to_turn,
)


def matches(store: str) -> list[dict[str, Any]]:
    listed = croupier("matches", "--json", "--store", store)
    assert listed.returncode == 0, listed.stderr
    found: list[dict[str, Any]] = json.loads(listed.stdout)
    return found


def verify(match: str, store: str) -> None:
    verified = croupier("verify", match, "--store", store)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def play(guests: list[Guest], hands: int) -> None:
    """Play from the first hand on, and be ready for the next."""
    begin(guests)
    for _ in range(hands):
        play_hand(guests)
        for guest in guests:
            guest.go_on()


def test_every_room_is_on_record_and_can_be_verified(tmp_path: Path) -> None:
    store = str(tmp_path / "croupier.db")
    with RoomHost("--store", store, "--json") as host:
        one = host.seat(V1, V2, bots=["RandomAgent"], room="one")
        play(one, 3)
        to_turn(one)
        one[0].say(EXIT)  # in the middle of the fourth hand
        one[0].leave()
        finish(one[1:])
        two = host.seat(V2, V2, V2, games=2, room="two")
        play(two, 2)
        assert [guest.rest()[-1]["info"] for guest in two] == ["success"] * 3
        bots = {"info": "ai_vs_ai", "room_id": "three", "room_number": 2, "game_number": 2}
        watcher = host.guest(bots | {"bots": ["RuleAgent", "CallAgent"]})
        assert watcher.rest()[-1]["info"] == "success"
        results = {room: host.result_of(room) for room in ("one", "two", "three")}
    assert [results[room]["hands"] for room in results] == [4, 2, 2]
    found = matches(store)
    assert sorted(row["match"] for row in found) == sorted(r["match"] for r in results.values())
    for result in results.values():
        verify(result["match"], store)
    verify("last", store)


def test_a_room_that_ends_before_its_first_hand_is_on_record(tmp_path: Path) -> None:
    store = str(tmp_path / "croupier.db")
    with RoomHost("--store", store, "--json") as host:
        guests = host.seat(V1, V1, room="short")
        for guest in guests:
            guest.hear("name")
        guests[0].leave()
        assert guests[1].rest() == []
        assert host.result_of("short")["hands"] == 0
    verify("last", store)


# kill -9.


def in_the_first_hand(host: RoomHost) -> int:
    to_turn(begun(host.seat(V1, V1, room=7)))
    return 0


def before_the_first_hand(host: RoomHost) -> int:
    for guest in host.seat(V1, V1, room=7):
        guest.hear("name")
    return 0


def in_the_third_hand(host: RoomHost) -> int:
    guests = host.seat(V1, V2, bots=["RandomAgent"], room=7)
    play(guests, 2)
    to_turn(guests)
    return 2


def between_hands(host: RoomHost) -> int:
    guests = host.seat(V2, V1, room=7)
    begin(guests)
    play_hand(guests)
    return 1


def after_the_last_hand(host: RoomHost) -> int:
    play_hand(host.seat(V2, V2, games=1, room=7))
    return 1


def after_a_fault(host: RoomHost) -> int:
    guests = begun(host.seat(V1, V1, V1, room=7))
    bad, _, _ = to_turn(guests)
    bad.act("nonsense")
    to_turn(guests)
    return 0


def begun(guests: list[Guest]) -> list[Guest]:
    begin(guests)
    return guests


@pytest.mark.parametrize(
    "when",
    [
        before_the_first_hand,
        in_the_first_hand,
        in_the_third_hand,
        between_hands,
        after_the_last_hand,
        after_a_fault,
    ],
)
def test_after_a_crash_a_room_is_closed_at_its_last_finished_hand(
    when: Callable[[RoomHost], int], tmp_path: Path
) -> None:
    arguments = ("--store", str(tmp_path / "croupier.db"), "--json")
    with RoomHost(*arguments) as host:
        hands = when(host)
        match = host.find(r"^room 7, match (\S+):").group(1)
        host.kill()
    with RoomHost(*arguments) as host:
        result = json.loads(host.find(rf'^{{"match": "{match}".*').group())
        assert result["hands"] == hands
        assert sum(seat["chips"] for seat in result["seats"]) == 20_000 * len(result["seats"])
        again = host.seat(V1, V1, room=7)
        play(again, 1)
        play_hand(again)
        again[0].leave()
        assert host.result_of(7)["hands"] == 2
        host.process.send_signal(signal.SIGTERM)
        assert host.process.wait(PATIENCE) == 0
    verify(match, arguments[1])
    verify("last", arguments[1])


def test_a_crash_closes_every_room_of_several(tmp_path: Path) -> None:
    arguments = ("--store", str(tmp_path / "croupier.db"), "--json")
    with RoomHost(*arguments) as host:
        rooms: dict[str, int] = {}
        for hands in range(4):
            room = f"r{hands}"
            guests = host.seat(V1, V2, room=room, games=9)
            play(guests, hands)
            to_turn(guests)
            rooms[host.find(rf"^room {room}, match (\S+):").group(1)] = hands
        host.kill()
    with RoomHost(*arguments) as host:
        for match, hands in rooms.items():
            assert json.loads(host.find(rf'^{{"match": "{match}".*').group())["hands"] == hands
    with RoomHost(*arguments) as host:  # what is closed is not closed again
        [guest] = host.seat(V1, bots=["CallAgent"], room="r0")
        play([guest], 1)
        guest.leave()
        host.result_of("r0")
        assert not [line for line in host.lines if any(match in line for match in rooms)]
    assert len(matches(arguments[1])) == 5
    for match in rooms:
        verify(match, arguments[1])


def test_with_once_rooms_closed_after_a_crash_are_not_the_first(tmp_path: Path) -> None:
    arguments = ("--store", str(tmp_path / "croupier.db"), "--json", "--once")
    with RoomHost(*arguments) as host:
        in_the_third_hand(host)
        host.kill()
    with RoomHost(*arguments) as host:
        guests = host.seat(V2, V2, games=1)
        play(guests, 1)
        assert [guest.rest()[-1]["info"] for guest in guests] == ["success"] * 2
        host.see_off()
        assert host.result()["hands"] == 1
        assert host.process.returncode == 0


# Signals.


@pytest.mark.parametrize("store", [True, False])
def test_a_signal_ends_all_rooms_and_tells_the_players(store: bool, tmp_path: Path) -> None:
    path = str(tmp_path / "croupier.db")
    with RoomHost("--json", *(("--store", path) if store else ())) as host:
        waiting = host.guest(connect("waiting"))
        host.wait_until_known("waiting")
        playing = begun(host.seat(V1, V2, room="playing"))
        to_turn(playing)
        bots = {"info": "ai_vs_ai", "room_id": 1, "room_number": 2, "bots": ["CallAgent"] * 2}
        watcher = host.guest(bots)
        watcher.hear("state")
        host.process.send_signal(signal.SIGTERM)
        assert waiting.rest() == []
        for guest in (*playing, watcher):
            assert guest.rest()[-1] == {
                "info": "error",
                "text": "The match was stopped by the organiser",
            }
        host.see_off()
        assert host.process.wait(PATIENCE) == 0
        assert host.result_of("playing")["hands"] == 0
    if store:
        assert len(matches(path)) == 2
        for row in matches(path):
            verify(row["match"], path)


def test_a_fault_is_told_only_when_it_is_on_record(tmp_path: Path) -> None:
    store = str(tmp_path / "croupier.db")
    with RoomHost("--store", store, "--json") as host:
        guests = begun(host.seat(V1, V1, V1))
        bad, _, _ = to_turn(guests)
        bad.act("r1")
        for told in finish(guests):
            assert broken(told) == f"Player {bad.name} makes an illegal action: r1"
        host.kill()
    [row] = matches(store)
    assert row["hands"] == 1


def test_what_is_said_while_a_hand_is_being_stored_is_not_lost(tmp_path: Path) -> None:
    with RoomHost("--store", str(tmp_path / "croupier.db"), "--json") as host:
        guests = host.seat(V1, V1)
        begin(guests)
        for _ in range(30):
            asked, others, _ = to_turn(guests)
            for guest in others:
                guest.go_on()
            asked.say(action("fold"), START)  # the start comes while the hand is on its way
            for _ in range(2):
                for guest in guests:
                    guest.next()
            assert [guest.frames[-1]["info"] for guest in guests] == ["result"] * 2


# Transcripts.


def test_transcripts_hold_what_was_made_of_each_answer(tmp_path: Path) -> None:
    with RoomHost("--transcripts", str(tmp_path), "--json") as host:
        guests = begun(host.seat(V1, V2, names=["good/one", "bad"], room=5))
        bad, good = guests[1], guests[0]
        while True:
            asked, _, _ = to_turn(guests)
            if asked is bad:
                break
            asked.act("c")
        good.act("r5000")  # out of turn
        host.wait_until_known(5)  # a round trip
        bad.act("r1")
        finish(guests)
        match = host.result_of(5)["match"]
    files = {path.name: path.read_text() for path in tmp_path.iterdir()}
    start = match.replace("-", "_") + "-room-"
    assert sorted(files) == [start + "bad.log", start + "good_one.log"]
    text = files[start + "bad.log"]
    assert "# folded: illegal action: r1\n" in text
    assert r'> b"' in text or r"> b'" in text
    assert "makes an illegal action: r1" in text
    assert "# ignored: it is not this player's turn" in files[start + "good_one.log"]


@pytest.mark.xfail(strict=True, reason="players of the same name write into the same file")
def test_players_of_the_same_name_have_transcripts_of_their_own(tmp_path: Path) -> None:
    with RoomHost("--transcripts", str(tmp_path), "--json") as host:
        guests = begun(host.seat(V1, V1, names=["Bob", "Bob"], room=5))
        play_hand(guests)
        guests[0].leave()
        host.result_of(5)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_timeout_is_in_the_transcript(tmp_path: Path) -> None:
    with RoomHost("--transcripts", str(tmp_path), "--json", "--set", "decision_ms=50") as host:
        [guest] = begun(host.seat(V1, bots=["CallAgent"], room=5))
        guest.rest()
        host.result_of(5)
    [path] = tmp_path.iterdir()
    assert "# timeout 1: folded" in path.read_text()
