from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from croupier.cards import parse_many
from croupier.ranking import Equity, equity, rank, rank_many

TEN_HANDS = [parse_many(text) for text in (
    "AcAd", "KcKd", "QcQd", "JcJd", "TcTd", "9c9d", "8c8d", "7c7d", "AhKh", "2s3s",
)]  # fmt: skip


def hands(*texts: str) -> list[list[int]]:
    return [parse_many(text) for text in texts]


def by_brute_force(
    holes: Sequence[Sequence[int]], board: Sequence[int] = (), dead: Sequence[int] = ()
) -> list[Fraction]:
    """Return exact shares from single rankings of every hand on every board."""
    known = {*board, *dead, *(card for hole in holes for card in hole)}
    deck = [card for card in range(52) if card not in known]
    shares = [Fraction(0)] * len(holes)
    boards = 0
    for more in combinations(deck, 5 - len(board)):
        ranks = [rank([*hole, *board, *more]) for hole in holes]
        winners = [i for i, r in enumerate(ranks) if r == max(ranks)]
        for i in winners:
            shares[i] += Fraction(1, len(winners))
        boards += 1
    return [share / boards for share in shares]


def heads_up_by_listing_boards(one: Sequence[int], two: Sequence[int]) -> tuple[int, int, int]:
    """Return wins, ties and losses before the flop from hands that are listed card by card."""
    deck = [card for card in range(52) if card not in {*one, *two}]
    flat = (card for board in combinations(deck, 5) for card in board)
    boards = np.fromiter(flat, np.uint8).reshape(-1, 5)
    first, second = (
        rank_many(np.hstack([np.tile(np.array(hole, np.uint8), (len(boards), 1)), boards]))
        for hole in (one, two)
    )
    return int((first > second).sum()), int((first == second).sum()), int((first < second).sum())


def check_sums(result: Equity) -> None:
    assert sum(result.share) == pytest.approx(1)
    for win, tie, share in zip(result.win, result.tie, result.share, strict=True):
        assert 0 <= win <= share <= win + tie / 2 + 1e-12
        assert win + tie <= 1 + 1e-12


def test_before_the_flop_two_hands_meet_every_board() -> None:
    one, two = hands("AcAd", "KcKh")
    wins, ties, losses = heads_up_by_listing_boards(one, two)
    result = equity([one, two])
    assert result.exact
    assert result.boards == comb(48, 5) == wins + ties + losses
    assert result.win == (wins / result.boards, losses / result.boards)
    assert result.tie == (ties / result.boards,) * 2
    assert result.share == pytest.approx(
        ((wins + ties / 2) / result.boards, (losses + ties / 2) / result.boards)
    )
    assert result.error == (0.0, 0.0)


@pytest.mark.parametrize(
    ("one", "two", "wins", "ties"),
    [
        ("AcAd", "KcKh", 1_399_204, 7_923),  # 81.946 %
        ("AsKs", "QhQd", 787_966, 6_732),  # 46.214 %
        ("7s6s", "AdKh", 720_259, 6_530),  # 42.254 %
    ],
)
def test_well_known_duels_end_as_other_evaluators_count_them(
    one: str, two: str, wins: int, ties: int
) -> None:
    result = equity(hands(one, two))
    assert result.win[0] == wins / 1_712_304
    assert result.tie == (ties / 1_712_304,) * 2
    assert result.share[0] == pytest.approx((wins + ties / 2) / 1_712_304)


@pytest.mark.parametrize(
    ("holes", "board"),
    [
        (["AcAd", "KcKd"], "Ks7h2c"),
        (["AhKh", "QsQd", "7c6c"], "Th9h8c"),
        (["AhKh", "AsKs"], "2h3h4s"),
        (["AhKh", "AsKs", "AdKd", "2c7d"], "QcJcTd5s"),
        (["2c3d", "4c5d"], "AsKsQsJsTs"),
    ],
)
def test_with_three_or_more_board_cards_equity_is_exact(holes: list[str], board: str) -> None:
    result = equity(hands(*holes), parse_many(board), limit=0)
    assert result.exact
    expected = by_brute_force(hands(*holes), parse_many(board))
    assert result.share == pytest.approx([float(share) for share in expected], abs=1e-12)
    check_sums(result)


@pytest.mark.parametrize("board", ["Ks", "Ks 7h"])
def test_one_or_two_board_cards_are_allowed(board: str) -> None:
    holes, shown = hands("AcAd", "KcKd"), parse_many(board)
    dead = [card for card in range(40) if card not in shown]  # leaves few boards
    result = equity(holes, shown, dead=dead)
    expected = by_brute_force(holes, shown, dead)
    assert result.share == pytest.approx([float(share) for share in expected], abs=1e-12)


def test_dead_cards_do_not_come() -> None:
    board = parse_many("Ks7h2c3d")
    out = equity(hands("AcAd", "KcKd"), board, dead=parse_many("AhAs"))
    assert out.win == (0.0, 1.0)
    assert out.boards == 42
    assert equity(hands("AcAd", "KcKd"), board).win[0] == 2 / 44


def test_a_board_that_plays_is_split_by_all() -> None:
    result = equity(hands("2c2d", "3c3d", "4c4d"), parse_many("AsKsQsJsTs"))
    assert (result.boards, result.exact) == (1, True)
    assert (result.win, result.tie) == ((0.0,) * 3, (1.0,) * 3)
    assert result.share == pytest.approx((1 / 3,) * 3)


def test_samples_lie_within_five_standard_errors_of_the_exact_equity() -> None:
    for holes in (hands("AcAd", "KcKh"), hands("AhKh", "QsQd", "7c6c"), TEN_HANDS):
        exact = equity(holes)
        sampled = equity(holes, limit=0, samples=50_000, seed=1)
        assert exact.exact
        assert not sampled.exact
        assert sampled.boards == 50_000
        check_sums(sampled)
        for truth, guess, error in zip(exact.share, sampled.share, sampled.error, strict=True):
            assert 0 < error < 0.003
            assert abs(truth - guess) < 5 * error


def test_the_standard_error_is_the_spread_of_independent_runs() -> None:
    holes = hands("AcAd", "KcKh")
    runs = [equity(holes, limit=0, samples=500, seed=seed) for seed in range(200)]
    spread = np.std([run.share[0] for run in runs])
    assert spread == pytest.approx(np.mean([run.error[0] for run in runs]), rel=0.2)


def test_a_seed_repeats_a_sample_and_another_seed_does_not() -> None:
    holes = hands("AcAd", "KcKh")
    first = equity(holes, limit=0, samples=1_000, seed=5)
    assert first == equity(holes, limit=0, samples=1_000, seed=5)
    assert first != equity(holes, limit=0, samples=1_000, seed=6)


def test_boards_are_sampled_only_above_the_limit() -> None:
    holes, boards = TEN_HANDS, comb(32, 5)
    assert equity(holes, limit=boards).exact
    assert not equity(holes, limit=boards - 1).exact


def test_ten_hands_share_the_pot() -> None:
    result = equity(TEN_HANDS)
    assert result.exact
    check_sums(result)
    assert len(result.share) == 10
    on_flop = equity(TEN_HANDS, parse_many("Ks5h2c"))
    expected = by_brute_force(TEN_HANDS, parse_many("Ks5h2c"))
    assert on_flop.share == pytest.approx([float(share) for share in expected], abs=1e-12)


@pytest.mark.parametrize(
    ("holes", "board", "dead", "sentence"),
    [
        ([[0, 1]], [], [], "2 to 10 hands, not 1"),
        ([[2 * i, 2 * i + 1] for i in range(11)], [], [], "2 to 10 hands, not 11"),
        ([[0, 1], [2]], [], [], r"two cards, and \(2,\) has 1"),
        ([[0, 1], [2, 3, 4]], [], [], r"two cards, and \(2, 3, 4\) has 3"),
        ([[0, 1], [2, 3]], [4, 5, 6, 7, 8, 9], [], "at most five cards, not 6"),
        ([[0, 1], [1, 3]], [], [], "card 1 is given twice"),
        ([[0, 1], [2, 3]], [3], [], "card 3 is given twice"),
        ([[0, 1], [2, 3]], [4], [4], "card 4 is given twice"),
        ([[0, 1], [2, 52]], [], [], r"0\.\.51, and 52 does not"),
        ([[0, 1], [2, 3]], [], [-1], r"0\.\.51, and -1 does not"),
        ([[0, 1], [2, 3]], [], list(range(4, 48)), "4 cards are left"),
    ],
)
def test_bad_input_is_refused_with_the_reason(
    holes: list[list[int]], board: list[int], dead: list[int], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        equity(holes, board, dead=dead)


def test_a_single_sample_is_refused_for_want_of_a_standard_error() -> None:
    with pytest.raises(ValueError, match="at least 2 samples, not 1"):
        equity(hands("AcAd", "KcKh"), limit=0, samples=1)
