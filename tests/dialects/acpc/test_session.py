"""What the server's side hears: versions, answers, corrections, and everything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.dialects.acpc.session import NO_STATE, NOT_THE_STATE, AcpcSession
from croupier.dialects.acpc.words import MAX_LINE
from croupier.dialects.base import Answer, Illegal
from croupier.dialects.session import Answered, Expected, Hello, Said, Stray, Wrong
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import ACPC_LIMIT, ACPC_NOLIMIT
from croupier.rules.view import View
from tests.support.situations import FakeSeat

QUESTION = b"MATCHSTATE:1:7::|Td4d\r\n"


def asked(
    rules: Rules = ACPC_NOLIMIT, *decisions: Decision, question: bytes = QUESTION
) -> FakeSeat:
    """Return the situation of a player who is asked after these decisions."""
    hand = Hand(rules, [rules.stack] * 2, list(range(9)))
    for decision in decisions:
        hand.act(decision)
    view = View(rules)
    for event in hand.events:
        view.see(event)
    return FakeSeat(expected=Expected.ANSWER, in_hand=True, view=view, question=question)


def greeted(**options: object) -> AcpcSession:
    session = AcpcSession(**options)  # type: ignore[arg-type]
    (hello,) = session.receive(b"VERSION:2.0.0\r\n", FakeSeat(seated=False))
    assert isinstance(hello, Hello)
    return session


def heard(data: bytes, seat: FakeSeat | None = None, **options: object) -> list[Said]:
    return list(greeted(**options).receive(data, seat or asked()))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"VERSION:2.0.0\r\n", "player"),
        (b"VERSION:2.0.0\n", "player"),
        (b"VERSION:2.1.7\n", "player"),
        (b"VERSION: 2.0.0\r\n", "player"),
        (b"VERSION:2.0.0 some bot\r\n", "some bot"),
    ],
)
def test_versions_that_play(line: bytes, name: str) -> None:
    (hello,) = AcpcSession().receive(line, FakeSeat(seated=False))
    assert isinstance(hello, Hello)
    assert hello.place.name == name


@pytest.mark.parametrize(
    "line",
    [b"VERSION:1.0.0\n", b"VERSION:3.0.0\n", b"version:2.0.0\n", b"VERSION:2.0\n", b"\r\n", b"#\n"],
)
def test_first_lines_that_close_the_connection(line: bytes) -> None:
    (wrong,) = AcpcSession().receive(line, FakeSeat(seated=False))
    assert isinstance(wrong, Wrong)


@pytest.mark.parametrize(
    ("state", "action", "decision", "corrected"),
    [
        ("1:7::|Td4d", ":c", CALL, False),
        ("1:7::|Td4d", ":call", CALL, False),
        ("01:007:/:AsAh|td4d", ":K", CALL, False),
        ("1:7::|Td4d", ":f", FOLD, False),
        ("1:7::|Td4d", ":r300", raise_to(300), False),
        ("1:7::|Td4d", ":B +300x", raise_to(300), False),
        ("1:7::|Td4d", ":r101", raise_to(200), True),
        ("1:7::|Td4d", ":r-5", raise_to(200), True),
        ("1:7::|Td4d", ":r" + "9" * 3000, raise_to(20_000), True),
        ("1:7::|Td4d", ":r", CALL, True),
        ("1:7::|Td4d", ":x", CALL, True),
        ("1:7::|Td4d", ":", CALL, True),
        ("1:7::|Td4d", "", CALL, True),
        ("1:7::|Td4d", ":c\0garbage", CALL, False),
    ],
)
def test_an_answer_becomes_a_decision(
    state: str, action: str, decision: Decision, corrected: bool
) -> None:
    line = f"MATCHSTATE:{state}{action}\r\n".encode()
    (said,) = heard(line)
    assert isinstance(said, Answered)
    assert isinstance(said.answer, Answer)
    assert said.answer.decision == decision
    assert bool(said.answer.correction) == corrected
    (strict,) = heard(line, strict=True)
    assert isinstance(strict, Answered)
    assert isinstance(strict.answer, Illegal) == corrected


def test_a_size_is_the_total_of_the_whole_hand() -> None:
    seat = asked(
        ACPC_NOLIMIT, raise_to(500), CALL, question=b"MATCHSTATE:0:0:r500c/:8dJd|/2s3s4s\r\n"
    )
    (said,) = heard(b"MATCHSTATE:0:0:r500c/:8dJd|/2s3s4s:r700\n", seat)
    assert said == Answered(Answer(raise_to(200)))


def test_limits_fix_the_raise_and_its_cap_makes_it_a_call() -> None:
    state = b"MATCHSTATE:1:7::|Td4d:r999\n"
    assert heard(state, asked(ACPC_LIMIT)) == [Answered(Answer(raise_to(20)))]
    capped = asked(ACPC_LIMIT, raise_to(20), raise_to(30), raise_to(40))
    (said,) = heard(state, capped)
    assert isinstance(said, Answered)
    assert isinstance(said.answer, Answer)
    assert said.answer.decision == CALL


@pytest.mark.parametrize(
    "line",
    [
        "MATCHSTATE:0:7::|Td4d:c",
        "MATCHSTATE:1:8::|Td4d:c",
        "MATCHSTATE:1:7:c:|Td4d:c",
        "MATCHSTATE:1:7::|2c2d:c",
        "MATCHSTATE:1:7::||Td4d:c",
        "matchstate:1:7::|Td4d:c",
        "STATE:1:7::|Td4d:c",
        "\0MATCHSTATE:1:7::|Td4d:c",
        "MATCHSTATE:-1:7::|Td4d:c",
        "MATCHSTATE:1:7:x:|Td4d:c",
        "MATCHSTATE:99:7::|Td4d:c",
        "MATCHSTATE",
        "c",
        "",
        "# MATCHSTATE:1:7::|Td4d:c",
    ],
)
def test_other_lines_are_skipped_and_the_question_stays_open(line: str) -> None:
    first, second = heard(f"{line}\r\n{QUESTION.decode().strip()}:c\n".encode())
    assert isinstance(first, Stray)
    assert second == Answered(Answer(CALL))


def test_a_line_without_a_state_is_told_apart_from_an_answer_to_another_state() -> None:
    assert heard(b"c\r\n") == [Stray(NO_STATE)]
    assert heard(QUESTION.replace(b":7:", b":8:").strip() + b":c\r\n") == [Stray(NOT_THE_STATE)]


def test_what_nobody_asked_for_is_skipped() -> None:
    (said,) = heard(QUESTION.strip() + b":c\n", FakeSeat())
    assert isinstance(said, Stray)


@given(st.lists(st.binary(max_size=40) | st.just(QUESTION.strip() + b":c\r\n"), max_size=20))
def test_any_cutting_of_any_bytes_says_the_same(pieces: list[bytes]) -> None:
    whole, cut = greeted(), greeted()
    seat = asked()
    once = list(whole.receive(b"".join(pieces), seat))
    assert once == [said for piece in pieces for said in cut.receive(piece, seat)]


def test_an_endless_line_is_dropped_to_its_end_and_never_kept() -> None:
    session, seat = greeted(), asked()
    for _ in range(100):
        assert list(session.receive(b"x" * 1000, seat)) == []
    assert not session.partial or len(session._reader._unread) < MAX_LINE
    assert list(session.receive(b"\n" + QUESTION.strip() + b":c\n", seat)) == [
        Answered(Answer(CALL))
    ]
