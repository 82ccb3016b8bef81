from itertools import chain, combinations, combinations_with_replacement, product

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.ranking import BEST_RANK, CATEGORY_NAMES, category, rank, rank_many
from croupier.ranking.keys import RANK_WEIGHTS, SUIT_WEIGHTS


@pytest.fixture(scope="module")
def five_card_hands() -> NDArray[np.uint8]:
    flat = chain.from_iterable(combinations(range(52), 5))
    return np.fromiter(flat, np.uint8, 5 * 2_598_960).reshape(-1, 5)


def random_hands(count: int, size: int) -> NDArray[np.int64]:
    order: NDArray[np.int64] = np.random.default_rng(size).random((count, 52)).argsort(axis=1)
    return order[:, :size]


def test_all_five_card_hands_fall_into_categories_as_theory_says(
    five_card_hands: NDArray[np.uint8],
) -> None:
    counts = np.bincount(rank_many(five_card_hands), minlength=BEST_RANK + 1)
    assert len(counts) == BEST_RANK + 1
    assert counts[0] == 0
    assert counts[1:].min() > 0, "each of the 7462 classes can be dealt"
    found = dict.fromkeys(CATEGORY_NAMES, 0)
    for value in range(1, BEST_RANK + 1):
        found[CATEGORY_NAMES[category(value)]] += int(counts[value])
    assert found == {
        "high card": 1_302_540,
        "pair": 1_098_240,
        "two pair": 123_552,
        "three of a kind": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full house": 3_744,
        "four of a kind": 624,
        "straight flush": 40,
    }


def test_five_card_ranks_one_by_one_equal_those_in_a_batch(
    five_card_hands: NDArray[np.uint8],
) -> None:
    sample = five_card_hands[::37]
    assert rank_many(sample).tolist() == [rank(hand) for hand in sample.tolist()]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_batch_gives_exactly_the_ranks_of_single_hands(size: int) -> None:
    hands = random_hands(50_000, size)
    assert rank_many(hands).tolist() == [rank(hand) for hand in hands.tolist()]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32, np.uint64])
def test_any_integer_type_and_memory_layout_will_do(dtype: type[np.integer]) -> None:
    hands = random_hands(1_000, 7)
    expected = rank_many(hands).tolist()
    assert rank_many(hands.astype(dtype)).tolist() == expected
    assert rank_many(np.asfortranarray(hands.astype(dtype))).tolist() == expected
    assert rank_many(hands[::3].astype(dtype)).tolist() == expected[::3]


def test_ranks_are_sixteen_bit_and_an_empty_batch_is_empty() -> None:
    ranks = rank_many(np.empty((0, 7), np.uint8))
    assert ranks.dtype == np.uint16
    assert ranks.shape == (0,)


def test_no_two_rank_multisets_of_a_size_have_the_same_sum_of_weights() -> None:
    for size in (5, 6, 7):
        rows = [
            row
            for row in combinations_with_replacement(range(13), size)
            if all(row[i] != row[i + 4] for i in range(size - 4))
        ]
        assert len({sum(RANK_WEIGHTS[r] for r in row) for row in rows}) == len(rows)


def test_the_sum_of_suit_weights_tells_the_flush_suit() -> None:
    for size in (5, 6, 7):
        suit_by_sum: dict[int, set[int | None]] = {}
        for suits in product(range(4), repeat=size):
            flush = next((suit for suit in range(4) if suits.count(suit) >= 5), None)
            suit_by_sum.setdefault(sum(SUIT_WEIGHTS[suit] for suit in suits), set()).add(flush)
        assert all(len(found) == 1 for found in suit_by_sum.values())


@pytest.mark.parametrize("shape", [(7,), (3, 4), (3, 8), (2, 3, 7)])
def test_arrays_of_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="have shape"):
        rank_many(np.zeros(shape, np.uint8))


def test_arrays_of_anything_but_integers_are_refused() -> None:
    with pytest.raises(ValueError, match="cards are integers, not float64"):
        rank_many(np.zeros((1, 7)))


@pytest.mark.parametrize("wrong", [-1, 52])
def test_cards_out_of_range_are_refused(wrong: int) -> None:
    with pytest.raises(ValueError, match=r"cards lie in 0\.\.51"):
        rank_many(np.array([[0, 5, 10, 15, wrong]]))
