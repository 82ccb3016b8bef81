"""A store can be read by its owner alone."""

import os
import stat
from pathlib import Path

import pytest

from croupier.store.kinds import StoreError
from croupier.store.schema import check_private, open_store, writing


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077], ids=oct)
def test_a_new_store_and_the_files_beside_it_are_private(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        engine = open_store(str(tmp_path / "store.db"))
        with writing(engine):
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        engine.dispose()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("store.db", "store.db-wal", "store.db-shm"), 0o600)
    check_private(str(tmp_path / "store.db"))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620], ids=oct)
def test_a_store_that_others_can_open_is_refused_with_the_command_that_mends_it(
    tmp_path: Path, mode: int
) -> None:
    path = tmp_path / "the store.db"
    open_store(str(path)).dispose()
    path.chmod(mode)
    with pytest.raises(StoreError) as refused:
        check_private(f"sqlite:///{path}")
    command = str(refused.value).partition("with: ")[2]
    assert os.system(command) == 0
    check_private(str(path))


def test_a_log_of_the_store_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    engine = open_store(str(path))
    (tmp_path / "store.db-wal").chmod(0o644)
    with pytest.raises(StoreError, match=r"store\.db-wal$"):
        check_private(str(path))
    engine.dispose()


@pytest.mark.parametrize("store", [":memory:", "new.db", "sqlite://", "no://store at all"])
def test_a_store_without_a_file_has_nothing_to_read(store: str) -> None:
    check_private(store)


def test_a_store_that_is_to_be_published_follows_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        open_store(str(tmp_path / "store.db"), private=False).dispose()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "store.db").stat().st_mode) == 0o644
