"""What Croupier writes beside its cards can be read by its owner alone, whatever the umask."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.private_files import exposed, make_file, make_folder, opener
from croupier.server.net.transcript import Transcript


@pytest.fixture(params=[0o000, 0o022, 0o277], autouse=True, ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_is_private_and_an_existing_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    make_file(path)
    assert mode(path) == 0o600
    path.chmod(0o640)
    make_file(path)
    with open(path, "a", opener=opener) as file:
        file.write("more")
    assert mode(path) == 0o640
    assert exposed(path)


def test_a_file_that_open_makes_is_private(tmp_path: Path) -> None:
    with open(tmp_path / "file", "ab", opener=opener) as file:
        file.write(b"secret")
    assert mode(tmp_path / "file") == 0o600
    assert not exposed(tmp_path / "file")


def test_folders_that_are_made_are_private_and_others_stay_as_they_are(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert mode(tmp_path / "a") == mode(tmp_path / "a" / "b") == 0o700
    assert mode(tmp_path) == 0o755


def test_a_file_in_the_place_of_a_folder_is_reported(tmp_path: Path) -> None:
    make_file(tmp_path / "a")
    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "a")


def test_what_does_not_exist_is_not_exposed(tmp_path: Path) -> None:
    assert not exposed(tmp_path / "nothing")


def test_transcripts_are_private(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "transcripts")
    transcript.name("match")
    transcript.close()
    assert mode(tmp_path / "transcripts") == 0o700
    assert mode(tmp_path / "transcripts" / "match.log") == 0o600
