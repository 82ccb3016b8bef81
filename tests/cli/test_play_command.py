"""`croupier play` as a user runs it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["play", *arguments])


def refused(*arguments: str) -> str:
    """Run and return the one line with which the command refuses."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


def test_json_is_one_object_with_the_documented_keys() -> None:
    result = run("RuleAgent", "CallAgent", "--hands", "50", "--seed", "7", "--json")
    assert result.exit_code == 0
    value = json.loads(result.stdout)
    assert list(value) == ["rules", "seed", "hands", "seats", "hands_per_second"]
    assert (value["rules"], value["seed"], value["hands"]) == ("plain", "7", 50)
    assert [list(seat) for seat in value["seats"]] == [
        ["name", "chips_won", "bb_per_100", "ci95", "faults"]
    ] * 2
    assert [seat["name"] for seat in value["seats"]] == ["RuleAgent", "CallAgent"]
    chips = [seat["chips_won"] for seat in value["seats"]]
    assert sum(chips) == 0
    assert value["seats"][0]["bb_per_100"] == pytest.approx(chips[0] / 100 / 50 * 100)


def test_the_seed_it_shows_gives_the_same_result_again() -> None:
    first = json.loads(run("RandomAgent", "RandomAgent", "--hands", "40", "--json").stdout)
    again = json.loads(
        run("RandomAgent", "RandomAgent", "--hands", "40", "--seed", first["seed"], "--json").stdout
    )
    assert first["seats"] == again["seats"]


def test_the_table_lists_bots_with_their_error_bars() -> None:
    result = run("RuleAgent", "AllinAgent", "AllinAgent", "--hands", "100", "--seed", "x")
    assert result.exit_code == 0
    for text in ("RuleAgent", "AllinAgent-2", "bb/100", "95 %", "100 hands of plain", "seed x"):
        assert text in result.stdout


def test_no_figure_is_cut_off_where_the_output_is_no_terminal() -> None:
    arguments = ("RuleAgent", "CallAgent", "--hands", "10", "--set", "stacks=carry", "--luck")
    assert "…" not in run(*arguments, "--seed", "7").stdout


def test_carried_stacks_are_counted_in_matches() -> None:
    arguments = ("AllinAgent", "CallAgent", "--hands", "60", "--set", "stacks=carry")
    value = json.loads(run(*arguments, "--json").stdout)
    assert value["matches"] > 1
    assert sum(seat["matches_won"] for seat in value["seats"]) >= value["matches"] - 1
    assert "matches won" in run(*arguments).stdout


@pytest.mark.parametrize("rules", ["plain", "huawei", "trend", "room", "room2", "kuhn"])
def test_every_rule_set_can_be_played(rules: str) -> None:
    result = run("RandomAgent", "RuleAgent", "--rules", rules, "--hands", "30", "--json")
    assert result.exit_code == 0
    value = json.loads(result.stdout)
    assert value["rules"] == rules
    assert [seat["faults"] for seat in value["seats"]] == [0, 0]


def test_rules_come_from_a_file_with_a_base(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text('base = "trend"\nstack = 5000\nsmall_blind = 5\n')
    value = json.loads(run("CallAgent", "AllinAgent", "--rules", str(path), "--json").stdout)
    assert value["rules"] == "deep"


def test_a_bot_comes_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("LIMIT = 0.5\n")
    path = tmp_path / "mine.py"
    path.write_text(
        "import helper\n"
        "class Mine:\n"
        "    def decide(self, view):\n"
        "        return view.min_raise if view.strength > helper.LIMIT else view.call\n"
    )
    value = json.loads(run(f"{path}:Mine", "CallAgent", "--hands", "20", "--json").stdout)
    assert value["seats"][0]["name"] == "Mine"
    assert value["seats"][0]["faults"] == 0


def test_a_failing_bot_is_counted_and_its_first_traceback_shown_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("class Bad:\n    def decide(self, view):\n        return 1 / 0\n")
    result = run(f"{path}:Bad", "CallAgent", "--hands", "20", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["seats"][0]["faults"] > 1
    assert result.stderr.count("ZeroDivisionError") == 1


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["RuleAgnt", "CallAgent"], "unknown bot 'RuleAgnt'; did you mean 'RuleAgent'?"),
        (["CallAgent"], "plain seats 2 to 10 bots, not 1"),
        (["CallAgent"] * 11, "plain seats 2 to 10 bots, not 11"),
        (["CallAgent"] * 3 + ["--rules", "kuhn"], "kuhn seats 2 to 2 bots, not 3"),
        (["CallAgent"] * 2 + ["--rules", "hawei"], "unknown rules 'hawei'; did you mean 'huawei'?"),
        (["CallAgent"] * 2 + ["--rules", "no.toml"], "cannot read no.toml: No such file"),
        (["CallAgent"] * 2 + ["--set", "stak=5"], "unknown setting 'stak'; did you mean 'stack'?"),
        (["CallAgent"] * 2 + ["--set", "stack"], "a setting is written key=value, not 'stack'"),
        (["CallAgent"] * 2 + ["--set", "stack=many"], "stack is a whole number, not 'many'"),
        (["CallAgent"] * 2 + ["--set", "ask_last=yes"], "ask_last is true or false, not 'yes'"),
        (["CallAgent"] * 2 + ["--set", "stack=10"], "small_blind 50 is above the stack of 10"),
        (["missing.py:Bot", "CallAgent"], "there is no bot file missing.py"),
        (["missing.py", "CallAgent"], "which class of missing.py? write missing.py:ClassName"),
    ],
)
def test_a_wrong_argument_is_answered_in_one_line(arguments: list[str], line: str) -> None:
    assert line in refused(*arguments)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("stack = ", "is not TOML"),
        ("blinds = 5", "unknown setting 'blinds'; did you mean"),
        ("stack = '5'", "stack is a whole number, not '5'"),
        ("max_seats = 11", "max_seats is from 2 to 10, not 11"),
        ("small_blind = 5000\nstack = 100", "small_blind 5000 is above the stack of 100"),
        ("base = 'plane'", "unknown rules 'plane'; did you mean 'plain'?"),
        ("base = 3", "base is the name of a rule set, not 3"),
        ("\udcff", "is not TOML"),
    ],
)
def test_a_wrong_rules_file_is_answered_in_one_line(tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    answer = refused("CallAgent", "CallAgent", "--rules", str(path))
    assert line in answer
    assert "rules.toml" in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("class Bot:\n  x = ", "does not import: SyntaxError"),
        ("import nothing_like_it", "does not import: ModuleNotFoundError"),
        ("raise SystemExit(3)", "does not import: SystemExit: 3"),
        ("class Bott:\n    def decide(self, view): ...", "has no 'Bot'; did you mean 'Bott'?"),
        ("class Bot: ...", "it has no decide(view)"),
        (
            "class Bot:\n    def __init__(self, x): ...\n    def decide(self, v): ...",
            "failed: Type",
        ),
    ],
)
def test_a_wrong_bot_file_is_answered_in_one_line(tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "bots.py"
    path.write_text(text)
    assert line in refused(f"{path}:Bot", "CallAgent")


def test_an_exception_in_the_engine_ends_the_run_with_a_request_to_report_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(hand: object, seat: int) -> None:
        raise RuntimeError("the engine is broken")

    monkeypatch.setattr("croupier.play.view_of", broken)
    result = run("CallAgent", "CallAgent", "--hands", "20", "--seed", "7")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "Traceback" in result.stderr
    assert "RuntimeError: the engine is broken" in result.stderr
    assert "Please report it" in result.stderr
    assert "the seed: 7" in result.stderr
    assert "its first fault" not in result.stderr


@pytest.mark.parametrize("hands", ["0", "-1", "x"])
def test_a_wrong_number_of_hands_is_refused(hands: str) -> None:
    result = run("CallAgent", "CallAgent", "--hands", hands)
    assert result.exit_code == 2
    assert "--hands" in result.stderr


def test_help_names_every_option() -> None:
    text = run("--help").stdout
    for option in ("--rules", "--hands", "--seed", "--set", "--json", "RuleAgent"):
        assert option in text


def test_luck_is_taken_out_of_the_same_hands() -> None:
    """The results stay as they are; what is adjusted stands beside them."""
    arguments = ("RuleAgent", "LooseAggressive", "--hands", "200", "--seed", "7", "--json")
    plain, lucky = json.loads(run(*arguments).stdout), json.loads(run(*arguments, "--luck").stdout)
    assert (lucky["unit"], lucky["sets"], lucky["stopped"]) == ("hand", 200, None)
    for before, after in zip(plain["seats"], lucky["seats"], strict=True):
        assert after.pop("adjusted").keys() == {"bb_per_100", "ci95", "factor"}
        assert before == after
    (difference,) = lucky["differences"]
    assert (difference["of"], difference["to"]) == ("RuleAgent", "LooseAggressive")


def test_sets_come_out_the_same_with_any_number_of_workers() -> None:
    arguments = ("RuleAgent", "LooseAggressive", "--hands", "400", "--seed", "7", "--duplicate")
    one, two = (
        json.loads(run(*arguments, "--luck", "--workers", workers, "--json").stdout)
        for workers in ("1", "2")
    )
    assert one["seats"] == two["seats"]
    assert (one["unit"], one["sets"], one["hands"]) == ("set", 200, 400)
    assert sum(seat["chips_won"] for seat in one["seats"]) == 0


def test_identical_play_is_no_difference() -> None:
    arguments = ("RuleAgent", "RuleAgent", "--duplicate", "--seed", "7", "--workers", "1")
    result = run(*arguments, "--stop", "better=0.05,same=60", "--hands", "1200")
    assert result.exit_code == 11
    assert "identical play" in result.stdout
    value = json.loads(run(*arguments, "--hands", "400", "--json").stdout)
    assert value["seats"][0]["adjusted"] == {"bb_per_100": 0.0, "ci95": 0.0, "factor": None}


def test_the_exit_code_says_which_bot_is_better() -> None:
    stop = ("--stop", "better=0.05", "--duplicate", "--seed", "7", "--workers", "1", "--json")
    better = run("RuleAgent", "RandomAgent", *stop)
    assert better.exit_code == 0
    value = json.loads(better.stdout)
    assert value["stopped"] == "better"
    assert value["hands"] < 10_000
    assert value["interval"]["bb_per_100"] > value["interval"]["always_valid"]
    assert run("RandomAgent", "RuleAgent", *stop).exit_code == 10
    assert run("RuleAgent", "RuleAgent", *stop, "--hands", "200").exit_code == 12


def test_carried_stacks_are_compared_match_by_match() -> None:
    arguments = ("AllinAgent", "CallAgent", "--hands", "60", "--set", "stacks=carry", "--luck")
    value = json.loads(run(*arguments, "--json").stdout)
    assert (value["unit"], value["sets"]) == ("match", value["matches"])
    stopped = run(*arguments, "--stop", "better=0.05", "--workers", "1", "--json")
    assert stopped.exit_code == 12
    assert json.loads(stopped.stdout)["unit"] == "match"
    assert "stacks that are reset" in refused(*arguments, "--duplicate")


@pytest.mark.parametrize("text", ["better", "best=1", "better=x", "better=2", "same=0", ""])
def test_a_stop_that_makes_no_sense_is_refused(text: str) -> None:
    assert "--stop" in refused("CallAgent", "CallAgent", "--stop", text)
