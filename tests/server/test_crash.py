"""kill -9 at any moment loses nothing that was announced."""

from tests.server.crash import check, crash


def test_a_match_killed_at_five_points_goes_on_and_the_books_balance(store: str) -> None:
    check(crash(store, seed=7, points=5))
