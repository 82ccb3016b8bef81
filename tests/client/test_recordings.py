"""The client plays what the original servers were recorded to say, without a complaint."""

import csv
import json
from collections.abc import Iterator
from typing import Any

import pytest

from croupier.bots import RuleAgent
from croupier.client.result import JoinError, Result
from croupier.client.runner import run
from tests.client.recordings import (
    RECORDED,
    Recorded,
    Recording,
    huawei_recordings,
    kuhn_recordings,
    room_recordings,
    trend_recordings,
)
from tests.client.servers import HOLD, TcpServer, WebSocketServer

pytestmark = pytest.mark.skipif(
    not RECORDED.is_dir(), reason="the recorded traffic of the original servers is not here"
)
AS_RECORDED, OTHERWISE = "as recorded", "otherwise"
WHO = pytest.mark.parametrize("who", [AS_RECORDED, OTHERWISE])
PATIENCE = 20.0


def play(dialect: str, recording: Recording, who: str, url: str, **more: Any) -> Result:
    """Play with the recorded decisions, or with others; the server does not mind."""
    bot = Recorded(dialect, recording) if who == AS_RECORDED else RuleAgent()
    try:
        result = run(bot, url, patience=PATIENCE, retry=0, **more)
    except JoinError as error:
        assert error.result is not None
        result = error.result
        assert not recording.complete, error
        assert "does not speak" not in str(error)
        assert "said nothing" not in str(error)
    else:
        assert result.matches == 1
    assert not result.faults, result.first_fault
    return result


def each(recordings: Iterator[Recording]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("recording", list(recordings), ids=str)


@WHO
@each(huawei_recordings())
def test_huawei(recording: Recording, who: str) -> None:
    pots = sum(line.count(b"pot-win/ ") for line in recording.script if isinstance(line, bytes))
    # Nobody is taken back after a loss: the second connection is closed at once.
    with TcpServer([*recording.script, *([HOLD] if recording.complete else [])], []) as server:
        url = f"huawei://127.0.0.1:{server.port}?pid={recording.who}"
        result = play("huawei", recording, who, url)
    if recording.complete:
        assert result.hands == pots
    if who == AS_RECORDED and recording.complete and recording.path.parent.name != "garb":
        with (recording.path.parent / "data.csv").open() as file:
            rows = {row["Pid"]: row for row in csv.DictReader(file, skipinitialspace=True)}
        assert result.chips_won == int(rows[recording.who]["NetWin"])


@WHO
@each(trend_recordings())
def test_trend(recording: Recording, who: str) -> None:
    with WebSocketServer([*recording.script, *([HOLD] if recording.complete else [])]) as server:
        url = f"trend://127.0.0.1:{server.port}"
        result = play("trend", recording, who, url, name=recording.who)
    rounds = [json.loads(line) for line in recording.script if isinstance(line, bytes)]
    dealt = [row for row in rounds if row["eventName"] == "__new_round"]
    assert 0 < result.hands <= len(dealt)


@WHO
@each(room_recordings())
def test_room(recording: Recording, who: str) -> None:
    frames = [line[4:] for line in recording.script if isinstance(line, bytes)]
    results = [row for row in map(json.loads, frames) if row["info"] == "result"]
    with TcpServer([*recording.script, *([HOLD] if recording.complete else [])]) as server:
        settings = recording.settings
        url = (
            f"room://127.0.0.1:{server.port}/7?version={settings['version']}"
            f"&seats={settings['seats']}"
        )
        games = max(1, len(results))
        result = play("room", recording, who, url, games=games)
    assert result.hands == len(results)


@WHO
@each(kuhn_recordings())
def test_kuhn(recording: Recording, who: str) -> None:
    hands = sum(line.count(b"CARD") for line in recording.script if isinstance(line, bytes))
    with TcpServer([*recording.script, HOLD]) as server:
        url = f"kuhn://127.0.0.1:{server.port}?spelling=binary"
        result = play("kuhn", recording, who, url, games=hands)
    assert result.hands == hands
