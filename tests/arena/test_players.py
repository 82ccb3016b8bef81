"""Players whom the organiser knows: from the file into the registry, and from there to a table."""

import json
from contextlib import ExitStack
from pathlib import Path

from tests.arena.arenas import ArenaProcess, is_open, names

TABLES = """
[[table]]
name = "one"
number = 1
seats = 2
minimum = 1
wait_s = 0
fill = ["CallAgent"]
repeat = false
dialects = ["trend"]
set = { hands = 1, absence_ms = 0, decision_ms = 100000 }

[[table]]
name = "two"
number = 2
seats = 2
dialects = ["trend"]
"""
LISTEN = '[[listen]]\ndialect = "trend"\nport = 0\n'


def test_players_of_the_file_are_in_the_registry_and_those_of_the_registry_are_known(
    tmp_path: Path,
) -> None:
    text = TABLES + '[[player]]\ndisplay = "Ada"\ntable = "two"\nprivate_name = "ada\'s"\n'
    with ArenaProcess(tmp_path, text, listen=LISTEN) as arena, ExitStack() as stack:
        listed = json.loads(arena.tell("players", "list", "--json"))
        assert [(player["display"], player["table"]) for player in listed] == [("Ada", "2")]
        # Somebody who is added while the arena runs is led to his table, too.
        arena.tell("players", "add", "Bob", "--table", "2", "--private-name", "bob's")
        ada = stack.enter_context(arena.trend("ada's"))
        assert ada.seated() == "2"
        bob = stack.enter_context(arena.trend("bob's"))
        assert bob.seated() == "2"
        assert names(arena.table("two")) == ["Ada", "Bob"]
        assert is_open(arena.table("one"))


def test_the_same_file_can_be_served_again(tmp_path: Path) -> None:
    text = TABLES + '[[player]]\ndisplay = "Ada"\ntable = "two"\nprivate_name = "ada\'s"\n'
    for _ in range(2):
        with ArenaProcess(tmp_path, text, listen=LISTEN) as arena:
            listed = json.loads(arena.tell("players", "list", "--json"))
            assert [player["display"] for player in listed] == ["Ada"]


def test_a_new_private_name_in_the_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    player = '[[player]]\ndisplay = "Ada"\ntable = "two"\nprivate_name = "{}"\n'
    with ArenaProcess(tmp_path, TABLES + player.format("old"), listen=LISTEN) as arena:
        assert arena.tables()
    with ArenaProcess(tmp_path, TABLES + player.format("new"), listen=LISTEN) as arena:
        with arena.trend("new") as ada:
            assert ada.seated() == "2"


def test_who_was_away_when_his_match_ended_may_sit_down_elsewhere(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path, TABLES, listen=LISTEN) as arena, ExitStack() as stack:
        player = arena.trend("somebody's")
        assert player.seated() == "1"
        player.until("__action", "__bet")
        player.close()
        arena.wait_until(lambda row: bool(row["state"] == "over"), "one")
        again = stack.enter_context(arena.trend("somebody's"))
        assert again.seated() == "2"
