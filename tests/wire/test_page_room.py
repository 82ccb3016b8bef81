"""The page for bot authors is true: its examples come from games, its bots play."""

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.bots import HOUSE_BOTS
from croupier.dialects.base import Answer, Illegal
from croupier.dialects.room.frames import MAX_BODY, MIN_BODY
from croupier.dialects.room.reader import (
    MAX_TEXT,
    V1,
    V2,
    Connect,
    decide,
    first_message,
    is_exit,
    is_start,
)
from croupier.dialects.session import Watch, WatchBots
from croupier.match.match import READY
from croupier.rules.decisions import Options
from croupier.rules.rules import MAX_SEATS
from croupier.rules.sets import ROOM, ROOM2
from croupier.server.lobbies.rooms import CONNECT_AGAIN, PACE, closed_text
from croupier.server.net.client import MAX_STRAY
from croupier.server.net.door import TIME_TO_SPEAK
from croupier.server.net.tcp import MAX_UNSENT
from croupier.server.table.limits import Limits
from croupier.server.table.spectators import MAX_SPECTATORS
from tests.support.rooming import Guest, RoomHost, begin, finish, frame, step, to_turn
from tests.wire.replay_room import CHOICES
from tests.wire.room_game import Game, Place, ScriptedChance
from tests.wire.room_page import RULES, page_frames, pair, troubled

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocols" / "room.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
FILES: dict[str, str] = dict(re.findall(r"\*(\w+)\* is `([\w/.]+)`", PAGE))
STATEMENTS = re.findall(r"^\| D(\d+) \| (.*?) \| (\w+): `(\w+)` \|$", PAGE, re.M)
FACING = Options(50, 50, 200, 20_000, "raise", True, True, True, 0)
FREE = Options(0, 0, 200, 20_000, "raise", True, True, True, 0)


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def indented(title: str) -> list[dict[str, Any]]:
    text = re.sub(r"^```.*?^```$", "", section(title), flags=re.M | re.S)
    return [json.loads(line) for line in re.findall(r"^    (\{.*\})$", text, re.M)]


@pytest.fixture(scope="module")
def host() -> Iterator[RoomHost]:
    with RoomHost() as host:
        yield host


# Messages.


@pytest.fixture(scope="module")
def sent() -> list[str]:
    """Everything that is sent in the games of the page."""
    return page_frames()


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: json.loads(text)["info"])
def test_each_example_is_a_frame_of_a_game(text: str, sent: list[str]) -> None:
    assert json.dumps(json.loads(text)) in sent


def test_every_kind_of_frame_has_an_example(sent: list[str]) -> None:
    def kinds(texts: list[str]) -> set[tuple[str, ...]]:
        found = [json.loads(text) for text in texts]
        return {(*frame, frame["info"]) for frame in found}

    assert kinds(EXAMPLES) == kinds(sent)


def test_the_messages_to_send_are_understood() -> None:
    assert first_message(indented("Connecting")[0]) == Connect("299", "Bob", 2, (), None)
    assert first_message(indented("Connecting")[1]) == Connect(
        "303", "Alice", 3, ("CallAgent",), None
    )
    second, ready, bet = indented("The second version")
    assert first_message(second) == Connect("7", "Alice", 2, (), 2)
    assert is_start(ready)
    assert all(is_start(start) for start in indented("The course of a hand"))
    observer, *bots = indented("Watching")
    assert first_message(observer) == Watch("299")
    both = ("RuleAgent", "CallAgent")
    assert [first_message(wish) for wish in bots] == [
        WatchBots("9", both, None, V1),
        WatchBots("9", both, 100, V2),
    ]
    for answer in indented("Your answer"):
        options = FREE if answer["action"] == "check" else FACING
        assert isinstance(decide(answer, V1, options, 100, 150), Answer)
    pot_sized = decide(bet, V2, FACING, 100, 150)
    assert isinstance(pot_sized, Answer)
    assert f"it is `r{pot_sized.decision.to}`" in PAGE
    assert isinstance(decide(bet, V1, FACING, 100, 150), Illegal)
    (leaving,) = (json.loads(text) for text in re.findall(r'`(\{"info": "exit"\})`', PAGE))
    assert is_exit(leaving)


@pytest.mark.parametrize(("options", "column"), [(FACING, 1), (FREE, 2)])
def test_the_table_of_answers_is_true(options: Options, column: int) -> None:
    words = {"fold": ["fold"], "check": ["check"], "call": ["call"], "c": ["c", "f"]}
    words |= {"r": ["r200", "r20000"], "anything": ["r199", "r20001", "raise", "bet", "R200", ""]}
    rows = re.findall(r"^\| (.*) \| (.*) \| (.*) \|$", section("Your answer"), re.M)
    rows = [row for row in rows if re.match(r"`|anything", row[0])]
    assert len(rows) == len(words)
    for row in rows:
        key = re.match(r"`?(\w+)", row[0])
        assert key is not None
        meanings = row[column].split(", ")
        for index, word in enumerate(words[key.group(1)]):
            found = decide({"action": word}, V1, options, 100, 150)
            assert told(found, options) == meanings[index % len(meanings)], word


def told(found: Answer | Illegal, options: Options) -> str:
    if isinstance(found, Illegal):
        return "illegal"
    call = "call" if options.owed else "check"
    return ("fold", call, "raise")[found.decision.kind]


# The game.


def four(version: int) -> Game:
    places = [Place(name, version) for name in "ABCD"]
    game = Game(RULES[version], places, ScriptedChance(range(4)))
    game.start()
    game.start_all()
    return game


RANGES = re.findall(r"^\| (.*?)\| (\d) \| (\[.*?\]) \| (\[.*?\]) \|$", section("Your answer"), re.M)


@pytest.mark.parametrize("row", RANGES, ids=lambda row: row[0].strip() or "nothing")
def test_the_table_of_ranges_is_true(row: tuple[str, str, str, str]) -> None:
    so_far, actor, *ranges = row
    for version, expected in zip((V1, V2), ranges, strict=True):
        game = four(version)
        for item in so_far.split():
            position, _, word = item.partition(":")
            assert game.frames(0)[-1]["action_position"] == int(position)
            game.say(word)
        state = game.frames(0)[-1]
        assert state["action_position"] == int(actor)
        assert state["raise_range"] == json.loads(expected)


def test_the_table_of_ranges_has_rows() -> None:
    assert len(RANGES) == 7


@pytest.mark.parametrize(("players", "number"), [("four players", 4), ("two it", 2)])
def test_players_act_in_the_order_of_the_page(players: str, number: int) -> None:
    found = re.search(rf"[Ww]ith {players}\D*`([\d ]+)`[^`]*`([\d ]+)`", section("Positions"))
    assert found is not None
    game = four(V1) if number == 4 else pair(V1)
    while game.match.hand is not None:
        assert game.match.options is not None
        game.say("call" if game.match.options.owed else "check")
    history = [state["action_history"] for state in game.frames(0) if state["info"] == "state"][-1]
    orders = [" ".join(item[0] for item in street) for street in history]
    assert orders == [found.group(1), *[found.group(2)] * 3]


def test_everyone_moves_one_position_down_and_zero_becomes_the_last() -> None:
    game = four(V1)
    game.say("fold")
    for word in ("fold", "fold"):
        game.say(word)
    game.start_all()
    assert [game.frames(player)[-1]["position"] for player in range(4)] == [3, 0, 1, 2]


def test_a_hand_begins_when_all_have_said_start() -> None:
    game = pair(V1)
    game.say("fold")
    for player in (0, 1):
        assert game.match.phase == READY
        game.take(player, {"info": "start"})
    assert game.match.asked >= 0


def test_the_numbers_on_the_page_are_those_of_the_program() -> None:
    for number in (
        f"2 to {MAX_SEATS} players",
        f"from 2 to {MAX_SEATS}.",
        f"{MIN_BODY} to {MAX_BODY} bytes",
        f"a string of 1 to {MAX_TEXT}, all of them printable",
        f"up to {MAX_TEXT} characters",
        f"{TIME_TO_SPEAK:g} s to send",
        f"{ROOM.decision_ms // 1000} s for each answer",
        f"{ROOM.ready_ms // 1000} s for each `start`",
        f"{ROOM.stack} chips",
        f"small blind, {ROOM.small_blind},",
        f"big blind, {ROOM.big_blind}.",
        f"plus {ROOM.big_blind}.",
        f"More than {MAX_STRAY} unsolicited frames",
        f"{MAX_UNSENT // 1024} KiB",
        f"{MAX_SPECTATORS} spectators",
        f"{Limits.rooms:,} rooms",
        f"{Limits.rooms_per_address} from one address",
        f"{Limits.unfilled_s // 60} minutes",
        f"{Limits.bot_matches} matches between house bots",
        f"{Limits.bot_matches_per_address} of them for one address",
        f"{Limits.watchers:,} spectators in all",
        f"{Limits.watchers_per_address} of them from one address",
        f"{1000 * PACE:g} ms",
        f"{ROOM.return_s} s to reconnect",
    ):
        assert number in PAGE, number
    assert (ROOM2.raise_cap, ROOM.raise_cap) == (4, -1)
    for field in ("decision_ms", "ready_ms", "stack", "small_blind", "big_blind", "max_seats"):
        assert getattr(ROOM, field) == getattr(ROOM2, field)
    assert section("House bots").lstrip().startswith(", ".join(f"`{bot}`" for bot in HOUSE_BOTS))


# Trouble.


def texts_of(heading: str) -> set[str]:
    table = section("When something goes wrong").split(f"\n{heading}:\n\n")[1].split("\n\n")[0]
    return set(re.findall(r"^\| `(.*?)` \|", table, re.M))


def test_the_errors_in_a_room_are_those_of_the_page() -> None:
    found = {game.frames(0)[-1]["text"] for game in troubled()}
    assert found == texts_of("In a room")
    assert all(game.over for game in troubled())


WISHES: list[Any] = [
    {"info": "connect", "room_id": 7, "name": "Late", "room_number": 2},
    {"info": "observer", "room_id": 8},
    {"info": "connect", "room_id": 8, "name": "A", "room_number": 2, "bots": ["Nobody"]},
    {"info": "start"},
    {"info": "connect", "room_id": 8, "room_number": 2},
    {"info": "connect", "room_id": 8, "name": "A", "room_number": 11},
    {"info": "connect", "room_id": 8, "name": "A", "room_number": 2, "bots": ["CallAgent"] * 2},
    {"info": "ai_vs_ai", "room_id": 8, "room_number": 3, "bots": ["CallAgent"] * 2},
    {"info": "connect", "room_id": 8, "name": "A", "room_number": 2, "bots": "CallAgent"},
    {"info": "connect", "room_id": 8, "name": "A", "room_number": 2, "game_number": 0},
    {"info": "connect", "room_id": None, "name": "A", "room_number": 2},
    [],
    b"{'info': 'start'}",
]
BIG_ENDIAN = struct.pack(">i", 17) + b'{"info": "start"}'
NO_LENGTH = b'{"info": "start"}\n'


def test_the_errors_instead_of_a_room_are_those_of_the_page(host: RoomHost) -> None:
    for guest in host.seat(V1, V1, room=7):
        guest.hear("name")
    found = {host.guest(frame(wish)).refusal() for wish in WISHES}
    found |= {host.guest(data).refusal() for data in (BIG_ENDIAN, NO_LENGTH)}
    found.add(f"no connect message within {TIME_TO_SPEAK:g} s")
    found.add(closed_text("7", 12) + CONNECT_AGAIN)
    assert found == texts_of("Instead of a room")


def alice(host: RoomHost, room: int) -> tuple[Guest, list[Guest]]:
    """Return Alice in her turn, facing a bet, and everyone in her room."""
    guests = host.seat(V1, V1, V1, room=room, names=["Alice", "Bob", "Carol"])
    begin(guests)
    while True:
        asked, _, state = to_turn(guests)
        if asked.name == "Alice":
            return asked, guests
        asked.act(f"r{state['raise_range'][0]}")


def test_the_mistakes_of_the_page_show_in_the_transcript_as_it_says(tmp_path: Path) -> None:
    shown = re.findall(r"Transcript:\s+`(.*?)`", section("Common mistakes"))
    mistakes: list[bytes] = [
        *(frame({"info": "action", "action": word}) for word in ("check", "r100", "allin")),
        frame({"info": "action", "raise": 500}),
        frame(b"{'info': 'start'}"),
        BIG_ENDIAN,
    ]
    with RoomHost("--transcripts", str(tmp_path / "quick")) as host:
        for room, mistake in enumerate(mistakes):
            asked, guests = alice(host, room)
            if room == 0:
                other = next(guest for guest in guests if guest is not asked)
                other.act("call")  # out of turn
                host.wait_until_known(room)  # a round trip
            asked.send(mistake)
            finish(guests)
    hasty = ["--set", "decision_ms=100", "--set", "ready_ms=100"]
    with RoomHost("--transcripts", str(tmp_path / "hasty"), *hasty) as host:
        (guest,) = host.seat(V1, bots=["CallAgent"], names=["Alice"])
        begin([guest])
        guest.rest()
        (guest,) = host.seat(V1, bots=["AllinAgent"], names=["Alice"])
        guest.rest()
    written = "".join(path.read_text() for path in tmp_path.rglob("*.log"))
    lines = "".join(line.partition(" ")[2] for line in written.splitlines(keepends=True))
    assert len(shown) == len(mistakes) + 3
    for line in shown:
        assert (f"{line}\n" if line.startswith("#") else line) in lines, line
    example = re.findall(r"^    [\d.]+ ([>#] .*)$", section("Common mistakes"), re.M)
    assert example[0] == "> " + repr(frame({"info": "action", "action": "r101"}))
    assert example[1] == shown[0].replace("check", "r101")


def test_the_differences_of_the_page_are_those_of_the_comparison() -> None:
    choices = PAGE.split("for these deliberate choices:\n")[1].split("\nThese")[0]
    assert re.findall(r"^- (.*)$", choices, re.M) == sorted(CHOICES, key=str.lower)


# The page as a whole.


def test_the_statements_are_numbered_without_a_gap() -> None:
    assert [int(number) for number, *_ in STATEMENTS] == list(range(1, len(STATEMENTS) + 1))
    assert len(STATEMENTS) == PAGE.count("\n| D")


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda row: f"D{row[0]}")
def test_every_statement_names_a_test_that_exists(statement: tuple[str, str, str, str]) -> None:
    _, _, short, name = statement
    source = (ROOT / FILES[short]).read_text("utf-8")
    assert re.search(rf"^def {name}\(", source, re.M)


@pytest.mark.parametrize("version", [V1, V2])
def test_the_bot_of_the_page_plays_to_the_end(
    version: int, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = PROGRAMS
    words, connect, rest = first.partition("with socket.")
    program = connect + rest if version == V1 else second
    with RoomHost("--once", "--json") as host:
        exec(words + program.replace("18888", str(host.port)), {})
        result = host.result()
    seat = next(seat for seat in result["seats"] if seat["dialect"] == "room")
    assert (seat["name"], seat["timeouts"], seat["faults"]) == ("mybot", 0, 0)
    assert result["hands"] == 10
    assert host.process.returncode == 0
    out = capsys.readouterr().out.splitlines()
    if version == V1:
        assert len(out) == 1 + 10
        assert all("'info': 'result'" in line for line in out[1:])
    else:
        assert out == ["Complete playing"]


def test_house_bots_are_called_as_the_page_says(host: RoomHost) -> None:
    shown = re.findall(r"`(CallAgent\d?)`", section("House bots"))[2:]
    (guest,) = host.seat(V1, bots=["CallAgent"] * 2)
    names = sorted(set(guest.hear("name")["name"]) - {"a"})
    (guest,) = host.seat(V2, bots=["CallAgent"] * 2)
    (state,) = step([guest])
    names += sorted({player["name"] for player in state["players"]} - {"a"})
    assert names == shown


def test_a_name_that_is_taken_is_numbered(host: RoomHost) -> None:
    guests = host.seat(V1, V1, names=["Bob", "Bob"])
    assert sorted(guests[0].hear("name")["name"]) == ["Bob", "Bob-2"]
    assert "`Bob-2`" in PAGE
