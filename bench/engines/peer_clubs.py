"""clubs: one ``Dealer`` for all hands, reset with fresh stacks before each.

A bet is the chips that are added; below 0 it is a fold. The observation that each ``step`` returns
has what the policy reads: ``call``, ``min_raise`` and ``max_raise``. Where no raise is possible,
both are no more than the call. clubs shuffles with the module-wide generator of ``random``, so
``play`` seeds that one. The button is fixed.
"""

import random
from typing import Any

from . import BIG_BLIND, SMALL_BLIND, STACK, optional

_clubs, _missing = optional("clubs")

name = "clubs"

_FOLD = -1


def available(players: int | None = None) -> str | None:
    """Return None when usable, else a reason in one line."""
    if _missing is None and players is not None and not 2 <= players <= 22:
        return "2 to 22 players"
    return _missing


def _dealer(players: int) -> Any:
    return _clubs.Dealer(
        num_players=players,
        num_streets=4,
        blinds=[SMALL_BLIND, BIG_BLIND] + [0] * (players - 2),
        antes=0,
        raise_sizes="inf",
        num_raises="inf",
        num_suits=4,
        num_ranks=13,
        num_hole_cards=2,
        num_community_cards=[0, 3, 1, 1],
        num_cards_for_hand=5,
        mandatory_num_hole_cards=0,
        start_stack=STACK,
    )


def _bets(seen: Any) -> tuple[int, ...]:
    """Return what may be bet: a fold if something is owed, and one raise if both are equal."""
    call, smallest, largest = seen["call"], seen["min_raise"], seen["max_raise"]
    bets = (_FOLD, call) if call else (call,)
    if largest <= call:
        return bets
    return (*bets, largest) if smallest >= largest else (*bets, smallest, largest)


def play(players: int, hands: int, seed: int) -> int:
    """Play that many hands; return the number of decisions."""
    random.seed(seed)
    draw = random.Random(f"policy {seed}").random
    dealer = _dealer(players)
    decisions = 0
    for _ in range(hands):
        seen = dealer.reset(reset_button=True, reset_stacks=True)
        done = [False]
        while not all(done):
            bets = _bets(seen)
            seen, _, done = dealer.step(bets[int(draw() * len(bets))])
            decisions += 1
    return decisions


def audit(players: int, hands: int, seed: int) -> int:
    """Play as ``play`` does, checking the chips and that no bet is rounded to another."""
    random.seed(seed)
    draw = random.Random(f"policy {seed}").random
    dealer = _dealer(players)
    decisions = 0
    for _ in range(hands):
        seen = dealer.reset(reset_button=True, reset_stacks=True)
        payouts, done = [0], [False]
        while not all(done):
            bets = _bets(seen)
            bet = bets[int(draw() * len(bets))]
            actor = dealer.action
            before = dealer.stacks[actor]
            seen, payouts, done = dealer.step(bet)
            assert dealer.history[-1][:2] == (actor, max(bet, 0)), "a bet was rounded"
            assert before >= max(bet, 0)
            decisions += 1
        assert sum(payouts) == 0, "chips lost"
        assert min(payouts) >= -STACK
    return decisions
