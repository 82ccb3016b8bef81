"""The accounts of a match: what a player won, hand by hand."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.match.chance import chance_of
from croupier.match.match import HAND, OVER, Match
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN, TREND
from croupier.server.table.books import MatchBooks
from tests.match.matches import all_in, checks

SEED = bytes(range(32))
SETS = [PLAIN, HUAWEI, TREND.with_fields({"countdown_s": 0})]


def booked(rules: Rules, seed: int) -> tuple[Match, MatchBooks, MatchBooks]:
    """Play a match; return it with books that followed it, and books made from its record."""
    dealt = chance_of(SEED, 1, 12, 3)
    match = Match(rules.with_fields({"hands": 12}), 3, dealt)
    books, replayed = MatchBooks(match, dealt), MatchBooks(match, dealt)
    chance = Random(seed)
    for player in range(3):
        match.never_reloads(player)
        match.join(f"p{player}", 0.0)
    while match.phase is not OVER:
        while match.phase is HAND:
            match.decide(match.asked, chance.choice((checks, checks, all_in))(match), 0.0)
        books.hand_over()
        for _ in range(2):  # a record that is no hand repeats the state
            replayed.replay(match.state())
        match.recorded(0.0)
    return match, books, replayed


@pytest.mark.parametrize("rules", SETS, ids=lambda rules: rules.name)
@given(st.integers(0, 2**32))
def test_books_made_from_the_record_are_those_that_followed_the_match(
    rules: Rules, seed: int
) -> None:
    _, books, replayed = booked(rules, seed)
    assert replayed.played() == books.played()


@pytest.mark.parametrize("rules", SETS, ids=lambda rules: rules.name)
@given(st.integers(0, 2**32))
def test_what_some_win_others_lose_whatever_chips_they_buy(rules: Rules, seed: int) -> None:
    match, books, _ = booked(rules, seed)
    played = books.played()
    assert sum(player.chips for player in played.players) == 0
    assert played.hands == match.played


@given(st.integers(0, 2**32))
def test_groups_of_deals_have_all_that_a_player_won(seed: int) -> None:
    _, books, _ = booked(PLAIN, seed)
    for player in books.players:
        assert sum(player.groups) == pytest.approx(player.bb)
        assert sum(won * won for won in player.groups) == pytest.approx(player.bb2)
