"""Deal the cards of a scenario: random, except for those that it prescribes."""

from croupier.cards import parse_many
from croupier.dialects.scenarios import Scenario
from croupier.match.chance import SeededChance


class ScriptedChance(SeededChance):
    """Deal random cards except for those a scenario prescribes; the program joins last."""

    def __init__(self, seed: bytes, scenario: Scenario) -> None:
        super().__init__(seed)
        self._scenario = scenario

    def cards(self, hand: int, deck: tuple[int, ...], count: int) -> list[int]:  # type: ignore[override]
        board = parse_many(self._scenario.cards.get(hand, ""))
        hole = parse_many(self._scenario.hole.get(hand, ""))
        if not board and not hole:
            return super().cards(hand, deck, count)
        seats = (count - 5) // 2
        wanted = set(board) | set(hole)
        rest = [card for card in super().cards(hand, deck, len(deck)) if card not in wanted]
        cards = rest[:count]
        if board:
            cards[-5:] = board
        if hole:
            seat = self._seat_of_program(hand, seats)
            cards[2 * seat : 2 * seat + 2] = hole
        return cards

    def seats(self, players: int) -> list[int]:
        return list(range(players))

    def _seat_of_program(self, hand: int, seats: int) -> int:
        """Return the seat of the last player, provided that nobody is out."""
        return (seats - 1 - (hand - 1)) % seats
