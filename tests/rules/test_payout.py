"""Who gets which chips, and what is shown."""

from croupier.rules.events import BetReturned, BoardShown, PotDiscarded, PotWon, Shown
from croupier.rules.hand import Hand
from croupier.rules.sets import HUAWEI, TREND
from tests.support.scripted import act, hand_of, of_kind


def won(hand: Hand) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    return [(event.amount, event.winners) for event in of_kind(hand, PotWon)]


def test_a_bet_that_nobody_called_returns() -> None:
    hand = hand_of([10_000] * 3)
    act(hand, "1000 fold fold")
    assert [(e.seat, e.amount) for e in of_kind(hand, BetReturned)] == [(2, 900)]
    assert won(hand) == [(250, ((2, 250),))]


def test_what_exceeds_the_largest_call_returns_before_the_showdown() -> None:
    hand = hand_of([10_000, 600, 10_000], "AsAd KsKd QsQd", "2c3c4h8h9d")
    act(hand, "fold 5000 call")
    assert [(e.seat, e.amount) for e in of_kind(hand, BetReturned)] == [(0, 4400)]
    assert hand.stacks == [10_600, 0, 10_000]


def test_ten_different_all_ins_make_nine_pots() -> None:
    stacks = [1000 * (seat + 1) for seat in range(10)]
    hole = "AsAd KsKd QsQd JsJd TsTd 9s9d 8s8d 7s7d 6s6d 5s5d"
    hand = hand_of(stacks, hole, "2c3c4h2hKc", small_blind=50, big_blind=100)
    # Seat 1 makes a full house of kings; all others stand by their pairs, higher first.
    act(hand, "3000 4000 5000 6000 7000 8000 9000 call call call")
    assert hand.over
    assert [amount for amount, _ in won(hand)] == [
        10_000, 9000, 8000, 7000, 6000, 5000, 4000, 3000, 2000
    ]  # fmt: skip
    assert hand.stacks == [0, 19_000, 8000, 7000, 6000, 5000, 4000, 3000, 2000, 1000]


def test_folded_money_stays_in_every_pot_it_reached() -> None:
    hand = hand_of([300, 10_000, 10_000, 700], "AsAd KsKd QsQd JsJd", "2c3c4h8h9d")
    act(hand, "500 700 call call call")  # seats 2, 3, 0 (all-in 300), 1, 2
    act(hand, "check 1000 fold")  # seat 1 checks, 2 bets, 1 folds after putting in 700
    assert hand.over
    assert [(e.seat, e.amount) for e in of_kind(hand, BetReturned)] == [(2, 1000)]
    assert won(hand) == [(1200, ((0, 1200),)), (1200, ((2, 1200),))]


def test_a_tie_may_concern_some_pots_only() -> None:
    hand = hand_of([500, 1000, 1000], "AsAd KsQd KdQs", "2c3c4h8h9d")
    act(hand, "1000 call call")
    assert won(hand) == [(1500, ((0, 1500),)), (1000, ((1, 500), (2, 500)))]


def test_odd_chips_go_one_by_one_to_the_first_winners_left_of_the_button() -> None:
    hand = hand_of([1001, 1000, 1000, 1000], "2c3d AsKd AdKs AhKh", "QcJcTd5h5s")
    act(hand, "1000 call fold call")
    assert won(hand) == [(3050, ((1, 1017), (2, 1017), (3, 1016)))]


def test_five_high_straight_loses_to_six_high() -> None:
    hand = hand_of([1000, 1000], "As2d 6s2c", "3c4h5hKdJs")
    act(hand, "1000 call")
    assert hand.stacks == [0, 2000]


def test_steel_wheel_loses_to_any_higher_straight_flush_and_beats_quads() -> None:
    wheel_against_quads = hand_of([1000, 1000], "As2s KhKd", "3s4s5sKsKc")
    act(wheel_against_quads, "1000 call")
    assert wheel_against_quads.stacks == [2000, 0]
    against_higher = hand_of([1000, 1000], "As2s 6s7s", "3s4s5sKsKc")
    act(against_higher, "1000 call")
    assert against_higher.stacks == [0, 2000]


def test_a_counterfeited_two_pair_plays_the_board_and_the_kicker_decides() -> None:
    hand = hand_of([1000, 1000], "4s5d AcKd", "4c5h9h9dTs")
    act(hand, "1000 call")
    assert hand.stacks == [2000, 0], "nines and fives beat nines with an ace"
    hand = hand_of([1000, 1000], "4s5d AcKd", "9c9hThTd4h")
    act(hand, "1000 call")
    assert hand.stacks == [0, 2000], "fours are counterfeited by nines and tens"


def test_a_board_that_plays_splits_the_pot() -> None:
    hand = hand_of([1000, 1000], "2s3d 4c5d", "AhKhQhJhTh")
    act(hand, "1000 call")
    assert hand.stacks == [1000, 1000]


def test_the_third_pair_of_seven_cards_counts_as_a_kicker_only_by_its_rank() -> None:
    hand = hand_of([1000, 1000], "2s2d 3cQd", "KhKsTdTc3h")
    act(hand, "1000 call")
    assert hand.stacks == [0, 2000], "kings and tens with a queen beat them with a three"


def test_cards_of_those_who_reached_the_showdown_are_shown_in_seat_order() -> None:
    hand = hand_of([1000] * 3)
    act(hand, "1000 fold call")
    assert [event.seat for event in of_kind(hand, Shown)] == [1, 2]


def test_nothing_is_shown_when_the_others_folded() -> None:
    hand = hand_of([1000] * 3)
    act(hand, "fold fold")
    assert of_kind(hand, Shown) == []


def test_trend_opens_all_cards_and_the_rest_of_the_board() -> None:
    hand = hand_of([1000] * 3, board="2c3c4h8h9d", rules=TREND)
    act(hand, "fold fold")
    assert [event.seat for event in of_kind(hand, Shown)] == [0, 1, 2]
    assert [len(event.cards) for event in of_kind(hand, BoardShown)] == [5]
    hand = hand_of([1000] * 3, board="2c3c4h8h9d", rules=TREND)
    act(hand, "1000 fold call")
    assert [event.seat for event in of_kind(hand, Shown)] == [0, 1, 2]
    assert of_kind(hand, BoardShown) == []


def test_huawei_discards_the_pot_when_everyone_folds() -> None:
    hand = hand_of([2000] * 3, rules=HUAWEI)
    act(hand, "fold fold fold")
    assert [event.amount for event in of_kind(hand, PotDiscarded)] == [150]
    assert won(hand) == []
