"""kill -9 at any moment loses nothing that was announced."""

from pathlib import Path

import pytest

from tests.server.crash import check, crash

pytestmark = pytest.mark.serial


def test_a_match_killed_at_five_points_goes_on_and_the_books_balance(tmp_path: Path) -> None:
    check(crash(tmp_path, seed=7, points=5))
