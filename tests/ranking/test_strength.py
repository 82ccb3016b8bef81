from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, parse_many
from croupier.ranking import outs, rank, rank_many, strength


@pytest.mark.parametrize("text", ["AcAd", "AsKs", "7d2c", "2h2d", "JhTh", "Th9d", "Qs3s", "Kd4c"])
def test_before_the_flop_strength_is_equity_against_a_random_hand(text: str) -> None:
    hole, samples = parse_many(text), 200_000
    rest = np.array([card for card in DECK if card not in hole], np.uint8)
    order = np.random.default_rng(hole).random((samples, 50)).argpartition(7, axis=1)[:, :7]
    dealt = rest[np.random.default_rng(1).permuted(order, axis=1)]
    mine = rank_many(np.hstack([np.tile(np.array(hole, np.uint8), (samples, 1)), dealt[:, 2:]]))
    theirs = rank_many(dealt)
    points = np.where(mine > theirs, 1.0, np.where(mine == theirs, 0.5, 0.0))
    error = points.std() / sqrt(samples)
    assert abs(points.mean() - strength(hole)) < 5 * error


def test_before_the_flop_an_average_hand_wins_half() -> None:
    table = [strength(hole) for hole in combinations(DECK, 2)]
    assert np.mean(table) == pytest.approx(0.5, abs=0.0001)
    assert len({(strength((a, b)), a >> 2, b >> 2) for a, b in combinations(DECK, 2)}) == 169


@given(
    st.sampled_from([5, 6, 7]).flatmap(
        lambda size: st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)
    )
)
def test_on_a_board_strength_compares_with_every_opposing_hand(cards: list[int]) -> None:
    hole, board = cards[:2], cards[2:]
    rest = [card for card in DECK if card not in cards]
    mine, points, count = rank(cards), 0.0, 0
    for pair in combinations(rest, 2):
        other = rank([*pair, *board])
        points += 1.0 if mine > other else 0.5 if mine == other else 0.0
        count += 1
    assert strength(hole, board) == pytest.approx(points / count, abs=1e-12)


def test_the_nuts_are_ahead_of_all_and_a_royal_board_ties_with_all() -> None:
    assert strength(parse_many("AsKs"), parse_many("QsJsTs2c3d")) == 1.0
    assert strength(parse_many("2c3d"), parse_many("AsKsQsJsTs")) == 0.5


def test_opposing_flushes_count() -> None:
    assert strength(parse_many("2s3d"), parse_many("AsKsQs9s4c")) < 0.9
    assert strength(parse_many("AcAd"), parse_many("9h7h2h")) < 1 - 45 / 1081 / 2


@pytest.mark.parametrize(
    ("hole", "board", "count"),
    [
        ("AhKh", "9h5h2c", 9),  # flush draw
        ("AhKd", "9h5h2h", 9),  # flush draw with one hole card
        ("AdKc", "9h5h2h", 0),  # three of a suit on the board help nobody yet
        ("8cKd", "Ah9h5h3h", 0),  # the board's own flush draw
        ("9c8d", "7hTs2c", 8),  # open-ended
        ("9c8d", "7h5s2c", 4),  # gutshot
        ("Ac2d", "3h4s9c", 4),  # only a five makes the wheel
        ("AcKd", "QhJs2c", 4),  # only a ten makes broadway
        ("9c7d", "5h8sJc", 8),  # double gutshot
        ("9h8h", "7hTh2c", 15),  # open-ended and flush draw
        ("9h8h", "7h5h2c", 12),  # gutshot and flush draw
        ("2c2d", "6h7s8c9d", 0),  # the board's own straight draw
        ("TcAd", "6h7s8c9d", 0),  # made
        ("Tc2d", "6h7s8cKd", 4),  # a nine makes ten high
        ("5c2d", "6h7s8cKd", 8),  # a four or a nine
        ("9h8h", "7hTh6c", 9),  # a straight that may become a flush
        ("AhKh", "9h5h2h", 0),  # a flush already
        ("AcKd", "9h5h2c", 0),
    ],
)
def test_outs_are_counted_for_draws_that_use_a_hole_card(hole: str, board: str, count: int) -> None:
    assert outs(parse_many(hole), parse_many(board)) == count


def test_there_are_no_outs_before_the_flop_or_on_the_river() -> None:
    assert outs(parse_many("9h8h"), []) == 0
    assert outs(parse_many("9h8h"), parse_many("7hTh2c3c3d")) == 0


@pytest.mark.parametrize(
    ("hole", "board", "sentence"),
    [
        ([0], [], "two hole cards, not 1"),
        ([0, 1, 2], [], "two hole cards, not 3"),
        ([0, 1], [2, 3], "0, 3, 4 or 5 cards, not 2"),
        ([0, 1], [2, 3, 4, 5, 6, 7], "0, 3, 4 or 5 cards, not 6"),
        ([0, 0], [], "given twice"),
        ([0, 1], [1, 2, 3], "given twice"),
        ([0, 52], [], r"0\.\.51"),
        ([-1, 5], [2, 3, 4], r"0\.\.51"),
    ],
)
def test_bad_input_is_refused_with_the_reason(
    hole: list[int], board: list[int], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        strength(hole, board)
    with pytest.raises(ValueError, match=sentence):
        outs(hole, board)
