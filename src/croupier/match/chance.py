"""The sources of a match's cards and seating."""

from collections.abc import Sequence
from typing import Protocol

from croupier.deals import Stream, deal, draw
from croupier.rules.rules import ARRIVAL, Rules


class Chance(Protocol):
    """A source of deals; recorded and scripted games implement their own."""

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        """Return the cards of a hand in dealing order."""

    def seats(self, players: int) -> list[int]:
        """Return the players in the order of the first hand's seats."""


class SeededChance:
    """Derives everything from the match's seed, as described in docs/deals.md."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        return deal(self.seed, hand, deck, count)

    def seats(self, players: int) -> list[int]:
        return draw(Stream(self.seed, "seats"), range(players), players)

    def bot(self, player: int) -> Stream:
        """Return the random stream of the house bot with this player number."""
        return Stream(self.seed, f"bot {player}")


def seat_order(rules: Rules, chance: Chance, players: int) -> list[int]:
    """Return the players in the order of the first hand's seats: drawn, or as they came."""
    return list(range(players)) if rules.seating == ARRIVAL else chance.seats(players)
