"""Limit hold'em with bets by street, question by question against PokerKit."""

import random

import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, Mode, State

from croupier.cards import DECK, join
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
RULES = Rules(
    stack=1000,
    small_blind=5,
    big_blind=10,
    fixed_bet=(10, 10, 20, 20),
    raise_cap=(4, 4, 4, 4),
    free_fold=False,
)


def pokerkit(stacks: list[int], cards: list[int]) -> State:
    """Return the same hand in PokerKit."""
    state = FixedLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (5, 10), 10, 20, stacks, len(stacks), mode=Mode.CASH_GAME
    )
    for seat in range(len(stacks)):
        state.deal_hole(join(cards[2 * seat : 2 * seat + 2]))
    return state


def deal_board(state: State, board: list[int]) -> None:
    """Deal what PokerKit waits for, and take it from the board."""
    while state.status:
        if state.card_burning_status:
            state.burn_card("??")
        elif count := state.board_dealing_count:
            state.deal_board(join(board[:count]))
            del board[:count]
        else:
            return


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_every_question_and_payout_is_pokerkits(seats: int) -> None:
    for number in range(60):
        rng = random.Random(f"{seats} {number}")
        cards = rng.sample(DECK, 2 * seats + 5)
        hand = Hand(RULES, [1000] * seats, cards)
        state = pokerkit([1000] * seats, cards)
        board = cards[2 * seats :]
        while not hand.over:
            deal_board(state, board)
            options = hand.options
            assert options is not None
            assert hand.actor == state.actor_index
            assert options.call == state.checking_or_calling_amount
            assert options.min_to == options.max_to
            top = state.max_completion_betting_or_raising_to_amount or 0
            assert (options.min_to if options.can_raise else 0) == top
            choice = rng.choice("ccrrrf")
            if choice == "f" and options.owed:
                hand.act(FOLD)
                state.fold()
            elif choice == "r" and top:
                hand.act(raise_to(top))
                state.complete_bet_or_raise_to(top)
            else:
                hand.act(CALL)
                state.check_or_call()
        deal_board(state, board)
        assert not state.status
        ours, theirs = sorted(hand.stacks), sorted(map(int, state.stacks))
        # PokerKit gives all odd chips of a pot to one winner.
        assert all(abs(a - b) < seats for a, b in zip(ours, theirs, strict=True))
        if ours == theirs:
            assert hand.stacks == list(map(int, state.stacks))
