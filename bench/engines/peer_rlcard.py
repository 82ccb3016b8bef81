"""RLCard: its ``nolimitholdem`` ``Game``, below the environment and its feature encoding.

RLCard has no raise of a chosen size. Its five actions are fold, check or call, "raise half pot",
"raise pot" and all-in, where the two raises put *that many chips in* (not "raise to" nor "raise
by"). The policy is mapped so:

* fold: ``FOLD``, only when something is owed (RLCard itself would permit it at any time);
* check or call: ``CHECK_CALL``;
* the smallest raise: ``RAISE_HALF_POT`` where that is legal, else ``RAISE_POT`` where that is, else
  there is none but the all-in;
* the largest raise: ``ALL_IN``; a half-pot or pot raise of the whole stack is the same option.

So the smallest raise is not the one of the rules: it may be below the legal minimum (six players,
first to act: half of 150 would not be a raise, so "pot" makes it 150, where 200 is the minimum), or
well above it once the pot is large. Heads-up, RLCard has the dealer post the big blind and act last
after the flop, as at a larger table with the seats cut down. Neither changes the cost of a step.

``Game.step`` returns the next player's view with the legal actions, and that is what the policy
reads. The settlement, ``get_payoffs``, is part of the hand. One ``Game`` is used for all hands.
The dealer is fixed at seat 0.
"""

import random
from typing import Any

from . import BIG_BLIND, SMALL_BLIND, STACK, optional

_holdem, _missing = optional("rlcard.games.nolimitholdem")
_numpy, _ = optional("numpy")

name = "RLCard"


def available(players: int | None = None) -> str | None:
    """Return None when usable, else a reason in one line."""
    if _missing is None and players is not None and not 2 <= players <= 22:
        return "2 to 22 players"
    return _missing


def _game(players: int, seed: int) -> Any:
    game = _holdem.Game(num_players=players)
    game.configure({"game_num_players": players, "chips_for_each": STACK, "dealer_id": 0})
    game.small_blind = SMALL_BLIND
    game.big_blind = BIG_BLIND
    game.np_random = _numpy.random.RandomState(seed)
    return game


def play(players: int, hands: int, seed: int) -> int:
    """Play that many hands; return the number of decisions."""
    draw = random.Random(f"policy {seed}").random
    game = _game(players, seed)
    step = game.step
    is_over = game.is_over
    action = _holdem.Action
    fold, call, all_in = action.FOLD, action.CHECK_CALL, action.ALL_IN
    half_pot, pot = action.RAISE_HALF_POT, action.RAISE_POT
    decisions = 0
    for _ in range(hands):
        view, actor = game.init_game()
        while not is_over():
            legal = view["legal_actions"]
            smallest = all_in
            if all_in not in legal:
                raises = 0
            else:
                raises = 1
                if half_pot in legal:
                    if int(view["pot"] / 2) < view["stakes"][actor]:
                        smallest = half_pot
                        raises = 2
                elif pot in legal and view["pot"] < view["stakes"][actor]:
                    smallest = pot
                    raises = 2
            if view["my_chips"] < max(view["all_chips"]):
                pick = int(draw() * (2 + raises))
            else:
                pick = 1 + int(draw() * (1 + raises))
            if pick == 0:
                view, actor = step(fold)
            elif pick == 1:
                view, actor = step(call)
            elif pick == 2:
                view, actor = step(smallest)
            else:
                view, actor = step(all_in)
            decisions += 1
        game.get_payoffs()
    return decisions


def audit(players: int, hands: int, seed: int) -> int:
    """Play as ``play`` does, checking the chips and who is asked."""
    draw = random.Random(f"policy {seed}").random
    game = _game(players, seed)
    action = _holdem.Action
    decisions = 0
    for _ in range(hands):
        view, actor = game.init_game()
        while not game.is_over():
            player = game.players[actor]
            status = player.status.name
            assert status == "ALIVE", f"a player who is {status} was asked to act"
            owed = max(game.round.raised) - game.round.raised[actor]
            assert (owed > 0) == (view["my_chips"] < max(view["all_chips"]))
            assert view["current_player"] == actor == game.round.game_pointer
            legal = game.get_legal_actions()
            assert legal == view["legal_actions"]
            assert action.CHECK_CALL in legal
            assert action.FOLD in legal
            options = [action.FOLD] if owed else []
            options.append(action.CHECK_CALL)
            sizes = {
                action.RAISE_HALF_POT: int(game.dealer.pot / 2),
                action.RAISE_POT: game.dealer.pot,
                action.ALL_IN: player.remained_chips,
            }
            raises = [one for one in sizes if one in legal]
            assert not raises or action.ALL_IN in raises
            assert all(owed < sizes[one] <= player.remained_chips for one in raises)
            if raises:
                smallest = min(raises, key=lambda one: (int(sizes[one]), -one.value))
                options.append(smallest)
                if smallest is not action.ALL_IN:
                    options.append(action.ALL_IN)
            view, actor = game.step(options[int(draw() * len(options))])
            decisions += 1
            for player in game.players:
                assert player.in_chips + player.remained_chips == STACK, "chips lost"
                assert player.remained_chips >= 0
        payoffs = game.get_payoffs()
        assert sum(payoffs) == 0, "chips lost"
        assert min(payoffs) >= -STACK
    return decisions
