"""Whose cards are shown in the end: a rule of the table, in whatever dialect it is told."""

from typing import Any

import pytest

from croupier.dialects.room.reader import V1, V2
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN, ROOM, TREND
from tests.mixed.table import MixedTable, huawei, room, trend

HIDDEN = {"cards": [], "rank": 0, "message": ""}
DEALT = {1: {0: "2c7d", 1: "AsAh", 2: "KsKh", 3: "QsQh", "board": "AdAc3h4h9s"}}
SHOWDOWN = [PLAIN, HUAWEI, ROOM, TREND.with_fields({"reveal": "showdown"})]
ALL = [TREND, PLAIN.with_fields({"reveal": "all"}), HUAWEI.with_fields({"reveal": "all"})]


def seated(rules: Rules, version: int = V1) -> MixedTable:
    """A table where players 2 and 3 are to act first, and nobody has acted yet."""
    guests = (huawei(1001, "ann"), trend("s"), trend("t"), room("cy", version))
    rules = rules.with_fields({"countdown_s": 0})
    table = MixedTable(rules, *guests, order=[0, 1, 2, 3], dealt=DEALT)
    table.start()
    return table


def to_showdown(table: MixedTable) -> None:
    """Let the player of huawei and the second of trend fold; the others see it through."""
    table.say("fold")
    table.say("call")
    table.say("fold")
    while table.match.hand is not None and table.match.number == 1:
        options = table.match.options
        assert options is not None
        table.say("call" if options.owed else "check")


def to_folds(table: MixedTable) -> None:
    """Let everyone fold but the big blind, who then need not do anything but check."""
    while table.match.hand is not None and table.match.number == 1:
        table.say("fold" if table.asked != 1 else "check")


def hands(table: MixedTable) -> list[tuple[list[str], Any]]:
    players = table.last(1, "__round_end")["players"]
    return [(player["cards"], player["hand"]) for player in players]


@pytest.mark.parametrize("rules", SHOWDOWN, ids=lambda rules: rules.name)
def test_under_showdown_trend_sees_folded_players_with_no_cards(rules: Rules) -> None:
    table = seated(rules)
    to_showdown(table)
    assert hands(table)[0] == ([], HIDDEN)
    assert hands(table)[2] == ([], HIDDEN)
    cards, hand = hands(table)[1]
    assert cards == ["AS", "AH"]
    assert (hand["cards"], hand["message"]) == (
        ["AS", "AH", "AD", "AC", "3H", "4H", "9S"],
        "Four of a kind",
    )
    assert hands(table)[3][0] == ["QS", "QH"]


@pytest.mark.parametrize("rules", SHOWDOWN, ids=lambda rules: rules.name)
def test_under_showdown_nobody_is_shown_after_folds_and_the_board_stays_as_it_is(
    rules: Rules,
) -> None:
    table = seated(rules)
    to_folds(table)
    assert hands(table) == [([], HIDDEN)] * 4
    assert table.last(1, "__round_end")["table"]["board"] == []
    assert table.last(3, "result")["player_card"] == [[]] * 4
    with pytest.raises(AssertionError):
        table.block(0, "showdown")


def test_under_showdown_a_player_of_rooms_second_version_sees_his_own_cards_after_folds() -> None:
    table = seated(PLAIN, V2)
    to_folds(table)
    assert table.last(3, "result")["player_card"] == [[], [], [], ["Qs", "Qh"]]


@pytest.mark.parametrize("version", [V1, V2])
@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_under_all_trend_and_room_see_every_hand(rules: Rules, version: int) -> None:
    everyone = [["2C", "7D"], ["AS", "AH"], ["KS", "KH"], ["QS", "QH"]]
    for end in (to_showdown, to_folds):
        table = seated(rules, version)
        end(table)
        assert [cards for cards, _ in hands(table)] == everyone
        assert all(len(hand["cards"]) == 7 for _, hand in hands(table))
        assert len(table.last(1, "__round_end")["table"]["board"]) == 5
        shown = table.last(3, "result")["player_card"]
        assert [[card.upper() for card in cards] for cards in shown] == everyone


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_huawei_cannot_speak_of_folded_hands_under_any_rule(rules: Rules) -> None:
    table = seated(rules)
    to_showdown(table)
    shown = table.block(0, "showdown").splitlines()[8:-1]
    assert [line.split()[1] for line in shown] == [table.seating.pids[1], table.seating.pids[3]]
    folded = seated(rules)
    to_folds(folded)
    with pytest.raises(AssertionError):
        folded.block(0, "showdown")


@pytest.mark.parametrize("rules", SHOWDOWN, ids=lambda rules: rules.name)
def test_before_the_end_everyone_has_seen_his_own_cards_only(rules: Rules) -> None:
    table = seated(rules)
    spellings = {
        0: [("CLUBS 2", "DIAMONDS 7"), ("SPADES A",), ("SPADES K",), ("SPADES Q",)],
        1: [('"2C"', '"7D"'), ('"AS"', '"AH"'), ('"KS"',), ('"QS"',)],
        2: [('"2C"', '"7D"'), ('"AS"',), ('"KS"', '"KH"'), ('"QS"',)],
        3: [('"2c"', '"7d"'), ('"As"',), ('"Ks"',), ('"Qs"', '"Qh"')],
    }
    for player, row in spellings.items():
        told = b"".join(table.sent[player]).decode("latin-1")
        for owner, cards in enumerate(row):
            for card in cards:
                assert (card in told) == (owner == player)
