"""Whether another hand follows, and if not, which player is the cause.

State owned by this module: whether the last hand was played (`last`), the fault that broke the
match (`broken`), and who left before the last hand was over (`deserters`). The first two differ in
what follows: after the last hand the match waits once more for players that signal when they are
ready, while a broken match ends as soon as no hand is in progress.
"""

from collections.abc import Sequence

from croupier.match.entrant import Entrant
from croupier.match.events import Broken
from croupier.match.settlement import too_few_left
from croupier.rules.rules import Rules


class Ending:
    """Tracks the conditions under which a match ends."""

    __slots__ = ("_players", "_rules", "broken", "deserters", "last")

    def __init__(self, rules: Rules, players: Sequence[Entrant]) -> None:
        self._rules = rules
        self._players = players
        self.last = False
        """Whether no further hand follows; never reset."""
        self.broken: Broken | None = None
        """The first fault, if the rules let a fault end the match."""
        self.deserters: set[int] = set()
        """Players that disconnected before the last hand was over and have not returned."""

    def desert(self, player: int) -> None:
        """Note that a player has disconnected; after the last hand it may."""
        if not self.last:
            self.deserters.add(player)

    def blame(self, player: int, cause: str) -> None:
        """End the match because of a player, if the rules say so and it is not ending already."""
        if self._rules.fault_ends and not self.last and self.broken is None:
            self.broken = Broken(player, cause)

    def after_hand(self, played: int) -> bool:
        """Tell whether another hand may follow after `played` hands."""
        if self.broken is not None or 0 < self._rules.hands <= played:
            self.last = True
        return not self.last

    def check(self) -> bool:
        """Update `last` from the number of remaining players and return it."""
        self.last = self.last or too_few_left(self._rules, self._players)
        return self.last
