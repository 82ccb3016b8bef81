"""Rooms on record: those with a finished hand are stored, and a crash ends them at the last one."""

import json
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from tests.support.hosting import PATIENCE
from tests.support.rooming import (
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
    finish,
    is_asked,
    passive,
    play_hand,
    step,
    to_turn,
)


def matches(store: str) -> list[dict[str, Any]]:
    listed = CliRunner().invoke(main, ["matches", "--json", "--store", store])
    assert listed.exit_code == 0, listed.output
    found: list[dict[str, Any]] = json.loads(listed.stdout)
    return found


def verify(match: str, store: str) -> None:
    verified = CliRunner().invoke(main, ["verify", match, "--store", store])
    assert verified.exit_code == 0, verified.output


def begun(guests: list[Guest]) -> list[Guest]:
    begin(guests)
    return guests


def play(guests: list[Guest], hands: int) -> None:
    """Play from the first hand on, and be ready for the next."""
    begin(guests)
    for _ in range(hands):
        play_hand(guests)
        for guest in guests:
            guest.go_on()


class Keeping(RoomHost):
    """A host that keeps everything it can."""

    def __init__(self, folder: Path, *arguments: str, rules: str = "room") -> None:
        self.store = str(folder / "croupier.db")
        self.transcripts = folder / "transcripts"
        where = ("--store", self.store, "--transcripts", str(self.transcripts))
        super().__init__("--json", *where, *arguments, rules=rules)

    def __enter__(self) -> "Keeping":
        return self

    def transcripts_of(self, match: str) -> dict[str, str]:
        """Return what was written of the players of a match, by the end of the file's name."""
        start = f"{match}-room-"
        return {
            path.name.removeprefix(start): path.read_text()
            for path in self.transcripts.iterdir()
            if path.name.startswith(start)
        }


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keeping]:
    with Keeping(tmp_path_factory.mktemp("kept")) as host:
        yield host


@pytest.fixture
def host(shared: Keeping) -> Iterator[Keeping]:
    yield shared
    shared.see_off()
    shared.check_log()


# The store.


def test_every_room_with_a_finished_hand_is_on_record_and_can_be_verified(host: Keeping) -> None:
    rooms = {name: host.new_room() for name in ("exit", "games", "bots", "short")}
    guests = host.seat(V1, V2, bots=["RandomAgent"], room=rooms["exit"])
    play(guests, 3)
    asked, others, _ = to_turn(guests)  # in the fourth hand
    asked.say(EXIT)
    finish(others)
    guests = host.seat(V2, V2, V2, games=2, room=rooms["games"])
    play(guests, 2)
    assert [guest.rest()[-1]["info"] for guest in guests] == ["success"] * 3
    wish = {"info": "ai_vs_ai", "room_id": rooms["bots"], "room_number": 2, "game_number": 2}
    watcher = host.guest(wish | {"bots": ["RuleAgent", "CallAgent"]})
    assert watcher.rest()[-1]["info"] == "success"
    guests = host.seat(V1, V1, room=rooms["short"])
    for guest in guests:
        guest.hear("name")
    guests[0].leave()
    assert [message["info"] for message in guests[1].rest()] == ["error"]
    results = [host.result_of(room) for room in rooms.values()]
    assert [result["hands"] for result in results] == [4, 2, 2, 0]
    on_record = {row["match"]: row["hands"] for row in matches(host.store)}
    for result in results[:-1]:
        assert on_record[result["match"]] == result["hands"]
        verify(result["match"], host.store)
    assert results[-1]["match"] not in on_record
    verify("last", host.store)


def test_what_is_said_while_a_hand_is_being_stored_is_not_lost(host: Keeping) -> None:
    guests = begun(host.seat(V1, V1))
    for _ in range(30):
        asked, [other], _ = to_turn(guests)
        other.go_on()
        asked.say(action("fold"), START)  # the start comes while the hand is on its way
        for guest in guests:
            guest.hear("state")
            guest.hear("result")


def test_who_leaves_while_a_hand_is_being_stored_ends_the_room(host: Keeping) -> None:
    room = host.new_room()
    guests = begun(host.seat(V1, V1, room=room))
    asked, [other], _ = to_turn(guests)
    asked.act("fold")
    asked.vanish()
    assert [told["info"] for told in other.rest()][:2] == ["state", "result"]
    result = host.result_of(room)
    assert result["hands"] == 1
    verify(result["match"], host.store)


def test_a_fault_is_told_only_when_it_is_on_record(tmp_path: Path) -> None:
    with Keeping(tmp_path) as host:
        guests = begun(host.seat(V1, V1, V1))
        bad, _, _ = to_turn(guests)
        bad.act("r1")
        for told in finish(guests):
            assert broken(told) == f"Player {bad.name} makes an illegal action: r1"
        host.kill()
        [row] = matches(host.store)
    assert row["hands"] == 1


@pytest.mark.parametrize("word", ["\ud800", "\x00", "\n# folded: nothing", "名字"], ids=ascii)
def test_any_text_that_json_can_spell_can_be_recorded(host: Keeping, word: str) -> None:
    room = host.new_room()
    [guest] = begun(host.seat(V1, bots=["CallAgent"], room=room))
    to_turn([guest])
    guest.act(word)
    assert broken(guest.rest()).startswith("Player a makes an illegal action: ")
    match = host.result_of(room)["match"]
    verify(match, host.store)
    [text] = host.transcripts_of(match).values()
    assert all(re.match(r"\d+\.\d{3} [<>#] ", line) for line in text.splitlines())


# kill -9. Each of these leaves a room at some point of its life, and says how many hands it played.


def before_the_first_hand(host: RoomHost, room: int) -> int:
    for guest in host.seat(V1, V1, room=room):
        guest.hear("name")
    return 0


def in_the_first_hand(host: RoomHost, room: int) -> int:
    to_turn(begun(host.seat(V1, V1, room=room)))
    return 0


def in_the_third_hand(host: RoomHost, room: int) -> int:
    guests = host.seat(V1, V2, bots=["RandomAgent"], room=room)
    play(guests, 2)
    to_turn(guests)
    return 2


def between_hands(host: RoomHost, room: int) -> int:
    play_hand(begun(host.seat(V2, V1, room=room)))
    return 1


def after_the_last_hand(host: RoomHost, room: int) -> int:
    play_hand(host.seat(V2, V2, games=1, room=room))
    return 1


def after_a_fault(host: RoomHost, room: int) -> int:
    guests = begun(host.seat(V1, V1, V1, room=room))
    bad, _, _ = to_turn(guests)
    bad.act("nonsense")
    to_turn(guests)
    return 0


def with_house_bots_only(host: RoomHost, room: int) -> int:
    bots = ["CallAgent", "CallAgent"]
    watcher = host.guest({"info": "ai_vs_ai", "room_id": room, "room_number": 2, "bots": bots})
    watcher.hear("state")
    return -1  # nobody knows how far they came


MOMENTS = [
    before_the_first_hand,
    in_the_first_hand,
    in_the_third_hand,
    between_hands,
    after_the_last_hand,
    after_a_fault,
    with_house_bots_only,
]


@dataclass
class Crash:
    """A host with rooms, killed and started again."""

    host: Keeping
    rooms: dict[Callable[[RoomHost, int], int], tuple[int, str, int]]
    """Of each moment the room, its match and how many hands were played in it."""


@pytest.fixture(scope="module")
def crash(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crash]:
    folder = tmp_path_factory.mktemp("crash")
    rooms: dict[Callable[[RoomHost, int], int], tuple[int, str, int]] = {}
    with Keeping(folder) as host:
        for room, moment in enumerate(MOMENTS):
            hands = moment(host, room)
            rooms[moment] = room, host.find(rf"^room {room}, match (\S+):").group(1), hands
        waiting = host.guest(connect("waiting"))
        host.wait_until_known("waiting")
        host.kill()
        assert waiting.rest() == []
    with Keeping(folder) as host:
        yield Crash(host, rooms)


@pytest.mark.parametrize("moment", MOMENTS)
def test_after_a_crash_a_room_is_closed_at_its_last_finished_hand(
    moment: Callable[[RoomHost, int], int], crash: Crash
) -> None:
    host = crash.host
    room, match, hands = crash.rooms[moment]
    result = json.loads(host.find(rf'^{{"match": "{match}".*').group())
    assert hands in (result["hands"], -1)
    assert sum(seat["chips"] for seat in result["seats"]) == 20_000 * len(result["seats"])
    if result["hands"]:
        verify(match, host.store)
    else:
        assert match not in [row["match"] for row in matches(host.store)]
    again = host.seat(V1, V1, room=room, names=["new", "newer"])
    play(again, 1)
    play_hand(again)
    again[0].leave()
    result = host.result_of(room)
    assert (result["hands"], result["match"] != match) == (2, True)
    verify("last", host.store)


def closed(room: Any, hands: int) -> str:
    when = f"after hand {hands}" if hands else "before its first hand was over"
    return f"room {room} was closed by a restart of the server {when}"


def test_after_a_crash_whoever_played_in_a_room_is_told_once_that_it_was_closed(
    tmp_path: Path,
) -> None:
    with Keeping(tmp_path) as host:
        play(begun_with := host.seat(V1, V2, bots=["CallAgent"], room=7, names=["x", "y"]), 2)
        to_turn(begun_with)
        to_turn(begun(host.seat(V1, V1, room=8, names=["Bob", "Bob"])))
        host.kill()
        host.see_off()
    with Keeping(tmp_path) as host:
        observer = {"info": "observer", "room_id": 7}
        assert host.guest(observer).refusal() == closed(7, 2)
        stranger = host.guest(connect(7, "stranger", 3))
        host.wait_until_known(7)
        again = "; connect again to open a new one"
        assert host.guest(connect(7, "x", 3)).refusal() == closed(7, 2) + again
        assert host.guest(connect(7, "y", 3, games=5)).refusal() == closed(7, 2) + again
        three = [stranger, host.guest(connect(7, "x", 3)), host.guest(connect(7, "y", 3))]
        play(three, 1)
        # Both were called Bob before one of them got a number.
        for _ in range(2):
            assert host.guest(connect(8, "Bob")).refusal() == closed(8, 0) + again
        play([host.guest(connect(8, "Bob")), host.guest(connect(8, "Bob"))], 1)


def test_after_a_crash_a_room_is_anybodys_again_when_the_time_to_come_back_is_over(
    tmp_path: Path,
) -> None:
    with Keeping(tmp_path, "--set", "return_s=0") as host:
        to_turn(begun(host.seat(V1, V1, room=7)))
        host.kill()
    with Keeping(tmp_path) as host:
        host.is_known(7)  # a round trip
        play(host.seat(V1, V1, room=7), 1)


# A prepared table goes on.


PREPARED = ("--seats", "3", "--bot", "CallAgent", "--hands", "6", "--once")


def sit_down(host: RoomHost, versions: tuple[int, ...], names: str = "ab") -> list[Guest]:
    """Return players at a prepared table."""
    return [
        host.guest(connect(1, name, 3, games=6 if version == V2 else None))
        for name, version in zip(names, versions, strict=True)
    ]


@pytest.mark.parametrize("rules", ["room", "room2", "plain"])
@pytest.mark.parametrize("versions", [(V1, V1), (V2, V2), (V1, V2)])
def test_after_a_crash_of_a_prepared_table_nobody_has_to_speak_first(
    tmp_path: Path, rules: str, versions: tuple[int, ...]
) -> None:
    with Keeping(tmp_path, *PREPARED, rules=rules) as host:
        play(guests := sit_down(host, versions), 2)
        to_turn(guests)
        host.kill()
        host.see_off()
    with Keeping(tmp_path, *PREPARED, rules=rules) as host:
        guests = sit_down(host, versions)
        for guest in guests:
            if guest.version == V1:
                name = guest.hear("name")
                assert sorted(name["name"]) == ["CallAgent0", "a", "b"]
                guest.go_on()
        for hand in range(4):
            for guest, state in zip(guests, frames := step(guests), strict=True):
                if hand == 0 and guest.version == V1:
                    assert state["position"] == guest.frames[0]["position"]
                if is_asked(state):
                    guest.act(passive(state))
            assert frames[0]["info"] == "state"
            play_hand(guests)
            for guest in guests:
                guest.go_on()
        for guest in guests:
            guest.rest()
        assert host.result()["hands"] == 6


def test_after_a_crash_players_of_the_same_name_come_back_to_their_table(tmp_path: Path) -> None:
    with Keeping(tmp_path, *PREPARED) as host:
        play(guests := sit_down(host, (V1, V1), "bb"), 1)
        to_turn(guests)
        host.kill()
        host.see_off()
    with Keeping(tmp_path, *PREPARED) as host:
        guests = sit_down(host, (V1, V1), "bb")
        for guest in guests:
            guest.hear("name")
            guest.go_on()
        play_hand(guests)


def test_after_a_crash_who_waited_has_to_come_again(crash: Crash) -> None:
    assert not crash.host.is_known("waiting")


def test_with_once_rooms_closed_after_a_crash_are_not_the_first(tmp_path: Path) -> None:
    with Keeping(tmp_path, "--once") as host:
        in_the_first_hand(host, 7)
        match = host.find(r"^room 7, match (\S+):").group(1)
        host.kill()
    for is_first in (True, False):  # what is closed is not closed again
        with Keeping(tmp_path, "--once") as host:
            guests = host.seat(V2, V2, games=1)
            play(guests, 1)
            assert [guest.rest()[-1]["info"] for guest in guests] == ["success"] * 2
            host.see_off()
            assert host.result()["hands"] == 1
            assert host.process.returncode == 0
            assert any(match in line for line in host.lines) == is_first


# Signals.


def test_a_signal_ends_all_rooms_and_tells_the_players(tmp_path: Path) -> None:
    with Keeping(tmp_path) as host:
        waiting = host.guest(connect("waiting"))
        host.wait_until_known("waiting")
        playing = begun(host.seat(V1, V2, room="playing"))
        to_turn(playing)
        bots = {"info": "ai_vs_ai", "room_id": 1, "room_number": 2, "bots": ["CallAgent"] * 2}
        watcher = host.guest(bots)
        watcher.hear("state")
        host.process.send_signal(signal.SIGTERM)
        assert waiting.rest() == []
        stopped = {"info": "error", "text": "The match was stopped by the organiser"}
        for guest in (*playing, watcher):
            assert guest.rest()[-1] == stopped
        host.see_off()
        assert host.process.wait(PATIENCE) == 0
        assert host.result_of("playing")["hands"] == 0
        for row in matches(host.store):
            verify(row["match"], host.store)


# Transcripts.


def test_transcripts_hold_what_was_made_of_each_answer(host: Keeping) -> None:
    room = host.new_room()
    good, bad = guests = begun(host.seat(V1, V2, names=["good/one", "bad"], room=room))
    while (asked := to_turn(guests)[0]) is not bad:
        asked.act("c")
    good.act("r5000")  # out of turn
    host.wait_until_known(room)  # a round trip
    bad.act("r1")
    finish(guests)
    texts = host.transcripts_of(host.result_of(room)["match"])
    assert [name.partition("~")[0] for name in sorted(texts)] == ["bad.log", "good_one"]
    assert "# folded: illegal action: r1\n" in texts["bad.log"]
    assert "makes an illegal action: r1" in texts["bad.log"]
    assert '"game_number": 3}' in texts["bad.log"]
    assert "# ignored: it is not this player's turn\n" in texts[max(texts)]


def test_players_of_the_same_name_have_transcripts_of_their_own(host: Keeping) -> None:
    room = host.new_room()
    guests = begun(host.seat(V1, V1, names=["Bob", "Bob"], room=room))
    play_hand(guests)
    guests[0].leave()
    guests[1].rest()
    assert len(host.transcripts_of(host.result_of(room)["match"])) == 2
