"""The time between two hands in which players may buy chips.

State that lives here: who has answered in this window, and who is never waited for.
"""

from collections.abc import Sequence

from croupier.match.entrant import Entrant
from croupier.match.events import Reloaded
from croupier.rules.events import Event
from croupier.rules.rules import Rules


class ReloadWindow:
    """Who has bought a stack or said that it will not, and who is still waited for."""

    __slots__ = ("_answered", "_never", "_players", "_rules")

    def __init__(self, rules: Rules, players: Sequence[Entrant]) -> None:
        self._rules = rules
        self._players = players
        self._answered: set[int] = set()
        self._never: set[int] = set()
        """Players who are not waited for, such as house bots: they buy when they have no chips."""

    def skip(self, player: int) -> None:
        """Never wait for a player."""
        self._never.add(player)

    def open(self) -> None:
        """Wait for everybody who may buy."""
        self._answered.clear()

    def answer(self, player: int) -> list[Event]:
        """Let a player buy a stack, if it has a purchase left."""
        self._answered.add(player)
        may = self._players[player].reloads < self._rules.reloads
        return [self._buy(player)] if may else []

    @property
    def done(self) -> bool:
        """There is nobody left to wait for."""
        return not any(
            entrant.online
            and not entrant.out
            and entrant.reloads < self._rules.reloads
            and player not in self._answered
            and player not in self._never
            for player, entrant in enumerate(self._players)
        )

    def close(self) -> list[Event]:
        """Buy for those who have nothing left to play with."""
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
