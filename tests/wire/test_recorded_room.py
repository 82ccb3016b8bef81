"""Recorded traffic of the original server, if present, comes out of our speakers byte for byte."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.wire import replay_room
from tests.wire.replay_room import (
    BOTH_NAMES,
    CHOICES,
    DROPPED,
    INTEGERS,
    NO_ROOM_ID,
    RANDOM_AGENT,
    ROOM_ZERO,
    SHORT_FORMS,
    UNKNOWN_AGENT,
    Report,
    compare,
)
from tests.wire.room_examples import FOUR, HEADS_UP

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "captures" / "room"
FILES = sorted(RECORDED.glob("*.log"))
here = pytest.mark.skipif(not FILES, reason="the recorded traffic is not here")


@here
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recorded_conversations_come_out_byte_for_byte(path: Path) -> None:
    report = compare(path)
    assert not report.differences, "\n".join(report.differences)
    in_file = len(re.findall(r"^ *[\d.]+ conn\d+ S->C len=", path.read_text("utf-8"), re.M))
    assert report.frames == in_file > 0
    assert set(report.excused) <= CHOICES
    results = path.read_text("utf-8").count('"info": "result"')
    assert results
    # Only results, names and a few frames after an answer that we take in another way differ.
    assert report.alike >= in_file - results - 5


@here
def test_the_recorded_conversations_show_every_named_choice() -> None:
    """A choice that nothing shows any more is no reason to excuse anything."""
    seen = {reason for path in FILES for reason in compare(path).excused}
    assert seen == CHOICES


# Recordings of our own: the document's examples, and what a program may do wrong.

CONNECT = '{"info": "connect", "room_id": 1, "name": "Alice", "room_number": 2, "bots": []}'
AGENT = '{"info": "connect", "room_id": 1, "name": "P", "room_number": 2, "bots": ["CallAgent"]}'
START = '{"info": "start"}'


def action(word: str) -> str:
    return json.dumps({"info": "action", "action": word})


Line = tuple[str, str, str]
"""Connection, direction, and the JSON text or EOF."""


def record(folder: Path, lines: Sequence[Line]) -> Path:
    """Write a recording."""
    path = folder / "own.log"
    rows = []
    for name, direction, text in lines:
        length = len(text).to_bytes(4, "little").hex()
        shown = text if text == "EOF" else f"len={length}({len(text)}) {text}"
        rows.append(f"   1.0001 {name} {direction} {shown}\n")
    path.write_text("".join(rows), "utf-8")
    return path


def recorded(frame: str) -> str:
    """Return a frame of ours as the original would have sent it."""
    frame = re.sub(r' "private_card": \[\[.*?\]\],', "", frame)
    if '"win_money"' in frame:
        frame = re.sub(r'("win_money": \[\d+)', r"\1.0", frame)
    return re.sub('"RandomAgent', '"RanAgent', frame)


def conversation(frames: Sequence[str], says: dict[int, list[str]]) -> list[Line]:
    """Return one connection: `says` is what its program sends after so many frames."""
    lines = []
    for number in range(len(frames) + 1):
        lines += [("conn1", "C->S", text) for text in says.get(number, [])]
        lines += [("conn1", "S->C", text) for text in frames[number : number + 1]]
    return lines


ALICE = HEADS_UP.frames[:-1]
HEADS_UP_SAYS = {
    0: [CONNECT.replace("[]", '["RandomAgent"]')],
    1: [START],
    3: [action("check")],
    4: [action("r2000")],
    6: [action("r10000")],
    8: [action("check")],
    len(ALICE): ["EOF"],
}
AGAINST_RANDOM = tuple(frame.replace('"Bob"', '"RandomAgent0"') for frame in ALICE)
OWN = conversation([recorded(frame) for frame in AGAINST_RANDOM], HEADS_UP_SAYS)
SENT = [number for number, line in enumerate(OWN) if line[1] == "S->C"]


def test_a_recording_that_is_alike_has_no_difference(tmp_path: Path) -> None:
    report = compare(record(tmp_path, OWN))
    assert report.differences == []
    assert (report.rooms, report.hands, report.frames, report.alike) == (1, 1, 11, 9)
    assert report.excused == {RANDOM_AGENT: 1, INTEGERS: 1, BOTH_NAMES: 1}


def test_two_programs_in_one_room_are_compared_each(tmp_path: Path) -> None:
    says = {n: texts for n, texts in HEADS_UP_SAYS.items() if n}
    bob = [
        line.replace('"position": 1,', '"position": 0,', 1)
        .replace('"private_card": ["7s", "9c"]', '"private_card": ["Js", "Ts"]')
        .replace('"position": 1}', '"position": 0}')
        for line in ALICE
    ]
    says_bob = {1: START, 2: action("call"), 5: action("call"), 7: action("call")}
    says_bob[9] = action("check")
    joins = CONNECT.replace("Alice", "Bob")
    lines: list[Line] = [("conn1", "C->S", CONNECT), ("conn2", "C->S", joins)]
    for number in range(len(ALICE) + 1):
        lines += [("conn1", "C->S", text) for text in says.get(number, [])]
        lines += [("conn2", "C->S", says_bob[number])] if number in says_bob else []
        lines += [("conn1", "S->C", recorded(text)) for text in ALICE[number : number + 1]]
        lines += [("conn2", "S->C", recorded(text)) for text in bob[number : number + 1]]
    lines.append(("conn2", "S->C", "EOF"))  # a room does not go on without one of its players
    report = compare(record(tmp_path, lines))
    assert report.differences == []
    assert (report.rooms, report.hands, report.frames) == (1, 1, 22)


def changed(text: str) -> str:
    """Return a frame with one wrong byte."""
    if '"name"' in text:
        return text.replace("Alice", "Alicf")
    if '"win_money"' in text:
        return text.replace("-12100", "-12101")
    return re.sub(r'"raise_range": \[(\d)', lambda match: match[0][:-1] + "7", text)


@pytest.mark.parametrize("place", range(len(SENT)))
def test_one_changed_byte_is_found_and_named(tmp_path: Path, place: int) -> None:
    lines = [*OWN]
    name, direction, text = lines[SENT[place]]
    assert changed(text) != text
    lines[SENT[place]] = (name, direction, changed(text))
    report = compare(record(tmp_path, lines))
    [difference] = report.differences
    assert difference.startswith(f"conn1, frame {place + 1}:")
    assert report.frames == len(SENT)


@pytest.mark.parametrize("place", range(len(SENT)))
def test_a_missing_and_a_further_frame_are_found(tmp_path: Path, place: int) -> None:
    if place:  # without its first frame nobody would know who sits where
        assert compare(record(tmp_path, OWN[: SENT[place]] + OWN[SENT[place] + 1 :])).differences
    twice = OWN[: SENT[place] + 1] + OWN[SENT[place] :]
    assert compare(record(tmp_path, twice)).differences


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[12100.0, -12100]", "[12100.5, -12100]"),
        ("[12100.0, -12100]", "[-12100, 12100.0]"),
        ('["Js", "Ts"]', '["2c", "2d"]'),
        ('["Js", "Ts"]', "[]"),
        ('"3h"], "info"', '"3d"], "info"'),
        (' "info": "result"', '"info": "result"'),
        ('"raise_range": [100, 7900]', '"raise_range": [100.0, 7900]'),
        ('["1:check", "0:check"]]', '["1:check", "0:check"], []]'),
        ('"RanAgent0"', '"RandAgent0"'),
    ],
)
def test_nothing_but_the_named_choices_is_excused(tmp_path: Path, old: str, new: str) -> None:
    lines = [(name, way, text.replace(old, new)) for name, way, text in OWN]
    assert lines != OWN
    assert compare(record(tmp_path, lines)).differences


def probe(*lines: tuple[str, str], connect: str = AGENT, folder: Path) -> Report:
    """Compare a conversation of one program."""
    return compare(record(folder, [("conn1", "C->S", connect), *(("conn1", *x) for x in lines)]))


NAME = '{"info": "name", "name": ["P", "CallAgent0"], "position": 0}'
ASKED = (
    '{"position": 0, "action_position": 0, "legal_actions": ["fold", "call", "raise"],'
    ' "raise_range": [200, 20000], "private_card": ["8c", "Th"], "public_card": [],'
    ' "action_history": [[]], "info": "state"}'
)
BEGIN = (("S->C", NAME), ("C->S", START), ("S->C", ASKED))


def test_a_dropped_connection_is_excused_only_after_an_illegal_action(tmp_path: Path) -> None:
    drop = ("S->C", "EOF")
    report = probe(*BEGIN, ("C->S", action("r101")), drop, folder=tmp_path)
    assert (report.differences, report.excused) == ([], {DROPPED: 1})
    report = probe(*BEGIN, ("C->S", action("call")), drop, folder=tmp_path)
    assert report.differences
    report = probe(*BEGIN, drop, folder=tmp_path)
    assert report.differences == ["conn1: we did not close"]


def test_an_illegal_action_that_the_original_took_is_not_excused(tmp_path: Path) -> None:
    went_on = ASKED.replace("[[]]", '[["0:r101"]]').replace('_position": 0', '_position": 1')
    report = probe(*BEGIN, ("C->S", action("r101")), ("S->C", went_on), folder=tmp_path)
    assert report.differences


@pytest.mark.parametrize("word", ["c", "f"])
def test_short_forms_that_the_original_refused_are_excused(tmp_path: Path, word: str) -> None:
    report = probe(*BEGIN, ("C->S", action(word)), ("S->C", "EOF"), folder=tmp_path)
    assert (report.differences, report.excused) == ([], {SHORT_FORMS: 1})
    assert report.frames == 2


def test_a_missing_room_id_is_excused_only_with_the_originals_own_error(tmp_path: Path) -> None:
    connect = '{"info": "connect", "name": "p", "room_number": 2, "game_number": 2}'
    report = probe(("S->C", NO_ROOM_ID), ("S->C", "EOF"), connect=connect, folder=tmp_path)
    assert (report.differences, report.excused) == ([], {ROOM_ZERO: 1})
    report = probe(("S->C", NAME), connect=connect, folder=tmp_path)
    assert report.differences


def test_an_unknown_agent_is_excused_and_what_it_played_compared_all_the_same(
    tmp_path: Path,
) -> None:
    connect = AGENT.replace("CallAgent", "Nobody")
    report = probe(*BEGIN, ("C->S", "EOF"), connect=connect, folder=tmp_path)
    assert (report.differences, report.excused) == ([], {UNKNOWN_AGENT: 1})
    wrong = (("S->C", NAME), ("C->S", START), ("S->C", ASKED.replace("[200", "[201")))
    assert probe(*wrong, ("C->S", "EOF"), connect=connect, folder=tmp_path).differences


def test_bots_that_act_out_of_turn_are_found(tmp_path: Path) -> None:
    frames = [recorded(frame) for frame in FOUR.frames[:3]]
    frames[2] = frames[2].replace("2:call", "3:call")
    lines: list[Line] = [
        ("conn1", "C->S", CONNECT.replace("2", "3").replace("[]", '["RandomAgent", "CallAgent"]'))
    ]
    names = '{"info": "name", "name": ["Alice", "CallAgent1", "RanAgent0"], "position": 0}'
    lines += [("conn1", "S->C", names), ("conn1", "C->S", START)]
    lines += [("conn1", "S->C", frame) for frame in frames[1:]]
    report = compare(record(tmp_path, lines))
    assert any("we ask 2" in difference for difference in report.differences)


def test_the_command_line_says_what_differs_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(record(tmp_path, OWN))
    assert replay_room.main([path]) == 0
    assert "1 rooms, 1 hands, 11 frames, 9 alike" in capsys.readouterr().out
    record(tmp_path, OWN[: SENT[4]] + OWN[SENT[4] + 1 :])
    assert replay_room.main([path]) == 1
    assert "conn1, frame 5:" in capsys.readouterr().out
    assert replay_room.main([]) == 2


def test_a_line_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.log"
    path.write_text("1.0 conn1 C->S len=12000000(17) " + START + "\n")
    with pytest.raises(AssertionError):
        compare(path)
    path.write_text("hello\n")
    with pytest.raises(AssertionError, match="line 1 "):
        compare(path)
