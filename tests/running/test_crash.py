"""A contest is the same on any number of workers, and after any kill -9."""

from pathlib import Path

import pytest

from tests.running.crash import check, crash, play
from tests.support import postgres
from tests.support.contests import ContestFolder

SEED = 39
"""With it each of them is killed at least once."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> ContestFolder:
    return play(tmp_path_factory.mktemp("undisturbed"), workers=1)


def test_two_workers_play_what_one_plays(undisturbed: ContestFolder, tmp_path: Path) -> None:
    check(play(tmp_path, workers=2), undisturbed)


def test_a_contest_killed_at_five_points_comes_out_the_same_and_leaves_no_process(
    undisturbed: ContestFolder, tmp_path: Path
) -> None:
    check(crash(tmp_path, SEED, 5, "coordinator worker child"), undisturbed)


def test_a_contest_in_postgresql_killed_at_two_points_comes_out_the_same(
    undisturbed: ContestFolder, tmp_path: Path, postgres_server: postgres.Cluster
) -> None:
    store = postgres_server.fresh()
    check(crash(tmp_path, 7, 2, "coordinator", store), undisturbed)
