"""Teams' files on other machines: the same bytes, and readable where programs run."""

import os
from pathlib import Path

import pytest

from croupier.running.bundles import Bundle, BundleError, bundle_of, unpack
from croupier.running.contest_reader import read_contest
from tests.support.contests import CUP, house_teams, program, stage


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """The bundle of a program in a folder of its own, with a file beside it."""
    (tmp_path / "mine" / "data").mkdir(parents=True)
    (tmp_path / "mine" / "data" / "table.txt").write_text("1 2 3")
    bot = tmp_path / "mine" / "bot"
    bot.write_text("#!/bin/sh\n")
    for path, mode in ((bot, 0o700), (tmp_path / "mine" / "data" / "table.txt", 0o600)):
        path.chmod(mode)
    text = CUP + program("Pro", "mine/bot {host} {port}") + house_teams(1) + stage("round-robin")
    return bundle_of(read_contest(text, tmp_path))


def test_a_program_with_a_user_of_its_own_can_read_its_files(
    bundle: Bundle, tmp_path: Path
) -> None:
    """As root, a box runs each program as another user."""
    there = tmp_path / "there"
    before = os.umask(0o077)
    try:
        unpack(bundle, there)
    finally:
        os.umask(before)
    modes = {str(path.relative_to(there)): path.stat().st_mode & 0o777 for path in there.rglob("*")}
    assert modes == {
        "mine": 0o755,
        "mine/bot": 0o755,
        "mine/data": 0o755,
        "mine/data/table.txt": 0o644,
    }
    assert there.stat().st_mode & 0o077 == 0, "and nobody else gets there"


def test_a_bundle_that_was_altered_is_not_unpacked(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="damaged on its way"):
        unpack(Bundle(bundle.name, bundle.data + b"x"), tmp_path / "there")
    assert not (tmp_path / "there").exists()
