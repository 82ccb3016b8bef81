"""Bots of all three hold'em dialects at one table, over real sockets.

One match of 300 hands is played, recorded and transcribed; every test looks at it from another
side: what the players were told, what the books say, and everything that left the server.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.cards import long as in_words
from croupier.cards import short, upper
from croupier.rules.sets import PLAIN
from tests.mixed.players import (
    HuaweiProgram,
    Program,
    RoomProgram,
    TrendProgram,
    play_together,
)
from tests.support.hosting import PATIENCE, HostProcess
from tests.support.processes import croupier

HANDS = 300
SECRET = "zq-Private\\Näme-17"
RULES = PLAIN.with_fields({"hands": HANDS})


class MixedHost(HostProcess):
    """A host where all three hold'em dialects are spoken."""

    def __init__(self, *arguments: str) -> None:
        super().__init__("--listen", "trend:0", "--listen", "room:0", *arguments)
        self.ports = {"huawei": self.port}
        for dialect in ("trend", "room"):
            pattern = rf"listening: {dialect} [\d.]+:(\d+)"
            self.ports[dialect] = int(self.wait_for(pattern).group(1))

    def __enter__(self) -> "MixedHost":
        return self


@dataclass
class Played:
    """A match that is over."""

    programs: dict[str, Program]
    result: dict[str, Any]
    output: str
    log: str
    folder: Path
    exported: list[dict[str, Any]]

    @property
    def store(self) -> str:
        return str(self.folder / "mixed.db")


def be_refused(port: int) -> None:
    """Say the private name where it does not belong, as a program with a mistake does."""
    join = json.dumps({"eventName": "__join", "data": {"name": SECRET}})
    with connect(f"ws://127.0.0.1:{port}", open_timeout=PATIENCE) as ws:
        ws.send(join)
        with pytest.raises(ConnectionClosed) as caught:
            ws.recv(PATIENCE)
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 4001


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("mixed")
    store = str(folder / "mixed.db")
    programs: dict[str, Program] = {
        "huawei": HuaweiProgram(1001, "ann", RULES),
        "trend": TrendProgram(SECRET, RULES),
        "room": RoomProgram("bob", RULES),
    }
    arguments = (
        *("--rules", "plain", "--seats", "4", "--hands", str(HANDS), "--bot", "RuleAgent"),
        *("--set", "decision_ms=60000", "--set", "ready_ms=60000"),
        *("--once", "--json", "--store", store, "--transcripts", str(folder / "transcripts")),
    )
    with MixedHost(*arguments) as host:
        be_refused(host.ports["trend"])
        play_together(list(programs.values()), host.ports)
        result = host.result()
        assert host.process.returncode == 0
    assert "Traceback" not in host.log, host.log
    export = croupier("export", "last", "--format", "jsonl", "--store", store)
    lines = [json.loads(line) for line in export.stdout.splitlines()]
    return Played(programs, result, "".join(host.lines), host.log, folder, lines)


def test_they_play_all_hands_and_their_chips_are_constant(played: Played) -> None:
    assert played.result["hands"] == HANDS
    seats = played.result["seats"]
    assert sum(seat["chips"] for seat in seats) == 4 * RULES.stack
    assert {seat["dialect"] for seat in seats} == {"huawei", "trend", "room", "house"}
    assert all(seat["timeouts"] == seat["faults"] == 0 for seat in seats)
    assert all(seat["hands_survived"] == HANDS for seat in seats)


@pytest.mark.parametrize("dialect", ["huawei", "trend", "room"])
def test_each_dialect_s_strict_checker_is_satisfied_to_the_end(
    played: Played, dialect: str
) -> None:
    ear = played.programs[dialect].ear
    assert ear.over
    assert ear.hands == HANDS


def test_what_room_won_and_trend_is_told_in_the_end_agree_with_the_result(played: Played) -> None:
    chips = {seat["dialect"]: seat["chips"] for seat in played.result["seats"]}
    room = played.programs["room"]
    assert isinstance(room, RoomProgram)
    assert chips["room"] == RULES.stack + room.ear.won
    trend = played.programs["trend"]
    assert isinstance(trend, TrendProgram)
    assert trend.ear.over is not None
    told = {player.playerName: player.chips for player in trend.ear.over.players}
    assert told[trend.token] == chips["trend"]
    assert sorted(told.values()) == sorted(chips.values())


def test_the_record_of_a_mixed_match_verifies(played: Played) -> None:
    verified = croupier("verify", "last", "--store", played.store)
    assert verified.returncode == 0, verified.stdout + verified.stderr


# Secrets.


def spellings(secret: str) -> list[bytes]:
    """Return how a text may stand in bytes, in JSON, in Python's quotes, or as it is."""
    forms = {secret, json.dumps(secret)[1:-1], repr(secret)[1:-1], repr(secret.encode())[2:-1]}
    forms |= {json.dumps(form)[1:-1] for form in forms} | {repr(form)[1:-1] for form in forms}
    return [form.encode() for form in forms]


def test_the_private_name_is_nowhere_in_all_that_left_the_server(played: Played) -> None:
    sent = b"".join(b"".join(program.messages) for program in played.programs.values())
    files = [path for path in played.folder.rglob("*") if path.is_file()]
    assert len(list((played.folder / "transcripts").iterdir())) >= 3
    everything = {path.name: path.read_bytes() for path in files}
    everything |= {"wire": sent, "stdout": played.output.encode(), "stderr": played.log.encode()}
    everything["export"] = json.dumps(played.exported).encode()
    assert len(everything["wire"]) > 1000 * HANDS
    for form in spellings(SECRET):
        for name, data in everything.items():
            assert form not in data, f"{form!r} is in {name}"
    # What is searched for would be found: the token is in all of these places.
    token = played.programs["trend"].token  # type: ignore[union-attr]
    for name in ("wire", "export"):
        assert token[:8].encode() in everything[name]
    assert f"t-{token[:8]}".encode() in everything["stderr"]


CARDS = {
    "huawei": re.compile(r"(?:SPADES|HEARTS|CLUBS|DIAMONDS) (?:[2-9]|10|[JQKA])"),
    "trend": re.compile(r'(?<=")[2-9TJQKA][HSCD](?=")'),
    "room": re.compile(r'(?<=")[2-9TJQKA][hscd](?=")'),
}
SPELLING = {"huawei": in_words, "trend": upper, "room": short}
BEGINS = {"huawei": "seat/", "trend": '{"eventName":"__new_round"'}
ENDS = {
    "huawei": ("showdown/", "pot-win/"),
    "trend": ('{"eventName":"__round_end"', '{"eventName":"__game_over"'),
    "room": ('"info": "result"',),
}


@dataclass
class Dealt:
    """The cards of one hand on record."""

    hole: dict[int, set[int]]
    board: set[int]
    shown: set[int]


def dealt_cards(lines: list[dict[str, Any]]) -> list[Dealt]:
    hands: list[Dealt] = []
    players: list[int] = []
    for line in lines:
        event = line.get("event")
        if event == "HandStarted":
            players = line["players"]
            hands.append(Dealt({}, set(), set()))
        elif event == "HoleDealt":
            hands[-1].hole[players[line["seat"]]] = set(line["cards"])
        elif event == "BoardDealt":
            hands[-1].board |= set(line["cards"])
        elif event == "Shown":
            hands[-1].shown |= set(line["cards"])
    return hands


def by_hand(dialect: str, messages: list[bytes]) -> list[list[str]]:
    """Return what was sent in each hand, without what came before the first."""
    hands: list[list[str]] = []
    ended = True
    for message in messages:
        text = message[4:].decode("ascii") if dialect == "room" else message.decode("ascii")
        begins = text.startswith(BEGINS[dialect]) if dialect in BEGINS else ended
        if begins and '"info": "name"' not in text and '"success"' not in text:
            hands.append([])
            ended = False
        if hands:
            hands[-1].append(text)
        if dialect == "room" and '"info": "result"' in text:
            ended = True
    return hands


@pytest.mark.parametrize("dialect", ["huawei", "trend", "room"])
def test_no_hole_card_is_sent_to_anyone_but_its_owner_before_it_is_shown(
    played: Played, dialect: str
) -> None:
    hands = dealt_cards(played.exported)
    told = by_hand(dialect, played.programs[dialect].messages)
    assert len(told) == len(hands) == HANDS
    players = played.exported[0]["players"]
    (own,) = (number for number, row in enumerate(players) if row["dialect"] == dialect)
    spell = SPELLING[dialect]
    seen = 0
    for hand, messages in zip(hands, told, strict=True):
        before = {spell(card) for card in hand.hole[own] | hand.board}
        after = before | {spell(card) for card in hand.shown}
        for text in messages:
            found = set(CARDS[dialect].findall(text))
            at_the_end = any(end in text for end in ENDS[dialect])
            assert found <= (after if at_the_end else before), text
            seen += len(found)
    assert seen > 5 * HANDS


@pytest.mark.parametrize("dialect", ["huawei", "trend", "room"])
def test_a_transcript_holds_what_its_player_was_sent_and_no_other_s_cards(
    played: Played, dialect: str
) -> None:
    (path,) = (
        path
        for path in (played.folder / "transcripts").iterdir()
        if {"huawei": "1001", "trend": "trend-t-", "room": "room"}[dialect] in path.name
    )
    lines = path.read_text("utf-8").splitlines()
    sent = [line.split(" < ", 1)[1] for line in lines if " < " in line]
    # The last goodbye may come after the connection is closed.
    expected = [repr(message) for message in played.programs[dialect].messages]
    assert sent[: len(expected)] == expected


def test_no_card_is_in_what_the_server_prints(played: Played) -> None:
    for text in (played.output, played.log):
        for pattern in CARDS.values():
            assert not pattern.search(text.replace("RuleAgent", ""))
