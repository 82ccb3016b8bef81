"""PokerKit: one ``State`` per hand with every automation on, in tournament mode.

The game object is made once and called for each hand, which is a little cheaper than
``NoLimitTexasHoldem.create_state``; tournament mode spares the choice of the number of runouts.
The hand is stepped by ``fold``, ``check_or_call`` and ``complete_bet_or_raise_to``, which verify
the action themselves, so nothing is verified beforehand: what is owed and the raise's bounds are
read off ``bets``, ``stacks`` and ``completion_betting_or_raising_amount`` rather than from the
properties, each of which repeats the verification. PokerKit shuffles with the module-wide
generator of ``random``, so ``play`` seeds that one.

A good part of the time is the showdown: deciding who shows, whose hand is dead and who is paid each
ranks the hands shown so far anew, by trying the 21 choices of five cards.
"""

import random
from typing import Any

from . import BIG_BLIND, SMALL_BLIND, STACK, optional

_pokerkit, _missing = optional("pokerkit")

name = "PokerKit"


def available(players: int | None = None) -> str | None:
    """Return None when usable, else a reason in one line."""
    if _missing is None and players is not None and not 2 <= players <= 22:
        return "2 to 22 players"
    return _missing


def _game() -> Any:
    return _pokerkit.NoLimitTexasHoldem(
        tuple(_pokerkit.Automation),
        False,  # ante trimming
        0,  # antes
        (SMALL_BLIND, BIG_BLIND),
        BIG_BLIND,
        mode=_pokerkit.Mode.TOURNAMENT,
    )


def play(players: int, hands: int, seed: int) -> int:
    """Play that many hands; return the number of decisions."""
    random.seed(seed)
    draw = random.Random(f"policy {seed}").random
    game = _game()
    stacks = (STACK,) * players
    decisions = 0
    for _ in range(hands):
        state = game(stacks, players)
        while state.status:
            actor = state.actor_index
            bets = state.bets
            top = max(bets)
            mine = bets[actor]
            largest = state.stacks[actor] + mine
            smallest = 0
            if largest <= top:
                raises = 0
            else:
                smallest = top + max(state.completion_betting_or_raising_amount, BIG_BLIND)
                raises = 2
                if smallest >= largest:
                    smallest = largest
                    raises = 1
            pick = int(draw() * (2 + raises)) if top > mine else 1 + int(draw() * (1 + raises))
            if pick == 0:
                state.fold()
            elif pick == 1:
                state.check_or_call()
            elif pick == 2:
                state.complete_bet_or_raise_to(smallest)
            else:
                state.complete_bet_or_raise_to(largest)
            decisions += 1
    return decisions


def audit(players: int, hands: int, seed: int) -> int:
    """Play as ``play`` does, but with PokerKit's own legality, comparing the two."""
    random.seed(seed)
    draw = random.Random(f"policy {seed}").random
    game = _game()
    decisions = 0
    for _ in range(hands):
        state = game((STACK,) * players, players)
        while state.status:
            actor = state.actor_index
            top = max(state.bets)
            smallest = state.min_completion_betting_or_raising_to_amount
            largest = state.max_completion_betting_or_raising_to_amount
            most = state.stacks[actor] + state.bets[actor]
            assert (smallest is not None) == (most > top)
            assert state.can_fold() == (top > state.bets[actor])
            assert state.can_check_or_call()
            options = ["fold"] if state.can_fold() else []
            options.append("call")
            if smallest is not None:
                step = max(state.completion_betting_or_raising_amount, BIG_BLIND)
                assert smallest == min(most, top + step)
                assert largest == most
                options.append("smallest")
                if smallest < largest:
                    options.append("largest")
            match options[int(draw() * len(options))]:
                case "fold":
                    state.fold()
                case "call":
                    state.check_or_call()
                case "smallest":
                    state.complete_bet_or_raise_to(smallest)
                case _:
                    state.complete_bet_or_raise_to(largest)
            decisions += 1
        assert sum(state.stacks) == players * STACK, "chips lost"
        assert sum(state.payoffs) == 0
        assert not any(state.bets)
    return decisions
