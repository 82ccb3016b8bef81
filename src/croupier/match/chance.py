"""Where a match gets its cards and seats from."""

from collections.abc import Sequence
from typing import Protocol

from croupier.deals import Stream, deal, draw


class Chance(Protocol):
    """A source of deals; recorded and scripted games bring their own."""

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        """Return the cards of a hand in the order in which they are dealt."""

    def seats(self, players: int) -> list[int]:
        """Return the players in the order of the first hand's seats."""


class SeededChance:
    """Everything from the match's seed, as docs/deals.md has it."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        return deal(self.seed, hand, deck, count)

    def seats(self, players: int) -> list[int]:
        return draw(Stream(self.seed, "seats"), range(players), players)

    def bot(self, player: int) -> Stream:
        """Return the random numbers of the house bot that is this player."""
        return Stream(self.seed, f"bot {player}")
