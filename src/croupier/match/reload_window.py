"""The window between two hands in which players may buy chips.

State owned by this module: who has answered in this window, and whom it never waits for.
"""

from collections.abc import Sequence

from croupier.match.entrant import Entrant
from croupier.match.events import Reloaded
from croupier.rules.events import Event
from croupier.rules.rules import Rules


class ReloadWindow:
    """Sells stacks, and tracks the players that have not answered yet."""

    __slots__ = ("_answered", "_never", "_players", "_rules")

    def __init__(self, rules: Rules, players: Sequence[Entrant]) -> None:
        self._rules = rules
        self._players = players
        self._answered: set[int] = set()
        self._never: set[int] = set()
        """Players not to wait for, such as house bots: they only buy when out of chips."""

    def skip(self, player: int) -> None:
        """Never wait for a player."""
        self._never.add(player)

    def open(self) -> None:
        """Open a new window, with no answers yet."""
        self._answered.clear()

    def answer(self, player: int) -> list[Event]:
        """Sell a player a stack, if it has a purchase left."""
        self._answered.add(player)
        may = self._players[player].reloads < self._rules.reloads
        return [self._buy(player)] if may else []

    @property
    def done(self) -> bool:
        """Whether nobody is left to wait for."""
        return not any(
            entrant.online
            and not entrant.out
            and entrant.reloads < self._rules.reloads
            and player not in self._answered
            and player not in self._never
            for player, entrant in enumerate(self._players)
        )

    def close(self) -> list[Event]:
        """Sell a stack to every player that is out of chips."""
        return [
            self._buy(player)
            for player, entrant in enumerate(self._players)
            if not entrant.out and not entrant.stack
        ]

    def _buy(self, player: int) -> Event:
        entrant = self._players[player]
        entrant.reloads += 1
        entrant.stack += self._rules.stack
        return Reloaded(player, self._rules.stack, entrant.reloads)
