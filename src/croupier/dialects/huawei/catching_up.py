"""What the others did since the last message, out of the figures of the next one.

A server that knows `need_bet` tells every action as it happens. An older one shows only, when a
player is asked, the last action and the chips of everyone who has acted. That is enough: between
two questions to the same player everyone else acts once on a street, in the order of the seats, and
after his last answer on a street nobody raised any more, or he would have been asked again. So
whoever had to act before the street ended called what he owed, or folded; the rest of what he put
in belongs to the new street. One case is open, a fold that was free, by someone who would have
acted before this player on the new street too; the notify that ends the round shows it in time.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.dialects.remote_hand import Figures, RemoteHand
from croupier.rules.rules import AFTER_SMALL_BLIND

FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Line:
    """What a message says of a player who has acted."""

    stack: int
    put: int
    action: str


Lines = Mapping[int, Line]
"""By seat."""


class CatchingUp:
    """Keeps a hand up to date with what its messages show."""

    def __init__(self, hand: RemoteHand, first: int) -> None:
        """`first` is the seat from which the first question goes round."""
        self._hand = hand
        self._turn = first
        self._acted: set[int] = set()
        """Who has acted on this street."""
        self._boards: list[list[int]] = []
        """Streets that were dealt while it is open what ended those before."""
        self._told_each = False
        """The server tells every action."""
        self._asked = False
        """The own seat was asked, and what came of its answer is not told yet."""

    def board(self, cards: list[int]) -> None:
        """Take the cards of a new street."""
        self._boards.append(cards)
        if self._told_each:
            self._next_street()

    def action(self, seat: int, line: Line) -> None:
        """Take one action that was told as it happened."""
        self._told_each = True
        while self._boards:
            self._next_street()
        self._act(seat, line)

    def round_over(self, lines: Lines) -> None:
        """Take the figures at the end of a betting round."""
        if not self._told_each and not self._boards:
            self._finish_street(lines, late=False)

    def asked(self, lines: Lines) -> Figures:
        """Take the figures of a question to the own seat."""
        if not self._told_each:
            while self._boards:
                self._finish_street(lines, late=True)
                self._next_street()
            self._reach_own_seat(lines)
        self._asked = True
        return self._figures(lines)

    # The order of things.

    def _next_street(self) -> None:
        hand = self._hand
        hand.board([*hand.view.board, *self._boards.pop(0)])
        self._acted.clear()
        self._asked = False
        self._turn = self._later_start()

    def _later_start(self) -> int:
        """Return the seat from which a later street goes round."""
        hand = self._hand
        small_last = hand.rules.later_start == AFTER_SMALL_BLIND
        return (hand.view.small_seat + 1) % hand.size if small_last else 0

    def _acts_later(self, seat: int) -> bool:
        """Tell whether a seat comes after the own one on later streets."""
        start, size = self._later_start(), self._hand.size
        return (seat - start) % size > (self._hand.seat - start) % size

    def _reach_own_seat(self, lines: Lines) -> None:
        own = self._hand.seat
        for _ in range(self._hand.size + 1):
            if self._turn == own and not self._asked:
                return
            self._take_turn(lines, late=False)

    def _finish_street(self, lines: Lines, late: bool) -> None:
        for _ in range(self._hand.size):
            self._take_turn(lines, late)

    def _take_turn(self, lines: Lines, late: bool) -> None:
        """Let the seat in turn act if it had to; late lines show later streets too."""
        seat = self._turn
        self._turn = (seat + 1) % self._hand.size
        view = self._hand.view
        owed = view.high - view.bets[seat]
        done = seat in self._acted and owed <= 0
        line = lines.get(seat)
        if line is None or done or view.folded[seat] or not view.stacks[seat]:
            return
        if not late or seat == self._hand.seat:  # the own seat has not acted on a later one
            self._act(seat, line)
        elif owed <= 0 and not (line.action == FOLD and self._acts_later(seat)):
            self._put(seat, 0)
        elif line.put > view.put[seat]:
            self._put(seat, min(owed, line.put - view.put[seat]))
        else:
            self._fold(seat)

    def _act(self, seat: int, line: Line) -> None:
        if line.action == FOLD:
            self._fold(seat)
        else:
            self._put(seat, max(0, line.put - self._hand.view.put[seat]))

    def _fold(self, seat: int) -> None:
        self._noted(seat)
        self._hand.fold(seat)

    def _put(self, seat: int, added: int) -> None:
        self._noted(seat)
        self._hand.put_in(seat, added)

    def _noted(self, seat: int) -> None:
        self._acted.add(seat)
        self._asked = self._asked and seat != self._hand.seat

    def _figures(self, lines: Lines) -> Figures:
        view = self._hand.view
        stacks, put, folded = view.stacks[:], view.put[:], view.folded[:]
        bets = view.bets[:]
        for seat, line in lines.items():
            bets[seat] += line.put - put[seat]
            stacks[seat], put[seat] = line.stack, line.put
            folded[seat] = line.action == FOLD
        return Figures(stacks, bets, put, folded)
