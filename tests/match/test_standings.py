"""Who is where in the end."""

from dataclasses import dataclass

from croupier.match.standings import standings
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN, TREND


@dataclass
class Books:
    hands: int
    chips: int
    reloads: int = 0
    out: str = ""


def ranks(*books: tuple[int, ...], rules: Rules = PLAIN) -> list[tuple[int, int]]:
    rows = standings([Books(row[0], row[1], sum(row[2:])) for row in books], rules)
    return [(rank, player) for rank, player, _, _ in rows]


def test_stacks_that_were_not_bought_count_in_the_ranking() -> None:
    assert ranks((5, 2990, 2), (5, 1010, 0), rules=TREND) == [(1, 1), (2, 0)]


def test_ties_share_a_rank_and_the_next_one_is_left_out() -> None:
    assert ranks((5, 100), (5, 300), (5, 100), (5, 50)) == [(1, 1), (2, 0), (2, 2), (4, 3)]


def test_hands_survived_come_before_chips() -> None:
    assert ranks((3, 900), (5, 0), (4, 10)) == [(1, 1), (2, 2), (3, 0)]


def test_the_same_chips_after_different_numbers_of_hands_are_no_tie() -> None:
    assert ranks((3, 0), (5, 0), (3, 0)) == [(1, 1), (2, 0), (2, 2)]
