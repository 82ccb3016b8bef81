"""Recorded traffic of the original server, if present, comes out of our speaker byte for byte."""

import re
from pathlib import Path

import pytest

from tests.wire import replay_huawei
from tests.wire.replay_huawei import (
    EXACT_ALL_IN,
    NO_NOTIFY_WITH_BETS,
    OVERFLOWN_RAISE,
    RIVER_NOTIFY,
    SIDE_POTS,
    Recorded,
    Report,
    compare,
    compare_seats,
)

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "captures" / "huawei"
FOLDERS = sorted(path for path in RECORDED.glob("*") if (path / "replay.txt").is_file())
NAMED_CHOICES = {
    EXACT_ALL_IN,
    OVERFLOWN_RAISE,
    SIDE_POTS,
    RIVER_NOTIFY,
    NO_NOTIFY_WITH_BETS,
}
PAGE = Path(__file__).resolve().parents[2] / "docs" / "protocols" / "huawei.md"


@pytest.mark.skipif(not FOLDERS, reason="the recorded traffic of the original server is not here")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_recorded_games_come_out_byte_for_byte(folder: Path) -> None:
    report = compare(folder)
    assert not report.differences, "\n".join(report.differences)
    assert report.hands
    assert report.messages > 10 * sum(report.excused.values())
    assert set(report.excused) <= NAMED_CHOICES


def test_every_excuse_is_a_named_choice_of_the_protocol_page() -> None:
    page = " ".join(PAGE.read_text("utf-8").split())
    for choice in NAMED_CHOICES:
        assert choice in page


# A recording of our own: two players, one hand that ends on the flop.

LOG = """
-1>
game(id=own) new hand 1 start...
-2>
seat/ \nbutton: 2 500 0 \nsmall blind: 1 500 0 \n/seat \n
-3>
player 1 action blind
-4>
player 1 bet 10 rest 490
-5>
player 1:hold/ \nHEARTS A \nHEARTS K \n/hold \n
-6>
player 2:hold/ \nSPADES 10 \nCLUBS 10 \n/hold \n
-7>
player 2 action call
-8>
player 2 bet 10 rest 490
-9>
player 1 action check
-10>
player 1 bet 10 rest 490
-11>
flop/ \nSPADES 2 \nHEARTS 3 \nCLUBS 4 \n/flop \n
-12>
player 1 action raise
-13>
player 1 bet 30 rest 470
-14>
player 2 action fold
-15>
player 2 bet 10 rest 490
"""

COMMON = [
    b"seat/ \nbutton: 2 500 0 \nsmall blind: 1 500 0 \n/seat \n",
    b"blind/ \n1: 10 \n/blind \n",
]
FLOP = b"flop/ \nSPADES 2 \nHEARTS 3 \nCLUBS 4 \n/flop \n"
END = [b"pot-win/ \n1: 40 \n/pot-win \n", b"game-over \n"]
TO_1 = [
    *COMMON,
    b"hold/ \nHEARTS A \nHEARTS K \n/hold \n",
    b"inquire/ \n2 490 0 10 call \n1 490 0 10 blind \ntotal pot: 20 \n/inquire \n",
    FLOP,
    b"inquire/ \n2 490 0 10 call \n1 490 0 10 check \ntotal pot: 20 \n/inquire \n",
    b"notify/ \n2 490 0 10 fold \n1 470 0 30 raise \ntotal pot: 40 \n/notify \n",
    *END,
]
TO_2 = [
    *COMMON,
    b"hold/ \nSPADES 10 \nCLUBS 10 \n/hold \n",
    b"inquire/ \n1 490 0 10 blind \ntotal pot: 10 \n/inquire \n",
    FLOP,
    b"inquire/ \n1 470 0 30 raise \n2 490 0 10 call \ntotal pot: 40 \n/inquire \n",
    *END,
]


def record(folder: Path, log: str, to_1: list[bytes], to_2: list[bytes]) -> Report:
    """Write a recording as the original's recorder did, and replay it."""
    (folder / "replay.txt").write_text(log, "ascii")
    for pid, registration, sent in (
        ("1", b"reg: 1 a need_notify \n", to_1),
        ("2", b"reg: 2 b", to_2),
    ):
        lines = [f"0.001 > {registration!r}", *(f"0.002 < {message!r}" for message in sent)]
        (folder / f"p{pid}.events").write_text("\n".join([*lines, "0.003 EOF"]) + "\n", "ascii")
    return compare(folder)


def test_a_recording_that_is_alike_has_no_difference(tmp_path: Path) -> None:
    report = record(tmp_path, LOG, TO_1, TO_2)
    assert report.differences == []
    assert not report.excused
    assert (report.hands, report.messages) == (1, 15)


@pytest.mark.parametrize("place", range(len(TO_1) - 1))
def test_one_changed_byte_is_found_and_named(tmp_path: Path, place: int) -> None:
    changed = [*TO_1]
    changed[place] = re.sub(rb"(\d) \n", rb"\g<1>7 \n", changed[place], count=1)
    if changed == TO_1:
        changed[place] = changed[place].replace(b" A \n", b" Q \n", 1)
    assert changed != TO_1
    report = record(tmp_path, LOG, changed, TO_2)
    [difference] = report.differences
    assert f"hand 1, message {place + 1} to 1:" in difference
    assert not report.excused


def test_a_missing_and_a_further_message_are_found(tmp_path: Path) -> None:
    assert record(tmp_path, LOG, TO_1[:4] + TO_1[5:], TO_2).differences
    further = [*TO_1[:-1], TO_1[-3], TO_1[-1]]
    assert record(tmp_path, LOG, further, TO_2).differences


def test_a_pot_paid_to_the_wrong_player_is_not_excused(tmp_path: Path) -> None:
    wrong = [*TO_2[:-2], b"pot-win/ \n2: 40 \n/pot-win \n", TO_2[-1]]
    report = record(tmp_path, LOG, TO_1, wrong)
    assert report.differences
    assert not report.excused


def test_the_next_hand_has_the_seats_and_chips_that_our_books_make_of_the_last_one() -> None:
    ended = Recorded(
        [("1", 500, 900), ("2", 500, 900), ("3", 500, 0)],
        actions=[("1", "blind", 10), ("2", "blind", 20)],
        scores={"1": (1481, 900), "2": (19, 900), "3": (0, 0)},
    )
    topped_up_and_out = Recorded([("2", 500, 419), ("1", 1481, 900)])
    assert not list(compare_seats([ended, topped_up_and_out], set()))
    for wrong in (
        [("1", 1481, 900), ("2", 500, 419)],
        [("2", 519, 400), ("1", 1481, 900)],
        [("2", 500, 419), ("3", 0, 0), ("1", 1481, 900)],
        [("2", 500, 419)],
    ):
        assert list(compare_seats([ended, Recorded(wrong)], set())), wrong
    assert not list(compare_seats([ended, Recorded([("2", 500, 419)])], {"1"}))


# The same hand, but checked to the end: the last actor is the button.

RIVER_LOG = LOG.partition("-12>")[0] + "".join(
    f"""{cards}
-1>
player 1 action check
-2>
player 1 bet 10 rest 490
-3>
player 2 action check
-4>
player 2 bet 10 rest 490
"""
    for cards in ("", "turn/ \nHEARTS 5 \n/turn \n", "river/ \nHEARTS 7 \n/river \n")
)
RIVER_END = [
    b"showdown/ \ncommon/ \nSPADES 2 \nHEARTS 3 \nCLUBS 4 \nHEARTS 5 \nHEARTS 7 \n/common \n"
    b"1: 1 HEARTS A HEARTS K FLUSH \n2: 2 SPADES 10 CLUBS 10 ONE_PAIR \n/showdown \n",
    b"pot-win/ \n1: 20 \n/pot-win \n",
    b"game-over \n",
]
QUESTION_1 = b"inquire/ \n2 490 0 10 %s \n1 490 0 10 check \ntotal pot: 20 \n/inquire \n"
QUESTION_2 = b"inquire/ \n1 490 0 10 check \n2 490 0 10 %s \ntotal pot: 20 \n/inquire \n"
TURN, RIVER = b"turn/ \nHEARTS 5 \n/turn \n", b"river/ \nHEARTS 7 \n/river \n"
NOTIFY = b"notify/ \n2 490 0 10 check \n1 490 0 10 check \ntotal pot: 20 \n/notify \n"
RIVER_TO_1 = [
    *(*TO_1[:5], QUESTION_1 % b"call", TURN, QUESTION_1 % b"check", RIVER, QUESTION_1 % b"check"),
    *(NOTIFY, *RIVER_END),
]
RIVER_TO_2 = [
    *(*TO_2[:5], QUESTION_2 % b"call", TURN, QUESTION_2 % b"check", RIVER, QUESTION_2 % b"check"),
    *RIVER_END,
]


def test_a_notify_at_the_end_of_the_river_may_be_missing_and_is_then_excused_by_name(
    tmp_path: Path,
) -> None:
    report = record(tmp_path, RIVER_LOG, RIVER_TO_1, RIVER_TO_2)
    assert report.differences == []
    assert not report.excused
    without = [message for message in RIVER_TO_1 if message != NOTIFY]
    report = record(tmp_path, RIVER_LOG, without, RIVER_TO_2)
    assert report.differences == []
    assert report.excused == {RIVER_NOTIFY: 1}
    wrong = [message.replace(b"total pot: 20", b"total pot: 21") for message in RIVER_TO_1]
    assert record(tmp_path, RIVER_LOG, wrong, RIVER_TO_2).differences


def test_the_command_line_says_what_differs_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(tmp_path, LOG, TO_1, TO_2)
    assert replay_huawei.main([str(tmp_path)]) == 0
    assert "1 hands, 15 messages alike" in capsys.readouterr().out
    record(tmp_path, LOG, TO_1[:4] + TO_1[5:], TO_2)
    assert replay_huawei.main([str(tmp_path)]) == 1
    assert "message 5 to 1" in capsys.readouterr().out
    assert replay_huawei.main([]) == 2
