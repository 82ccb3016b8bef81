"""The auditor: what was dealt and played passes, anything else does not."""

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from sqlalchemy import select, update

from croupier.match.ready import Handshake
from croupier.rules.events import Event
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, ROOM, ROOM2, TREND
from croupier.store.packing import unpack
from croupier.store.schema import HANDS, open_store
from croupier.store.verify import Report, Verifier
from tests.store.recorded import CALM, Recording, Trouble, record_match

BOTS = ["RandomAgent", "RuleAgent", "CallAgent", "RandomAgent"]
TROUBLE = Trouble(late=30, nonsense=40, gone=15)


def verify(path: Path | str, match_id: str) -> Report:
    engine = open_store(str(path), create=False)
    try:
        verifier = Verifier(engine, match_id)
        for _ in verifier.run():
            pass
        return verifier.report
    finally:
        engine.dispose()


def problems(report: Report) -> dict[str, str]:
    """Return the first problem of each check that failed."""
    return {check.name: check.problems[0] for check in report.checks if not check.ok}


@pytest.mark.parametrize(
    ("rules", "trouble"),
    [
        (PLAIN.with_fields({"hands": 60}), CALM),
        (
            PLAIN.with_fields({"hands": 60, "ante": 25, "stacks": "carry", "reserve": 90_000}),
            TROUBLE,
        ),
        (HUAWEI.with_fields({"hands": 120}), TROUBLE),
        (HUAWEI.with_fields({"hands": 120}), Trouble(late=250, gone=50)),
        (ROOM.with_fields({"hands": 60}), TROUBLE),
        (ROOM2.with_fields({"hands": 60}), TROUBLE),
        (TREND.with_fields({"stack": 1_000_000}), TROUBLE),
        (KUHN, CALM),
    ],
    ids=lambda value: value.name if isinstance(value, Rules) else None,
)
def test_what_was_dealt_and_played_is_verified(
    tmp_path: Path, rules: Rules, trouble: Trouble
) -> None:
    path = tmp_path / "match.db"
    recording = record_match(path, rules, BOTS[: rules.max_seats], "fair", trouble)
    report = verify(path, recording.id)
    assert problems(report) == {}
    assert not any(check.skipped for check in report.checks)
    assert len(recording.hands) > (0 if rules.fault_ends else 5)


def test_a_match_is_verified_in_either_kind_of_store_and_what_is_altered_is_found(
    store: str,
) -> None:
    rules = HUAWEI.with_fields({"hands": 30})
    recording = record_match(store, rules, BOTS, "fair", TROUBLE)
    assert problems(verify(store, recording.id)) == {}
    engine = open_store(store)
    third = (HANDS.c.match_id == recording.id) & (HANDS.c.number == 3)
    with engine.begin() as connection:
        fourth = select(HANDS.c.events).where(HANDS.c.number == 4).scalar_subquery()
        connection.execute(update(HANDS).where(third).values(events=fourth))
    engine.dispose()
    found = problems(verify(store, recording.id))
    assert {"deals", "books"} <= set(found)
    assert all("hand 3" in problem for problem in found.values())


def test_a_match_in_which_a_player_left_between_two_hands_and_came_back_is_verified(
    tmp_path: Path,
) -> None:
    path = tmp_path / "match.db"

    class Renewing(Recording):
        def _between_hands(self) -> list[Event]:
            match = self.match
            events = match.disconnected(0, self.now) + match.connected(0, self.now)
            return events + match.ready(0, self.now)

    engine = open_store(str(path))
    recording = Renewing(engine, KUHN.with_fields({"hands": 4}), ["nash", "nash"], "renewed")
    match = recording.match
    match.expect_ready(0, Handshake(first=True, last=False))
    match.expect_return(0)
    recording.play()
    recording.end()
    engine.dispose()
    seen = {type(event).__name__ for events in recording.hands for event in events}
    assert {"Left", "Returned"} <= seen
    assert match.played == 4
    assert problems(verify(path, recording.id)) == {}


def test_a_match_that_ended_with_fewer_than_half_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    rules = TREND.with_fields({"stack": 100, "reloads": 0, "ends_below_half": True})
    recording = record_match(path, rules, ["RandomAgent"] * 9, "half", TROUBLE)
    assert 2 <= sum(not player.out for player in recording.match.players) < 5
    assert problems(verify(path, recording.id)) == {}


def test_the_matches_of_these_tests_see_all_that_can_happen_to_chips(
    tmp_path: Path,
) -> None:
    rules = HUAWEI.with_fields({"hands": 120})
    recording = record_match(tmp_path / "match.db", rules, BOTS, "fair", Trouble(late=250, gone=50))
    seen = {type(event).__name__ for events in recording.hands for event in events}
    assert {"PotDiscarded", "PlayerOut", "TimedOut", "Left"} <= seen
    calmer = record_match(tmp_path / "calmer.db", rules, BOTS, "fair", TROUBLE)
    seen = {type(event).__name__ for events in calmer.hands for event in events}
    assert {"ToppedUp", "PlayerOut", "TimedOut", "Faulted"} <= seen
    trend = record_match(tmp_path / "trend.db", TREND, BOTS, "fair", TROUBLE)
    seen = {type(event).__name__ for events in trend.hands for event in events}
    assert {"Reloaded", "CountedDown", "PlayerOut"} <= seen
    assert verify(tmp_path / "trend.db", trend.id).ok


def test_a_running_match_is_checked_as_far_as_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    recording = record_match(path, HUAWEI, BOTS, "running", TROUBLE, hands=20)
    report = verify(path, recording.id)
    assert report.ok
    skipped = [check.name for check in report.checks if check.skipped]
    assert skipped == ["commitment", "deals", "play", "standings"]


@pytest.mark.parametrize("crash_after", [1, 7])
def test_hands_that_were_cut_off_are_listed_and_change_nothing(
    tmp_path: Path, crash_after: int
) -> None:
    path = tmp_path / "match.db"
    engine = open_store(str(path))
    recording = Recording(engine, PLAIN.with_fields({"hands": 15}), BOTS, "crash")
    recording.play(hands=crash_after)
    recording.crash()
    recording.crash()
    recording.go_on()
    recording.end()
    engine.dispose()
    report = verify(path, recording.id)
    assert problems(report) == {}
    assert report.voided == [crash_after + 1, crash_after + 2]


# Tampering.


class Tampered:
    """A copy of a store that a test may spoil."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, sql: str, *values: Any) -> None:
        with closing(sqlite3.connect(self.path)) as connection, connection:
            assert connection.execute(sql, values).rowcount == 1

    def read(self, column: str, number: int) -> Any:
        with closing(sqlite3.connect(self.path)) as connection:
            sql = f"SELECT {column} FROM hands WHERE number = ?"
            return json.loads(unpack(connection.execute(sql, [number]).fetchone()[0]))

    def write(self, column: str, number: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.run(f"UPDATE hands SET {column} = ? WHERE number = ?", data, number)

    def change(self, column: str, number: int, change: Callable[[Any], None]) -> None:
        value = self.read(column, number)
        change(value)
        self.write(column, number, value)


def test_a_record_from_before_a_rule_was_named_is_verified_by_the_rules_of_its_time(
    tmp_path: Path,
) -> None:
    path = tmp_path / "match.db"
    settings = {"hands": 60, "stack": 300, "reserve": 10**6, "max_timeouts": 0, "ask_lone": False}
    bots = [*["RandomAgent"] * 2, *["CallAgent"] * 3]
    rules = HUAWEI.with_fields(settings)
    match_id = record_match(path, rules, bots, "older", Trouble(late=300)).id
    for field, is_right in (({}, True), ({"ask_lone": True}, False)):
        with closing(sqlite3.connect(path)) as store:
            [(text,)] = store.execute("SELECT rules FROM matches").fetchall()
            stored = json.loads(text)
            stored.pop("ask_lone", None)
            store.execute("UPDATE matches SET rules = ?", (json.dumps(stored | field).encode(),))
            store.commit()
        assert verify(path, match_id).ok == is_right


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("original") / "match.db"
    rules = HUAWEI.with_fields({"hands": 30})
    return path, record_match(path, rules, BOTS, "original", TROUBLE).id


@pytest.fixture
def tampered(original: tuple[Path, str], tmp_path: Path) -> Tampered:
    path = tmp_path / "tampered.db"
    copyfile(original[0], path)
    return Tampered(path)


def first(events: list[Any], kind: str) -> list[Any]:
    return next(event for event in events if event[0] == kind)


def set_field(kind: str, place: int, by: int) -> Callable[[Any], None]:
    def change(events: list[Any]) -> None:
        first(events, kind)[place] += by

    return change


def swap_card(kind: str) -> Callable[[Any], None]:
    def change(events: list[Any]) -> None:
        used = {card for e in events if e[0] in ("HoleDealt", "BoardDealt") for card in e[-1]}
        first(events, kind)[-1][0] = next(card for card in range(52) if card not in used)

    return change


def set_books(name: str, value: Any) -> Callable[[Any], None]:
    def change(state: dict[str, Any]) -> None:
        state["players"][1][name] = value

    return change


def drop_last(events: list[Any]) -> None:
    del events[-1]


@pytest.mark.parametrize(
    ("column", "change", "check"),
    [
        ("events", swap_card("HoleDealt"), "deals"),
        ("events", set_field("Acted", 4, 1), "play"),
        ("events", set_field("Posted", 3, 1), "play"),
        ("events", set_field("HandStarted", 5, 1), "books"),
        ("events", drop_last, "books"),
        ("state", set_books("stack", 5), "books"),
        ("state", set_books("reserve", 5), "books"),
        ("state", set_books("timeouts", 99), "books"),
        ("state", set_books("out", "broke"), "books"),
        ("state", set_books("name", "Mallory"), "books"),
    ],
)
def test_whatever_is_changed_in_a_hand_is_found_and_the_hand_named(
    original: tuple[Path, str],
    tampered: Tampered,
    column: str,
    change: Callable[[Any], None],
    check: str,
) -> None:
    tampered.change(column, 4, change)
    found = problems(verify(tampered.path, original[1]))
    assert found.get(check, "").startswith("hand 4: "), found


def test_any_number_of_a_hand_that_is_changed_is_found(
    original: tuple[Path, str], tampered: Tampered
) -> None:
    rng = random.Random("any number")
    around = ("Joined", "TimedOut", "Faulted", "Left", "Returned")
    for _ in range(60):
        number = rng.randint(1, 20)
        kept = tampered.read("events", number)
        events = json.loads(json.dumps(kept))
        places = [place for e in events if e[0] not in around for place in _numbers(e)]
        holder, index = rng.choice(places)
        holder[index] += rng.choice((-1, 1, 100))
        tampered.write("events", number, events)
        report = verify(tampered.path, original[1])
        assert not report.ok, (number, events)
        assert any(f"hand {number}" in text for text in problems(report).values())
        tampered.write("events", number, kept)
    assert verify(tampered.path, original[1]).ok


def _numbers(value: list[Any]) -> Iterator[tuple[list[Any], int]]:
    for index, item in enumerate(value):
        if isinstance(item, list):
            yield from _numbers(item)
        elif type(item) is int:
            yield value, index


def test_an_event_that_is_taken_out_is_found(
    original: tuple[Path, str], tampered: Tampered
) -> None:
    for number in (1, 6, 13):
        kept = tampered.read("events", number)
        for index, event in enumerate(kept):
            if event[0] in ("Left", "Returned", "Joined", "MatchStarted"):
                continue
            tampered.write("events", number, kept[:index] + kept[index + 1 :])
            assert not verify(tampered.path, original[1]).ok, event
        tampered.write("events", number, kept)


@pytest.mark.parametrize("column", ["seed", "salt"])
def test_another_seed_or_salt_is_found(
    original: tuple[Path, str], tampered: Tampered, column: str
) -> None:
    tampered.run(f"UPDATE matches SET {column} = ?", bytes(32))
    found = problems(verify(tampered.path, original[1]))
    assert "promised was" in found["commitment"]
    assert ("deals" in found) == (column == "seed")
    if column == "seed":
        assert found["deals"].startswith("hand 1: ")


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(1000)])
def test_a_seed_of_the_wrong_length_is_found(
    original: tuple[Path, str], tampered: Tampered, seed: bytes
) -> None:
    tampered.run("UPDATE matches SET seed = ?", seed)
    assert "commitment" in problems(verify(tampered.path, original[1]))


def test_a_hand_that_is_missing_is_named(original: tuple[Path, str], tampered: Tampered) -> None:
    tampered.run("DELETE FROM hands WHERE number = 5")
    found = problems(verify(tampered.path, original[1]))
    assert found["hands"] == "hand 5 is missing"
    assert found["books"].startswith("hand 6: ")


def test_a_last_hand_that_is_missing_is_found(
    original: tuple[Path, str], tampered: Tampered
) -> None:
    tampered.run("DELETE FROM hands WHERE number = (SELECT max(number) FROM hands)")
    found = problems(verify(tampered.path, original[1]))
    assert found["hands"].startswith("the result counts ")
    assert "standings" in found


def test_a_hand_that_cannot_be_read_is_named_and_does_not_hide_the_others(
    original: tuple[Path, str], tampered: Tampered
) -> None:
    tampered.run("UPDATE hands SET events = ? WHERE number = 5", b"[[]]")
    tampered.change("events", 9, set_field("Acted", 4, 1))
    found = problems(verify(tampered.path, original[1]))
    assert found["hands"].startswith("hand 5 is damaged")
    assert found["play"].startswith("hand 9: ")


def test_a_result_that_does_not_follow_is_found(
    original: tuple[Path, str], tampered: Tampered
) -> None:
    with closing(sqlite3.connect(tampered.path)) as connection:
        result = json.loads(connection.execute("SELECT result FROM matches").fetchone()[0])
    result["seats"][0]["chips"] += 1
    tampered.run("UPDATE matches SET result = ?", json.dumps(result).encode())
    assert list(problems(verify(tampered.path, original[1]))) == ["standings"]
    tampered.run("UPDATE matches SET result = ?", b'{"seats": 3}')
    assert "standings" in problems(verify(tampered.path, original[1]))
