"""Transcripts: what cannot be written costs nobody his seat."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from croupier.server.net.transcript import Transcript


def full_disk(folder: Path, name: str) -> None:
    """Let a transcript of this name be on a disk that is full."""
    (folder / f"{name}.log").symlink_to("/dev/full")


def test_what_was_said_before_the_seat_is_in_the_transcript_too(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "new")
    transcript.add(">", b"reg: 1 a")
    transcript.name("match", "1", "a")
    transcript.add("#", "folded")
    transcript.close()
    lines = (tmp_path / "new" / "match-1-a.log").read_text().splitlines()
    assert [line.partition(" ")[2] for line in lines] == ["> b'reg: 1 a'", "# folded"]


def test_a_second_seat_has_a_transcript_of_its_own(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path)
    for name in ("first", "second"):
        transcript.name(name)
        transcript.add("#", name)
    transcript.close()
    for name in ("first", "second"):
        assert (tmp_path / f"{name}.log").read_text().endswith(f"# {name}\n")


def test_a_text_that_is_no_utf_8_is_written_all_the_same(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path)
    transcript.name("x")
    transcript.add("#", "a \ud800 name")
    transcript.close()
    assert (tmp_path / "x.log").read_text().endswith("# a \\ud800 name\n")


def test_a_full_disk_is_said_once_and_the_player_plays_on(tmp_path: Path) -> None:
    full_disk(tmp_path, "x")
    transcript = Transcript(tmp_path)
    transcript.name("x")
    with capture_logs() as logs:
        for _ in range(3):
            transcript.add("<", b"message" * 100_000)
        transcript.flush()
        transcript.close()
    assert [(entry["file"], entry["reason"]) for entry in logs] == [
        (str(tmp_path / "x.log"), "No space left on device")
    ]


@pytest.mark.parametrize("end", [Transcript.flush, Transcript.close])
def test_a_disk_that_is_found_full_at_the_end_is_said_once(tmp_path: Path, end: object) -> None:
    full_disk(tmp_path, "x")
    transcript = Transcript(tmp_path)
    transcript.name("x")
    transcript.add("<", b"message")
    with capture_logs() as logs:
        assert callable(end)
        end(transcript)
        transcript.close()
    assert len(logs) == 1


def test_a_disk_that_is_found_full_at_the_next_seat_is_said_once(tmp_path: Path) -> None:
    full_disk(tmp_path, "first")
    transcript = Transcript(tmp_path)
    transcript.name("first")
    transcript.add("<", b"message")
    with capture_logs() as logs:
        transcript.name("second")
        transcript.close()
    assert len(logs) == 1


def test_a_folder_that_cannot_be_made_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    transcript = Transcript(tmp_path / "file" / "folder")
    with capture_logs() as logs:
        transcript.add(">", b"hello")
        transcript.name("x")
        transcript.name("y")
        transcript.add(">", b"hello")
        transcript.close()
    assert [entry["reason"] for entry in logs] == ["Not a directory"]
