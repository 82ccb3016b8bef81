"""What went wrong first, and the bytes around it."""

from pathlib import Path

import pytest

from croupier.checker.evidence import BROKEN, CONTEXT_LINES, Evidence


class Transcript:
    """A program's transcript that is being written."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "match.log"
        self._path.write_text("")
        self.evidence = Evidence(folder, lambda: None)

    def add(self, *lines: str) -> None:
        with self._path.open("a") as file:
            file.writelines(f"0.001 {line}\n" for line in lines)


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript(tmp_path)


def first(evidence: Evidence) -> tuple[str, str]:
    """Return the first mistake and the last line that is shown of it."""
    mistake = evidence.first_mistake()
    assert mistake is not None
    return mistake.text, evidence.context_of(mistake)[-1]


def test_what_came_first_is_the_first_mistake_whoever_has_seen_it(transcript: Transcript) -> None:
    transcript.add("> b'raise 1'", "# raise below the minimum", "> b'what'")
    transcript.evidence.add("an answer that is no legal decision")
    transcript.add("# folded: no action")
    text, line = first(transcript.evidence)
    assert text.endswith("raise below the minimum")
    assert line == "0.001 # raise below the minimum"


def test_a_mistake_at_the_table_is_shown_with_the_note_on_it(transcript: Transcript) -> None:
    transcript.add(*(f"< b'{number}'" for number in range(20)))
    transcript.evidence.add("no answer in time")
    transcript.add("# timeout 1: folded", "< b'more'")
    assert first(transcript.evidence) == ("no answer in time", "0.001 # timeout 1: folded")
    mistake = transcript.evidence.first_mistake()
    assert len(transcript.evidence.context_of(mistake)) == CONTEXT_LINES


def test_what_comes_out_of_turn_is_excused_as_long_as_it_is_the_tables_doing(
    transcript: Transcript,
) -> None:
    transcript.evidence.excuse()
    transcript.add("# timeout 1: folded", "> b'check'", "# ignored: it is not this player's turn")
    assert transcript.evidence.first_mistake() is None
    transcript.evidence.stop_excusing()
    assert transcript.evidence.first_mistake() is None
    transcript.add("< b'inquire'", "> b'call'", "> b'call'", "# ignored: not its turn")
    text, line = first(transcript.evidence)
    assert text.endswith("ignored: not its turn")
    assert line == "0.001 # ignored: not its turn"


def test_a_correction_is_never_excused(transcript: Transcript) -> None:
    transcript.evidence.excuse()
    transcript.add("# check facing a bet counts as call")
    assert transcript.evidence.first_mistake() is not None


@pytest.mark.parametrize(
    "note",
    [
        "the server was late: 31 ms more",
        "connection lost",
        "cut off: write failed",
        f"cut off: {BROKEN}",
    ],
)
def test_what_the_server_did_itself_is_no_mistake_of_the_program(
    transcript: Transcript, note: str
) -> None:
    transcript.add(f"# {note}")
    assert transcript.evidence.first_mistake() is None


def test_what_is_a_matter_of_time_is_less_than_certain(transcript: Transcript) -> None:
    for note, certain in (
        ("discarded: it came before the question", False),
        ("raise below the minimum counts as the minimum", True),
    ):
        evidence = Transcript(transcript._path.parent)
        evidence.add(f"# {note}")
        mistake = evidence.evidence.first_mistake()
        assert mistake is not None
        assert mistake.certain is certain


def test_transcripts_are_read_in_the_order_in_which_they_were_found(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, lambda: None)
    for name in ("refused-kuhn", "b", "a"):
        (tmp_path / f"{name}.log").write_text(f"0.001 # {name}\n")
        evidence.find_transcripts()
    assert [line[-1] for line in evidence.lines()] == ["b", "a", "n"]


def test_only_what_the_program_sent_counts_as_a_message(transcript: Transcript) -> None:
    transcript.add("< b'inquire'", "> b'call > '", "# > odd", "> b'fold'")
    assert transcript.evidence.messages() == 2
