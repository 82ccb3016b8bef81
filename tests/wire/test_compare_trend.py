"""Recorded traffic of the original server has our keys, order and types, apart from what is named.

The recordings are not part of this repository; where they are absent, a few messages that are made
up in the original's manner have to do.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import parse, upper
from croupier.dialects.trend.ranker import hand_number
from croupier.match.chance import SeededChance
from croupier.rules.sets import TREND
from tests.wire.compare_trend import KEYS, KINDS, Shapes, compare, main, ours
from tests.wire.trend_game import Game, message
from tests.wire.trend_hands import RANKS, kick
from tests.wire.trend_messages import DATA

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "captures" / "trend"
FILES = sorted(FOLDER.glob("*.jsonl"))
NEEDS_RECORDINGS = pytest.mark.skipif(not FILES, reason=f"there are no recordings in {FOLDER}")


@pytest.fixture(scope="module")
def shapes() -> Shapes:
    return ours()


def test_our_games_show_every_event(shapes: Shapes) -> None:
    assert {place.event for place in shapes.kinds} == set(DATA)


@NEEDS_RECORDINGS
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_recorded_messages_differ_only_in_what_is_named(path: Path, shapes: Shapes) -> None:
    result = compare(path.read_text("utf-8").splitlines(), shapes)
    assert result.unknown == {}, result.table
    assert sum(result.events.values()) > 50


@NEEDS_RECORDINGS
def test_every_named_difference_is_found_in_the_recordings(shapes: Shapes) -> None:
    lines = [line for path in FILES for line in path.read_text("utf-8").splitlines()]
    assert set(KEYS) | set(KINDS) <= set(compare(lines, shapes).named)


@NEEDS_RECORDINGS
def test_recorded_min_bets_are_the_highest_bet_less_the_own_whatever_the_chips_are() -> None:
    """Also where the big blind is all-in for less than a blind, and nobody's chips matter."""
    more_than_the_chips = below_the_blind = 0
    for path in FILES:
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            event = row.get("msg", row)
            if event["eventName"] != "__action":
                continue
            own, game = event["data"]["self"], event["data"]["game"]
            high = max(player["bet"] for player in game["players"])
            assert own["minBet"] == high - own["bet"]
            more_than_the_chips += own["minBet"] > own["chips"]
            below_the_blind += game["roundName"] == "Deal" and high < game["bigBlind"]["amount"]
    assert more_than_the_chips > 10
    assert below_the_blind


@NEEDS_RECORDINGS
def test_recorded_hand_numbers_are_those_of_the_table_but_for_two_flushes() -> None:
    """The first engine adds up the highest of all seven cards, also those of other suits.

    That of the contest has the numbers of the table.
    """
    hands: dict[tuple[tuple[str, ...], float, str], str] = {}
    for path in FILES:
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            data = row.get("msg", row)["data"]
            if isinstance(data, dict):
                found = [
                    player.get("hand") for player in data.get("players", ()) if "hand" in player
                ]
                found += [winner["hand"] for winner in data.get("winners", ())]
                hands |= {
                    (tuple(hand["cards"]), hand["rank"], hand["message"]): path.stem
                    for hand in found
                    if len(hand["cards"]) == 7
                }
    assert len(hands) > 150
    others = []
    for (cards, number, kind), engine in hands.items():
        made = hand_number([parse(card) for card in cards])
        if made != (number, kind):
            others.append((cards, number, kind))
            assert "docdate" in engine
    assert len(others) == 2
    for cards, number, kind in others:
        assert kind == "Flush"
        assert number == 123 + kick([RANKS.index(card[0]) for card in cards], 5)


# A capture of our own making.


def played() -> list[Any]:
    game = Game(TREND.with_fields({"hands": 3}), ["a", "b", "c"], SeededChance(bytes(32)))
    game.start()
    game.run(lambda _, __: message("call"))
    return [json.loads(text) for text in game.sent[0]]


def as_recorded(rows: list[Any]) -> list[str]:
    return [json.dumps({"t": 0, "to": "a", "msg": row}) for row in rows]


def test_our_own_messages_show_no_difference(shapes: Shapes) -> None:
    result = compare(as_recorded(played()), shapes)
    assert (result.named, result.unknown) == ({}, {})


def in_the_original_manner(row: Any) -> Any:
    """Do to one of our messages what the original does."""
    data = row["data"]
    if row["eventName"] == "__show_action":
        data["action"] = data.pop("action")
    if isinstance(data, dict):
        for player in data.get("players", ()):
            if "bet" in player:
                player["plainName"] = "alpha"
                if not player.pop("cards"):
                    continue
                player["cards"] = ["AS", "KS"]
        if "table" in data:
            data["table"]["tableNumber"] = 1
    return row


def test_the_manner_of_the_original_is_recognised_by_name(shapes: Shapes) -> None:
    rows = [in_the_original_manner(row) for row in played()]
    result = compare(as_recorded(rows), shapes)
    assert result.unknown == {}
    assert set(result.named) == {
        "action comes first in __show_action",
        "cards are always there, [] if hidden",
        "cards stand behind allIn",
        "plainName is never sent",
        "tableNumber is a string",
    }


def rename(data: Any) -> None:
    data["table"]["pot"] = data["table"].pop("totalBet")


def reorder(data: Any) -> None:
    data["players"] = data.pop("players")


def retype(data: Any) -> None:
    data["table"]["totalBet"] = "30"


def nullify(data: Any) -> None:
    data["players"][0]["chips"] = None


@pytest.mark.parametrize("spoil", [rename, reorder, retype, nullify])
def test_any_other_difference_is_noticed(spoil: Any, shapes: Shapes) -> None:
    row = next(row for row in played() if row["eventName"] == "__new_round")
    spoil(row["data"])
    assert compare(as_recorded([row]), shapes).unknown


def test_an_event_that_we_do_not_have_is_noticed(shapes: Shapes) -> None:
    row = {"eventName": "__time_out", "data": {}}
    assert compare(as_recorded([row]), shapes).unknown == {"the event __time_out": 1}


def test_without_an_envelope_the_order_of_keys_is_not_compared(shapes: Shapes) -> None:
    row = next(row for row in played() if row["eventName"] == "__new_round")
    reorder(row["data"])
    assert compare([json.dumps(row)], shapes).unknown == {}
    rename(row["data"])
    assert compare([json.dumps(row)], shapes).unknown


def test_the_command_prints_a_table_and_fails_for_unknown_differences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text("\n".join(as_recorded([in_the_original_manner(r) for r in played()])), "utf-8")
    bad.write_text('{"t":0,"to":"a","msg":{"eventName":"__x","data":{}}}\n', "utf-8")
    assert main([str(good)]) == 0
    assert "plainName is never sent" in capsys.readouterr().out
    assert main([str(bad)]) == 1
    assert "NOT KNOWN: the event __x" in capsys.readouterr().out


def test_cards_are_written_rank_then_suit_in_capitals() -> None:
    assert [upper(parse(text)) for text in ("TS", "3H", "AD", "QC")] == ["TS", "3H", "AD", "QC"]
