"""Lines of JSON: everything that is on record, and nothing that is not open yet."""

import json
from pathlib import Path
from typing import Any

from croupier.history import jsonl
from croupier.match.events import ALL_EVENTS
from croupier.rules.decisions import Options
from croupier.rules.events import Asked, BettingClosed, Event
from croupier.rules.sets import HUAWEI, KUHN
from croupier.store import queries
from croupier.store.codec import decode
from croupier.store.schema import open_store
from tests.store.recorded import Trouble, record_match

BOTS = ["RandomAgent", "RuleAgent", "CallAgent"]
KINDS = {kind.__name__: kind for kind in ALL_EVENTS}


def exported(path: Path, match_id: str) -> list[dict[str, Any]]:
    engine = open_store(str(path), create=False)
    try:
        match = queries.match(engine, match_id)
        text = "".join(jsonl.lines(match, queries.all_hands(engine, match_id)))
    finally:
        engine.dispose()
    return [json.loads(line) for line in text.splitlines()]


def event_of(line: dict[str, Any]) -> Event:
    """Return the event that a line tells."""
    kind = KINDS[line["event"]]
    fields = [line[name] for name in kind.__slots__]
    if kind in (Asked, BettingClosed):
        fields[1] = [fields[1][name] for name in Options.FIELDS]
    [event] = decode(json.dumps([[line["event"], *fields]]).encode())
    return event


def test_the_events_come_back_from_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    rules = HUAWEI.with_fields({"hands": 40})
    recording = record_match(path, rules, BOTS, "jsonl", Trouble(late=20, nonsense=20, gone=20))
    first, *rest = exported(path, recording.id)
    assert first["line"] == "match"
    assert first["seed"] == recording.seed.hex()
    assert [player["name"] for player in first["players"]] == recording.names
    hands: list[list[Event]] = []
    states = []
    for line in rest:
        if line["line"] == "hand":
            hands.append([])
            states.append(line["state"])
        else:
            hands[-1].append(event_of(line))
    assert hands == recording.hands
    assert states == recording.states


def test_kuhn_poker_is_written_too(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    recording = record_match(path, KUHN, BOTS[:2], "jsonl")
    assert len(exported(path, recording.id)) > len(recording.hands)


def test_a_running_match_is_written_without_what_is_hidden(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    recording = record_match(path, HUAWEI, BOTS, "jsonl", hands=10)
    first, *rest = exported(path, recording.id)
    assert first["seed"] is first["salt"] is first["ended"] is None
    dealt = [line["cards"] for line in rest if line.get("event") == "HoleDealt"]
    assert dealt
    assert all(cards == [-1, -1] for cards in dealt)
