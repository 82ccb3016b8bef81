"""Whether another hand follows, and if not, because of whom.

State that lives here: that the last hand was played (`last`), and what broke the match (`broken`).
The two differ in what follows: after the last hand those who say that they are ready are waited for
once more, while a broken match ends as soon as no hand is under way.
"""

from collections.abc import Sequence

from croupier.match.entrant import Entrant
from croupier.match.events import Broken
from croupier.match.settlement import too_few_left
from croupier.rules.rules import Rules


class Ending:
    """How a match comes to its end by itself."""

    __slots__ = ("_players", "_rules", "broken", "last")

    def __init__(self, rules: Rules, players: Sequence[Entrant]) -> None:
        self._rules = rules
        self._players = players
        self.last = False
        """No hand follows. Once true, it stays so."""
        self.broken: Broken | None = None
        """The first fault, where a fault ends the match."""

    def blame(self, player: int, cause: str) -> None:
        """Let the match end because of a player, if the rules want it and it is not ending yet."""
        if self._rules.fault_ends and not self.last and self.broken is None:
            self.broken = Broken(player, cause)

    def after_hand(self, played: int) -> bool:
        """Tell whether the rules have another hand after so many."""
        if self.broken is not None or 0 < self._rules.hands <= played:
            self.last = True
        return not self.last

    def look(self) -> bool:
        """Look whether enough players are left; tell whether there is no next hand."""
        self.last = self.last or too_few_left(self._rules, self._players)
        return self.last
