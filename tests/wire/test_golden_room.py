"""The two example games of the `room` document come out of our match and speaker byte for byte."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import join
from croupier.dialects.room.reader import Connect, first_message
from croupier.rules.sets import ROOM
from tests.wire.room_examples import FOUR, HEADS_UP, RANGES, Example
from tests.wire.room_game import BOT, Game, ScriptedChance

EXAMPLES = {"heads_up": HEADS_UP, "four": FOUR}
SEEDS = Path(__file__).resolve().parents[3] / "shared" / "seeds"
DOCUMENTS = sorted(SEEDS.glob("002_*.txt"))
both_examples = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)


def played(example: Example) -> Game:
    """Play the first hand of an example and begin the second."""
    game = Game(ROOM, example.places, ScriptedChance(range(len(example.places)), example.dealt))
    game.start()
    game.start_all()
    for word in example.actions.split():
        if game.places[game.match.asked].version == BOT:
            game.act(word)
        else:
            game.say(word)
    game.start_all()
    assert not game.ignored
    return game


def hidden(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return frames without what is different for everyone who gets them."""
    return [
        {key: value for key, value in frame.items() if key not in ("position", "private_card")}
        for frame in frames
    ]


@both_examples
def test_the_example_game_comes_out_byte_for_byte(example: Example) -> None:
    assert tuple(played(example).texts[example.reader]) == example.frames


@both_examples
def test_everyone_gets_the_same_frames_but_for_his_position_and_his_cards(example: Example) -> None:
    game = played(example)
    size = len(example.places)
    for player, place in enumerate(example.places):
        if place.version == BOT:
            assert game.texts[player] == []
            continue
        frames = game.frames(player)
        assert hidden(frames) == hidden(game.frames(example.reader))
        last = len(frames) - 1
        for number, frame in enumerate(frames):
            if frame["info"] == "result":
                continue
            assert frame["position"] == (player - 1 if number == last else player) % size
            if frame["info"] == "state" and number < last:
                own = join(example.dealt[1][player]) if player in example.dealt[1] else None
                assert own in (None, "".join(frame["private_card"]))


def test_all_twenty_raise_ranges_of_the_document_come_out() -> None:
    ranges = []
    for example in EXAMPLES.values():
        frames = played(example).frames(example.reader)
        ranges += [
            tuple(frames[number]["raise_range"])
            for number in example.shown
            if frames[number]["info"] == "state"
        ]
    assert tuple(ranges) == RANGES
    assert len(ranges) == 20


@pytest.mark.parametrize(
    ("example", "won"),
    [(HEADS_UP, [12100, -12100]), (FOUR, [41000, -20000, -20000, -1000])],
    ids=EXAMPLES,
)
def test_the_winnings_are_those_of_the_document_in_whole_chips(
    example: Example, won: list[int]
) -> None:
    result = next(f for f in played(example).frames(example.reader) if f["info"] == "result")
    assert result["win_money"] == won
    assert all(type(amount) is int for amount in result["win_money"])


def test_who_folded_shows_no_cards_and_who_lost_does() -> None:
    result = next(f for f in played(FOUR).frames(0) if f["info"] == "result")
    assert result["player_card"] == result["private_card"]
    assert [len(cards) for cards in result["player_card"]] == [2, 2, 2, 0]


@pytest.mark.parametrize("place", range(len(FOUR.actions.split())))
def test_another_decision_is_another_transcript(place: int) -> None:
    """So that the comparison above can fail at every step."""
    words = FOUR.actions.split()
    words[place] = "r20000" if words[place] == "fold" else "fold"
    changed = Example(
        FOUR.places, FOUR.dealt, " ".join(words[: place + 1]), FOUR.reader, FOUR.frames, FOUR.shown
    )
    assert tuple(played(changed).texts[0][: len(FOUR.frames)]) != FOUR.frames


# The document itself, if present.


def repaired(message: str) -> str:
    """Return a message of the document as it was meant: with its comma, its brace, its quotes."""
    if message.startswith('"position"'):
        message = "{" + message
    message = re.sub(r'("action_position": -?\d+) "', r'\1, "', message)
    return json.dumps(ast.literal_eval(message)) if "'" in message else message


def document_frames(text: str) -> list[list[str]]:
    """Return what the server sends in each example of the document."""
    examples: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("| 发送方"):
            examples.append([])
        match = re.match(r"\| 服务器 \| 玩家 +\| (.*?) *\|$", line)
        if match and examples:
            examples[-1].append(repaired(match[1]))
    return examples


def meant(theirs: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
    """Return a frame of the document without the slips that are known by name."""
    theirs = dict(theirs)
    if theirs["info"] == "result":
        theirs["win_money"] = [int(amount) for amount in theirs["win_money"]]
        theirs["private_card"] = theirs["player_card"]  # added in ours
    if theirs["info"] == "name" and "RanAgent" in theirs["name"]:
        theirs["name"] = ours["name"]
    if theirs["info"] == "state" and theirs["private_card"] == ["4c", "8h"]:
        assert theirs["position"] == 1, "the document moves seat 0 to 1, against the blinds"
        theirs["position"] = 3
    return theirs


@pytest.mark.skipif(not DOCUMENTS, reason="the original document is not here")
def test_the_transcripts_have_every_frame_of_the_document() -> None:
    examples = document_frames(DOCUMENTS[0].read_text("utf-8"))
    assert [len(frames) for frames in examples] == [len(HEADS_UP.shown), len(FOUR.shown)]
    for frames, example in zip(examples, EXAMPLES.values(), strict=True):
        for text, number in zip(frames, example.shown, strict=True):
            ours = json.loads(example.frames[number])
            assert meant(json.loads(text), ours) == ours
            if ours["info"] == "state" and ours["position"] != 3:
                assert text == example.frames[number]


def test_the_connect_messages_of_the_document_are_understood() -> None:
    heads_up = {"info": "connect", "room_id": 299, "name": "Bob", "room_number": 2, "bots": []}
    assert first_message(heads_up) == Connect("299", "Bob", 2, (), None)
    four = {
        **heads_up,
        "room_id": 303,
        "room_number": 4,
        "bots": ["CallAgent", "RandomAgent"],
    }
    assert first_message(four) == Connect("303", "Bob", 4, ("CallAgent", "RandomAgent"), None)
