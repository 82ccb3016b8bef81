"""The registered players, as newcomers are compared with them.

A newcomer costs no query: the registry is read as a whole, and again only when reading it has cost
a small share of the time since. So whoever is registered or removed counts at once, or a moment
later while many newcomers come.
"""

import time
from collections.abc import Callable

from sqlalchemy import Engine

from croupier.store import registry
from croupier.store.registry import Registered, folded

SHARE = 0.02
"""Of the time for reading the registry."""

LONGEST = 1.0
"""Seconds after which it is read again in any case."""


class KnownPlayers:
    """What the registry said when it was read last."""

    def __init__(
        self,
        engine: Engine | None,
        now: Callable[[], float] = time.monotonic,
        spent: Callable[[], float] = time.thread_time,
    ) -> None:
        """`spent` counts the time that this thread has worked."""
        self._engine = engine
        self._now = now
        self._spent = spent
        self._until = 0.0
        self._by_token: dict[str, Registered] = {}
        self._by_display: dict[str, Registered] = {}

    def with_token(self, token: str | None) -> Registered | None:
        """Return the player with a token."""
        self._refresh()
        return self._by_token.get(token or "")

    def called(self, display: str) -> Registered | None:
        """Return the player whose display name a reader would take this for."""
        self._refresh()
        return self._by_display.get(folded(display)) if self._by_display else None

    def _refresh(self) -> None:
        if self._engine is None or self._now() < self._until:
            return
        began = self._spent()
        players = registry.all_players(self._engine)
        self._by_token = {player.token: player for player in players}
        self._by_display = {folded(player.display): player for player in players}
        took = self._spent() - began
        self._until = self._now() + min(took / SHARE, LONGEST)
