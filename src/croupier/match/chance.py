"""The sources of a match's cards and seating."""

from collections.abc import Sequence
from typing import Protocol

from croupier.cards import DECK
from croupier.commitments import deal_seed
from croupier.deals import Stream, deal, draw, twin_order, twin_suits
from croupier.rules.rules import ARRIVAL, Rules


class Chance(Protocol):
    """A source of deals; recorded and scripted games implement their own."""

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        """Return the cards of a hand in dealing order."""

    def seats(self, players: int) -> list[int]:
        """Return the players in the order of the first hand's seats."""


class SeededChance:
    """Derives everything from the match's seed, as described in docs/deals.md.

    Until the match starts, players may add their nonces and the organiser the value of the beacon:
    both change what is dealt. What house bots choose comes from the server's seed alone.
    """

    twin = 0
    """The number of the match in its set of duplicates."""

    def __init__(self, seed: bytes, nonces: Sequence[str] = (), beacon: str = "") -> None:
        self.seed = seed
        self.nonces = list(nonces)
        self.beacon = beacon
        self.deal_seed = deal_seed(seed, nonces, beacon)

    def add_nonce(self, nonce: str) -> None:
        """Hash the nonce of a player into the deals, after those of the players before it."""
        self.nonces.append(nonce)
        self.deal_seed = deal_seed(self.seed, self.nonces, self.beacon)

    def set_beacon(self, beacon: str) -> None:
        """Hash the value of the beacon into the deals; an empty one takes it back."""
        self.beacon = beacon
        self.deal_seed = deal_seed(self.seed, self.nonces, beacon)

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        return deal(self.deal_seed, hand, deck, count)

    def seats(self, players: int) -> list[int]:
        return draw(Stream(self.deal_seed, "seats"), range(players), players)

    def deal_of(self, hand: int) -> int:
        """Return the number of the deal that a hand has; its twins have it as another hand."""
        return hand

    def bot(self, player: int) -> Stream:
        """Return the random stream of the house bot with this player number."""
        return Stream(self.seed, f"bot {player}")

    @property
    def module_seed(self) -> bytes:
        """What the random module is seeded with before users' bots are loaded."""
        return self.seed


class TwinChance(SeededChance):
    """Deals what its twins deal, in another order and with other suits."""

    def __init__(self, seed: bytes, twin: int, hands: int, players: int) -> None:
        """`twin` counts from 1; the match has at most so many hands and players."""
        super().__init__(seed)
        self.twin = twin
        self._order = twin_order(seed, twin, hands, players)
        self._suits = twin_suits(seed, twin)

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        cards = deal(self.deal_seed, self.deal_of(hand), deck, count)
        if len(deck) < len(DECK):
            return cards  # in Kuhn poker all cards have the same suit
        return [card - card % 4 + self._suits[card % 4] for card in cards]

    def deal_of(self, hand: int) -> int:
        # Where hands were voided their numbers are not used again, and others come after the last.
        return self._order[hand - 1] if hand <= len(self._order) else hand

    def bot(self, player: int) -> Stream:
        return Stream(self.seed, f"twin {self.twin} bot {player}")

    @property
    def module_seed(self) -> bytes:
        # Twins share their deals and nothing else: bots that draw lots must not draw the same.
        return self.seed + bytes([self.twin])


def chance_of(seed: bytes, twin: int, hands: int, players: int) -> SeededChance:
    """Return the chance of a match in a set: number 0 has the deals as they are."""
    return TwinChance(seed, twin, hands, players) if twin else SeededChance(seed)


def seat_order(rules: Rules, chance: Chance, players: int) -> list[int]:
    """Return the players in the order of the first hand's seats: drawn, or as they came."""
    return list(range(players)) if rules.seating == ARRIVAL else chance.seats(players)
