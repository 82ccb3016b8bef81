"""`croupier results`: its numbers against a second computation, from the exported events alone."""

import csv
import io
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import main
from croupier.cli.results import COLUMNS
from croupier.rules.events import Event
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, ROOM, TREND
from croupier.stats import t95
from croupier.store.records import HandRecord, MatchRecord
from croupier.store.schema import open_store
from tests.store.recorded import NONSENSE, SALT, Recording, Trouble, record_match, write

BOTS = ["RandomAgent", "RuleAgent", "CallAgent", "AllinAgent"]
MANY_FAULTS = Trouble(late=30, nonsense=30, gone=10)


def run(store: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--store", str(store)])


def output(store: Path, *arguments: str) -> str:
    result = run(store, *arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def as_json(store: Path, match: str = "last") -> dict[str, Any]:
    value: dict[str, Any] = json.loads(output(store, "results", match, "--format", "json"))
    return value


def exported(store: Path, match: str = "last") -> list[dict[str, Any]]:
    text = output(store, "export", match, "--format", "jsonl")
    return [json.loads(line) for line in text.splitlines()]


# The second computation.


def expected(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what the results have to say, but for decision times."""
    header = lines[0]
    rules = header["rules"]
    gains: dict[int, list[float]] = defaultdict(list)
    timeouts: Counter[int] = Counter()
    faults: dict[int, Counter[str]] = defaultdict(Counter)
    started: dict[str, Any] = {}
    for line in lines:
        event = line.get("event")
        if event == "HandStarted":
            started = line
        elif event == "HandEnded":
            for player, before, after in zip(
                started["players"], started["stacks"], line["stacks"], strict=True
            ):
                gains[player].append((after - before) / started["big_blind"])
        elif event == "TimedOut":
            timeouts[line["player"]] += 1
            faults[line["player"]]["absent" if line["absent"] else "late"] += 1
        elif event == "Faulted":
            faults[line["player"]][cause_in(line["reason"])] += 1
    books = [line for line in lines if line["line"] == "hand"][-1]["state"]["players"]
    rows = []
    for player, account in enumerate(books):
        won = gains[player]
        independent = rules["stacks"] == "reset"
        unused = 0 if account["out"] else rules["reloads"] - account["reloads"]
        chips = account["stack"] + account["reserve"] + account["won"]
        rows.append(
            {
                "player": account["name"],
                "dialect": header["players"][player]["dialect"],
                "chips": chips,
                "hands": account["hands"],
                "bb_per_100": 100 * fmean(won) if won else 0.0,
                "ci95": 100 * t95(len(won) - 1) * stdev(won) / math.sqrt(len(won))
                if len(won) > 1 and independent
                else None,
                "timeouts": timeouts[player],
                "faults": dict(faults[player]),
                "key": (-account["hands"], -(chips + unused * rules["stack"])),
            }
        )
    for row in rows:
        row["rank"] = 1 + sum(other["key"] < row["key"] for other in rows)
    return rows


def cause_in(reason: str) -> str:
    """Return which of the things that the recorded players do wrong a reason tells of."""
    (cause,) = (cause for cause in NONSENSE if cause in reason)
    return cause


def close(number: float | None, other: float | None) -> bool:
    if number is None or other is None:
        return number is other
    return abs(number - other) <= 0.0005 + 1e-9


MATCHES = [
    (PLAIN.with_fields({"hands": 60}), BOTS),
    (HUAWEI.with_fields({"hands": 120}), BOTS),
    (TREND.with_fields({"hands": 60}), BOTS),
    (ROOM.with_fields({"hands": 30, "fault_ends": False}), BOTS[:2]),
    (KUHN.with_fields({"hands": 50, "fault_ends": False, "stacks": "reset"}), ["CallAgent"] * 2),
]


@pytest.mark.parametrize(("rules", "bots"), MATCHES, ids=[rules.name for rules, _ in MATCHES])
def test_every_number_is_what_the_events_say(tmp_path: Path, rules: Rules, bots: list[str]) -> None:
    store = tmp_path / "croupier.db"
    record_match(store, rules, bots, "numbers", MANY_FAULTS)
    found = as_json(store)
    rows = expected(exported(store))
    assert found["hands"] == sum(1 for line in exported(store) if line.get("event") == "HandEnded")
    assert [line["rank"] for line in found["players"]] == sorted(row["rank"] for row in rows)
    by_name = {row["player"]: row for row in rows}
    assert sum(row["timeouts"] for row in rows) > 0
    for line in found["players"]:
        row = by_name.pop(line["player"])
        for key in ("rank", "dialect", "chips", "hands", "timeouts", "faults"):
            assert line[key] == row[key], key
        assert close(line["bb_per_100"], row["bb_per_100"])
        assert close(line["ci95"], row["ci95"])
    assert not by_name
    assert found["unit"] == ("hand" if rules.stacks == "reset" else "match")
    rates = {line["player"]: line["bb_per_100"] for line in found["players"]}
    for one in found["differences"]:
        better, worse = rates[one["of"]], rates[one["to"]]
        if rules.stacks == "reset":
            assert one["bb_per_100"] == pytest.approx(better - worse, abs=0.01)
            assert one["ci95"] > 0


def test_hands_that_a_crash_cut_off_count_for_nothing(tmp_path: Path) -> None:
    store = tmp_path / "croupier.db"
    engine = open_store(str(store))
    recording = Recording(engine, PLAIN.with_fields({"hands": 30}), BOTS, "crash")
    recording.play(hands=10)
    recording.crash()
    recording.go_on()
    recording.end()
    engine.dispose()
    found = as_json(store)
    assert found["hands"] == 30
    rows = {row["player"]: row for row in expected(exported(store))}
    for line in found["players"]:
        assert line["hands"] == 30
        assert close(line["bb_per_100"], rows[line["player"]]["bb_per_100"])
    assert abs(sum(line["bb_per_100"] for line in found["players"])) < 0.01


def test_ties_share_a_rank(tmp_path: Path) -> None:
    store = tmp_path / "croupier.db"
    engine = open_store(str(store))
    recording = Recording(engine, PLAIN.with_fields({"hands": 4}), ["CallAgent"] * 4, "ties")
    recording.play()
    recording.end()
    engine.dispose()
    found = as_json(store)
    rows = sorted(row["rank"] for row in expected(exported(store)))
    assert [line["rank"] for line in found["players"]] == rows


# Decision times.


class Timed(Recording):
    """A recording whose decisions took as long as is said."""

    times: Callable[[int], list[tuple[int, int]]] = staticmethod(lambda hand: [])

    def _hand(self, events: list[Event]) -> HandRecord:
        record = super()._hand(events)
        return replace(record, times=self.times(record.number))


def timed(path: Path, times: Callable[[int], list[tuple[int, int]]]) -> list[dict[str, Any]]:
    engine = open_store(str(path))
    recording = Timed(engine, PLAIN.with_fields({"hands": 100}), ["CallAgent"] * 2, "times")
    recording.times = times
    recording.play()
    recording.end()
    engine.dispose()
    found = as_json(path)["players"]
    return sorted(found, key=lambda line: str(line["player"]))


def test_mean_and_99th_percentile_are_those_of_all_decisions(tmp_path: Path) -> None:
    # Ten decisions in each of a hundred hands: 1 ms, 2 ms, … 1 s.
    first, second = timed(
        tmp_path / "croupier.db",
        lambda hand: [(0, 1000 * (10 * (hand - 1) + n)) for n in range(1, 11)],
    )
    assert first["decisions"] == 1000
    assert first["mean_seconds"] == pytest.approx(0.5005)
    # 990 of them took that long or less; which of its neighbours is meant, nobody agrees on.
    assert first["p99_seconds"] in (0.990, 0.991)
    assert (second["decisions"], second["mean_seconds"], second["p99_seconds"]) == (0, None, None)


def test_of_few_decisions_the_99th_percentile_is_the_longest(tmp_path: Path) -> None:
    first, second = timed(
        tmp_path / "croupier.db", lambda hand: [(1, 250_000), (0, 1)] if hand == 7 else []
    )
    assert (second["decisions"], second["mean_seconds"], second["p99_seconds"]) == (1, 0.25, 0.25)
    assert (first["mean_seconds"], first["p99_seconds"]) == (1e-06, 1e-06)


# A match that is running.


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("running") / "croupier.db"
    record_match(path, PLAIN, BOTS, "running", MANY_FAULTS, hands=15)
    return path


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Recording]:
    path = tmp_path_factory.mktemp("ended") / "croupier.db"
    return path, record_match(path, PLAIN.with_fields({"hands": 15}), BOTS, "ended", MANY_FAULTS)


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_while_a_match_is_running_its_seed_is_not_told(running: Path, form: str) -> None:
    recording = Recording(open_store(":memory:"), PLAIN, BOTS, "running")
    recording.engine.dispose()
    text = output(running, "results", "--format", form)
    assert recording.seed.hex() not in text
    assert SALT.hex() not in text


def test_a_running_match_has_a_ranking_so_far(running: Path) -> None:
    found = as_json(running)
    assert (found["status"], found["hands"]) == ("running", 15)
    assert (found["seed"], found["salt"]) == (None, None)
    assert re.fullmatch("[0-9a-f]{64}", found["commitment"])
    assert len(found["players"]) == len(BOTS)
    rows = {row["player"]: row for row in expected(exported(running))}
    for line in found["players"]:
        assert line["chips"] == rows[line["player"]]["chips"]
        assert line["faults"] == rows[line["player"]]["faults"]
    assert "not over yet" in output(running, "results")


def test_when_it_has_ended_commitment_and_seed_are_shown(ended: tuple[Path, Recording]) -> None:
    path, recording = ended
    found = as_json(path)
    assert found["status"] == "ended"
    assert (found["seed"], found["salt"]) == (recording.seed.hex(), SALT.hex())
    text = output(path, "results", "--format", "table")
    for line in (
        f"commitment {found['commitment']}",
        f"seed       {recording.seed.hex()}",
        f"salt       {SALT.hex()}",
    ):
        assert line in text.splitlines()


# Forms.


def test_the_three_forms_say_the_same(ended: tuple[Path, Recording]) -> None:
    path, _ = ended
    found = as_json(path)["players"]
    rows = list(csv.DictReader(io.StringIO(output(path, "results", "--format", "csv"))))
    assert [tuple(row) for row in rows] == [COLUMNS] * len(found)
    table = output(path, "results", "--format", "table").splitlines()
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in table if "│" in line]
    assert len(rows) == len(lines) == len(found)
    for line, row, cells in zip(found, rows, lines, strict=True):
        assert row["rank"] == cells[0] == str(line["rank"])
        assert row["player"] == cells[1] == line["player"]
        assert row["dialect"] == cells[2] == line["dialect"]
        assert row["chips"] == str(line["chips"])
        assert cells[3] == f"{line['chips']:,}"
        assert row["hands"] == cells[4] == str(line["hands"])
        assert row["bb_per_100"] == str(line["bb_per_100"])
        assert cells[5] == f"{line['bb_per_100']:+,.1f}"
        assert row["ci95"] == str(line["ci95"])
        assert row["timeouts"] == str(line["timeouts"])
        causes = dict(part.rsplit(": ", 1) for part in row["faults"].split("; ") if part)
        assert {cause: int(count) for cause, count in causes.items()} == line["faults"]
        for cause, count in line["faults"].items():
            assert f"{cause} {count}" in cells[8]
        assert cells[7] == str(line["timeouts"])
        assert row["mean_seconds"] == str(line["mean_seconds"])
        assert row["p99_seconds"] == str(line["p99_seconds"])


def test_a_match_of_one_hand_has_no_interval(tmp_path: Path) -> None:
    store = tmp_path / "croupier.db"
    record_match(store, PLAIN.with_fields({"hands": 1}), BOTS, "one")
    assert all(line["ci95"] is None for line in as_json(store)["players"])
    rows = csv.DictReader(io.StringIO(output(store, "results", "--format", "csv")))
    assert all(row["ci95"] == "" for row in rows)
    assert "nan" not in output(store, "results").lower()


def test_a_match_is_meant_by_its_beginning_and_the_last_without_a_word(tmp_path: Path) -> None:
    store = tmp_path / "croupier.db"
    rules = PLAIN.with_fields({"hands": 2})
    record_match(store, rules, BOTS, "a", match_id="first-match", began=1.0)
    record_match(store, rules, BOTS, "b", match_id="second-match", began=2.0)
    assert as_json(store, "first")["match"] == "first-match"
    assert json.loads(output(store, "results", "--format", "json"))["match"] == "second-match"


def test_what_cannot_be_shown_is_said_in_one_line(tmp_path: Path) -> None:
    store = tmp_path / "croupier.db"
    result = run(store, "results")
    assert result.exit_code == 2
    record_match(store, PLAIN.with_fields({"hands": 2}), BOTS, "x")
    for arguments in (("results", "nothing"), ("results", "--format", "xml")):
        result = run(store, *arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert "Traceback" not in result.stderr
    assert "there is no match 'nothing'" in run(store, "results", "nothing").stderr


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    store = tmp_path / "croupier.db"
    engine = open_store(str(store))
    recording = Recording(engine, PLAIN.with_fields({"hands": 3}), BOTS, "names")
    recording.names = ["[b]Ann[/b]", 'Bob, "the" Second', "Ада;名", "=1+1"]
    recording.play()
    recording.end()
    engine.dispose()
    names = {line["player"] for line in as_json(store)["players"]}
    assert names == set(recording.names)
    rows = csv.DictReader(io.StringIO(output(store, "results", "--format", "csv")))
    assert {row["player"] for row in rows} == names
    text = output(store, "results")
    assert all(name in text for name in names)


def test_before_the_first_hand_of_a_match_there_is_no_ranking_yet(tmp_path: Path) -> None:
    store = tmp_path / "croupier.db"
    engine = open_store(str(store))
    recording = Recording(engine, PLAIN, BOTS, "new")
    write(engine, [MatchRecord(recording._header(1.0))])
    engine.dispose()
    found = as_json(store)
    assert (found["hands"], found["players"], found["status"]) == (0, [], "running")
    assert output(store, "results", "--format", "csv").splitlines() == [",".join(COLUMNS)]
    assert "not over yet" in output(store, "results")


def test_luck_is_taken_out_of_a_match_on_record_as_it_is_out_of_one_that_is_played(
    tmp_path: Path,
) -> None:
    store = tmp_path / "one.db"
    arguments = ("--rules", "plain", "--seats", "2", "--hands", "40", "--seed", "7")
    bots = ("--bot", "RuleAgent", "--bot", "CallAgent")
    assert run(store, "host", *arguments, *bots, "--listen", "huawei:0", "--once").exit_code == 0
    plain = as_json(store)
    lucky = json.loads(output(store, "results", "last", "--luck", "--format", "json"))
    for before, after in zip(plain["players"], lucky["players"], strict=True):
        figures = [after.pop(k) for k in ("adjusted_bb_per_100", "adjusted_ci95", "factor")]
        assert before == after
        assert None not in figures
    played = CliRunner().invoke(
        main, ["play", *bots[1::2], "--hands", "40", "--seed", plain["seed"], "--luck", "--json"]
    )
    seats = {seat["name"]: seat["adjusted"] for seat in json.loads(played.stdout)["seats"]}
    again = json.loads(output(store, "results", "last", "--luck", "--format", "json"))
    for line in again["players"]:
        ours = seats[line["player"].rstrip("0123456789")]
        assert line["adjusted_bb_per_100"] == pytest.approx(ours["bb_per_100"], abs=0.001)
    best = again["players"][0]["adjusted_bb_per_100"]
    assert f" {best:+,.1f} " in output(store, "results", "last", "--luck")


@pytest.mark.parametrize("rules", ["acpc-leduc", "acpc-kuhn3"])
def test_luck_that_nobody_knows_is_refused_with_the_games_where_it_is_known(
    tmp_path: Path, rules: str
) -> None:
    store = tmp_path / "one.db"
    seats = rules[-1] if rules[-1].isdigit() else "2"
    bots = ["CallAgent"] * int(seats)
    arguments = [*("--rules", rules, "--seats", seats, "--hands", "4"), "--once"]
    arguments += ["--listen", "acpc:0"]
    arguments += [word for bot in bots for word in ("--bot", bot)]
    assert run(store, "host", *arguments).exit_code == 0
    for result in (
        run(store, "results", "last", "--luck"),
        CliRunner().invoke(main, ["play", *bots, "--rules", rules, "--luck"]),
    ):
        assert result.exit_code == 2
        assert f"is known in holdem and kuhn only, not in {rules}" in result.stderr
