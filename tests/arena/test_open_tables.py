"""Open tables of an arena: when they start, with whom, and who may sit down where."""

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from croupier.server.arena.example import EXAMPLE
from tests.arena.arenas import ArenaProcess, is_open, is_playing, names
from tests.support.hosting import PATIENCE, Player
from tests.support.rooming import Guest

LATER = 100_000
"""Seconds; so long nobody waits."""

ARENA = f"""
[[table]]
name = "full"
dialects = ["huawei"]
number = 1
seats = 2
wait_s = {LATER}
set = {{ hands = 1 }}

[[table]]
name = "waits"
dialects = ["huawei"]
repeat = false
number = 2
seats = 6
minimum = 1
wait_s = 0
fill = ["CallAgent", "RuleAgent", "CallAgent"]

[[table]]
name = "fills"
dialects = ["huawei"]
repeat = false
number = 3
seats = 3
minimum = 2
wait_s = 0
bots = ["RuleAgent"]
fill = ["CallAgent", "CallAgent", "CallAgent"]

[[table]]
name = "pair"
dialects = ["huawei"]
repeat = false
number = 4
seats = 4
minimum = 2
wait_s = 0

[[table]]
name = "leaves"
number = 5
repeat = false
seats = 3
minimum = 3
wait_s = {LATER}

[[table]]
name = "told"
dialects = ["huawei"]
repeat = false
number = 6
seats = 4
start = "command"
minimum = 1
wait_s = 0
fill = ["CallAgent"]

[[table]]
name = "crowded"
dialects = ["huawei"]
repeat = false
number = 7
seats = 2
start = "command"

[[table]]
name = "once"
dialects = ["huawei"]
number = 8
seats = 2
minimum = 1
wait_s = 0
fill = ["CallAgent"]
repeat = false
set = {{ hands = 1 }}

[[table]]
name = "listed"
dialects = ["huawei"]
number = 9
seats = 2
pids = [7001, "7002"]
wait_s = {LATER}

[[table]]
name = "closed"
number = 10
seats = 2
closed = true
dialects = ["trend"]
wait_s = {LATER}

[[table]]
name = "other"
number = 11
seats = 2
dialects = ["trend"]
wait_s = {LATER}
"""

PLAYERS = "".join(
    f'[[player]]\ndisplay = "{pid}"\npid = {pid}\ntable = "{table}"\n'
    for pid, table in (
        *((1000 + n, "full") for n in range(4)),
        *((2000 + n, "waits") for n in range(2)),
        *((3000 + n, "fills") for n in range(2)),
        *((4000 + n, "pair") for n in range(2)),
        *((5000 + n, "leaves") for n in range(4)),
        *((6000 + n, "told") for n in range(2)),
        *((6100 + n, "crowded") for n in range(2)),
        *((8000 + n, "once") for n in range(2)),
        *((7000 + n, "listed") for n in (1, 2)),
    )
)
SECRETS = """
[[player]]
display = "Ada"
table = "closed"
private_name = "ada's own"

[[player]]
display = "Bob"
table = "leaves"
private_name = "bob's own"

[[player]]
display = "Eve"
private_name = "eve's own"
"""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path_factory.mktemp("arena"), ARENA + PLAYERS + SECRETS) as arena:
        yield arena


@pytest.fixture
def people() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def fold_to_the_end(player: Player) -> None:
    while (message := player.next()) is not None and message != b"game-over \n":
        if message.startswith(b"inquire/"):
            player.send(b"fold \n")


def test_a_table_starts_at_once_when_it_is_full(arena: ArenaProcess, people: ExitStack) -> None:
    first = people.enter_context(arena.huawei(1001))
    row = arena.table("full")
    assert is_open(row)
    assert names(row) == ["bot-1001"]
    second = people.enter_context(arena.huawei(1002))
    second.until(b"seat/")
    button = first.until(b"seat/").splitlines()[1]
    assert is_playing(arena.table("full"))
    # And when the match is over, the next one is open.
    asked = first if b"button: 1001 " in button else second
    asked.until(b"inquire")
    asked.send(b"fold \n")
    for player in (first, second):
        player.until(b"game-over")
    again = arena.wait_until(is_open, "full")
    assert again["match"] != row["match"]
    assert names(again) == []


def test_a_table_starts_when_it_has_waited_for_more_than_its_minimum_with_the_bots_of_fill(
    arena: ArenaProcess, people: ExitStack
) -> None:
    player = people.enter_context(arena.huawei(2001))
    lines = player.until(b"seat/").splitlines()[1:-1]
    assert len(lines) == 4, "three bots fill up, two seats stay free"
    row = arena.table("waits")
    assert names(row) == ["bot-2001", "CallAgent0", "RuleAgent1", "CallAgent2"]
    arena.tell("end", "waits")


def test_only_free_seats_are_filled_and_bots_of_the_house_are_no_minimum(
    arena: ArenaProcess, people: ExitStack
) -> None:
    assert names(arena.table("fills")) == ["RuleAgent0"]
    people.enter_context(arena.huawei(3001))
    assert is_open(arena.table("fills")), "one connected player is below the minimum"
    second = people.enter_context(arena.huawei(3000))
    second.until(b"seat/")
    assert names(arena.table("fills")) == ["RuleAgent0", "bot-3001", "bot-3000"]
    arena.tell("end", "fills")


def test_below_its_minimum_a_table_waits(arena: ArenaProcess, people: ExitStack) -> None:
    first = people.enter_context(arena.huawei(4000))
    assert is_open(arena.table("pair"))
    assert is_open(arena.table("pair"))
    second = people.enter_context(arena.huawei(4001))
    for player in (first, second):
        assert len(player.until(b"seat/").splitlines()) == 4
    arena.tell("end", "pair")


def test_who_leaves_before_the_start_frees_his_place_and_the_others_keep_theirs(
    arena: ArenaProcess, people: ExitStack
) -> None:
    gone = people.enter_context(arena.huawei(5000))
    bob = people.enter_context(arena.trend("bob's own"))
    assert bob.seated() == "5"
    assert names(arena.table("leaves")) == ["bot-5000", "Bob"]
    gone.close()
    assert len(bob.until("__left")) == 1
    arena.wait_until(lambda row: names(row) == ["Bob"], "leaves")
    cyd = people.enter_context(arena.huawei(5001))
    dan = people.enter_context(arena.huawei(5002))
    assert len(bob.until("__new_round")["players"]) == 3
    for player in (cyd, dan):
        assert len(player.until(b"seat/").splitlines()) == 5
    assert names(arena.table("leaves")) == ["Bob", "bot-5001", "bot-5002"]
    arena.tell("end", "leaves")


def test_who_watches_an_open_table_still_does_when_a_player_has_left_before_the_start(
    tmp_path: Path, people: ExitStack
) -> None:
    text = f'[[table]]\nname = "main"\nseats = 2\nminimum = 2\nwait_s = {LATER}\n'
    with ArenaProcess(tmp_path, text) as arena:
        watcher = Guest(arena.ports["room"], {"info": "observer", "room_id": "main"})
        people.callback(watcher.close)
        gone = people.enter_context(arena.room("main", "gone"))
        arena.wait_until(lambda row: names(row) == ["gone"], "main")
        gone.close()
        arena.wait_until(lambda row: names(row) == [], "main")
        for name in "ab":
            people.enter_context(arena.room("main", name)).say({"info": "start"})
        assert sorted(watcher.hear("state")["name"]) == ["a", "b"]


def test_who_watches_a_table_that_is_not_there_is_told_in_the_originals_words(
    arena: ArenaProcess,
) -> None:
    watcher = Guest(arena.ports["room"], {"info": "observer", "room_id": "nowhere"})
    assert watcher.refusal() == "room nowhere not exists"
    watcher.close()


def test_who_has_left_before_the_start_may_come_again(
    arena: ArenaProcess, people: ExitStack
) -> None:
    before = arena.table("listed")
    assert names(before) == []
    for _ in range(3):
        player = arena.huawei(7001)
        assert names(arena.table("listed")) == ["bot-7001"]
        player.close()
        arena.wait_until(lambda row: names(row) == [], "listed")
    assert arena.table("listed")["match"] != before["match"], "nothing of it is known yet"


def test_a_table_that_waits_for_a_command_starts_with_it(
    arena: ArenaProcess, people: ExitStack
) -> None:
    first = people.enter_context(arena.huawei(6000))
    assert is_open(arena.table("told")), "neither the minimum nor the time starts it"
    assert arena.tell("start", "told") == "told starts with 2 players"
    assert len(first.until(b"seat/").splitlines()) == 4
    assert names(arena.table("told")) == ["bot-6000", "CallAgent0"]
    assert "told has started already" in arena.refused("start", "told")
    arena.tell("end", "told")


def test_a_table_that_waits_for_a_command_does_not_start_by_itself_when_it_is_full(
    arena: ArenaProcess, people: ExitStack
) -> None:
    pair = [people.enter_context(arena.huawei(pid)) for pid in (6100, 6101)]
    assert is_open(arena.table("crowded"))
    assert names(arena.table("crowded")) == ["bot-6100", "bot-6101"]
    assert arena.tell("start", "crowded") == "crowded starts with 2 players"
    for player in pair:
        player.until(b"seat/")
    arena.tell("end", "crowded")


def test_without_repeat_a_table_is_closed_after_its_match_until_it_is_told_to_open(
    arena: ArenaProcess, people: ExitStack
) -> None:
    player = people.enter_context(arena.huawei(8000))
    fold_to_the_end(player)
    row = arena.wait_until(lambda row: bool(row["state"] == "over"), "once")
    late = people.enter_context(arena.huawei(8001))
    assert late.next() is None, "nobody sits down there"
    assert arena.tell("start", "once") == "once is open for a new match"
    again = arena.table("once")
    assert is_open(again)
    assert again["match"] != row["match"]
    second = people.enter_context(arena.huawei(8000))
    second.until(b"seat/")
    arena.tell("end", "once")


def test_a_table_with_pids_admits_only_those(tmp_path: Path) -> None:
    text = '[[table]]\nname = "listed"\nseats = 2\npids = [7001, "7002"]\n'
    with ArenaProcess(tmp_path, text) as arena, ExitStack() as stack:
        stranger = stack.enter_context(arena.huawei(7003))
        assert stranger.next() is None
        arena.wait_for_log("pid 7003 is not expected here")
        stack.enter_context(arena.huawei(7002))
        arena.wait_until(lambda row: names(row) == ["bot-7002"], "listed")


def test_a_closed_table_admits_in_trend_only_its_own_players(
    arena: ArenaProcess, people: ExitStack
) -> None:
    ada = people.enter_context(arena.trend("ada's own"))
    assert ada.seated() == "10"
    # Strangers, and players who may sit anywhere, are led to the open table.
    for secret in ("nobody's", "eve's own"):
        stranger = people.enter_context(arena.trend(secret))
        assert stranger.seated() == "11"
    assert names(arena.table("closed")) == ["Ada"]
    assert "Eve" in names(arena.table("other"))
    # Now that no place is free elsewhere, they are refused.
    late = people.enter_context(arena.trend("another's"))
    assert late.refusal()[0] in (4003, 4004)
    twin = people.enter_context(arena.trend("ada's own"))
    assert twin.refusal() == (4002, "this player is connected already")


def test_the_private_names_of_the_file_are_in_no_output_and_not_in_the_store(
    arena: ArenaProcess,
) -> None:
    stored = b"".join(path.read_bytes() for path in arena.folder.glob("croupier.db*"))
    for secret in ("ada's own", "bob's own", "eve's own"):
        assert secret not in arena.log
        assert secret.encode() not in stored
        assert secret not in "".join(arena.lines)


# Who is led where.


ROUTES = """
[[table]]
name = "big"
number = 4
seats = 6
minimum = 6

[[table]]
name = "small"
number = 5
seats = 3
minimum = 3

[[table]]
name = "texts"
number = 6
seats = 2
dialects = ["huawei"]
"""


def test_players_without_a_table_are_led_to_the_one_that_can_begin_the_sooner(
    tmp_path: Path,
) -> None:
    with ArenaProcess(tmp_path, ROUTES) as arena, ExitStack() as stack:
        first = stack.enter_context(arena.trend("a"))
        assert first.seated() == "5"
        stack.enter_context(arena.huawei(1))
        assert names(arena.table("small"))[1] == "bot-1"
        # A player of room is led to a table by its name or number, and else to any.
        by_name = stack.enter_context(arena.room("big", "n"))
        arena.wait_until(lambda row: names(row) == ["n"], "big")
        stack.enter_context(arena.room(4, "m"))
        arena.wait_until(lambda row: names(row) == ["n", "m"], "big")
        stack.enter_context(arena.room("4", "n"))
        arena.wait_until(lambda row: names(row) == ["n", "m", "n-2"], "big")
        stack.enter_context(arena.room("whatever", "o"))
        arena.wait_until(lambda row: names(row)[2:] == ["o"], "small")
        first.until("__game_start")
        with arena.huawei(1) as twin:
            assert twin.next() is None, "he is playing already"
        for pid in (2, 3):
            stack.enter_context(arena.huawei(pid))
        assert names(arena.table("texts")) == ["bot-2", "bot-3"], "two free places are fewer"
        by_name.close()
        arena.wait_until(lambda row: len(names(row)) == 2, "big")


def test_where_rooms_are_open_a_room_that_is_no_table_is_a_room(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, ROUTES + "[rooms]\n") as arena, ExitStack() as stack:
        stack.enter_context(arena.room("big", "a"))
        stack.enter_context(arena.room(5, "b"))
        arena.wait_until(lambda row: names(row) == ["a"], "big")
        arena.wait_until(lambda row: names(row) == ["b"], "small")
        # Six is the number of a table where room is not spoken.
        for room in ("elsewhere", 6):
            pair = [stack.enter_context(arena.room(room, name)) for name in "cd"]
            for guest in pair:
                guest.until("name")
            assert sorted(names(arena.table(f"room-{room}"))) == ["c", "d"]
        assert set(arena.tables()) == {"big", "small", "texts", "room-elsewhere", "room-6"}


def test_a_full_table_that_waits_for_a_command_admits_nobody_more(tmp_path: Path) -> None:
    text = '[[table]]\nname = "main"\nseats = 2\nstart = "command"\n'
    text += "".join(
        f'[[player]]\ndisplay = "{pid}"\npid = {pid}\ntable = "main"\n' for pid in (1, 2, 3)
    )
    with ArenaProcess(tmp_path, text) as arena, ExitStack() as stack:
        for pid in (1, 2, 3):
            stack.enter_context(arena.huawei(pid))
        assert arena.log.count("event=joined") == 2
        assert arena.log.count("event=refused") == 1
        assert arena.tell("start", "main") == "main starts with 2 players"


# What `croupier serve` runs without a file, on other ports and without its ten seconds.


def test_the_example_is_an_arena_of_all_protocols(tmp_path: Path) -> None:
    text = re.sub(r"port = \d+", "port = 0", EXAMPLE).replace("wait_s = 10", "wait_s = 0")
    with ArenaProcess(tmp_path, text, listen="") as arena, ExitStack() as stack:
        assert set(arena.ports) == {"huawei", "trend", "room", "kuhn", "acpc"}
        assert list(arena.tables()) == ["huawei", "trend", "acpc"]
        huawei = stack.enter_context(arena.huawei(1))
        assert len(huawei.until(b"seat/").splitlines()) == 6
        fill = ["RuleAgent0", "CallAgent1", "RandomAgent2"]
        assert names(arena.table("huawei"))[1:] == fill
        trend = stack.enter_context(arena.trend("somebody's"))
        assert trend.seated() == "2"
        assert trend.until("__game_prepare")["countDown"] == 3
        assert names(arena.table("trend"))[1:] == fill
        pair = [stack.enter_context(arena.room(299, name)) for name in "ab"]
        for player in pair:
            assert sorted(player.until("name")["name"]) == ["a", "b"]
        kuhn = stack.enter_context(
            socket.create_connection(("127.0.0.1", arena.ports["kuhn"]), timeout=PATIENCE)
        )
        kuhn.sendall(b"STRT 77\n")
        assert kuhn.recv(100) == b"STKS 20 20\n"
        assert names(arena.table("kuhn-77")) == ["nash", "77"]
        assert set(arena.tables()) == {"huawei", "trend", "acpc", "room-299", "kuhn-77"}
