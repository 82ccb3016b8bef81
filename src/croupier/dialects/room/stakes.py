"""Blinds and stacks of a hand of `room`, as far as its states show them.

The second version shows what everyone has left, so posts are seen in a hand's first state. The
first version shows only the range of a raise, to everyone, whoever is asked: its upper end is all
that the player has, its lower end, before anyone acted, twice the big blind. Stacks are those of
the rules until a range contradicts them; from then on only what a range has shown is known.
"""

from collections.abc import Sequence
from typing import Any

from croupier.dialects.player_side import WireError
from croupier.rules.rules import ANY, MAX_CHIPS, NO_BIG, RESET, Rules


class Stakes:
    """What is played for in the present hand; lists and dicts go by position."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._by_rules = rules.stacks == RESET
        """The stacks are those of the rules, as far as is known."""
        self._shown: dict[int, int] = {}
        """Stacks at the start of the hand that were shown."""
        self.small_blind = rules.small_blind
        self.big_blind = rules.big_blind
        self.posts = (rules.small_blind, rules.big_blind)
        self.no_big = False
        """There are two players and only the small blind was posted."""

    def begin(
        self, size: int, turn: int, raises: list[int], players: Sequence[dict[str, Any]] | None
    ) -> None:
        """Take the first state of a hand."""
        # The small blind starts where the other one posts; where he does not, the button starts.
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
        # A blind that took a player's last chip may have been posted short.
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
        """Take a range of raises, whose upper end is all that the player in turn has.

        Return whether that is news.
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
        """Return a stack at the start of the hand; one that nobody knows never ends."""
        default = self._rules.stack if self._by_rules else MAX_CHIPS
        return self._shown.get(position, default)
