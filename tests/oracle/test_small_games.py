"""Kuhn with three players and Leduc: all positions of all deals, by simple arithmetic."""

from collections.abc import Sequence
from itertools import islice

import pytest

from croupier.cards import join, parse_many
from croupier.rules import rules as r
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from tests.oracle.trees import deals, lines

ONE_CARD = {"game": r.CUSTOM, "hole_cards": 1, "ante": 1, "small_blind": 0, "big_blind": 1}
KUHN_OF_THREE = Rules().with_fields(
    ONE_CARD
    | {"ranks": 4, "suits": 1, "streets": [0], "max_seats": 3, "stack": 10, "ante_only": True}
    | {"fixed_bet": 1, "raise_cap": 1, "free_fold": False}
)
LEDUC = Rules().with_fields(
    ONE_CARD
    | {"ranks": 3, "suits": 2, "streets": [0, 1], "max_seats": 2, "stack": 100, "ante_only": True}
    | {"fixed_bet": [2, 4], "raise_cap": [2, 2], "free_fold": False}
)


def naive_net(line: str, cards: Sequence[int], seats: int, bets: Sequence[int]) -> list[int]:
    """Return what each seat wins or loses at the end of a line, for games of one hole card."""
    put, folded = [1] * seats, [False] * seats
    for street, actions in enumerate(line.split("/")):
        bet, mine, seat = 0, [0] * seats, -1
        for action in actions:
            seat = (seat + 1) % seats
            while folded[seat]:
                seat = (seat + 1) % seats
            if action == "f":
                folded[seat] = True
            else:
                bet += bets[street] if action == "r" else 0
                mine[seat] = bet
        put = [a + b for a, b in zip(put, mine, strict=True)]
    board = [card >> 2 for card in cards[seats:]] if "/" in line else []
    live = [seat for seat in range(seats) if not folded[seat]]
    strength = {seat: (cards[seat] >> 2 in board, cards[seat] >> 2) for seat in live}
    winners = [seat for seat in live if strength[seat] == max(strength.values())]
    shares = [sum(put) / len(winners) if seat in winners else 0 for seat in range(seats)]
    return [int(share - chips) for share, chips in zip(shares, put, strict=True)]


def net(hand: Hand) -> list[int]:
    return [stack - hand.rules.stack for stack in hand.stacks]


@pytest.mark.parametrize(
    ("rules", "seats", "information_sets", "endings"),
    [(KUHN_OF_THREE, 3, 48, 13), (LEDUC, 2, 936, 4 + 5 * 9)],
    ids=["kuhn", "leduc"],
)
def test_every_ending_of_every_deal_pays_what_arithmetic_says(
    rules: Rules, seats: int, information_sets: int, endings: int
) -> None:
    known: set[tuple[str, str, str]] = set()
    for cards in deals(rules, seats):
        ended = 0
        for line, hand in lines(rules, cards, seats):
            if hand.over:
                ended += 1
                assert net(hand) == naive_net(line, cards, seats, rules.fixed_bets), (line, cards)
            else:
                known.add((join(hand.hole[hand.actor]), join(hand.board), line))
        assert ended == endings
    assert len(known) == information_sets  # as published for both games


def test_the_decks_are_the_highest_ranks_of_the_last_suits() -> None:
    assert join(KUHN_OF_THREE.deck) == "JsQsKsAs"
    assert join(LEDUC.deck) == "QhQsKhKsAhAs"


def test_a_pair_with_the_board_beats_an_ace_and_equal_ranks_split() -> None:
    queens = dict(islice(lines(LEDUC, tuple(parse_many("QhAsQs")), 2), 1000))
    assert net(queens["rc/rc"]) == [7, -7]
    level = dict(islice(lines(LEDUC, tuple(parse_many("AhAsQs")), 2), 1000))
    assert net(level["rc/rc"]) == [0, 0]
