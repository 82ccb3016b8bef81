"""Follow the betting of a hand as readers of hand histories do.

Readers such as PokerKit replay a history by the standard rules. Croupier's rules may ask a seat
that they would not ask, allow a raise that they would not allow, or count a short blind as a whole
one. `StandardBetting` follows a hand the way readers do and writes each action so that they arrive
at the same chips. `differences` holds what cannot be written this way.
"""

from collections.abc import Sequence

from croupier.rules.events import CALLED, FOLDED, Acted, Posted


class StandardBetting:
    """Bets and stacks as a reader counts them; seats are those of the file."""

    def __init__(self, stacks: Sequence[int], min_bet: int) -> None:
        self.stacks = list(stacks)
        self._starting = tuple(stacks)
        self.bets = [0] * len(stacks)
        self.folded = [False] * len(stacks)
        self.min_bet = min_bet
        """The big blind, or the smallest raise in the hand that was not all-in if it is lower."""
        self.differences: list[str] = []
        self.mucked: list[int] = []
        """Players whose fold a reader does not ask for."""
        self._largest = 0
        self._acted: set[int] = set()
        self._short: list[int] = []

    def post(self, seat: int, posted: Posted, ante: bool) -> None:
        """Post an ante or a blind."""
        self.stacks[seat] -= posted.amount
        if not ante:
            self.bets[seat] += posted.amount

    def next_street(self) -> None:
        """Reset the betting for the next street."""
        self.bets = [0] * len(self.bets)
        self._largest = 0
        self._acted = set()
        self._short = []

    def action(self, seat: int, acted: Acted, note: str) -> str:
        """Apply an action and return it in the notation of a hand history, followed by a note."""
        who = f"p{seat + 1}"
        if not self._asks(seat):
            if acted.action == FOLDED and self.live > 1:
                self._fold_unasked(seat, who)
            return comment(f"{who} {_in_words(acted)}", note)
        if acted.action == FOLDED:
            self.folded[seat] = True
            self._acted.add(seat)
            return _line(f"{who} f", note)
        high = max(self.bets)
        if acted.to > high and self._can_be_answered(seat, high):
            if acted.action == CALLED:
                note = note or "calls the whole big blind"
            self._raise(seat, acted.to, high)
            return _line(f"{who} cbr {acted.to}", note)
        if acted.action != CALLED and acted.to > high:
            note = note or f"{_in_words(acted)}, which nobody can answer"
        self._put(seat, min(high - self.bets[seat], self.stacks[seat]))
        self._acted.add(seat)
        return _line(f"{who} cc", note)

    def _fold_unasked(self, seat: int, who: str) -> None:
        """Apply a fold that readers do not ask for: with them the player mucks at the showdown.

        The result differs only in what this player alone has put in, and where no showdown follows.
        """
        self.mucked.append(seat)
        others = self._others(seat)
        if not self.stacks[seat]:
            self.differences.append(f"{who} folds without chips")
        elif len(others) == 1 or self._put_in(seat) > max(map(self._put_in, others)):
            self.differences.append(f"{who} folds with nothing to call from who is all-in")

    @property
    def live(self) -> int:
        """The number of seats that have not folded."""
        return self.folded.count(False)

    def has_given_up(self, seat: int) -> bool:
        """Tell whether a seat has folded, asked or not."""
        return self.folded[seat] or seat in self.mucked

    def _others(self, seat: int) -> list[int]:
        return [other for other, out in enumerate(self.folded) if other != seat and not out]

    def _asks(self, seat: int) -> bool:
        """Tell whether a reader asks this seat: not if it is alone or has no choice."""
        if not self.stacks[seat] or self.folded[seat]:
            return False
        bet = self.bets[seat]
        return any(self.stacks[other] or self.bets[other] > bet for other in self._others(seat))

    def _can_be_answered(self, seat: int, high: int) -> bool:
        return any(self.bets[other] + self.stacks[other] > high for other in self._others(seat))

    def _raise(self, seat: int, to: int, high: int) -> None:
        by = to - high
        all_in = to == self.bets[seat] + self.stacks[seat]
        closed = high - self.bets[seat] < self._largest or (
            bool(self._short) and sum(self._short) < self._largest and seat in self._acted
        )
        if closed:
            self.differences.append(f"p{seat + 1} raises after a short all-in")
        elif by < self._largest and not all_in:
            self.differences.append(f"p{seat + 1} raises by {by} after a raise by {self._largest}")
        if not all_in:
            self.min_bet = min(self.min_bet, by)
        self._put(seat, to - self.bets[seat])
        self._acted.add(seat)
        if by >= self._largest:
            self._acted = {seat}
            self._largest = by
        self._short = [*self._short, by] if all_in else []
        if sum(self._short) >= self._largest:
            self._short = []

    def _put_in(self, seat: int) -> int:
        return self._starting[seat] - self.stacks[seat]

    def _put(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.bets[seat] += amount


def comment(text: str, note: str = "") -> str:
    """Return a line that readers ignore."""
    return f"# {text}" + (f", {note}" if note else "")


def _line(action: str, note: str) -> str:
    return f"{action} # {note}" if note else action


def _in_words(acted: Acted) -> str:
    verb = {"allin": "goes all-in", "call": "calls"}.get(acted.action, f"{acted.action}s")
    return f"{verb} to {acted.to}" if acted.added else verb
