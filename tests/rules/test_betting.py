"""Who is asked, in which order, and what he may do."""

import pytest

from croupier.rules import rules as r
from croupier.rules.decisions import ALL_IN, BET, CALL, FOLD, RAISE, IllegalDecisionError, raise_to
from croupier.rules.events import Acted, Asked, Posted
from croupier.rules.hand import NOBODY, Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, KUHN, PLAIN, ROOM, ROOM2, TREND
from tests.support.scripted import act, hand_of, of_kind


def limits(hand: Hand) -> tuple[int, int, int]:
    assert hand.options is not None
    return hand.options.call, hand.options.min_to, hand.options.max_to


def asked(hand: Hand) -> list[int]:
    return [event.seat for event in of_kind(hand, Asked)]


def test_with_three_or_more_the_seat_after_the_big_blind_starts_and_the_big_blind_ends() -> None:
    hand = hand_of([10_000] * 4)
    act(hand, "call call call check")
    assert asked(hand)[:4] == [2, 3, 0, 1]
    assert hand.street == 1
    assert hand.actor == 0


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_only_before_the_flop() -> None:
    hand = hand_of([10_000, 10_000])
    assert [(e.seat, e.kind, e.amount) for e in of_kind(hand, Posted)] == [
        (1, "small", 50),
        (0, "big", 100),
    ]
    act(hand, "call check check check")
    assert asked(hand) == [1, 0, 0, 1, 0]


def test_an_all_in_below_a_full_raise_leaves_the_minimum_raise_as_it_was() -> None:
    hand = hand_of([10_000, 10_000, 10_000, 400, 10_000])
    act(hand, "300 400")
    assert hand.actor == 4
    assert limits(hand) == (400, 600, 10_000)


def test_the_raiser_may_only_call_or_fold_after_a_short_all_in() -> None:
    hand = hand_of([10_000, 10_000, 10_000, 400])
    act(hand, "300 400 fold fold")
    assert hand.actor == 2
    assert limits(hand) == (100, 0, 0)
    with pytest.raises(IllegalDecisionError, match="no raise is possible here"):
        hand.act(raise_to(600))
    act(hand, "call")
    assert hand.over


def test_short_all_ins_that_add_up_to_a_full_raise_reopen_the_betting() -> None:
    hand = hand_of([10_000, 10_000, 10_000, 400, 500])
    act(hand, "300 400 500 fold fold")
    assert hand.actor == 2
    assert limits(hand) == (200, 0, 0), "nobody left could answer"
    hand = hand_of([10_000, 10_000, 10_000, 400, 500])
    act(hand, "300 400 500 fold call")
    assert hand.actor == 2
    assert limits(hand) == (200, 700, 10_000)


def test_who_checked_may_not_raise_an_all_in_that_is_less_than_a_bet() -> None:
    hand = hand_of([10_000, 10_000, 140])
    act(hand, "call call check check check 40")
    assert hand.actor == 0
    assert limits(hand) == (40, 0, 0)


def test_who_has_not_acted_may_raise_a_short_all_in() -> None:
    hand = hand_of([10_000, 10_000, 140])
    act(hand, "call call check")
    hand = hand_of([140, 10_000, 10_000])
    act(hand, "call call check 40")
    assert hand.actor == 1
    assert limits(hand) == (40, 140, 9_900)


def test_where_short_all_ins_reopen_the_raiser_may_raise_again() -> None:
    hand = hand_of([10_000, 10_000, 10_000, 400], rules=HUAWEI)
    act(hand, "300 400 call fold")
    assert hand.actor == 2
    assert limits(hand) == (100, 600, 10_000)


@pytest.mark.parametrize("short", [1, 40, 50, 99])
def test_a_short_big_blind_still_asks_for_a_whole_one_and_the_raise_is_to_two(short: int) -> None:
    hand = hand_of([10_000, short, 10_000])
    assert hand.actor == 2
    assert limits(hand) == (100, 200, 10_000)


def test_the_small_blind_is_not_asked_when_only_a_shorter_all_in_is_left() -> None:
    hand = hand_of([10_000, 40, 10_000])
    act(hand, "fold")
    assert hand.over
    assert sum(hand.stacks) == 20_040
    assert asked(hand) == [2]


def test_the_small_blind_is_asked_when_the_short_big_blind_put_in_more() -> None:
    hand = hand_of([10_000, 70, 10_000])
    act(hand, "fold")
    assert hand.actor == 0
    assert limits(hand) == (50, 0, 0)


@pytest.mark.parametrize(("short", "high"), [(1, 10), (9, 10), (10, 10), (13, 13), (20, 20)])
def test_trend_a_short_big_blind_asks_for_the_highest_bet_that_was_posted(
    short: int, high: int
) -> None:
    hand = hand_of([1000, short, 1000], rules=TREND)
    assert hand.actor == 2
    assert hand.high == high
    assert limits(hand) == (high, high + 1, 1000)


def test_trend_the_small_blind_above_a_short_big_blind_owes_nothing_and_may_raise() -> None:
    hand = hand_of([1000, 4, 1000], rules=TREND)
    act(hand, "call")
    assert hand.actor == 0
    assert hand.options is not None
    assert hand.options.owed == 0
    assert limits(hand) == (0, 11, 1000)
    act(hand, "check")
    assert (hand.street, hand.pot) == (1, 24)


def test_trend_blinds_that_are_both_short_ask_for_the_longer_one() -> None:
    hand = hand_of([7, 4, 1000, 1000], rules=TREND)
    assert limits(hand) == (7, 8, 1000)
    hand = hand_of([4, 7, 1000, 1000], rules=TREND)
    assert limits(hand) == (7, 8, 1000)


def test_trend_heads_up_the_small_blind_is_not_asked_above_a_shorter_all_in() -> None:
    hand = hand_of([6, 1000], rules=TREND)  # seat 1 has the button and posts the small blind
    assert hand.over
    assert asked(hand) == []
    assert sum(hand.stacks) == 1006


def test_a_raise_over_what_was_posted_short_adds_a_big_blind_by_the_standard_minimum() -> None:
    hand = hand_of([10_000, 70, 10_000], rules=PLAIN.with_fields({"short_blind": r.POSTED}))
    assert limits(hand) == (70, 170, 10_000)


def test_a_raise_is_at_least_the_last_full_raise() -> None:
    hand = hand_of([10_000] * 3)
    act(hand, "350")
    assert limits(hand) == (300, 600, 10_000)
    act(hand, "1000")
    assert limits(hand) == (900, 1650, 10_000)


def test_the_minimum_raise_starts_again_at_a_big_blind_on_each_street() -> None:
    hand = hand_of([10_000] * 3)
    act(hand, "1000 call call")
    assert limits(hand) == (0, 100, 9_000)


def test_a_raise_that_the_stack_cannot_reach_is_all_in() -> None:
    hand = hand_of([10_000, 10_000, 150])
    assert limits(hand) == (100, 150, 150)
    hand.act(raise_to(150))
    assert of_kind(hand, Acted)[-1].all_in


@pytest.mark.parametrize("total", [0, 100, 199, 10_001, -5])
def test_a_raise_outside_its_limits_is_refused_and_changes_nothing(total: int) -> None:
    hand = hand_of([10_000] * 3)
    before = list(hand.events)
    with pytest.raises(IllegalDecisionError, match="200 at least and 10000 at most"):
        hand.act(raise_to(total))
    assert hand.events == before
    assert hand.actor == 2


def test_a_finished_hand_takes_no_decision() -> None:
    hand = hand_of([10_000] * 2)
    act(hand, "fold")
    assert hand.over
    assert hand.actor == NOBODY
    with pytest.raises(IllegalDecisionError, match="the hand is over"):
        hand.act(CALL)


def test_no_raise_is_offered_to_someone_whom_nobody_can_answer() -> None:
    hand = hand_of([10_000, 500, 600])
    act(hand, "600 call")
    assert hand.actor == 1
    assert limits(hand) == (400, 0, 0)
    hand = hand_of([10_000, 500, 600])
    act(hand, "600 fold")
    assert hand.actor == 1
    assert limits(hand) == (400, 0, 0)
    hand = hand_of([10_000, 10_000, 600])
    act(hand, "600 fold")
    assert hand.actor == 1
    assert limits(hand) == (500, 0, 0), "the all-in player has nothing to answer with"


def test_no_decision_is_asked_of_an_all_in_player() -> None:
    hand = hand_of([10_000, 10_000, 500])
    act(hand, "500 call call check check check check check check")
    assert asked(hand) == [2, 0, 1, 0, 1, 0, 1, 0, 1]
    assert hand.over


def test_the_board_runs_out_unasked_when_at_most_one_player_can_bet() -> None:
    hand = hand_of([10_000, 700, 500])
    act(hand, "500 900 call")
    assert hand.over
    assert len(hand.board) == 5
    assert asked(hand) == [2, 0, 1]


def test_where_the_rules_say_so_the_only_player_who_can_still_bet_is_asked() -> None:
    for rules, sees_a_question in ((HUAWEI, True), (PLAIN, False)):
        # The flop: seat 2 is all-in, seat 0 folds, and seat 1 has not acted on this street.
        hand = hand_of([2000, 2000, 400], rules=rules)
        act(hand, "400 call call fold")
        assert (hand.actor == 1) == sees_a_question
        assert hand.over != sees_a_question
    folding = hand_of([2000, 2000, 400], rules=HUAWEI)
    act(folding, "400 call call fold fold")
    assert folding.over
    assert folding.stacks == [1600, 1600, 1200]
    for word in ("check", "100", "1600"):
        hand = hand_of([2000, 2000, 400], rules=HUAWEI)
        act(hand, "400 call call fold")
        assert limits(hand) == (0, 100, 1600)
        act(hand, word)
        assert hand.over, "the rest of the board comes without a question"
        assert len(hand.board) == 5
        assert sum(hand.stacks) == 4400


def test_the_lone_player_is_asked_before_the_flop_too_where_a_blind_is_no_action() -> None:
    # Seat 2 is all-in for less than the big blind, and the small blind folds.
    for rules, last in ((HUAWEI, 1), (PLAIN, 0)):
        hand = hand_of([2000, 2000, 80], rules=rules)
        act(hand, "call fold")
        assert asked(hand)[-1] == last
        assert hand.over == (rules is PLAIN)


def test_the_lone_player_is_not_asked_on_a_street_on_which_nobody_has_acted() -> None:
    hand = hand_of([2000, 400, 400], rules=HUAWEI)
    act(hand, "400 call call")
    assert hand.over
    assert asked(hand) == [2, 0, 1]


def test_the_lone_player_who_has_acted_on_this_street_is_not_asked_again() -> None:
    hand = hand_of([2000, 2000, 400], rules=HUAWEI)
    act(hand, "400 call call check fold")
    assert hand.over
    assert asked(hand) == [2, 0, 1, 0, 1]


def test_the_last_player_left_wins_at_once() -> None:
    hand = hand_of([10_000] * 3)
    act(hand, "fold fold")
    assert hand.over
    assert hand.stacks == [9_950, 10_050, 10_000]


def test_a_check_is_a_call_of_nothing() -> None:
    hand = hand_of([10_000] * 2)
    act(hand, "call check")
    assert [event.action for event in of_kind(hand, Acted)] == ["call", "check"]


def test_an_opening_is_a_bet_and_what_tops_it_a_raise() -> None:
    hand = hand_of([10_000] * 2)
    act(hand, "call 300 call 100 200")
    assert [e.action for e in of_kind(hand, Acted)] == ["call", "raise", "call", "bet", "raise"]


def test_where_any_raise_is_a_full_one_it_reopens_the_betting() -> None:
    hand = hand_of([10_000] * 3, rules=Rules(min_raise=r.ANY))
    act(hand, "300 301 fold")
    assert limits(hand) == (1, 302, 10_000)
    hand = hand_of([10_000] * 3, rules=Rules(fixed_bet=50))
    act(hand, "150 200 fold")
    assert limits(hand) == (50, 250, 250)


def test_no_raise_is_offered_when_every_verb_is_used_up() -> None:
    hand = hand_of([10_000] * 3, rules=Rules(fixed_bet=100, verb_cap=0))
    assert limits(hand) == (100, 0, 0)


# huawei


def test_huawei_heads_up_has_no_big_blind_and_the_button_starts_before_the_flop() -> None:
    hand = hand_of([2000, 2000], rules=HUAWEI)
    assert [(e.seat, e.kind, e.amount) for e in of_kind(hand, Posted)] == [(0, "small", 50)]
    assert hand.actor == 1
    assert limits(hand) == (50, 150, 2000)
    act(hand, "call check")
    assert hand.actor == 0


def test_huawei_asks_the_last_player_who_has_not_acted_and_discards_the_pot_if_he_folds() -> None:
    hand = hand_of([2000] * 3, rules=HUAWEI)
    act(hand, "fold fold")
    assert hand.actor == 1
    act(hand, "fold")
    assert hand.over
    assert hand.stacks == [1950, 1900, 2000]


def test_huawei_pays_the_last_player_once_he_has_acted() -> None:
    hand = hand_of([2000] * 3, rules=HUAWEI)
    act(hand, "fold fold check")
    assert hand.over
    assert hand.stacks == [1950, 2050, 2000]
    hand = hand_of([2000] * 3, rules=HUAWEI)
    act(hand, "300 fold fold")
    assert hand.over
    assert hand.stacks == [1950, 1900, 2150]


# trend


def test_trend_takes_any_raise_above_the_highest_bet_and_opens_at_a_big_blind() -> None:
    hand = hand_of([1000] * 3, rules=TREND)
    assert limits(hand) == (20, 21, 1000)
    act(hand, "21 call call")
    assert limits(hand) == (0, 20, 979)


def test_trend_lets_a_bet_of_the_small_blind_open_a_street() -> None:
    hand = hand_of([1000] * 3, rules=TREND)
    act(hand, "call call check")
    assert hand.options is not None
    assert hand.options.small_to == 10
    with pytest.raises(IllegalDecisionError):
        hand.act(raise_to(11, BET))
    hand.act(raise_to(10, BET))
    assert limits(hand) == (10, 11, 980)


def test_trend_allows_four_bets_and_four_raises_a_street_counted_apart_and_then_all_in() -> None:
    hand = hand_of([1000] * 3, rules=TREND)
    for total in (30, 40, 50, 60):
        hand.act(raise_to(total, RAISE))
    with pytest.raises(IllegalDecisionError, match="no more raises"):
        hand.act(raise_to(70, RAISE))
    for total in (70, 80, 90, 100):
        hand.act(raise_to(total, BET))
    with pytest.raises(IllegalDecisionError, match="no more bets"):
        hand.act(raise_to(110, BET))
    hand.act(raise_to(1000, ALL_IN))
    assert of_kind(hand, Acted)[-1].action == "allin"


# room


def test_room_small_blind_comes_last_after_the_flop() -> None:
    hand = hand_of([20_000] * 4, rules=ROOM)
    act(hand, "call call call check")
    assert hand.actor == 1
    act(hand, "check check check")
    assert hand.actor == 0


def test_room_heads_up_the_small_blind_starts_before_the_flop_and_comes_last_after_it() -> None:
    hand = hand_of([20_000] * 2, rules=ROOM)
    assert [(e.seat, e.kind) for e in of_kind(hand, Posted)] == [(1, "small"), (0, "big")]
    act(hand, "call check check")
    assert asked(hand) == [1, 0, 0, 1]


def test_room_minimum_raise_is_what_the_player_owes() -> None:
    """A hand with all kinds of ranges: opening, squeezed, topped, and all but covered."""
    hand = hand_of([20_000] * 4, rules=ROOM)
    assert limits(hand)[1:] == (200, 20_000)
    act(hand, "call")
    assert limits(hand)[1:] == (200, 20_000)
    act(hand, "800")
    assert limits(hand)[1:] == (1550, 20_000), "the small blind owes 750"
    act(hand, "call 4000")
    assert limits(hand)[1:] == (7900, 20_000), "who called 100 owes 3900"
    act(hand, "call fold call")
    assert limits(hand)[1:] == (100, 16_000)
    act(hand, "2500 9000")
    assert limits(hand)[1:] == (16_000, 16_000), "18000 is out of reach"
    act(hand, "16000")
    assert limits(hand) == (13_500, 0, 0)


def test_room2_allows_four_raises_a_street() -> None:
    hand = hand_of([20_000] * 2, rules=ROOM2)
    act(hand, "300 500 700 900")
    assert limits(hand) == (200, 0, 0)
    act(hand, "call")
    assert limits(hand)[1:] == (100, 19_100)


# kuhn


def test_kuhn_has_one_street_one_bet_and_the_first_left_of_the_dealer_starts() -> None:
    hand = Hand(KUHN, [20, 20], [43, 47, 39])
    assert [(e.seat, e.kind, e.amount) for e in of_kind(hand, Posted)] == [
        (0, "ante", 1),
        (1, "ante", 1),
    ]
    assert hand.actor == 0
    assert limits(hand) == (0, 1, 1)
    act(hand, "check")
    assert limits(hand) == (0, 1, 1)
    act(hand, "1")
    assert limits(hand) == (1, 0, 0)
    act(hand, "call")
    assert hand.over
    assert hand.stacks == [18, 22]


def test_kuhn_caller_without_a_coin_calls_for_nothing_and_the_bet_returns() -> None:
    hand = Hand(KUHN, [20, 1], [43, 47, 39])
    act(hand, "1")
    assert hand.actor == 1
    assert hand.options is not None
    assert (hand.options.owed, hand.options.call) == (1, 0)
    act(hand, "call")
    assert hand.stacks == [19, 2]


def test_kuhn_player_without_a_coin_cannot_bet() -> None:
    hand = Hand(KUHN, [1, 20], [43, 47, 39])
    assert limits(hand) == (0, 0, 0)


# construction


@pytest.mark.parametrize("seats", [1, 11])
def test_a_hand_has_two_to_ten_seats(seats: int) -> None:
    with pytest.raises(ValueError, match="seats 2 to 10 players"):
        hand_of([10_000] * seats)


def test_a_seat_without_chips_is_not_dealt_in() -> None:
    with pytest.raises(ValueError, match="without chips"):
        hand_of([10_000, 0])


def test_a_hand_needs_all_its_cards() -> None:
    with pytest.raises(ValueError, match="2 seats need 9 cards, not 8"):
        Hand(PLAIN, [10_000, 10_000], list(range(8)))


def test_antes_are_no_part_of_the_betting() -> None:
    hand = hand_of([1000] * 3, rules=Rules(stack=1000, ante=10))
    assert limits(hand) == (100, 200, 990)
    assert hand.pot == 180


def test_a_fold_where_nothing_is_owed_is_legal() -> None:
    hand = hand_of([10_000] * 3)
    act(hand, "call call check")
    hand.act(FOLD)
    assert hand.folded[0]


def test_blinds_of_a_hand_may_exceed_those_of_the_rules() -> None:
    hand = hand_of([1000] * 3, rules=TREND, small_blind=80, big_blind=160)
    assert limits(hand) == (160, 161, 1000)
    assert TREND.blinds_double == r.LAP
