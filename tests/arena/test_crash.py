"""An arena that is killed and started again goes on at every table."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.arena.arenas import ArenaProcess, names
from tests.arena.crowd import InHuawei, InTrend, all_together, until_silent
from tests.support.hosting import Player

TABLES = 20
HANDS = 8
CUT_OFF = 4

MANY = "".join(
    f"""
[[table]]
name = "t{number}"
number = {number}
rules = "{("plain", "huawei", "trend")[number % 3]}"
seats = 3
bots = ["CallAgent"]
repeat = false
set = {{ hands = {HANDS}, decision_ms = 100000, countdown_s = 0, reload_ms = 0 }}

[[player]]
display = "H{number}"
pid = {1000 + number}
table = "t{number}"

[[player]]
display = "T{number}"
private_name = "secret of {number}"
table = "t{number}"
"""
    for number in range(1, TABLES + 1)
)


def test_twenty_tables_go_on_after_kill_9_and_every_match_verifies(tmp_path: Path) -> None:
    numbers = range(1, TABLES + 1)
    with ArenaProcess(tmp_path, MANY) as arena:
        first = [InHuawei(1000 + n, "ann", CUT_OFF - 1) for n in numbers]
        others = [InTrend(f"secret of {n}") for n in numbers]

        async def kill_when_all_are_in_a_hand() -> None:
            await until_silent(first)
            arena.process.kill()

        people = [*first, *others]
        all_together(*(p.play(arena.ports) for p in people), kill_when_all_are_in_a_hand())
        arena.close()
        assert arena.process.returncode == -9
    assert not any(someone.over for someone in people)
    assert all(someone.ended == CUT_OFF - 1 for someone in people)
    with ArenaProcess(tmp_path) as arena:
        rows = arena.tables()
        assert len(rows) == TABLES
        assert all(row["state"] == "returning" for row in rows.values())
        assert all(row["hand"] == CUT_OFF for row in rows.values())
        assert {row["match"] for row in rows.values()} == matches_of(arena)
        # Somebody else is not taken for him.
        with arena.huawei(1001, "eve") as eve:
            assert eve.next() is None
        for someone in first:
            someone.silent_after = None
        all_together(*(someone.play(arena.ports) for someone in people))
        assert all(someone.over for someone in people)
        for row in rows.values():
            over = arena.wait_until(lambda row: bool(row["state"] == "over"), row["table"])
            assert over["match"] == row["match"]
        for number in numbers:
            check_match(arena, rows[f"t{number}"]["match"])
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("croupier.db*"))
    assert b"secret of" not in stored


def matches_of(arena: ArenaProcess) -> set[str]:
    return {row["match"] for row in json.loads(arena.tell("matches", "--json"))}


def check_match(arena: ArenaProcess, match: str) -> None:
    shown = json.loads(arena.tell("show", match, "--json"))
    assert shown["hands"] == HANDS
    assert sum(line["chips"] for line in shown["standings"]) % 1000 == 0
    report = arena.tell("verify", match)
    assert f"void       cut off and never played: hand {CUT_OFF}" in report
    assert "FAILED" not in report


# A pause.

ONE = """
[[table]]
name = "main"
number = 1
seats = 2
minimum = 1
wait_s = 0
fill = ["CallAgent"]
repeat = false
set = { hands = 1000, decision_ms = 100000, reload_ms = 100000, countdown_s = 0 }
"""


def is_paused(row: dict[str, Any]) -> bool:
    return bool(row["state"] == "paused")


def fold_once(player: Player) -> None:
    player.until(b"inquire")
    player.send(b"fold \n")
    player.until(b"pot-win/")


def test_a_pause_survives_a_crash_and_ends_with_a_resume(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, ONE) as arena, ExitStack() as stack:
        player = stack.enter_context(arena.huawei(1))
        player.until(b"inquire")
        arena.tell("pause", "main")
        player.send(b"fold \n")
        arena.wait_until(is_paused, "main")
        arena.kill()
    with ArenaProcess(tmp_path) as arena, ExitStack() as stack:
        assert arena.table("main")["state"] == "pausing"
        player = stack.enter_context(arena.huawei(1))
        row = arena.wait_until(is_paused, "main")
        assert names(row) == ["bot-1", "CallAgent0"]
        assert arena.tell("resume", "main") == "main goes on"
        player.until(b"seat/")
        arena.tell("pause", "main")
        fold_once(player)
        arena.wait_until(is_paused, "main")
        arena.tell("end", "main")
        player.until(b"game-over")
        assert "FAILED" not in arena.tell("verify", row["match"])


def test_a_match_that_was_resumed_is_not_paused_again_by_a_crash(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, ONE) as arena, ExitStack() as stack:
        player = stack.enter_context(arena.huawei(1))
        player.until(b"inquire")
        arena.tell("pause", "main")
        player.send(b"fold \n")
        arena.wait_until(is_paused, "main")
        arena.tell("resume", "main")
        player.until(b"seat/")
        player.until(b"inquire")
        arena.kill()
    with ArenaProcess(tmp_path) as arena, ExitStack() as stack:
        stack.enter_context(arena.huawei(1))
        row = arena.wait_until(lambda row: bool(row["players"][0]["online"]), "main")
        assert row["state"] == "hand"


def test_a_pause_between_two_hands_survives_a_crash(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, ONE + 'rules = "trend"\n') as arena, ExitStack() as stack:
        player = stack.enter_context(arena.trend("a secret"))
        player.until("__action", "__bet")
        player.act("fold")
        player.until("__start_reload")
        assert arena.table("main")["state"] == "reload"
        assert arena.tell("pause", "main") == "main pauses before the next hand"
        player.say("__reload", {})
        player.say("__reload", {})
        arena.wait_until(is_paused, "main")
        arena.kill()
    with ArenaProcess(tmp_path) as arena:
        assert arena.table("main")["state"] == "pausing"


# Coming back.


def test_after_a_crash_each_dialect_s_player_gets_his_place_back(tmp_path: Path) -> None:
    text = ONE.replace("seats = 2", "seats = 3").replace("minimum = 1", "minimum = 2")
    with ArenaProcess(tmp_path, text) as arena, ExitStack() as stack:
        player = stack.enter_context(arena.huawei(7, "ann"))
        trend = stack.enter_context(arena.trend("a secret"))
        trend.until("__new_round")
        before = arena.table("main")
        assert names(before)[0] == "ann-7"
        arena.kill()
        player.close()
    with ArenaProcess(tmp_path) as arena, ExitStack() as stack:
        assert arena.table("main")["state"] == "returning"
        with arena.huawei(7, "bob") as other:
            assert other.next() is None, "another name is another player"
        with arena.trend("another secret") as other:
            assert other.refusal()[0] == 4004
        trend = stack.enter_context(arena.trend("a secret"))
        trend.until("__new_peer_2")
        stack.enter_context(arena.huawei(7, "ann"))
        data = trend.until("__new_round")
        assert data["table"]["roundCount"] == 1
        row = arena.table("main")
        assert names(row) == names(before)
        assert row["match"] == before["match"]
        assert row["hand"] == 2, "the first hand is void"


def test_after_a_crash_a_player_of_room_gets_his_place_back_by_his_name(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, ONE) as arena, arena.room("main", "bob") as player:
        player.until("name")
        player.say({"info": "start"})
        player.until("state")
        arena.kill()
    with ArenaProcess(tmp_path) as arena, arena.room("main", "bob") as player:
        player.say({"info": "start"})
        assert player.until("state")


def test_after_a_crash_a_room_is_over_with_its_last_finished_hand(tmp_path: Path) -> None:
    listen = '[[listen]]\ndialect = "room"\nport = 0\n'
    with ArenaProcess(tmp_path, "[rooms]\n", listen=listen) as arena, ExitStack() as stack:
        pair = [stack.enter_context(arena.room("here", name)) for name in "ab"]
        for player in pair:
            player.until("name")
            player.say({"info": "start"})
        states = [player.until("state") for player in pair]
        asked = states[0]["action_position"]
        for player, state in zip(pair, states, strict=True):
            if state["position"] == asked:
                player.say({"info": "action", "action": "fold"})
        pair[0].until("result")
        match = arena.table("room-here")["match"]
        arena.kill()
    with ArenaProcess(tmp_path) as arena:
        assert arena.tables() == {}
        assert arena.tell("tables") == "nothing is open"
        report = arena.tell("verify", match)
        assert "FAILED" not in report
        assert json.loads(arena.tell("show", match, "--json"))["hands"] == 1


def test_after_a_crash_a_room_without_a_finished_hand_leaves_nothing(tmp_path: Path) -> None:
    listen = '[[listen]]\ndialect = "room"\nport = 0\n'
    with ArenaProcess(tmp_path, "[rooms]\n", listen=listen) as arena, ExitStack() as stack:
        pair = [stack.enter_context(arena.room("here", name)) for name in "ab"]
        for player in pair:
            player.until("name")
            player.say({"info": "start"})
        pair[0].until("state")
        arena.kill()
    with ArenaProcess(tmp_path) as arena:
        assert arena.tables() == {}
        arena.stop()
        assert arena.tell("matches", "--json") == "[]"


def test_if_nobody_comes_back_in_time_the_match_waits_for_the_first_who_does(
    tmp_path: Path,
) -> None:
    text = ONE.replace("set = {", "set = { return_s = 0,").replace("hands = 1000", "hands = 2")
    with ArenaProcess(tmp_path, text) as arena, arena.huawei(7) as player:
        player.until(b"inquire")
        arena.kill()
    with ArenaProcess(tmp_path) as arena:
        arena.wait_for_log("nobody has come back")
        assert arena.table("main")["state"] == "returning"
        with arena.huawei(7) as player:
            player.until(b"inquire")
            assert arena.table("main")["state"] == "hand"


def test_a_table_without_repeat_whose_match_is_over_stays_closed_after_a_restart(
    tmp_path: Path,
) -> None:
    with ArenaProcess(tmp_path, ONE) as arena, arena.huawei(7) as player:
        player.until(b"inquire")
        arena.tell("end", "main")
        arena.wait_for("^match .* over")
        arena.kill()
    with ArenaProcess(tmp_path) as arena:
        assert arena.table("main")["state"] == "closed"
        with arena.huawei(7) as player:
            assert player.next() is None
        assert arena.tell("start", "main") == "main is open for a new match"
        with arena.huawei(7) as player:
            player.until(b"inquire")
