"""Recorded traffic of the original dealer, if present, comes out byte for byte; so do our own."""

from pathlib import Path

import pytest

from tests.wire import replay_acpc
from tests.wire.replay_acpc import CHOICES, WHOLE_CHIPS, compare

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "captures" / "acpc"
GAMES = sorted(RECORDED.glob("*.txt"))
EDGES = sorted(RECORDED.glob("edge/*.txt"))
here = pytest.mark.skipif(not GAMES, reason="the recorded traffic is not here")


@here
def test_recorded_games_come_out_byte_for_byte_with_their_logs() -> None:
    excused: set[str] = set()
    for path in GAMES:
        report = compare(path)
        assert not report.differences, (path.stem, report.differences[:5])
        assert report.states > 1000
        assert report.lines > 40
        excused |= set(report.excused)
    assert excused == {WHOLE_CHIPS}


@here
def test_every_deviation_gets_its_answer_and_every_choice_is_shown() -> None:
    excused = {WHOLE_CHIPS}
    for path in EDGES:
        report = compare(path)
        assert not report.differences, (path.stem, report.differences[:5])
        excused |= set(report.excused)
    assert excused == CHOICES


OWN = """\
# game holdem.nolimit.2p.game  hands 1  seed 7  options []  names Ann|Bob
# dealer exit status 0
   0.1 1 > VERSION:2.0.0\\r\\n
   0.1 2 > VERSION:2.0.0\\n
   0.2 1 < MATCHSTATE:0:0::8dJd|\\r\\n
   0.2 2 < MATCHSTATE:1:0::|Td4d\\r\\n
   0.3 2 > MATCHSTATE:1:0::|Td4d:r1\\r\\n
   0.4 1 < MATCHSTATE:0:0:r200:8dJd|\\r\\n
   0.4 2 < MATCHSTATE:1:0:r200:|Td4d\\r\\n
   0.5 1 > MATCHSTATE:0:0:r200:8dJd|:call\\r\\n
   0.6 1 < MATCHSTATE:0:0:r200c/:8dJd|/As9d6s\\r\\n
   0.6 2 < MATCHSTATE:1:0:r200c/:|Td4d/As9d6s\\r\\n
   0.7 1 > MATCHSTATE:0:0:r200:8dJd|:f\\r\\nMATCHSTATE:0:0:b0200k:8djd|As9d6s:b99999\\n
   0.8 1 < MATCHSTATE:0:0:r200c/r20000:8dJd|/As9d6s\\r\\n
   0.8 2 < MATCHSTATE:1:0:r200c/r20000:|Td4d/As9d6s\\r\\n
   0.9 2 > MATCHSTATE:1:0:r200c/r20000:|Td4d/As9d6s:\\r\\n
   1.0 1 < MATCHSTATE:0:0:r200c/r20000c//:8dJd|Td4d/As9d6s/3d/6c\\r\\n
   1.0 2 < MATCHSTATE:1:0:r200c/r20000c//:8dJd|Td4d/As9d6s/3d/6c\\r\\n
## dealer log file
STATE:0:r200c/r20000c//:8dJd|Td4d/As9d6s/3d/6c:20000|-20000:Ann|Bob
SCORE:20000|-20000:Ann|Bob
"""


def test_a_recording_of_our_own_is_alike_and_one_changed_byte_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.txt"
    path.write_text(OWN)
    report = compare(path)
    assert (report.differences, report.states, report.lines) == ([], 10, 2)
    for old, new in (
        ("|/As9d6s\\r\\n", "|/As9d6c\\r\\n"),
        ("c//:8dJd|Td4d", "c//:8dJd|"),
        ("1.0 2 < MATCHSTATE:1:0:r200c/r20000c//", "1.0 2 < MATCHSTATE:1:0:r200c/r20000c/"),
        ("20000|-20000:Ann", "19999|-19999:Ann"),
    ):
        assert old in OWN
        path.write_text(OWN.replace(old, new, 1))
        assert compare(path).differences, old
    assert replay_acpc.main([str(path)]) == 1
    assert "recorded" in capsys.readouterr().out
