"""What an action means: every word, with and without something owed, in both versions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.room.reader import MAX_TEXT, NO_ACTION, V1, V2, decide
from croupier.rules.decisions import BET, CALL, FOLD, RAISE, Decision, Options, raise_to
from croupier.rules.hand import Hand
from croupier.rules.sets import ROOM, ROOM2
from tests.support.scripted import act, hand_of

OWED = Options(50, 50, 200, 20000, RAISE, True, True, True, 0)
"""The small blind before the flop: 50 to call, or a raise to 200 and more."""
FREE = Options(0, 0, 100, 19900, BET, True, True, True, 0)
"""The first on the flop."""
OWED_ALL_IN = Options(19900, 19900, 0, 0, RAISE, False, False, False, 0)
"""Somebody is all-in: call or fold."""
FREE_CAPPED = Options(0, 0, 0, 0, BET, False, False, False, 0)
"""Nothing is owed and no raise possible."""

SITUATIONS = {
    "owed": OWED,
    "free": FREE,
    "owed, no raise": OWED_ALL_IN,
    "free, no raise": FREE_CAPPED,
}
versions = pytest.mark.parametrize("version", [V1, V2])
situations = pytest.mark.parametrize("options", SITUATIONS.values(), ids=SITUATIONS)


def answer(
    action: Any, version: int, options: Options, high: int = 100, pot: int = 150
) -> Answer | Illegal:
    return decide({"info": "action", "action": action}, version, options, high, pot)


def decided(action: Any, version: int, options: Options) -> Decision | None:
    """Return the decision of an action, None if it is illegal."""
    made = answer(action, version, options)
    return made.decision if isinstance(made, Answer) else None


@versions
@situations
@pytest.mark.parametrize("word", ["fold", "f"])
def test_a_fold_is_always_legal(version: int, options: Options, word: str) -> None:
    assert decided(word, version, options) == FOLD


@versions
@situations
def test_exactly_one_of_check_and_call_is_legal(version: int, options: Options) -> None:
    assert decided("call", version, options) == (CALL if options.owed else None)
    assert decided("check", version, options) == (None if options.owed else CALL)


@versions
@situations
def test_c_is_whichever_of_check_and_call_is_legal(version: int, options: Options) -> None:
    assert decided("c", version, options) == CALL


@versions
@situations
@pytest.mark.parametrize("to", [0, 1, 99, 100, 101, 199, 200, 201, 19900, 19901, 20000, 20001])
def test_a_raise_is_legal_within_the_range_and_nowhere_else(
    version: int, options: Options, to: int
) -> None:
    legal = options.max_to and options.min_to <= to <= options.max_to
    assert decided(f"r{to}", version, options) == (raise_to(to) if legal else None)


@situations
def test_a_bet_is_no_action_of_version_1(options: Options) -> None:
    assert answer("bet", V1, options) == Illegal("illegal action: bet")


def test_a_bet_of_version_2_is_a_raise_by_the_size_of_the_pot() -> None:
    """Call 50 into 150, and raise the 200 that are then in the middle by 200: to 300."""
    assert answer("bet", V2, OWED, high=100, pot=150) == Answer(raise_to(300))
    assert answer("bet", V2, FREE, high=0, pot=600) == Answer(raise_to(600))


def test_a_bet_of_version_2_is_moved_into_the_range() -> None:
    assert answer("bet", V2, FREE, high=0, pot=60) == Answer(raise_to(100))
    assert answer("bet", V2, FREE, high=0, pot=30_000) == Answer(raise_to(19900))


@pytest.mark.parametrize("options", [OWED_ALL_IN, FREE_CAPPED])
def test_a_bet_where_no_raise_is_possible_is_illegal(options: Options) -> None:
    assert answer("bet", V2, options) == Illegal("illegal action: bet")


@versions
@situations
@pytest.mark.parametrize("frame", [{"info": "action"}, {}, {"info": "action", "action": None}])
def test_a_frame_without_an_action_says_so(
    version: int, options: Options, frame: dict[str, Any]
) -> None:
    assert decide(frame, version, options, 100, 150) == Illegal(NO_ACTION)


@versions
@situations
@pytest.mark.parametrize(
    "word",
    [
        "r",
        "raise",
        "raise 200",
        "allin",
        "CALL",
        "Fold",
        " call",
        "check ",
        "cc",
        "r-200",
        "r+200",
        "r 200",
        "r200 ",
        "r200.0",
        "r2e2",
        "r2_00",
        "R200",
        "200",
        "rr200",
        "r²00",
        "r２００",
        "rx",
        "bet200",
        "b",
        "1:r200",
    ],
)
def test_any_other_word_is_illegal_and_repeated(version: int, options: Options, word: str) -> None:
    assert answer(word, version, options) == Illegal(f"illegal action: {word}")


@versions
@situations
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("", "''"),
        ("fold\n", r"'fold\n'"),
        ("\x1b[31m", r"'\x1b[31m'"),
        ("日本\ud800", r"'日本\ud800'"),
        (200, "200"),
        (True, "True"),
        (False, "False"),
        (0, "0"),
        (1.5, "1.5"),
        ([], "[]"),
        (["fold"], "['fold']"),
        ({"r": 200}, "{'r': 200}"),
        (10**400, "that"),
        (float("inf"), "inf"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_an_action_that_is_no_text_to_be_printed_is_illegal_and_shown(
    version: int, options: Options, value: Any, shown: str
) -> None:
    assert answer(value, version, options) == Illegal(f"illegal action: {shown}")


@versions
@situations
@pytest.mark.parametrize(
    "value", ["x" * 5000, "r" + "9" * 5000, ["fold"] * 500, "call" * 60], ids=range(4)
)
def test_a_long_action_is_illegal_and_cut(version: int, options: Options, value: Any) -> None:
    made = answer(value, version, options)
    assert isinstance(made, Illegal)
    assert len(made.reason) <= len("illegal action: ") + MAX_TEXT


@versions
def test_the_info_of_an_answer_does_not_matter(version: int) -> None:
    for info in ("action", "call", None, 7):
        frame = {"info": info, "action": "call"}
        assert decide(frame, version, OWED, 100, 150) == Answer(CALL)


@versions
@situations
@given(action=st.one_of(st.text(), st.integers(), st.floats(), st.lists(st.text()), st.booleans()))
def test_whatever_is_sent_is_a_legal_decision_or_a_reason(
    version: int, options: Options, action: Any
) -> None:
    made = answer(action, version, options)
    if isinstance(made, Answer):
        assert not options.fault(made.decision)
        assert not made.correction
    else:
        assert made.reason.startswith("illegal action: ")


# In a hand.


def asked(hand: Hand, action: str, version: int) -> Answer | Illegal:
    assert hand.options is not None
    return decide({"action": action}, version, hand.options, hand.high, hand.pot)


def test_the_total_of_a_raise_is_the_one_of_this_street() -> None:
    hand = hand_of([20000, 20000], rules=ROOM)
    act(hand, "call check")
    assert hand.street == 1
    assert asked(hand, "r100", V1) == Answer(raise_to(100))
    assert asked(hand, "r19900", V1) == Answer(raise_to(19900))
    assert asked(hand, "r20000", V1) == Illegal("illegal action: r20000")


def test_after_four_raises_only_version_2_allows_no_fifth() -> None:
    raises = "1000 2000 4000 8000"
    for rules, version, legal in ((ROOM, V1, True), (ROOM2, V2, False)):
        hand = hand_of([20000] * 3, rules=rules)
        act(hand, raises)
        assert isinstance(asked(hand, "r16000", version), Answer) == legal
        assert asked(hand, "call", version) == Answer(CALL)


@pytest.mark.parametrize(
    ("before", "to"),
    [
        ("", 350),  # three players: call 100 makes 250, raised by 250
        ("call", 400),  # the small blind calls 50 more: 300, raised by 300
        ("300", 1000),  # call 250 more makes 700, raised by 700
        ("call call check", 300),
        ("call call check 300", 1200),  # 600 and 300 and the call: 900 more
    ],
)
def test_a_bet_raises_by_the_pot_as_it_is_after_the_call(before: str, to: int) -> None:
    hand = hand_of([20000] * 3, rules=ROOM2)
    act(hand, before)
    assert asked(hand, "bet", V2) == Answer(raise_to(to))
