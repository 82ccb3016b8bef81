"""OpenSpiel: ``universal_poker`` (the ACPC dealer's C code) with the ``fullgame`` betting.

``fullgame`` is the only abstraction with both the smallest raise and the all-in (``fchpa`` has half
pot, pot and all-in). There an action is 0 (fold), 1 (check or call) or the size of the raise, as
the total the player will have put in during the whole hand. ``legal_actions()`` then lists up to
9,803 numbers, and making that list takes some hundred times as long as the step itself. So
it is not called: ``play`` keeps what each player has put in, the top of these and the last raise's
size, from which the bounds of a raise follow; that costs less than any call into the engine that
would tell. ``audit`` compares these bounds with ``legal_actions()`` at every decision.

Chance nodes, one per card, take a card number not dealt before. The decks are shuffled by numpy (on
which OpenSpiel depends) in batches; ``chance_outcomes()`` is not called. Whose turn it is, is not
asked while the hole cards or the three of the flop are dealt. There are no burn cards.
"""

import random
from typing import Any

from . import BIG_BLIND, SMALL_BLIND, STACK, optional

_pyspiel, _missing = optional("pyspiel")
_numpy, _ = optional("numpy")

name = "OpenSpiel universal_poker"

_CHANCE = -1
_TERMINAL = -4
_BATCH = 1000


def available(players: int | None = None) -> str | None:
    """Return None when usable, else a reason in one line."""
    if _missing is not None:
        return _missing
    if "universal_poker" not in _pyspiel.registered_names():
        return "this build of open_spiel was made without universal_poker"
    if players is not None and not 2 <= players <= 10:
        return "2 to 10 players"
    return None


def _blinds(players: int) -> list[int]:
    """Heads-up, seat 1 has the button and the small blind, as the ACPC has it."""
    if players == 2:
        return [BIG_BLIND, SMALL_BLIND]
    return [SMALL_BLIND, BIG_BLIND] + [0] * (players - 2)


def _game(players: int) -> Any:
    return _pyspiel.load_game(
        "universal_poker",
        {
            "betting": "nolimit",
            "bettingAbstraction": "fullgame",
            "numPlayers": players,
            "numRounds": 4,
            "numSuits": 4,
            "numRanks": 13,
            "numHoleCards": 2,
            "numBoardCards": "0 3 1 1",
            "blind": " ".join(map(str, _blinds(players))),
            "firstPlayer": "2 1 1 1" if players == 2 else "3 1 1 1",
            "stack": " ".join([str(STACK)] * players),
        },
    )


def _decks(rng: Any, count: int, players: int) -> tuple[list[list[int]], list[list[int]]]:
    """Hole cards and boards for that many hands."""
    decks = rng.permuted(_numpy.tile(_numpy.arange(52), (count, 1)), axis=1)
    hole = 2 * players
    return decks[:, :hole].tolist(), decks[:, hole : hole + 5].tolist()


def play(players: int, hands: int, seed: int) -> int:
    """Play that many hands; return the number of decisions."""
    draw = random.Random(f"policy {seed}").random
    rng = _numpy.random.default_rng(seed)
    new_initial_state = _game(players).new_initial_state
    blinds = _blinds(players)
    decisions = 0
    for start in range(0, hands, _BATCH):
        for hole, board in zip(*_decks(rng, min(_BATCH, hands - start), players), strict=True):
            state = new_initial_state()
            apply_action = state.apply_action
            current_player = state.current_player
            for card in hole:
                apply_action(card)
            spent = blinds.copy()
            top = last_raise = BIG_BLIND
            dealt = 0
            actor = current_player()
            while True:
                if actor < 0:
                    if actor != _CHANCE:
                        break
                    if dealt == 0:
                        apply_action(board[0])
                        apply_action(board[1])
                        apply_action(board[2])
                        dealt = 3
                    else:
                        apply_action(board[dealt])
                        dealt += 1
                    last_raise = BIG_BLIND
                    actor = current_player()
                    continue
                smallest = STACK
                if top == STACK:
                    raises = 0
                else:
                    smallest = top + last_raise
                    raises = 2
                    if smallest >= STACK:
                        smallest = STACK
                        raises = 1
                if spent[actor] < top:
                    pick = int(draw() * (2 + raises))
                else:
                    pick = 1 + int(draw() * (1 + raises))
                if pick == 0:
                    apply_action(0)
                elif pick == 1:
                    apply_action(1)
                    spent[actor] = top
                else:
                    if pick == 3:
                        smallest = STACK
                    apply_action(smallest)
                    last_raise = smallest - top
                    spent[actor] = top = smallest
                decisions += 1
                actor = current_player()
            state.returns()
    return decisions


def audit(players: int, hands: int, seed: int) -> int:
    """Play as ``play`` does, with the legal actions that OpenSpiel lists, comparing the two."""
    draw = random.Random(f"policy {seed}").random
    rng = _numpy.random.default_rng(seed)
    game = _game(players)
    decisions = 0
    for start in range(0, hands, _BATCH):
        for hole, board in zip(*_decks(rng, min(_BATCH, hands - start), players), strict=True):
            state = game.new_initial_state()
            cards = iter(hole + board)
            spent = _blinds(players)
            last_raise = BIG_BLIND
            while not state.is_terminal():
                if state.is_chance_node():
                    card = next(cards)
                    assert card in dict(state.chance_outcomes())
                    state.apply_action(card)
                    last_raise = BIG_BLIND
                    continue
                actor = state.current_player()
                assert list(state.to_struct().player_contributions) == spent
                top = max(spent)
                legal = state.legal_actions()
                assert (0 in legal) == (spent[actor] < top)
                assert 1 in legal
                sizes = [action for action in legal if action > 1]
                assert bool(sizes) == (top < STACK)
                options = legal[:2] if 0 in legal else [1]
                if sizes:
                    assert sizes[0] == min(STACK, top + last_raise)
                    assert sizes[-1] == STACK
                    options += sorted({sizes[0], sizes[-1]})
                action = options[int(draw() * len(options))]
                state.apply_action(action)
                decisions += 1
                if action:
                    if action > 1:
                        last_raise = action - top
                    spent[actor] = top if action == 1 else action
            assert state.current_player() == _TERMINAL
            assert abs(sum(state.returns())) < 1e-6, "chips lost"  # it splits a pot in fractions
            assert min(state.returns()) >= -STACK
    return decisions
