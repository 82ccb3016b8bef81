import warnings
from collections import Counter
from itertools import combinations, pairwise, permutations
from random import Random

import numpy as np
import phevaluator
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, parse_many, short
from croupier.ranking import (
    BEST_RANK,
    CATEGORY_NAMES,
    best_five,
    category,
    rank,
    rank7,
    rank_kuhn,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its parser of ranges uses names that are on their way out
    import eval7

hands = st.integers(5, 7).flatmap(
    lambda size: st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)
)


def name(text: str) -> str:
    return CATEGORY_NAMES[category(rank(parse_many(text)))]


def random_hands(count: int, size: int, seed: int) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    rows: list[list[int]] = rng.random((count, 52)).argsort(axis=1)[:, :size].tolist()
    return rows


def test_the_categories_of_all_ranks_have_their_number_of_classes() -> None:
    classes = Counter(CATEGORY_NAMES[category(r)] for r in range(1, BEST_RANK + 1))
    assert classes == {
        "high card": 1277,
        "pair": 2860,
        "two pair": 858,
        "three of a kind": 858,
        "straight": 10,
        "flush": 1277,
        "full house": 156,
        "four of a kind": 156,
        "straight flush": 10,
    }


def test_a_higher_rank_is_never_of_a_lower_category() -> None:
    found = [category(r) for r in range(1, BEST_RANK + 1)]
    assert found == sorted(found)


def test_the_royal_flush_is_best_and_seven_high_is_worst() -> None:
    assert rank(parse_many("As Ks Qs Js Ts")) == BEST_RANK == 7462
    assert rank(parse_many("7c 5d 4h 3s 2c")) == 1


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("6d 5d 4d 3d 2d", "5d 4d 3d 2d Ad"),  # the steel wheel is the lowest straight flush
        ("5d 4d 3d 2d Ad", "Ac Ad Ah As Kc"),
        ("2c 2d 2h 2s 3c", "Ac Ad Ah Ks Kc"),
        ("2c 2d 2h 3s 3c", "Ah Kh Qh Jh 9h"),
        ("7c 5c 4c 3c 2c", "As Kd Qd Jd Td"),
        ("5s 4d 3d 2d Ad", "As Ad Ah Kd Qd"),
        ("6s 5d 4d 3d 2d", "As 2d 3d 4d 5d"),  # an ace plays low in the wheel
        ("2s 2d 2h 4d 3d", "As Ad Kh Kd Qd"),
        ("3s 3d 2h 2d 4d", "As Ad Kh Qd Jd"),
        ("2s 2d 5h 4d 3d", "As Kd Qh Jd 9d"),
        ("As Kd Qh Jd 8c", "As Kd Qh Jd 7c"),
    ],
)
def test_hands_compare_by_category_first_and_cards_second(better: str, worse: str) -> None:
    assert rank(parse_many(better)) > rank(parse_many(worse))


def test_a_straight_does_not_run_round_the_ace() -> None:
    assert name("Ks As 2d 3c 4h") == "high card"
    assert name("Qd Ks As 2d 3c 4h 9c") == "high card"


def test_suits_do_not_break_ties() -> None:
    assert rank(parse_many("As Ks Qs Js Ts")) == rank(parse_many("Ah Kh Qh Jh Th"))
    assert rank(parse_many("As Ah 9c 5d 2s")) == rank(parse_many("Ac Ad 9h 5s 2h"))


def test_a_pair_on_the_board_counterfeits_the_lower_of_two_pairs() -> None:
    board = "9c 9d Kh Qs Qd"
    assert rank(parse_many("2c 2d" + board)) == rank(parse_many("3c 4d" + board))
    assert rank(parse_many("Ac 2d" + board)) > rank(parse_many("2c 2s" + board))


def test_hands_that_cannot_improve_the_board_tie() -> None:
    board = "As Kd Qh Jc Ts"
    assert rank(parse_many("2c 2d" + board)) == rank(parse_many("Ah Ad" + board))
    assert rank(parse_many("2c 2d" + board)) == rank(parse_many(board))


def test_of_three_pairs_the_best_two_play_and_the_third_may_be_the_kicker() -> None:
    cards = parse_many("As Ad Ks Kd Qs Qd 2c")
    assert rank(cards) == rank(parse_many("As Ad Ks Kd Qc"))
    assert rank(parse_many("As Ad Ks Kd 2s 2d 7c")) == rank(parse_many("As Ad Ks Kd 7c"))


def test_two_trips_make_a_full_house_of_the_higher() -> None:
    assert rank(parse_many("5c 5d 5h 9c 9d 9h As")) == rank(parse_many("9c 9d 9h 5c 5d"))


def test_trips_and_two_pairs_make_a_full_house_of_the_higher_pair() -> None:
    assert rank(parse_many("5c 5d 5h 9c 9d As Ad")) == rank(parse_many("5c 5d 5h As Ad"))


def test_beside_four_of_a_kind_the_highest_card_is_the_kicker() -> None:
    assert rank(parse_many("5c 5d 5h 5s 9c 9d As")) == rank(parse_many("5c 5d 5h 5s As"))
    assert rank(parse_many("5c 5d 5h 5s 9c 9d 9s")) == rank(parse_many("5c 5d 5h 5s 9s"))


def test_a_flush_beats_a_straight_in_the_same_hand() -> None:
    assert name("9h 8h 7h 6h 5c 2h Kd") == "flush"


def test_a_straight_and_a_flush_apart_are_no_straight_flush() -> None:
    assert name("9h 8h 7h 6h 5c 2h Ah") == "flush"
    assert name("9h 8h 7h 6h 5h 4c 3c") == "straight flush"


def test_the_best_five_of_six_or_seven_suited_cards_play() -> None:
    five = rank(parse_many("Kd Jd 9d 7d 5d"))
    assert rank(parse_many("Kd Jd 9d 7d 5d 3d")) == five
    assert rank(parse_many("Kd Jd 9d 7d 5d 3d 2d")) == five
    assert name("Kd Jd 5d 4d 3d 2d Ad") == "straight flush"


def test_the_best_of_several_straights_plays() -> None:
    assert rank(parse_many("As 2d 3d 4d 5c 6c 7c")) == rank(parse_many("7s 6d 5d 4d 3c"))


@given(hands, st.randoms())
def test_the_order_of_cards_does_not_matter(cards: list[int], random: Random) -> None:
    shuffled = random.sample(cards, len(cards))
    assert rank(shuffled) == rank(cards)


@given(hands, st.sampled_from(list(permutations(range(4)))))
def test_the_names_of_suits_do_not_matter(cards: list[int], suits: tuple[int, ...]) -> None:
    assert rank([card & ~3 | suits[card & 3] for card in cards]) == rank(cards)


@given(hands)
def test_a_rank_is_that_of_the_best_five_cards(cards: list[int]) -> None:
    assert rank(cards) == max(rank(five) for five in combinations(cards, 5))


@given(hands)
def test_the_best_five_are_of_the_hand_and_have_its_rank(cards: list[int]) -> None:
    five = best_five(cards)
    assert len(set(five)) == 5
    assert set(five) <= set(cards)
    assert rank(five) == rank(cards)


@given(hands, st.integers(0, 7))
def test_the_best_five_do_not_depend_on_the_order_of_cards(cards: list[int], turn: int) -> None:
    assert best_five(cards[turn:] + cards[:turn]) == best_five(cards)


@pytest.mark.parametrize(
    ("cards", "five"),
    [
        ("2c Ac 5c 5d 5h 5s 9d", "5s 5h 5d 5c Ac"),
        ("9c 9d 9h 5c 5d 5h As", "9h 9d 9c 5h 5d"),
        ("5c 5d 5h As Ad 2c 3c", "5h 5d 5c As Ad"),
        ("As Ad Ks Kd Qs Qd 2c", "As Ad Ks Kd Qs"),
        ("2s 2d 9c 7c 5c Kd", "2s 2d Kd 9c 7c"),
        ("3d 3c 3s Kh 9d 2c", "3s 3d 3c Kh 9d"),
        ("As 2d 3d 4d 5c 5s Kc", "5s 4d 3d 2d As"),
        ("Ad 2d 3d 4d 5d Kd Kc", "5d 4d 3d 2d Ad"),
        ("9h 8h 7h 6h 5c 2h Kd", "9h 8h 7h 6h 2h"),
        ("9c 9d 8h 7h 6h 5c 4d", "9d 8h 7h 6h 5c"),
        ("7c 5d 4h 3s 2c Kd", "Kd 7c 5d 4h 3s"),
    ],
)
def test_the_best_five_come_most_significant_first(cards: str, five: str) -> None:
    assert best_five(parse_many(cards)) == tuple(parse_many(five))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_ranks_are_those_of_phevaluator_from_the_other_end(size: int) -> None:
    for cards in random_hands(20_000, size, seed=size):
        assert rank(cards) == 7463 - phevaluator.evaluate_cards(*cards)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_ranks_order_hands_as_eval7_does(size: int) -> None:
    peer_cards = [eval7.Card(short(card)) for card in DECK]
    rows = random_hands(20_000, size, seed=10 + size)
    pairs = {(rank(row), eval7.evaluate([peer_cards[card] for card in row])) for row in rows}
    ordered = sorted(pairs)
    # One value of ours to one of theirs, both ascending: the same order and the same ties.
    assert all(a < b and c < d for (a, c), (b, d) in pairwise(ordered))


def test_seven_cards_rank_alike_as_arguments_and_as_a_list() -> None:
    for cards in random_hands(5_000, 7, seed=3):
        assert rank7(*cards) == rank(cards)


@pytest.mark.parametrize("size", [0, 2, 4, 8])
def test_hands_of_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"5, 6 or 7 cards, not {size}"):
        rank(range(size))
    with pytest.raises(ValueError, match=f"5, 6 or 7 cards, not {size}"):
        best_five(range(size))


@pytest.mark.parametrize("wrong", [-1, 0, 7463])
def test_numbers_that_are_no_ranks_have_no_category(wrong: int) -> None:
    with pytest.raises(ValueError, match=f"1..7462, and {wrong} does not"):
        category(wrong)


def test_in_kuhn_poker_the_king_beats_the_queen_and_the_queen_the_jack() -> None:
    assert [rank_kuhn(card) for card in parse_many("Js Qs Ks")] == [1, 2, 3]


@pytest.mark.parametrize("card", [-1, 0, 38, 51])
def test_kuhn_poker_has_no_other_cards(card: int) -> None:
    with pytest.raises(ValueError, match=f"39, 43 and 47, not {card}"):
        rank_kuhn(card)
