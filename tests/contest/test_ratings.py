"""Ratings: from who beat whom."""

from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.ratings import Game, Rating, RatingBook, ratings

GAMES = st.lists(
    st.permutations("ABCDE").flatmap(
        lambda order: st.lists(st.integers(0, 2), min_size=2, max_size=4).map(
            lambda places: tuple(zip(order, places, strict=False))
        )
    ),
    max_size=30,
)


def test_a_newcomer_is_shown_with_nothing_and_its_uncertainty() -> None:
    newcomer = ratings("A", [])["A"]
    assert newcomer == Rating()
    assert newcomer.shown == 0
    assert str(newcomer) == "1000 ± 1000"


def test_who_wins_is_stronger_and_every_game_makes_it_surer() -> None:
    known = ratings("AB", [(("A", 0), ("B", 1))])
    assert known["A"].mu > 25 > known["B"].mu
    assert known["A"].sigma < 25 / 3
    assert known["A"].shown > known["B"].shown


def test_a_tie_between_equals_changes_nothing_but_the_uncertainty() -> None:
    known = ratings("AB", [(("A", 0), ("B", 0))])
    assert known["A"].mu == known["B"].mu == 25
    assert known["A"].sigma < 25 / 3


def test_at_a_table_strength_follows_the_places() -> None:
    known = ratings("ABCD", [(("C", 0), ("A", 1), ("D", 2), ("B", 3))])
    assert sorted(known, key=lambda team: -known[team].mu) == ["C", "A", "D", "B"]


@given(GAMES, GAMES, GAMES)
def test_what_is_remembered_never_changes_the_answer(
    first: list[Game], one: list[Game], other: list[Game]
) -> None:
    book = RatingBook()
    book.STEP = 4
    for games in (first, first + one, first + other, first, first + one + other):
        assert book.after(games) == RatingBook().after(games)
