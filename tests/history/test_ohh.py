"""Open Hand History: its published fields, and every chip in its place."""

import json
import random
from typing import Any

import pytest

from croupier.history import ohh
from croupier.history.phh import NoSuchVariantError
from croupier.rules.events import BetReturned, HandEnded, PotDiscarded
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, ROOM2, TREND
from tests.history.wild import hand_row, match_row, wild_hand

NUMBER = (int, float)
# The fields of version 1.4.6 as the specification lists them.
HAND: dict[str, Any] = {
    "spec_version": str,
    "site_name": str,
    "network_name": str,
    "internal_version": str,
    "tournament": bool,
    "game_number": str,
    "start_date_utc": str,
    "table_name": str,
    "game_type": str,
    "bet_limit": dict,
    "table_size": int,
    "currency": str,
    "dealer_seat": int,
    "small_blind_amount": NUMBER,
    "big_blind_amount": NUMBER,
    "ante_amount": NUMBER,
    "hero_player_id": (int, type(None)),
    "flags": list,
    "players": list,
    "rounds": list,
    "pots": list,
}
BET_LIMIT = {"bet_type": str, "bet_cap": NUMBER}
PLAYER = {"id": int, "seat": int, "name": str, "starting_stack": NUMBER}
ROUND = {"id": int, "street": str, "cards": list, "actions": list}
POT = {"number": int, "amount": NUMBER, "rake": NUMBER, "jackpot": NUMBER, "player_wins": list}
WIN = {"player_id": int, "win_amount": NUMBER}
ACTIONS = {
    "Dealt Cards", "Shows Cards", "Post Ante", "Post SB", "Post BB", "Fold", "Check", "Bet",
    "Raise", "Call",
}  # fmt: skip


def fits(found: dict[str, Any], fields: dict[str, Any]) -> None:
    assert set(found) == set(fields)
    for name, kind in fields.items():
        assert isinstance(found[name], kind), name


def card(text: str) -> bool:
    return len(text) == 2 and text[0] in "23456789TJQKA" and text[1] in "hsdc"


@pytest.mark.parametrize(
    "rules",
    [PLAIN, HUAWEI, TREND, ROOM2, PLAIN.with_fields({"ante": 30})],
    ids=lambda rules: f"{rules.name} {rules.ante}",
)
def test_every_hand_has_the_published_fields_and_all_chips(rules: Rules) -> None:
    rng = random.Random(6)
    match = match_row(rules, 6)
    for number in range(1, 100):
        row = hand_row(wild_hand(rules, rng), number)
        (text,) = ohh.hands(match, [row])
        assert text.endswith("}\n\n")
        (name, hand), *rest = json.loads(text).items()
        assert (name, rest) == ("ohh", [])
        fits(hand, HAND)
        fits(hand["bet_limit"], BET_LIMIT)
        for player in hand["players"]:
            fits(player, PLAYER)
        for pot in hand["pots"]:
            fits(pot, POT)
            for win in pot["player_wins"]:
                fits(win, WIN)
        put = check_rounds(hand["rounds"])
        check_chips(hand, put, row)


def check_rounds(rounds: list[dict[str, Any]]) -> dict[int, int]:
    """Check the rounds; return what each player put in."""
    put: dict[int, int] = {}
    numbers = []
    for place, one in enumerate(rounds):
        fits(one, ROUND)
        assert one["id"] == place
        assert all(map(card, one["cards"]))
        for action in one["actions"]:
            numbers.append(action["action_number"])
            assert action["action"] in ACTIONS
            assert action["action"] != "Bet" or one["street"] not in ("Preflop", "Showdown")
            assert (action["action"] == "Shows Cards") == (one["street"] == "Showdown")
            if "cards" in action:
                assert all(map(card, action["cards"]))
            else:
                assert isinstance(action["is_allin"], bool)
                player = action["player_id"]
                put[player] = put.get(player, 0) + action["amount"]
    assert numbers == list(range(1, len(numbers) + 1))
    return put


def check_chips(hand: dict[str, Any], put: dict[int, int], row: Any) -> None:
    returned = {e.seat + 1: e.amount for e in row.events if isinstance(e, BetReturned)}
    discarded = sum(e.amount for e in row.events if isinstance(e, PotDiscarded))
    won: dict[int, int] = {}
    for pot in hand["pots"]:
        assert pot["amount"] == sum(win["win_amount"] for win in pot["player_wins"])
        for win in pot["player_wins"]:
            won[win["player_id"]] = won.get(win["player_id"], 0) + win["win_amount"]
    assert sum(put.values()) == sum(returned.values()) + sum(won.values()) + discarded
    (end,) = (event for event in row.events if isinstance(event, HandEnded))
    for player in hand["players"]:
        number = player["id"]
        final = player["starting_stack"] - put.get(number, 0) + returned.get(number, 0)
        assert final + won.get(number, 0) == end.stacks[number - 1]


def test_other_games_are_refused() -> None:
    with pytest.raises(NoSuchVariantError):
        ohh.check(match_row(KUHN, 2))
