"""What the player's side of `huawei` makes of what a server says."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import parse
from croupier.dialects.huawei.player import HuaweiPlayer
from croupier.dialects.player_side import (
    Failed,
    HandOver,
    MatchOver,
    Question,
    Reconnect,
    Step,
    WireError,
)
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.events import Acted

SEAT = (
    b"seat/ \nbutton: 3 2000 8000 \nsmall blind: 1 2000 8000 \nbig blind: 2 2000 8000 \n"
    b"4 2000 8000 \n/seat \n"
)
BLIND = b"blind/ \n1: 50 \n2: 100 \n/blind \n"
HOLD = b"hold/ \nSPADES 10 \nHEARTS A \n/hold \n"
FIRST = b"inquire/ \n2 1900 8000 100 blind \n1 1950 8000 50 blind \ntotal pot: 150 \n/inquire \n"
FLOP = b"flop/ \nSPADES 2 \nHEARTS 3 \nCLUBS 4 \n/flop \n"
OPENING = SEAT + BLIND + HOLD


def player(pid: int = 4) -> HuaweiPlayer:
    side = HuaweiPlayer(pid, "kobe")
    side.hello()
    return side


def steps(side: HuaweiPlayer, data: bytes) -> list[Step]:
    return list(side.receive(data))


def asked(side: HuaweiPlayer, data: bytes) -> Question:
    (step,) = steps(side, data)
    assert isinstance(step, Question)
    return step


def done(question: Question) -> list[tuple[int, int, str, int]]:
    return [(street, a.seat, a.action, a.to) for street, a in question.view.history]


def test_it_registers_for_everything_that_a_server_may_tell() -> None:
    assert HuaweiPlayer(8888, "kobe").hello() == b"reg: 8888 kobe need_notify need_bet \n"


def test_a_question_has_seats_stacks_blinds_cards_and_reserves() -> None:
    view = asked(player(), OPENING + FIRST).view
    assert (view.seat, view.button, view.small_seat) == (2, 3, 0)
    assert view.stacks == [1950, 1900, 2000, 2000]
    assert view.reserves == (8000,) * 4
    assert (view.small_blind, view.big_blind, view.high, view.pot) == (50, 100, 100, 150)
    assert view.hole == (parse("Ts"), parse("Ah"))
    assert view.options is not None
    assert (view.options.owed, view.options.min_to, view.options.max_to) == (100, 200, 2000)


@given(st.lists(st.integers(0, len(OPENING + FIRST)), max_size=6))
def test_messages_may_come_in_any_pieces(cuts: list[int]) -> None:
    side = player()
    data = OPENING + FIRST
    found: list[Step] = []
    for start, end in pairwise([0, *sorted(cuts), len(data)]):
        found += steps(side, data[start:end])
    assert len(found) == 1


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (FOLD, b"fold \n"),
        (CALL, b"call \n"),
        (raise_to(200), b"raise 100 \n"),
        (raise_to(1999), b"raise 1899 \n"),
        (raise_to(2000), b"all_in \n"),
    ],
)
def test_decisions_in_the_words_of_the_protocol(decision: object, words: bytes) -> None:
    side = player()
    question = asked(side, OPENING + FIRST)
    assert side.answer(question, decision) == words  # type: ignore[arg-type]


def test_nothing_owed_is_a_check() -> None:
    side = player(2)
    figures = (
        b"inquire/ \n1 1900 8000 100 call \n3 1900 8000 100 call \n4 1900 8000 100 call \n"
        b"2 1900 8000 100 blind \ntotal pot: 400 \n/inquire \n"
    )
    question = asked(side, OPENING + figures)
    assert side.answer(question, CALL) == b"check \n"
    assert done(question) == [(0, 2, "call", 100), (0, 3, "call", 100), (0, 0, "call", 100)]


def test_what_happened_meanwhile_follows_from_the_figures_of_the_next_question() -> None:
    side = player()
    side.answer(asked(side, OPENING + FIRST), CALL)
    # The button folded, the small blind called and now opens, the big blind checked and now folds.
    figures = (
        b"inquire/ \n2 1900 8000 100 fold \n1 1700 8000 300 raise \n3 2000 8000 0 fold \n"
        b"4 1900 8000 100 call \ntotal pot: 500 \n/inquire \n"
    )
    question = asked(side, FLOP + figures)
    assert done(question) == [
        (0, 2, "call", 100),
        (0, 3, "fold", 0),
        (0, 0, "call", 100),
        (0, 1, "check", 100),
        (1, 0, "bet", 200),
        (1, 1, "fold", 0),
    ]
    assert question.view.bets == [200, 0, 0, 0]
    assert question.view.folded == [False, True, False, True]


def test_a_notify_at_the_end_of_a_round_shows_a_fold_that_was_free() -> None:
    side = player()
    side.answer(asked(side, OPENING + FIRST), CALL)
    notify = (
        b"notify/ \n2 1900 8000 100 fold \n1 1900 8000 100 call \n3 2000 8000 0 fold \n"
        b"4 1900 8000 100 call \ntotal pot: 300 \n/notify \n"
    )
    figures = notify.replace(b"1 1900 8000 100 call", b"1 1900 8000 100 check")
    assert steps(side, notify + FLOP) == []
    question = asked(side, figures.replace(b"notify", b"inquire"))
    assert done(question)[3:] == [(0, 1, "fold", 100), (1, 0, "check", 0)]


def test_a_server_that_tells_each_action_is_believed() -> None:
    side = player()
    bet = b"bet/ \n%s \n/bet \n"
    side.answer(asked(side, OPENING + FIRST), raise_to(300))
    told = [
        b"4 1700 8000 300 raise",
        b"3 2000 8000 0 fold",
        b"1 0 8000 2000 all_in",
        b"2 1900 8000 100 fold",
    ]
    figures = (
        b"inquire/ \n2 1900 8000 100 fold \n1 0 8000 2000 all_in \n3 2000 8000 0 fold \n"
        b"4 1700 8000 300 raise \ntotal pot: 2400 \n/inquire \n"
    )
    question = asked(side, b"".join(bet % line for line in told) + figures)
    last = question.view.last[0]
    assert isinstance(last, Acted)
    assert (last.to, last.all_in) == (2000, True)
    assert question.options.max_to == 0
    assert question.options.call == 1700


def test_a_hand_is_over_when_the_next_one_tells_what_it_brought() -> None:
    side = player()
    side.answer(asked(side, OPENING + FIRST), CALL)
    again = SEAT.replace(b"\n4 2000", b"\n4 2450")
    assert steps(side, b"pot-win/ \n4: 550 \n/pot-win \n" + again) == [HandOver(450)]


def test_the_last_hand_is_reckoned_from_the_pots_and_the_own_answer() -> None:
    side = player()
    side.answer(asked(side, OPENING + FIRST), raise_to(300))
    end = b"pot-win/ \n4: 450 \n/pot-win \ngame-over \n"
    assert steps(side, end) == [HandOver(150), MatchOver()]


def test_who_has_lost_everything_waits_without_a_word() -> None:
    side = player()
    poor = OPENING.replace(b"\n4 2000 8000", b"\n4 150 0")
    question = asked(side, poor + FIRST)
    assert not side.idle
    side.answer(question, raise_to(question.options.max_to))
    assert steps(side, b"pot-win/ \n1: 350 \n/pot-win \n") == []
    assert side.idle
    assert steps(side, b"game-over \n") == [HandOver(-150), MatchOver()]


def test_a_hand_that_a_crash_has_cut_off_counts_for_nothing() -> None:
    side = player()
    asked(side, OPENING + FIRST)
    assert side.lost("", 0, at_once=False) == Reconnect()
    side.hello()
    assert steps(side, OPENING) == []
    assert steps(side, b"game-over \n") == [MatchOver()]


def test_a_closed_door_is_a_refusal_and_names_the_pid() -> None:
    refused = player().lost("", 0, at_once=True)
    assert isinstance(refused, Failed)
    assert "pid 4" in refused.reason


@pytest.mark.parametrize(
    "garbage",
    [
        b"HTTP/1.1 400 Bad Request\r\n",
        b"\xff\xfe\n",
        b"x" * 300,
        b'M\0\0\0{"info": "error"}',  # of another protocol, without a line end
        b"seat/ \n" + b"1 2 3 \n" * 100,
        b"seat/ \nnobody \n/seat \n",
        SEAT + b"blind/ \n9: 50 \n/blind \n" + HOLD,
        SEAT + b"hold/ \nSTARS 1 \nHEARTS 2 \n/hold \n",
        SEAT + b"hold/ \nHEARTS 2 \n/hold \n",
        FIRST,
        OPENING + b"inquire/ \n7 1 1 1 call \n/inquire \n",
        OPENING + b"inquire/ \n4 1 1 1 sings \n/inquire \n",
    ],
)
def test_what_no_server_says_is_named(garbage: bytes) -> None:
    with pytest.raises(WireError):
        steps(player(), garbage)


def test_unknown_messages_are_passed_over() -> None:
    assert steps(player(), b"weather/ \nfine \n/weather \n" + OPENING) == []


@pytest.mark.parametrize("name", ["", "two words", "x" * 21, "é"])
def test_a_name_that_the_protocol_cannot_say_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="1 to 20 printable"):
        HuaweiPlayer(1, name)
