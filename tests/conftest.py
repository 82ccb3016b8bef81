"""What holds for all tests: how many examples hypothesis tries, and which tests run alone."""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support import postgres

# Other tests run at the same time, so nothing is learned from how long an example takes.
settings.register_profile(
    "quick", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# The same examples each time: whoever did not touch the code does not see it fail.
settings.register_profile(
    "ci", settings.get_profile("quick"), derandomize=True, database=None, print_blob=True
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=1000)

settings.load_profile("ci" if os.environ.get("CI") else "quick")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Cluster]:
    """A PostgreSQL server for all tests of this process."""
    if postgres.binaries() is None:
        pytest.skip(postgres.WHY_NOT)
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed (pip install 'croupier[postgres]')")
    with postgres.shared_cluster() as cluster:
        yield cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, of each kind in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    server: postgres.Cluster = request.getfixturevalue("postgres_server")
    return server.fresh()
