"""PokerKit plays the same cards and decisions: every question and every stack must be the same.

`soak/oracle.py` does the same for any number of hands.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
from pokerkit import Automation, NoLimitTexasHoldem, State

from croupier.ranking import rank
from croupier.rules import hand as hand_module
from croupier.rules.betting import Betting
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.hand import Hand
from croupier.rules.pots import share_out
from croupier.rules.rules import POSTED, Rules
from tests.oracle import differential
from tests.oracle.differential import EXCEPTIONS, FULL_RAISE_IN_ALL_REOPENS, Report
from tests.support.builds import interpreted

HANDS = 200
ALL_SIZES = range(2, 11)


@cache
def report_for(players: int) -> Report:
    return differential.run("suite", HANDS, players=players)


@pytest.mark.parametrize("players", ALL_SIZES)
def test_same_cards_and_decisions_give_the_same_questions_and_stacks(players: int) -> None:
    report = report_for(players)
    assert report.hands == HANDS
    assert not report.differences, "\n".join(report.differences[:3])


@pytest.mark.parametrize("players", ALL_SIZES)
def test_hands_that_are_not_compared_to_the_end_are_few(players: int) -> None:
    assert report_for(players).cut <= HANDS // 10


def test_documented_exceptions_are_met_and_none_is_common() -> None:
    total = Report()
    for players in ALL_SIZES:
        total.add(report_for(players))
    assert set(total.exceptions) | {FULL_RAISE_IN_ALL_REOPENS} == set(EXCEPTIONS)
    for name, count in total.exceptions.items():
        assert count <= total.hands // 20, name


# Each exception in the smallest situation that shows it, so that it can be dropped when PokerKit
# changes. The odd chips are among the hands of hands.phhs.


def pokerkit(stacks: Sequence[int]) -> State:
    state: State = NoLimitTexasHoldem.create_state(
        tuple(Automation), True, 0, (50, 100), 100, tuple(stacks), len(stacks)
    )
    return state


def ours(stacks: Sequence[int]) -> Hand:
    return Hand(Rules(), stacks, range(2 * len(stacks) + 5))


def test_short_big_blind_asks_for_a_whole_one_where_pokerkit_asks_for_the_highest_bet() -> None:
    stacks = [1000, 30, 1000]
    hand, state = ours(stacks), pokerkit(stacks)
    assert hand.options is not None
    assert (hand.options.call, hand.options.min_to) == (100, 200)
    assert state.checking_or_calling_amount == 50
    assert state.min_completion_betting_or_raising_to_amount == 150


@pytest.mark.parametrize("stacks", [(1000, 30, 1000), (1000, 70, 1000), (20, 30, 1000, 1000)])
def test_where_a_short_blind_asks_for_what_was_posted_pokerkit_asks_for_the_same(
    stacks: tuple[int, ...],
) -> None:
    hand = Hand(Rules(short_blind=POSTED), stacks, range(2 * len(stacks) + 5))
    state = pokerkit(stacks)
    assert hand.options is not None
    assert hand.actor == state.actor_index == 2
    assert hand.options.call == state.checking_or_calling_amount
    assert hand.options.min_to == state.min_completion_betting_or_raising_to_amount


def test_first_short_all_in_of_a_street_does_not_reopen_where_pokerkit_reopens() -> None:
    stacks = [1000, 1000, 1000, 150]
    hand, state = ours(stacks), pokerkit(stacks)
    for decision in (CALL, raise_to(150), CALL, CALL):
        hand.act(decision)
    state.check_or_call()
    state.complete_bet_or_raise_to(150)
    state.check_or_call()
    state.check_or_call()
    assert hand.actor == state.actor_index == 2
    assert hand.options is not None
    assert (hand.options.call, hand.options.can_raise) == (50, False)
    assert state.min_completion_betting_or_raising_to_amount == 250


def test_full_raise_made_of_several_short_all_ins_reopens_where_pokerkit_begins_a_new_sum() -> None:
    stacks = [560, 2000, 2000, 420, 520]
    hand, state = ours(stacks), pokerkit(stacks)
    for total in (300, 420, 520, 560):  # raises by 200, and then by 120, 100 and 40 all-in
        hand.act(raise_to(total))
        state.complete_bet_or_raise_to(total)
    hand.act(CALL)
    state.check_or_call()
    assert hand.actor == state.actor_index == 2
    assert hand.options is not None
    assert (hand.options.call, hand.options.min_to) == (260, 760)
    assert state.min_completion_betting_or_raising_to_amount is None


def test_who_has_only_all_in_players_against_him_is_not_asked_where_pokerkit_asks() -> None:
    stacks = [1000, 1000, 80]
    hand, state = ours(stacks), pokerkit(stacks)
    hand.act(CALL)
    state.check_or_call()
    hand.act(FOLD)
    state.fold()
    assert hand.over
    assert state.actor_index == 1
    assert not state.can_complete_bet_or_raise_to()


# The comparison itself: a rule that is broken on purpose must not go unnoticed.


def _one_pot(put: Sequence[int], live: Sequence[int]) -> list[tuple[int, list[int]]]:
    return [(sum(put), list(live))]


def _odd_chips_to_the_last(amount: int, winners: list[int]) -> list[tuple[int, int]]:
    return share_out(amount, winners[::-1])


def _forgets_the_raise(self: Betting, *args: Any) -> Any:
    before = self.raise_size
    done = RAISE_METHOD(self, *args)
    self.raise_size = before
    return done


RAISE_METHOD: Callable[..., Any] = Betting.raise_to


@pytest.mark.parametrize(
    ("where", "name", "broken"),
    [
        pytest.param(hand_module, "split_pots", _one_pot, id="side pots"),
        pytest.param(hand_module, "share_out", _odd_chips_to_the_last, id="odd chips"),
        pytest.param(hand_module, "rank", lambda cards: rank(cards) // 8, id="ranking"),
        pytest.param(Betting, "raise_to", _forgets_the_raise, id="smallest raise"),
        pytest.param(Betting, "_may_raise", lambda *_: True, id="reopening"),
    ],
)
@interpreted
def test_broken_rule_is_noticed(
    monkeypatch: pytest.MonkeyPatch, where: object, name: str, broken: object
) -> None:
    monkeypatch.setattr(where, name, broken)
    assert differential.run("broken", 150).differences
