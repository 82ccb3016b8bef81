"""Whose turn it is, until when, and who is folded without being asked.

State that lives here:

- the player who is asked, and when its time is over;
- whether it was away when its turn came (`absent`): it then has `absence_ms` to come back, and all
  of its time from then on;
- who was not ready when the hand began (`late`) and who has said that it leaves (`exited`): both
  are folded when their turn comes, and that counts as a timeout.

`asked` is NOBODY whenever no hand is played.
"""

from collections.abc import Iterable, Sequence

from croupier.match.entrant import Entrant
from croupier.match.events import TimedOut
from croupier.rules.hand import NOBODY
from croupier.rules.rules import Rules


class Turn:
    """The turn of one player after another."""

    __slots__ = (
        "_absence_s",
        "_decision_s",
        "_exited",
        "_late",
        "_players",
        "absent",
        "asked",
        "deadline",
    )

    def __init__(self, rules: Rules, players: Sequence[Entrant]) -> None:
        self._decision_s = rules.decision_ms / 1000
        self._absence_s = rules.absence_ms / 1000
        self._players = players
        self.asked = NOBODY
        self.deadline: float | None = None
        self.absent = False
        """The player who is asked was away when its turn came."""
        self._late: set[int] = set()
        """Who was not ready for this hand."""
        self._exited: set[int] = set()
        """Who has said that it leaves, and has not come back."""

    def begin(self, player: int, now: float) -> bool:
        """Turn to a player; return False if it is folded without being asked."""
        self.asked = player
        self.ask(now)
        if player in self._late or player in self._exited:
            return False
        return not self.absent or bool(self._absence_s)

    def ask(self, now: float) -> None:
        """Let the time begin in which the player has to answer, or to come back."""
        self.absent = not self._players[self.asked].online
        self.deadline = now + (self._absence_s if self.absent else self._decision_s)

    def time_out(self) -> TimedOut:
        """Count a timeout of the player whose turn it is."""
        entrant = self._players[self.asked]
        entrant.timeouts += 1
        return TimedOut(self.asked, entrant.timeouts, self.absent)

    def end(self) -> None:
        """Ask nobody any more: the hand is over."""
        self.asked = NOBODY
        self.deadline = None
        self._late.clear()

    # The clock.

    def start_clock(self, now: float) -> None:
        """Let the player's time begin now; whoever is away is waited for as before."""
        if not self.absent:
            self.deadline = now + self._decision_s

    def extend(self, seconds: float) -> None:
        """Give the player more time."""
        assert self.deadline is not None
        self.deadline += seconds

    # Who is not there.

    def gone(self, player: int) -> bool:
        """Tell whether a player that has just gone loses its turn by it."""
        if player != self.asked or self._absence_s:
            return False
        self.absent = True
        return True

    def returned(self, player: int, now: float) -> None:
        """Take a player back; if its turn came while it was away, its time begins now."""
        self._exited.discard(player)
        if player == self.asked and self.absent:
            self.absent = False
            self.deadline = now + self._decision_s

    def exited(self, player: int) -> None:
        """Ask a player no more until it comes back."""
        self._exited.add(player)

    def not_ready(self, players: Iterable[int]) -> None:
        """Ask these players nothing in the next hand."""
        self._late = set(players)

    def ready(self, player: int) -> None:
        """Ask a player again that was not ready in time."""
        self._late.discard(player)
