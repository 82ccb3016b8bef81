"""How a player is called in each dialect, from his registration to a restart of the server."""

import hashlib
import json
from dataclasses import asdict

import msgspec
import pytest

from croupier.dialects.huawei.words import NAME as HUAWEI
from croupier.dialects.room.reader import V2
from croupier.dialects.room.words import NAME as ROOM
from croupier.dialects.roster import HOUSE, Place
from croupier.dialects.trend.words import NAME as TREND
from croupier.rules.sets import PLAIN
from croupier.server.table.seating import Seating
from tests.mixed.table import MixedTable, house, huawei, room, room2, trend

SECRET = "zq private ß name"


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def names_seen_by_room(table: MixedTable, player: int) -> set[str]:
    return set(table.last(player, "name")["name"])


def test_a_huawei_player_is_a_pid_in_huawei_and_name_and_pid_elsewhere() -> None:
    table = MixedTable(PLAIN, huawei(8888, "kobe"), huawei(24, "kobe"), room("x"), room2("y"))
    table.start()
    assert names_seen_by_room(table, 2) == {"kobe-8888", "kobe-24", "x", "y"}
    assert {row["name"] for row in table.last(3, "state")["players"]} == {
        "kobe-8888",
        "kobe-24",
        "x",
        "y",
    }
    for player in (0, 1):
        text = b"".join(table.sent[player])
        assert b"8888 10000 0 \n" in text
        assert b"24 10000 0 \n" in text
        assert b"kobe" not in text


def test_a_trend_player_is_the_display_name_or_the_beginning_of_the_token() -> None:
    token = md5(SECRET)
    table = MixedTable(PLAIN, trend(SECRET), trend("another", "Ada Lovelace"), room("x"))
    table.start()
    assert names_seen_by_room(table, 2) == {f"t-{token[:8]}", "Ada Lovelace", "x"}
    told = [message for messages in table.sent.values() for message in messages]
    assert not any(SECRET.encode() in message for message in told)
    assert not any(json.dumps(SECRET)[1:-1].encode() in message for message in told)


def test_a_display_name_beyond_ascii_is_escaped_in_room() -> None:
    table = MixedTable(PLAIN, trend("another", "Ада «名»"), room("x"))
    table.start()
    assert names_seen_by_room(table, 1) == {"Ада «名»", "x"}
    assert all(message.isascii() for message in (m[4:] for m in table.sent[1]))


def test_a_second_room_player_of_the_same_name_is_numbered() -> None:
    table = MixedTable(PLAIN, room("Bob"), room("Bob"), room("Bob", V2), room("Bob-2"))
    table.start()
    assert names_seen_by_room(table, 0) == {"Bob", "Bob-2", "Bob-3", "Bob-2-2"}


def test_a_room_player_cannot_take_the_name_of_a_player_of_another_dialect() -> None:
    table = MixedTable(
        PLAIN, huawei(8888, "kobe"), trend("s", "Ada"), room("kobe-8888"), room("Ada")
    )
    table.start()
    assert names_seen_by_room(table, 2) == {"kobe-8888", "Ada", "kobe-8888-2", "Ada-2"}


def test_a_house_bot_is_its_name_and_index() -> None:
    table = MixedTable(PLAIN, house("RuleAgent0"), house("CallAgent1"), room("x"))
    table.start()
    assert names_seen_by_room(table, 2) == {"RuleAgent0", "CallAgent1", "x"}


def test_players_without_a_pid_have_the_lowest_free_numbers_from_9001() -> None:
    guests = (trend("s"), huawei(9001, "a"), room("b"), huawei(9003, "c"), house("CallAgent0"))
    table = MixedTable(PLAIN, *guests)
    table.start()
    assert table.seating.pids == {0: "9002", 1: "9001", 2: "9004", 3: "9003", 4: "9005"}
    for player in (1, 3):
        lines = table.block(player, "seat").splitlines()[1:-1]
        pids = {line.rpartition(":")[2].split()[0] for line in lines}
        assert pids == {"9001", "9002", "9003", "9004", "9005"}


def test_a_pid_with_leading_zeros_takes_its_number() -> None:
    seating = Seating()
    seating.give(Place("a", HUAWEI, "0009001"))
    seating.give(Place("b", ROOM))
    seating.assign_missing_pids()
    assert seating.pids[1] == "9002"


def test_numbers_are_fixed_for_the_match() -> None:
    guests = (room("b"), huawei(1001, "a"), trend("s"), house("CallAgent0"))
    table = MixedTable(PLAIN, *guests)
    table.start()
    before = dict(table.seating.pids)
    table.leave(0)
    for _ in range(12):
        table.say("fold")
        table.go_on()
    assert table.match.played > 2
    assert table.seating.pids == before
    told = b"".join(table.sent[1])
    assert all(pid.encode() + b" 10000 0 \n" in told for pid in before.values())


def test_in_older_records_players_without_a_token_are_the_md5_of_dialect_name_and_seat() -> None:
    guests = (trend("s"), huawei(1001, "ann"), room("bob"), house("RuleAgent0"))
    table = MixedTable(PLAIN, *guests)
    table.start()
    names = {player["playerName"] for player in table.last(0, "__new_round")["players"]}
    assert names == {
        md5("s"),
        md5("huawei:ann:1"),
        md5("room:bob:2"),
        md5("house:RuleAgent0:3"),
    }


def test_no_private_name_has_the_token_of_a_player_without_one() -> None:
    seating = Seating(secret=bytes(32))
    seating.give(Place("CallAgent0", HOUSE, bot="CallAgent"))
    seating.give(Place("bob", ROOM))
    seating.give(Place("t-1", TREND, token=md5("house:CallAgent0:0")))
    assert len(set(seating.tokens.values())) == 3
    other = Seating(secret=bytes(31) + b"1")
    other.give(Place("CallAgent0", HOUSE, bot="CallAgent"))
    assert other.tokens[0] != seating.tokens[0]


def test_tokens_stay_the_same_after_a_restart() -> None:
    for seating in (Seating(secret=bytes(32)), Seating()):
        seating.give(Place("CallAgent0", HOUSE, bot="CallAgent"))
        seating.give(Place("ann", HUAWEI, "7"))
        assert restored(seating).tokens == seating.tokens


def restored(seating: Seating) -> Seating:
    """Return the places as they come back from the header of a match."""
    rows = msgspec.json.decode(msgspec.json.encode([asdict(place) for place in seating.places]))
    again, _ = Seating.restore(seating.table_number, [Place(**row) for row in rows])
    return again


def test_all_names_are_the_same_after_a_restart() -> None:
    guests = (huawei(9001, "a"), trend("s", "Ada"), room("b"), house("RuleAgent0"))
    table = MixedTable(PLAIN, *guests)
    table.start()
    again = restored(table.seating)
    assert again.pids == table.seating.pids
    assert again.names == table.seating.names
    assert again.tokens == table.seating.tokens


def test_the_token_of_a_numbered_name_is_the_same_after_a_restart() -> None:
    table = MixedTable(PLAIN, trend("s"), room("bob"), room("bob"))
    table.start()
    assert restored(table.seating).tokens == table.seating.tokens


@pytest.mark.parametrize(
    ("back", "player"),
    [
        (Place("a", HUAWEI, "1001"), 0),
        (Place("b", HUAWEI, "1001"), None),
        (Place("a", HUAWEI, "1002"), None),
        (Place("whatever", TREND, token=md5("s")), 1),
        (Place("Ada", TREND, token=md5("t")), None),
        (Place("b", ROOM), 2),
        (Place("RuleAgent0", ROOM), None),
        (Place("RuleAgent0", HUAWEI, "9003"), None),
    ],
)
def test_after_a_restart_each_dialect_has_its_own_proof_of_who_one_is(
    back: Place, player: int | None
) -> None:
    guests = (huawei(1001, "a"), trend("s", "Ada"), room("b"), house("RuleAgent0"))
    table = MixedTable(PLAIN, *guests)
    table.start()
    assert [place.dialect for place in table.seating.places] == [HUAWEI, TREND, ROOM, HOUSE]
    assert restored(table.seating).find(back) == player


def test_room_who_was_numbered_comes_back_by_the_name_its_program_knows() -> None:
    table = MixedTable(PLAIN, room("bob"), room("bob"), room("ann-2"), huawei(1001, "c"))
    table.sit_down()
    seating = table.seating
    assert seating.names[1] == "bob-2"
    bob, ann = Place("bob", ROOM), Place("ann", ROOM)
    assert seating.find_away(bob, {0, 1}) == 0
    assert seating.find_away(bob, {1}) == 1
    assert seating.find_away(bob, {3}) is None
    assert seating.find_away(ann, {2}) is None, "that name was never anybody's"
    assert seating.find_away(Place("ann-2", ROOM), {2}) == 2


@pytest.mark.parametrize(("dialect", "pid"), [(HUAWEI, "7"), (ROOM, None)])
def test_who_has_only_a_name_returns_from_where_it_came(dialect: str, pid: str | None) -> None:
    seating = Seating()
    seating.give(Place("ann", dialect, pid, address="192.0.2.1"))
    for again in (seating, restored(seating)):
        assert again.find_away(Place("ann", dialect, pid, address="192.0.2.1"), {0}) == 0
        assert again.find_away(Place("ann", dialect, pid, address="192.0.2.2"), {0}) is None


def test_players_of_the_same_name_return_each_to_its_own_place() -> None:
    seating = Seating()
    for number in (1, 2):
        seating.give(Place("ann", ROOM, address=f"192.0.2.{number}"))
    for number in (2, 1):
        place = Place("ann", ROOM, address=f"192.0.2.{number}")
        assert seating.find_away(place, {0, 1}) == number - 1


@pytest.mark.parametrize(("dialect", "pid"), [(HUAWEI, "7"), (ROOM, None)])
def test_a_place_that_was_taken_with_a_key_is_returned_for_the_key_alone(
    dialect: str, pid: str | None
) -> None:
    seating = Seating(secret=bytes(32))
    seating.give(Place("Ada", dialect, pid, token=md5("key"), keyed=True))
    assert seating.names == {0: "Ada"}
    for again in (seating, restored(seating)):
        assert again.find_away(Place("Ada", dialect, "8", token=md5("key"), keyed=True), {0}) == 0
        for other in (
            Place("Ada", dialect, pid),
            Place("Ada", dialect, pid, token=md5("key")),
            Place("Ada", dialect, pid, token=md5("other"), keyed=True),
        ):
            assert again.find_away(other, {0}) is None
