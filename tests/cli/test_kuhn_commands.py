"""Kuhn poker from the command line: bots against each other, and what a host refuses."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from croupier.bots import HOUSE_BOTS, KUHN_BOTS
from croupier.cli.listen_option import parse_listen
from croupier.cli.main import main

ALL = ", ".join([*KUHN_BOTS, *HOUSE_BOTS])


def played(*arguments: str) -> dict[str, Any]:
    """Return the object that `croupier play --rules kuhn --json` prints."""
    command = ["play", *arguments, "--rules", "kuhn", "--json"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    value: dict[str, Any] = json.loads(result.stdout)
    return value


def refused(*arguments: str) -> str:
    """Run a command and return the one line with which it refuses."""
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


# Bots against each other.


def test_nash_and_random_play_with_honest_error_bars() -> None:
    value = played("nash", "random", "--hands", "2000", "--seed", "1")
    assert (value["rules"], value["seed"], value["hands"]) == ("kuhn", "1", 2000)
    nash, other = value["seats"]
    assert (nash["name"], other["name"]) == ("nash", "random")
    assert nash["chips_won"] == -other["chips_won"] > 0
    assert (nash["faults"], other["faults"]) == (0, 0)
    # A big blind is one coin. Random play loses 5/36 of a coin per hand.
    assert nash["bb_per_100"] == pytest.approx(nash["chips_won"] / 20)
    assert abs(nash["bb_per_100"] - 500 / 36) < 2 * nash["ci95"]


def test_the_same_seed_gives_the_same_coins() -> None:
    arguments = ("nash", "random", "--hands", "500")
    first = played(*arguments, "--seed", "1")
    assert played(*arguments, "--seed", "1")["seats"] == first["seats"]
    assert played(*arguments, "--seed", "2")["seats"] != first["seats"]


def test_nobody_wins_much_between_two_of_a_kind() -> None:
    value = played("nash", "nash", "--hands", "3000", "--seed", "1")
    assert [seat["name"] for seat in value["seats"]] == ["nash", "nash-2"]
    first = value["seats"][0]
    assert abs(first["bb_per_100"]) < 2 * first["ci95"]


@pytest.mark.parametrize("bot", [*KUHN_BOTS, *HOUSE_BOTS])
def test_every_house_bot_plays_kuhn_without_a_fault(bot: str) -> None:
    for other in ("nash", "random"):
        for settings in ((), ("--set", "stacks=carry", "--set", "chips=2")):
            value = played(bot, other, "--hands", "200", "--seed", "1", *settings)
            assert [seat["faults"] for seat in value["seats"]] == [0, 0]
            assert sum(seat["chips_won"] for seat in value["seats"]) == 0


def test_a_bot_of_ones_own_meets_nash(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from croupier.cards import letter\n"
        "class Mine:\n"
        "    def decide(self, view):\n"
        "        if letter(view.hole[0]) == 'K':\n"
        "            return view.call if view.options.owed else view.max_raise\n"
        "        return view.fold if view.options.owed else view.call\n"
    )
    value = played(f"{path}:Mine", "nash", "--hands", "300", "--seed", "1")
    assert [(seat["name"], seat["faults"]) for seat in value["seats"]] == [("Mine", 0), ("nash", 0)]


def test_the_table_names_the_bots_and_the_game() -> None:
    arguments = ["play", "nash", "call", "--rules", "kuhn", "--hands", "100", "--seed", "1"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    for text in ("100 hands of kuhn", "nash", "call", "seed 1"):
        assert text in result.stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nash", "CallAgent"], "unknown bot 'nash'"),
        (["CallAgent", "call", "--rules", "trend"], "unknown bot 'call'"),
        (["nash", "random", "--rules", "huawei"], "unknown bot 'nash'"),
        (["nahs", "random", "--rules", "kuhn"], "unknown bot 'nahs'; did you mean 'nash'?"),
        (["nash", "--rules", "kuhn"], "kuhn seats 2 to 2 bots, not 1"),
        (["nash", "random", "call", "--rules", "kuhn"], "kuhn seats 2 to 2 bots, not 3"),
        (["nash", "call", "--rules", "kuhn", "--set", "chips=0"], "stack is from 1"),
        (["nash", "call", "--rules", "kuhn", "--set", "chips=x"], "is a whole number, not 'x'"),
        (["nash", "call", "--rules", "khun"], "unknown rules 'khun'; did you mean 'kuhn'?"),
    ],
)
def test_play_answers_a_wrong_argument_in_one_line(arguments: list[str], line: str) -> None:
    assert line in refused("play", *arguments)


def test_an_unknown_bot_is_told_which_there_are() -> None:
    assert ALL in refused("play", "nobody", "call", "--rules", "kuhn")
    line = refused("play", "nash", "CallAgent")
    assert ", ".join(HOUSE_BOTS) in line
    assert "call," not in line


# What a host refuses before it opens a port.


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--bot", "nahs"], "unknown bot 'nahs'; did you mean 'nash'?"),
        (["--bot", "Nash"], f"(for kuhn there are {ALL})"),
        (["--bot", "nash", "--bot", "call"], "one --bot plays for the house, not 2"),
        (["--seats", "3"], "in kuhn one player meets the house: two seats, not 3"),
        (["--seats", "1"], "in kuhn one player meets the house: two seats, not 1"),
        (["--listen", "huawei:0"], "the rules kuhn go with the dialect kuhn only"),
        (["--listen", "kuhn:0", "--listen", "trend:0"], "the rules kuhn go with the dialect kuhn"),
        (["--listen", "room:0"], "the rules kuhn go with the dialect kuhn only"),
        (["--listen", "khun:0"], "unknown dialect 'khun'; did you mean 'kuhn'?"),
        (["--listen", "kuhn:x"], "a port is a number from 0 to 65535, not 'x'"),
        (["--listen", "kuhn:0,spelling=hex"], "spelling is text or binary, not 'hex'"),
        (["--listen", "kuhn:0,speling=text"], "no setting 'speling'; did you mean 'spelling'?"),
        (["--listen", "kuhn:0,error_text"], "error_text is true or false, not ''"),
        (["--listen", "kuhn:0,error_text=yes"], "error_text is true or false, not 'yes'"),
        (["--listen", "kuhn:0,"], "kuhn has no setting ''"),
        (["--set", "chips=0"], "stack is from 1"),
        (["--set", "decision_ms=0"], "decision_ms is from 1"),
        (["--set", "coins=5"], "unknown setting 'coins'"),
        (["--closed"], "--closed needs --store"),
    ],
)
def test_a_host_answers_a_wrong_argument_in_one_line(arguments: list[str], line: str) -> None:
    assert line in refused("host", "--rules", "kuhn", *arguments)


def test_a_table_against_the_house_and_one_with_programs_cannot_be_closed(tmp_path: Path) -> None:
    closed = ("--seats", "2", "--closed", "--store", str(tmp_path / "x.db"))
    assert refused("host", "--rules", "kuhn", *closed) == (
        "Error: --allow and --closed go with a table of --seats"
    )
    assert refused("host", "--rules", "huawei", *closed, "--run", "./bot") == (
        "Error: --closed admits holders of a registered key, and the programs of --run have none"
    )


@pytest.mark.parametrize("rules", ["plain", "huawei", "trend", "room"])
def test_other_rules_are_not_played_in_the_dialect_kuhn(rules: str) -> None:
    for more in ((), ("--listen", f"{rules}:0" if rules != "plain" else "huawei:0")):
        arguments = ("--rules", rules, "--seats", "2", "--listen", "kuhn:0", *more)
        assert refused("host", *arguments) == (
            "Error: the dialect kuhn goes with --rules kuhn only"
        )


def test_rooms_are_not_opened_in_the_dialect_kuhn() -> None:
    assert "only players of the dialect room ask for rooms" in refused(
        "host", "--rules", "room", "--listen", "kuhn:0"
    )


def test_bots_of_kuhn_do_not_sit_down_at_other_tables() -> None:
    line = refused("host", "--rules", "huawei", "--seats", "2", "--bot", "nash")
    assert line.startswith("Error: unknown bot 'nash'")
    assert ", ".join(HOUSE_BOTS) in line


def test_a_setting_that_a_dialect_does_not_have_is_refused() -> None:
    line = refused("host", "--seats", "2", "--listen", "trend:0,spelling=text")
    assert line == "Error: trend has no setting 'spelling' (there are: cert, key)"
    line = refused("host", "--seats", "2", "--listen", "huawei:0,spelling=text")
    assert line == "Error: huawei has no setting 'spelling' (there are: gap_ms, cert, key)"


@pytest.mark.parametrize("value", ["", "-1", "1001", "0.2", "x"])
def test_a_gap_that_is_none_is_refused(value: str) -> None:
    line = refused("host", "--seats", "2", "--listen", f"huawei:0,gap_ms={value}")
    assert line == (
        f"Error: gap_ms is a whole number of milliseconds from 0 to 1000, not {value!r}"
    )


def test_a_gap_is_understood() -> None:
    assert parse_listen("huawei").options == {}
    assert parse_listen("huawei:6000,gap_ms=0").options == {"gap_ms": 0}
    assert parse_listen("huawei,gap_ms=1000").options == {"gap_ms": 1000}


def test_help_tells_of_kuhn() -> None:
    text = " ".join(CliRunner().invoke(main, ["host", "--help"]).stdout.split())
    for word in ("kuhn:1212", "spelling=text or binary", "error_text=true or false"):
        assert word in text
    assert "nash" in CliRunner().invoke(main, ["play", "--help"]).stdout
