"""Inference of the other players' actions from the figures in successive messages.

A server that knows `need_bet` reports every action as it happens. An older one only shows, when a
player is asked, the last action and the chips of everyone who has acted. That is enough: between
two questions to the same player every other player acts once on a street, in seat order, and after
the player's last answer on a street nobody raised, or it would have been asked again. So everyone
who still had to act before the street ended called what they owed, or folded; any other chips they
put in belong to the new street. One case is ambiguous: a fold that was free, by a player who would
also have acted earlier on the new street; the notify that ends the round shows it in time, unless
the table's rules let the big blind start later streets, as those of `huawei` do not.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.dialects.remote_hand import Figures, RemoteHand
from croupier.rules.rules import AFTER_SMALL_BLIND

FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Line:
    """A message's line about a player who has acted."""

    stack: int
    put: int
    action: str


Lines = Mapping[int, Line]
"""By seat."""


class ActionInference:
    """Keeps a hand up to date with the actions that its messages report or imply."""

    def __init__(self, hand: RemoteHand, first: int) -> None:
        """Follow a hand in which `first` is the first seat to act."""
        self._hand = hand
        self._turn = first
        self._acted: set[int] = set()
        """The seats that have acted on this street."""
        self._boards: list[list[int]] = []
        """Streets dealt before the actions that ended the previous ones are known."""
        self._reports_actions = False
        """Whether the server reports every action."""
        self._asked = False
        """Whether the player's own seat was asked and its answer is not confirmed yet."""

    def board(self, cards: list[int]) -> None:
        """Accept the cards of a new street."""
        self._boards.append(cards)
        if self._reports_actions:
            self._next_street()

    def action(self, seat: int, line: Line) -> None:
        """Accept an action that was reported as it happened."""
        self._reports_actions = True
        while self._boards:
            self._next_street()
        self._act(seat, line)

    def round_over(self, lines: Lines) -> None:
        """Accept the figures at the end of a betting round."""
        if not self._reports_actions and not self._boards:
            self._finish_street(lines, late=False)

    def asked(self, lines: Lines) -> Figures:
        """Accept the figures of a question to the player's own seat."""
        if not self._reports_actions:
            while self._boards:
                self._finish_street(lines, late=True)
                self._next_street()
            self._reach_own_seat(lines)
        self._asked = True
        return self._figures(lines)

    # The order of actions.

    def _next_street(self) -> None:
        hand = self._hand
        hand.board([*hand.view.board, *self._boards.pop(0)])
        self._acted.clear()
        self._asked = False
        self._turn = self._later_start()

    def _later_start(self) -> int:
        """Return the first seat to act on later streets."""
        hand = self._hand
        small_last = hand.rules.later_start == AFTER_SMALL_BLIND
        return (hand.view.small_seat + 1) % hand.size if small_last else 0

    def _acts_later(self, seat: int) -> bool:
        """Tell whether a seat acts after the player's own on later streets."""
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
        """Apply the action of the next seat, if it had to act.

        `late` lines already include actions on later streets.
        """
        seat = self._turn
        self._turn = (seat + 1) % self._hand.size
        view = self._hand.view
        owed = view.high - view.bets[seat]
        done = seat in self._acted and owed <= 0
        line = lines.get(seat)
        if line is None or done or view.folded[seat] or not view.stacks[seat]:
            return
        if not late or seat == self._hand.seat:  # the player has not acted later
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
