"""What the player's side of `kuhn` makes of what a server says, in both spellings."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import parse
from croupier.dialects.kuhn.player import KuhnPlayer
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.dialects.player_side import (
    Failed,
    HandOver,
    MatchOver,
    Question,
    Reconnect,
    Send,
    Step,
    WireError,
)
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from tests.dialects.kuhn.conversation import spell

SPELLINGS = (TEXT, BINARY)
BET = raise_to(1)

# The three conversations of the document, with the client's decisions.
BET_CALLED = (
    "STKS 20 20 | ANOK | DEAL '0' | CARD 'J' | BET_ | CALL | SHOW 'Q' | STKS 18 22 | QUIT",
    [BET],
    [-2],
)
CHECK_BET_CALLED = (
    "STKS 20 20 | ANOK | DEAL '0' | CARD 'J' | CHCK | BET_ | CALL | SHOW 'Q' | STKS 18 22 | QUIT",
    [CALL, CALL],
    [-2],
)
HOUSE_FIRST = (
    "STKS 20 20 | ANOK | DEAL '1' | CARD 'J' | CHCK | BET_ | CALL | SHOW 'Q' | STKS 18 22"
    " | ANOK | DEAL '0' | CARD 'Q' | BET_ | FOLD | STKS 19 21 | QUIT",
    [BET, BET],
    [-2, 1],
)
OWN = {"ANOK", "QUIT"}


def steps(side: KuhnPlayer, data: bytes) -> list[Step]:
    return list(side.receive(data))


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("example", [BET_CALLED, CHECK_BET_CALLED, HOUSE_FIRST])
def test_the_examples_of_the_document(
    example: tuple[str, list[Decision], list[int]], spelling: str
) -> None:
    script, decisions, won = example
    side = KuhnPlayer(77432, hands=len(won), spelling=spelling)
    assert side.hello() == spell("STRT 77432", spelling)
    found: list[Step] = []
    said: list[bytes] = []
    answers = iter(decisions)
    for line in script.split(" | "):
        if said and said[0] == spell(line, spelling):
            said.pop(0)
            continue
        for step in steps(side, spell(line, spelling)):
            if isinstance(step, Question):
                said.append(side.answer(step, next(answers)))
            elif isinstance(step, Send):
                said.append(step.data)
            else:
                found.append(step)
    assert said == []
    assert found == [*map(HandOver, won), MatchOver()]


def first_question(
    script: str, spelling: str = TEXT, hands: int = 100
) -> tuple[KuhnPlayer, Question]:
    side = KuhnPlayer(7, hands, spelling)
    side.hello()
    data = b"".join(spell(line, spelling) for line in script.split(" | "))
    *_, question = steps(side, data)
    assert isinstance(question, Question)
    return side, question


def test_who_starts_sits_in_seat_0_and_who_deals_in_seat_1() -> None:
    _, question = first_question("STKS 20 15 | DEAL '0' | CARD 'K'")
    view = question.view
    assert (view.seat, view.stacks, view.put, view.hole) == (0, [19, 14], [1, 1], (parse("K"),))
    _, question = first_question("STKS 20 15 | DEAL '1' | CARD 'K' | BET_")
    view = question.view
    assert (view.seat, view.stacks, view.put, view.high) == (1, [13, 19], [2, 1], 1)
    assert (question.options.owed, question.options.can_raise) == (1, False)


def test_without_a_coin_left_a_call_costs_nothing_and_a_bet_is_no_option() -> None:
    _, question = first_question("STKS 1 39 | DEAL '1' | CARD 'K' | BET_")
    assert (question.options.owed, question.options.call) == (1, 0)
    _, question = first_question("STKS 1 39 | DEAL '0' | CARD 'K'")
    assert not question.options.max_to


def test_a_fold_that_is_free_is_a_check() -> None:
    side, question = first_question("STKS 20 20 | DEAL '0' | CARD 'J'")
    assert side.answer(question, FOLD) == b"CHCK\n"


def test_it_quits_when_one_side_has_no_coin_left() -> None:
    for coins in ("0 40", "40 0"):
        side, question = first_question("STKS 1 39 | DEAL '0' | CARD 'J'")
        side.answer(question, CALL)
        data = spell("CHCK", TEXT) + spell("SHOW 'Q'", TEXT) + spell(f"STKS {coins}", TEXT)
        assert steps(side, data)[1:] == [Send(b"QUIT\n"), MatchOver()]


def test_text_without_quotes_and_in_lower_case_is_understood() -> None:
    side = KuhnPlayer(7)
    found = steps(side, b"stks 20 20\r\nDEAL 0\ncard j\n")
    assert found[0] == Send(b"ANOK\n")
    assert isinstance(found[1], Question)


def test_stakes_that_are_repeated_before_the_deal_change_nothing() -> None:
    side = KuhnPlayer(7)
    assert steps(side, b"STKS 20 20\nSTKS 20 20\n") == [Send(b"ANOK\n")]


@pytest.mark.parametrize("spelling", SPELLINGS)
@given(cuts=st.lists(st.integers(0, 60), max_size=8))
def test_commands_may_come_in_any_pieces(spelling: str, cuts: list[int]) -> None:
    script = "STKS 20 20 | DEAL '1' | CARD 'Q' | CHCK"
    data = b"".join(spell(line, spelling) for line in script.split(" | "))
    side = KuhnPlayer(7, spelling=spelling)
    found: list[Step] = []
    places = sorted(min(cut, len(data)) for cut in cuts)
    for start, end in pairwise([0, *places, len(data)]):
        found += steps(side, data[start:end])
    assert len(found) == 2


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_coins_between_hands_is_the_end_of_the_match(spelling: str) -> None:
    side, question = first_question("STKS 20 20 | DEAL '0' | CARD 'J'", spelling)
    side.answer(question, CALL)
    script = "CHCK | SHOW 'Q' | STKS 19 21 | ERRO N_C"
    data = b"".join(spell(line, spelling) for line in script.split(" | "))
    over, anok, end = steps(side, data)
    assert over == HandOver(-1)
    assert isinstance(anok, Send)
    assert end == MatchOver()


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("text", ["ERRO WID", "ERRO 22WID 7 is playing already"])
def test_an_error_is_explained(spelling: str, text: str) -> None:
    data = text.encode("ascii") + (b"\n" if spelling == TEXT else b"")
    (step,) = steps(KuhnPlayer(7, spelling=spelling), data)
    assert isinstance(step, Failed)
    assert "WID, wrong id" in step.reason


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(
    "garbage",
    [
        b"HTTP/1.1",
        b"XXXX\n",
        b"\xff\xff",
        b"STKS many\n" + b"." * 200,
        b"CARD Z\n....",
        b"DEAL 0\n",
    ],
)
def test_what_no_server_says_is_named(garbage: bytes, spelling: str) -> None:
    with pytest.raises(WireError):
        steps(KuhnPlayer(7, spelling=spelling), garbage)


def test_nobody_comes_back_to_a_match_that_has_begun() -> None:
    side = KuhnPlayer(7)
    assert side.lost("", 0, at_once=False) == Reconnect()
    assert isinstance(side.lost("", 0, at_once=True), Failed)
    side, question = first_question("STKS 20 20 | DEAL '0' | CARD 'J'")
    assert isinstance(side.lost("", 0, at_once=False), Failed)
    side.answer(question, CALL)
    list(side.receive(b"CHCK\nSHOW 'K'\nSTKS 19 21\n"))
    assert side.goodbye() == b"QUIT\n"
    assert isinstance(side.lost("", 0, at_once=False), Failed)


@pytest.mark.parametrize(("number", "spelling"), [(0, TEXT), (-1, TEXT), (2**31, BINARY)])
def test_an_id_that_the_protocol_cannot_say_is_refused(number: int, spelling: str) -> None:
    with pytest.raises(ValueError, match="an id in kuhn"):
        KuhnPlayer(number, spelling=spelling)
