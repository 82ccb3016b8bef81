"""A hand in the words of the protocol, built up from its events."""

from croupier.cards import HIDDEN, join
from croupier.dialects.acpc.words import CALL, FOLD, HEADER, RAISE
from croupier.rules.events import (
    CALLED,
    CHECKED,
    FOLDED,
    Acted,
    BoardDealt,
    Event,
    HandStarted,
    HoleDealt,
    Shown,
)
from croupier.rules.view import View


class Line:
    """A hand as states tell it: the betting, the hole cards by position and the board.

    It sees the events of a hand with all cards. Logs of whole matches are written from it as well.
    """

    __slots__ = ("betting", "board", "hole", "number", "shown", "size")

    def __init__(self, started: HandStarted) -> None:
        self.number = started.hand - 1
        self.size = len(started.players)
        self.betting = ""
        self.board = ""
        self.hole = [""] * self.size
        self.shown: dict[int, str] = {}
        """The cards of those who have reached the showdown."""

    def see(self, event: Event, hand: View) -> None:
        """Add an event that the view of the hand has seen already."""
        kind = type(event)
        if kind is Acted:
            action = event.action  # type: ignore[attr-defined]
            if action == FOLDED:
                self.betting += FOLD
            elif action in (CHECKED, CALLED):
                self.betting += CALL
            elif hand.rules.fixed_bets[hand.street]:
                self.betting += RAISE
            else:
                self.betting += f"{RAISE}{hand.put[event.seat]}"  # type: ignore[attr-defined]
        elif kind is BoardDealt:
            self.betting += "/"
            self.board += "/" + join(event.cards)  # type: ignore[attr-defined]
        elif kind is HoleDealt:
            cards: tuple[int, ...] = event.cards  # type: ignore[attr-defined]
            self.hole[event.seat] = "" if HIDDEN in cards else join(cards)  # type: ignore[attr-defined]
        elif kind is Shown and not hand.folded[event.seat]:  # type: ignore[attr-defined]
            self.shown[event.seat] = join(event.cards)  # type: ignore[attr-defined]

    @property
    def all_cards(self) -> str:
        """All hole cards and the board, as logs have them."""
        return "|".join(self.hole) + self.board

    def state(self, position: int) -> bytes:
        """Return the state that the player at a position may know."""
        fields = [""] * self.size
        for seat, cards in self.shown.items():
            fields[seat] = cards
        fields[position] = self.hole[position]
        return (
            f"{HEADER}:{position}:{self.number}:{self.betting}:{'|'.join(fields)}{self.board}\r\n"
        ).encode("ascii")
