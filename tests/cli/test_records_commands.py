"""`croupier matches`, `show`, `export` and `verify` as a user runs them."""

import json
import sqlite3
import tomllib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cards import join, short
from croupier.cli.main import main
from croupier.rules.events import Event, HoleDealt, Shown
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, TREND
from croupier.store.schema import open_store
from tests.store.recorded import SALT, Recording, Trouble, record_match

BOTS = ["RandomAgent", "RuleAgent", "CallAgent"]
RULES = PLAIN.with_fields({"hands": 15})
COMMANDS = [
    ("matches",),
    ("matches", "--json"),
    ("show", "last"),
    ("show", "last", "--json"),
    *(("show", "last", "--hand", str(n), *more) for n in (1, 7, 15) for more in ((), ("--json",))),
    ("export", "last", "--format", "phh"),
    ("export", "last", "--format", "jsonl"),
    ("verify", "last"),
]


def run(store: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--store", str(store)])


def output(store: Path, *arguments: str) -> str:
    result = run(store, *arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def refused(store: Path, *arguments: str) -> str:
    """Run and return the one line with which the command refuses."""
    result = run(store, *arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Recording]:
    path = tmp_path_factory.mktemp("ended") / "croupier.db"
    return path, record_match(path, RULES, BOTS, "ended", Trouble(late=30, nonsense=30))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Recording]:
    path = tmp_path_factory.mktemp("running") / "croupier.db"
    return path, record_match(path, PLAIN, BOTS, "running", hands=15)


# What is open, and what is not.


def hidden_cards(hands: list[list[Event]]) -> list[tuple[int, tuple[int, ...]]]:
    """Return (hand, cards) of every seat whose cards were not shown."""
    found = []
    for number, events in enumerate(hands, 1):
        shown = {event.seat for event in events if isinstance(event, Shown)}
        found += [
            (number, event.cards)
            for event in events
            if isinstance(event, HoleDealt) and event.seat not in shown
        ]
    return found


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_command_gives_away_the_seed_or_a_hidden_card_of_a_running_match(
    running: tuple[Path, Recording], arguments: tuple[str, ...]
) -> None:
    path, recording = running
    text = output(path, *arguments)
    assert recording.seed.hex() not in text
    assert SALT.hex() not in text
    hidden = hidden_cards(recording.hands)
    assert len(hidden) > 5
    if "jsonl" in arguments:
        dealt = [line for line in text.splitlines() if '"HoleDealt"' in line]
        assert dealt
        assert all('"cards":[-1,-1]' in line for line in dealt)
    elif "--json" in arguments and "--hand" in arguments:
        dealt_events = [e for e in json.loads(text)["events"] if e["event"] == "HoleDealt"]
        assert [event["cards"] for event in dealt_events] == [[-1, -1]] * 3
    elif "--hand" in arguments:
        for number, cards in hidden:
            if str(number) == arguments[3]:
                assert join(cards) not in text.replace(" ", "")
        assert "  The cards are dealt\n" in text
    elif "phh" in arguments:
        tables = tomllib.loads(text)
        for number, cards in hidden:
            actions = tables[str(number)]["actions"]
            assert not any(join(cards) in action for action in actions)


def test_a_match_that_has_ended_is_open(ended: tuple[Path, Recording]) -> None:
    path, recording = ended
    assert recording.seed.hex() in output(path, "show", "last")
    assert json.loads(output(path, "matches", "--json"))[0]["seed"] == recording.seed.hex()
    log = output(path, "show", "last", "--hand", "1")
    for event in recording.hands[0]:
        if isinstance(event, HoleDealt):
            assert f" {' '.join(map(short, event.cards))}" in log


# What the commands say.


def test_matches_lists_the_newest_first_with_its_status(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    record_match(path, RULES, BOTS, "one", began=1.0)
    record_match(path, HUAWEI, BOTS, "two", began=2.0, hands=3)
    text = output(path, "matches")
    assert text.index("huawei-two") < text.index("plain-one")
    assert "running" in text
    assert "ended" in text
    found = json.loads(output(path, "matches", "--json"))
    assert [(m["match"], m["hands"]) for m in found] == [("huawei-two", 3), ("plain-one", 15)]


def test_an_empty_store_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    open_store(str(path)).dispose()
    assert "no matches yet" in output(path, "matches")
    assert json.loads(output(path, "matches", "--json")) == []
    assert "there is no match in the store yet" in refused(path, "show", "last")


def test_show_has_the_standings_and_every_hand(ended: tuple[Path, Recording]) -> None:
    path, recording = ended
    text = output(path, "show", "plain")
    for word in (recording.id, "commitment", "rank", "winners", *recording.names, "15"):
        assert word in text
    value = json.loads(output(path, "show", "plain", "--json"))
    assert [hand["hand"] for hand in value["hands_on_record"]] == list(range(1, 16))
    assert [line["chips"] for line in value["standings"]] == [
        seat["chips"] for seat in value["result"]["seats"]
    ]


def test_show_marks_a_match_whose_seed_was_given(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    record_match(path, RULES, BOTS, "given")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE matches SET secret = 0")
    assert "not secret" in output(path, "show", "last")
    assert "not secret" in output(path, "verify", "last")


def test_the_store_may_come_from_the_environment(ended: tuple[Path, Recording]) -> None:
    path, recording = ended
    result = CliRunner().invoke(main, ["matches"], env={"CROUPIER_STORE": str(path)})
    assert recording.rules.name in result.stdout


def test_export_writes_to_a_file(ended: tuple[Path, Recording], tmp_path: Path) -> None:
    path, _ = ended
    target = tmp_path / "match.phhs"
    assert output(path, "export", "last", "--format", "phh", "--output", str(target)) == ""
    assert target.read_text("utf-8") == output(path, "export", "last", "--format", "phh")
    assert len(tomllib.loads(target.read_text("utf-8"))) == 15


def test_names_of_players_are_shown_as_they_are_and_steer_nothing(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    engine = open_store(str(path))
    recording = Recording(engine, TREND, BOTS, "names")
    recording.names = ["[red]x[/]", "\x1b[2Jy", "[/b]漢"]
    recording.play()
    recording.end()
    engine.dispose()
    for arguments in COMMANDS:
        if "15" not in arguments and "7" not in arguments:
            text = output(path, *arguments)
            assert "\x1b" not in text
            assert "\x07" not in text
    assert "[red]x[/]" in output(path, "show", "last")
    assert "[/b]漢" in output(path, "show", "last", "--hand", "1")


# What they refuse.


@pytest.mark.parametrize("command", ["show", "verify", "export"])
@pytest.mark.parametrize("match", ["nonsense", "%", "' OR 1=1 --", "LAST"])
def test_an_unknown_match_is_refused_in_one_line(
    ended: tuple[Path, Recording], command: str, match: str
) -> None:
    more = ("--format", "jsonl") if command == "export" else ()
    path, recording = ended
    answer = refused(path, command, match, *more)
    assert "there is no match" in answer
    assert "'last' is the newest" in answer
    assert recording.id in output(path, "matches", "--json")


def test_a_mistyped_match_is_answered_with_the_nearest(ended: tuple[Path, Recording]) -> None:
    assert "did you mean 'plain-ended'?" in refused(ended[0], "show", "plane-ended")


def test_an_unknown_hand_is_answered_with_those_there_are(ended: tuple[Path, Recording]) -> None:
    answer = refused(ended[0], "show", "last", "--hand", "99")
    assert "no hand 99; it has the hands 1 to 15" in answer


def newer(path: Path) -> None:
    open_store(str(path)).dispose()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def another_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")


@pytest.mark.parametrize(
    ("make", "answer"),
    [
        (lambda path: None, "there is no store"),
        (lambda path: path.mkdir(), "some.db is a folder, and a store is a file"),
        (lambda path: path.write_text("not a database " * 100), "file is not a database"),
        (another_database, "a database of something else"),
        (newer, "use a newer Croupier"),
    ],
)
@pytest.mark.parametrize("command", ["matches", "show last", "verify last"])
def test_a_store_that_cannot_be_used_is_refused_in_one_line(
    tmp_path: Path, make: Callable[[Path], object], answer: str, command: str
) -> None:
    path = tmp_path / "some.db"
    make(path)
    assert answer in refused(path, *command.split())


def test_kuhn_cannot_be_written_as_phh(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    record_match(path, KUHN, BOTS[:2], "kuhn")
    assert "export it as jsonl" in refused(path, "export", "last", "--format", "phh")
    assert output(path, "export", "last", "--format", "jsonl")


def test_a_file_that_cannot_be_written_is_refused(
    ended: tuple[Path, Recording], tmp_path: Path
) -> None:
    target = tmp_path / "missing" / "match.phhs"
    answer = refused(ended[0], "export", "last", "--format", "phh", "--output", str(target))
    assert "cannot write" in answer


# Verification.


def test_verify_says_what_it_checked(ended: tuple[Path, Recording]) -> None:
    lines = output(ended[0], "verify", "last").splitlines()
    assert [line.split()[0] for line in lines] == [
        "commitment",
        "hands",
        "deals",
        "play",
        "books",
        "standings",
        "match",
    ]
    assert lines[-1] == "match plain-ended is verified: 15 hands"


def test_verify_of_a_running_match_says_that_the_seed_comes_later(
    running: tuple[Path, Recording],
) -> None:
    text = output(running[0], "verify", "last")
    assert "the seed is revealed when the match has ended" in text
    assert "is running" in text


def test_verify_fails_with_code_1_and_names_the_hand(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    record_match(path, RULES, BOTS, "spoilt")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM hands WHERE number = 6")
    result = run(path, "verify", "last")
    assert result.exit_code == 1
    assert "FAILED: hand 6 is missing" in result.stdout
    assert "match plain-spoilt FAILED" in result.stdout


def test_verify_lists_hands_that_were_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    engine = open_store(str(path))
    recording = Recording(engine, RULES, BOTS, "crash")
    recording.play(hands=4)
    recording.crash()
    recording.go_on()
    recording.end()
    engine.dispose()
    assert "cut off and never played: hand 5" in output(path, "verify", "last")
    assert "void" in output(path, "show", "last")
    assert "counts for nothing" in output(path, "show", "last", "--hand", "5")


@pytest.mark.parametrize("command", ["matches", "show", "export", "verify"])
def test_help_names_the_options(command: str) -> None:
    text = CliRunner().invoke(main, [command, "--help"]).stdout
    assert "--store" in text
    assert "CROUPIER_STORE" in text
    if command != "matches":
        assert "MATCH is the id of a match" in text
