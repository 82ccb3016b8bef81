"""Which word is right when, and what a wrong one is answered with."""

import pytest

from croupier.cards import parse
from croupier.dialects.base import Answer
from croupier.dialects.kuhn.decisions import decide
from croupier.dialects.kuhn.messages import Action, Wrong
from croupier.rules.decisions import BET, CALL, FOLD, Options, raise_to
from croupier.rules.hand import Hand
from croupier.rules.sets import KUHN


def options(stacks: list[int], *before: str) -> Options:
    """Return what the seat to act may do after these words of the seats before it."""
    hand = Hand(KUHN, stacks, [parse("J"), parse("Q")])
    for word in before:
        assert hand.options
        answer = decide(Action(word), hand.options)
        assert isinstance(answer, Answer)
        hand.act(answer.decision)
    assert hand.options
    return hand.options


RICH = [20, 20]
POOR = [1, 1]


@pytest.mark.parametrize("before", [(), ("CHCK",)])
def test_without_a_bet_one_checks_or_bets(before: tuple[str, ...]) -> None:
    free = options(RICH, *before)
    assert decide(Action("CHCK"), free) == Answer(CALL)
    assert decide(Action("BET_"), free) == Answer(raise_to(1, BET))
    for word in ("CALL", "FOLD"):
        wrong = decide(Action(word), free)
        assert isinstance(wrong, Wrong)
        assert wrong.code == "W_A"
        assert word in wrong.explanation


@pytest.mark.parametrize("before", [("BET_",), ("CHCK", "BET_")])
def test_facing_a_bet_one_calls_or_folds(before: tuple[str, ...]) -> None:
    facing = options(RICH, *before)
    assert decide(Action("CALL"), facing) == Answer(CALL)
    assert decide(Action("FOLD"), facing) == Answer(FOLD)
    for word in ("CHCK", "BET_"):
        wrong = decide(Action(word), facing)
        assert isinstance(wrong, Wrong)
        assert wrong.code == "W_A"
        assert word in wrong.explanation


@pytest.mark.parametrize("before", [(), ("CHCK",)])
def test_a_bet_without_a_coin_is_no_coins_and_a_check_is_right(before: tuple[str, ...]) -> None:
    poor = options(POOR, *before)
    wrong = decide(Action("BET_"), poor)
    assert isinstance(wrong, Wrong)
    assert wrong.code == "N_C"
    assert decide(Action("CHCK"), poor) == Answer(CALL)


def test_facing_a_bet_without_a_coin_one_may_call_and_a_bet_is_a_wrong_action() -> None:
    poor = options([20, 1], "BET_")
    assert decide(Action("CALL"), poor) == Answer(CALL)
    wrong = decide(Action("BET_"), poor)
    assert isinstance(wrong, Wrong)
    assert wrong.code == "W_A"
