"""The seating of the next hand."""

from collections.abc import Collection, Sequence

from croupier.rules import rules as r
from croupier.rules.rules import Rules


def small_blind_of(rules: Rules, order: Sequence[int]) -> int:
    """Return the player that posts the small blind, given the players in seat order."""
    with_button = len(order) == 2 and rules.heads_up == r.BUTTON_SMALL
    return order[-1] if with_button else order[0]


def rotate(rules: Rules, before: list[int], out: Collection[int]) -> list[int]:
    """Return the next hand's seat order, given the last one and the players that are out."""
    if rules.rotation == r.BUTTON:
        # The small blind of the last hand, or the next remaining player, gets the button.
        living = [player for player in before if player not in out]
        return living[1:] + living[:1]
    # The next remaining player after the small blind of the last hand posts it.
    start = before.index(small_blind_of(rules, before)) + 1
    after = [player for player in before[start:] + before[:start] if player not in out]
    return after if small_blind_of(rules, after) == after[0] else after[1:] + after[:1]
