"""Inference of the blinds and stacks of a `room` hand from its states.

The second version shows everyone's remaining chips, so the first state of a hand shows the blinds.
The first version only shows the raise range of the player to act, to everyone: its upper end is all
that the player has, its lower end, before anyone has acted, twice the big blind. Stacks are assumed
to be those of the rules until a range contradicts them; then only stacks shown by a range are
known.
"""

from collections.abc import Sequence
from typing import Any

from croupier.dialects.player_side import WireError
from croupier.rules.rules import ANY, MAX_CHIPS, NO_BIG, RESET, Rules


class Stakes:
    """The blinds and stacks of the current hand, by position."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._by_rules = rules.stacks == RESET
        """Whether nothing has contradicted the stacks of the rules so far."""
        self._shown: dict[int, int] = {}
        """Stacks at the start of the hand, as far as they were shown."""
        self.small_blind = rules.small_blind
        self.big_blind = rules.big_blind
        self.posts = (rules.small_blind, rules.big_blind)
        self.no_big = False
        """Whether there are two players and only the small blind was posted."""

    def begin(
        self, size: int, turn: int, raises: list[int], players: Sequence[dict[str, Any]] | None
    ) -> None:
        """Accept the first state of a hand."""
        # Heads-up, the small blind acts first if there is a big blind; otherwise the button does.
        self.no_big = size == 2 and (turn == 1 if turn >= 0 else self._rules.heads_up == NO_BIG)
        self._shown = {}
        if players is not None:
            self._by_money(players)
        else:
            self._by_range(raises)

    def _by_money(self, players: Sequence[dict[str, Any]]) -> None:
        put = []
        for position, player in enumerate(players):
            total, left = player["total_money"], player["money_left"]
            if type(total) is not int or type(left) is not int or not 0 <= left <= total:
                raise WireError(f"money {left!r:.40} of {total!r:.40}")
            self._shown[position] = total
            put.append(total - left)
        small, big = put[0], put[1]
        whole_small, whole_big = players[0]["money_left"] > 0, players[1]["money_left"] > 0
        self.posts = small, big
        # A blind that took a player's last chip may be a short one.
        if self.no_big or not whole_big:
            big = max(big, 2 * small)
        if not whole_small:
            small = max(small, big // 2)
        self.small_blind, self.big_blind = small, big

    def _by_range(self, raises: list[int]) -> None:
        rules = self._rules
        if raises and raises[0] < raises[1]:
            big = raises[0] - 1 if rules.min_raise == ANY else raises[0] // 2
            if self.no_big:
                big = raises[0] * 2 // 3
            self.small_blind = big * rules.small_blind // rules.big_blind
            self.big_blind = big
        self.posts = self.small_blind, 0 if self.no_big else self.big_blind

    def seen(self, turn: int, raises: list[int], bet: int, put: int) -> bool:
        """Accept a raise range, whose upper end is all that the player to act has.

        Return whether that changes the stack assumed so far.
        """
        if not raises:
            return False
        stack, believed = raises[1] - bet + put, self.stack(turn)
        if stack != believed and turn not in self._shown:
            self._by_rules = False
        self._shown[turn] = stack
        return stack != believed

    def knows(self, position: int) -> bool:
        """Tell whether a stack is known."""
        return self._by_rules or position in self._shown

    def stack(self, position: int) -> int:
        """Return a stack at the start of the hand, or a practically unlimited one if unknown."""
        default = self._rules.stack if self._by_rules else MAX_CHIPS
        return self._shown.get(position, default)
