"""The checker names the fault of every bad bot, and the server survives each of them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from croupier.dialects.registry import DIALECTS
from croupier.dialects.turns import SURPLUS
from tests.support.hosting import HostProcess
from tests.support.processes import croupier

BOTS = Path(__file__).parents[1] / "badbots"

FAULTS = {
    "silent": "no answer in time",
    "slow": "no answer in time",
    "garbage": "no legal decision",
    "half_lines": "no answer in time",
    "quits": "closed its connection before the match was over",
    "ignores_game_over": "still running",
    "raises_too_little": "raise below the minimum",
    "answers_twice": "discarded",
    "never_reads": "correct or ignore something",
}


def checked(bot: str, *options: str, dialect: str = "huawei") -> tuple[int, list[dict[str, Any]]]:
    """Return the exit code and the verdicts."""
    program = [sys.executable, str(BOTS / f"{bot}.py"), "{host}", "{port}", "{pid}"]
    done = croupier("check", dialect, "--json", *options, "--", *program)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("bot", FAULTS)
def test_the_checker_names_the_fault(bot: str) -> None:
    code, [verdict] = checked(bot, "--scenario", "heads-up")
    assert code == 1
    assert not verdict["ok"]
    assert FAULTS[bot] in verdict["text"]


def test_in_trend_a_program_may_wait_until_the_server_closes_the_connection() -> None:
    path = BOTS.parent / "wildbots" / "programs" / "trend_waits_for_the_close.py"
    program = [sys.executable, str(path), "{host}", "{port}", "{name}"]
    done = croupier("check", "trend", "--json", "--scenario", "heads-up", "--", *program)
    [verdict] = json.loads(done.stdout)
    assert verdict["ok"], verdict


@pytest.mark.parametrize("scenario", ["heads-up", "full-table", "pieces"])
@pytest.mark.parametrize("bot", ["room_answers_twice", "room_out_of_turn"])
def test_an_answer_too_many_in_room_is_named(bot: str, scenario: str) -> None:
    """Which kind it is, test_turns.py tests: on a busy machine programs react late."""
    code, [verdict] = checked(bot, "--scenario", scenario, dialect="room")
    assert code == 1
    assert verdict["text"] in SURPLUS
    assert verdict["context"][-1].endswith(f"# {verdict['text']}")
    assert '"action": ' in verdict["context"][-2]


def test_a_player_of_room_without_a_fault_gets_through_every_scenario() -> None:
    code, verdicts = checked("room_good", dialect="room")
    assert [verdict["text"] for verdict in verdicts if not verdict["ok"]] == []
    assert len(verdicts) > 6
    assert code == 0


def test_the_bytes_around_the_first_mistake_are_shown() -> None:
    _, [verdict] = checked("raises_too_little", "--scenario", "heads-up")
    assert any("inquire/" in line for line in verdict["context"])
    assert "> b'raise 1" in verdict["context"][-2]
    assert verdict["context"][-1].endswith("# raise below the minimum counts as the minimum")


def test_messages_of_huawei_come_one_by_one_as_at_a_table() -> None:
    _, [verdict] = checked("silent", "--scenario", "heads-up")
    sent = [line for line in verdict["context"] if " < " in line]
    assert ["seat/" in sent[0], "inquire/" in sent[-1], len(sent)] == [True, True, 4]
    first, last = (float(line.split()[0]) for line in (sent[0], sent[-1]))
    # Three gaps; the times are rounded.
    assert last - first >= 0.003 * DIALECTS["huawei"].gap_ms - 0.001


def test_the_bytes_are_those_of_the_mistake_and_not_of_what_was_excused_before_it() -> None:
    _, [verdict] = checked("errs_later", "--scenario", "late")
    assert "raise below the minimum" in verdict["text"]
    assert "> b'raise 1" in verdict["context"][-2]
    assert verdict["context"][-1].endswith("# raise below the minimum counts as the minimum")


def test_an_answer_to_a_question_that_was_taken_back_is_no_answer_to_the_next_one() -> None:
    code, [verdict] = checked("thoughtful", "--scenario", "late")
    assert verdict["ok"], verdict
    assert code == 0


def test_who_leaves_because_he_was_folded_is_told_so() -> None:
    _, [verdict] = checked("quits", "--scenario", "late")
    assert verdict["text"] == f"it {FAULTS['quits']}"


def test_a_program_without_a_fault_gets_through_every_scenario() -> None:
    code, verdicts = checked("good")
    assert [verdict["text"] for verdict in verdicts if not verdict["ok"]] == []
    assert len(verdicts) > 8
    assert code == 0


@pytest.mark.parametrize("bot", FAULTS)
def test_the_server_survives_it_and_the_others_play_on(bot: str) -> None:
    arguments = ["--seats", "4", "--hands", "6", "--once", "--json", "--set", "closing_s=1"]
    bots = ["--bot", "CallAgent", "--bot", "RandomAgent"]
    with HostProcess(*arguments, *bots) as host:
        programs = [
            subprocess.Popen(
                [sys.executable, str(BOTS / f"{name}.py"), "127.0.0.1", str(host.port), pid],
                stderr=subprocess.DEVNULL,
            )
            for name, pid in ((bot, "1001"), ("good", "1002"))
        ]
        try:
            result = host.result()
        finally:
            for program in programs:
                program.kill()
                program.wait()
    assert result["hands"] > 0
    assert sum(seat["chips"] for seat in result["seats"]) <= 40_000
    good = next(seat for seat in result["seats"] if seat["pid"] == "1002")
    assert good["faults"] == 0
