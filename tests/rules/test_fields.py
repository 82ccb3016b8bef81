"""The settings that games besides hold'em need: lists by street, decks, folds, caps, clocks."""

from typing import Any

import pytest

from croupier.cards import DECK, join, parse_many
from croupier.match.events import TimedOut
from croupier.match.match import Match
from croupier.ranking import rank_small, small_strength
from croupier.rules.betting import Betting
from croupier.rules.decisions import CALL, FOLD
from croupier.rules.events import CHECKED, FOLDED, Acted, Posted
from croupier.rules.rules import Rules, RulesError
from croupier.rules.sets import KUHN, PLAIN
from tests.match.matches import FixedSeats, of_kind, opened
from tests.support.scripted import act, hand_of
from tests.support.scripted import of_kind as in_hand

ANTES: dict[str, Any] = {"game": "custom", "ranks": 4, "suits": 1, "hole_cards": 1, "streets": [0]}


def test_a_number_is_short_for_the_same_one_on_every_street() -> None:
    rules = PLAIN.with_fields({"fixed_bet": 100, "raise_cap": 4})
    assert (rules.fixed_bets, rules.raise_caps) == ((100,) * 4, (4,) * 4)
    assert (rules.fixed_bet, rules.raise_cap) == (100, 4)


def test_bets_and_caps_can_differ_by_street() -> None:
    rules = PLAIN.with_fields(
        {"small_blind": 5, "fixed_bet": [10, 10, 20, 20], "raise_cap": [3, 4, 4, 4]}
    )
    hand = hand_of([10_000, 10_000], rules=rules)
    act(hand, "20 30 40 call 10 20 30 40 call 20 40 60 80 call 20 40 60 80")
    assert hand.options is not None
    assert not hand.options.can_raise
    act(hand, "call")
    assert hand.over
    assert sum(p.amount for p in in_hand(hand, Posted)) + sum(
        a.added for a in in_hand(hand, Acted)
    ) == 2 * (40 + 40 + 80 + 80)


def test_rules_survive_their_way_through_plain_values() -> None:
    rules = PLAIN.with_fields({"fixed_bet": [10, 10, 20, 20]})
    values = {k: list(v) if isinstance(v, tuple) else v for k, v in rules.as_dict().items()}
    assert Rules().with_fields(values) == rules
    assert hash(Rules().with_fields(values)) == hash(rules)


def test_rules_that_were_stored_without_cards_have_those_of_their_game() -> None:
    old = {key: value for key, value in KUHN.as_dict().items() if key not in ANTES} | {
        "game": "kuhn"
    }
    assert Rules().with_fields(old) == KUHN
    assert join(KUHN.deck) == "JsQsKs"
    assert PLAIN.deck == DECK


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"fixed_bet": [1, 2]}, "fixed_bet has 2 numbers for 4 streets"),
        ({"fixed_bet": [1, 0, 1, 1]}, "fixed_bet is 0 on every street or on none"),
        ({"fixed_bet": [1, "2"]}, "fixed_bet is a whole number or a list of whole numbers"),
        ({"fixed_bet": True}, "fixed_bet is a whole number or a list"),
        ({"raise_cap": [1, 1, 1, -2]}, "raise_cap is from -1 to 1000, not -2"),
        ({"streets": "0"}, "streets is a list of whole numbers, not '0'"),
        ({"ranks": 3}, "ranks is fixed in holdem: set game to custom"),
        (ANTES | {"max_seats": 5}, "5 seats need 5 cards, and the deck has 4: lower max_seats"),
        (ANTES | {"streets": [1], "max_seats": 2}, "streets begin with 0"),
        ({"game": "custom", "streets": [0, 1, 1, 1, 1]}, "there are 4 streets at most"),
        ({"game": "custom", "hole_cards": 3, "max_seats": 2}, "are 7 cards at most"),
        ({"ante_only": True}, "nobody would have to put in a chip: ante_only needs an ante"),
        ({"average_ms": 5, "hands": 0}, "average_ms needs a number of hands"),
    ],
)
def test_wrong_fields_are_refused_with_their_reason(values: dict[str, Any], problem: str) -> None:
    with pytest.raises(RulesError, match=problem):
        PLAIN.with_fields(values)


def test_without_blinds_the_first_left_of_the_button_starts() -> None:
    rules = PLAIN.with_fields(ANTES | {"max_seats": 3, "ante": 1, "ante_only": True, "stack": 500})
    hand = hand_of([500] * 3, hole="JsQsKs", rules=rules)
    assert [(p.seat, p.kind, p.amount) for p in in_hand(hand, Posted)] == [
        (seat, "ante", 1) for seat in range(3)
    ]
    assert hand.actor == 0
    assert hand.options is not None
    assert hand.options.owed == 0


def test_where_folding_is_not_free_a_fold_is_a_check() -> None:
    rules = PLAIN.with_fields({"free_fold": False})
    hand = hand_of([10_000, 10_000], rules=rules)
    act(hand, "call fold")
    assert [event.action for event in in_hand(hand, Acted)] == ["call", CHECKED]
    act(hand, "200 fold")
    assert in_hand(hand, Acted)[-1].action == FOLDED
    assert hand.over


def test_an_action_cap_stops_raises_that_not_everyone_could_answer() -> None:
    rules = PLAIN.with_fields({"action_cap": 64, "stack": 10**6, "big_blind": 100})
    hand = hand_of([10**6] * 2, rules=rules)
    raises = 0
    while hand.options is not None and hand.options.can_raise:
        raises += 1
        act(hand, str(hand.options.min_to))
    assert raises == 63  # so that the 64th action is the call
    betting = Betting(rules.terms, [10**6] * 3, 50, 100)
    betting.actions = 62
    assert not betting.options(0).max_to


def test_a_late_player_checks_where_folding_is_not_free_and_is_not_asked_again() -> None:
    match = opened(2, PLAIN, free_fold=False, decision_ms=500)
    match.decide(match.asked, CALL, 0.0)
    late = match.asked
    events = match.tick(0.5)
    assert [e.action for e in of_kind(events, Acted)] == [CHECKED] * 2
    assert [e.player for e in of_kind(events, TimedOut)] == [late] * 2
    assert match.asked == 1 - late
    assert match.hand is not None
    assert match.hand.street == 1


def test_time_is_limited_by_hand_and_by_match() -> None:
    match = opened(2, PLAIN, decision_ms=1000, hand_ms=1500, average_ms=2, hands=1000)
    first = match.asked
    match.decide(first, CALL, 0.8)  # leaves 0.7 s in this hand, 1.2 s in the match
    match.decide(match.asked, CALL, 0.8)
    match.decide(match.asked, CALL, 0.8)
    assert match.asked == first
    assert match.deadline == pytest.approx(1.5)
    match.extend(0.5)  # the server's own time is nobody's
    match.decide(first, FOLD, 1.5)
    assert match.players[first].thought_ms == 1000
    match.recorded(2.0)
    if match.asked != first:
        match.decide(match.asked, CALL, 2.0)
    assert match.deadline == pytest.approx(3.0)
    match.decide(first, FOLD, 2.9)
    restored, _ = Match.restore(match.rules, match.state(), FixedSeats(), 3.0)
    assert restored.players[first].thought_ms == 1900


def test_seats_can_be_in_order_of_arrival() -> None:
    class Reversed(FixedSeats):
        def seats(self, players: int) -> list[int]:
            return list(reversed(range(players)))

    for seating, order in (("drawn", [2, 1, 0]), ("arrival", [0, 1, 2])):
        match = Match(PLAIN.with_fields({"seating": seating}), 3, Reversed(), 0.0)
        for name in "abc":
            match.join(name, 0.0)
        assert match.order == order


def test_small_hands_rank_by_groups_and_then_by_rank() -> None:
    ladder = ["2c3c", "2c4c", "3c4c", "KcAc", "2c2d", "AcAd"]
    ranks = [rank_small(parse_many(cards)) for cards in ladder]
    assert ranks == sorted(set(ranks))
    four = ["2c3c4c6d", "AcKcQcJc", "2c2d3c4c", "2c2d3c3d", "2c2d2h3c", "2c2d2h2s"]
    ranks = [rank_small(parse_many(cards)) for cards in four]
    assert ranks == sorted(set(ranks))
    assert rank_small(parse_many("AhKs")) == rank_small(parse_many("AsKc"))


def test_the_strength_of_a_small_hand_counts_the_hands_behind_it() -> None:
    leduc = tuple(parse_many("QhQsKhKsAhAs"))
    assert small_strength(parse_many("Ah"), [], leduc) == (4 + 0.5) / 5
    assert small_strength(parse_many("Qh"), parse_many("Qs"), leduc) == 1
    assert [small_strength([card], [], KUHN.deck) for card in KUHN.deck] == [0, 0.5, 1]
