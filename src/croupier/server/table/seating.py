"""Who has which place at a table, and which speaker each player listens to."""

import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from croupier.dialects.base import Speaker
from croupier.dialects.dialect import Dialect, Recognised
from croupier.dialects.registry import dialect_of
from croupier.dialects.roster import HOUSE, Place, Roster, bare_name


@dataclass
class Seating(Roster):
    """All places of one match, and its players who are connected or may reconnect."""

    listeners: dict[str, dict[int, Any]] = field(default_factory=dict)
    """By dialect, its players, each with what it asked for."""

    named: bool = False
    """Whether places have display names, which are unique and which all dialects use."""

    def give(self, place: Place) -> int:
        """Assign the next place; return its player number."""
        dialect = dialect_of(place.dialect)
        if dialect is not None and dialect.human:
            self.humans.add(len(self.places))
        if dialect is None or self.named or place.keyed:
            return self.add(place, place.name)
        return self.add(place, dialect.called(place), rename=not dialect.unique)

    def find(self, place: Place) -> int | None:
        """Return the player with the same identity as a newcomer."""
        return next(self._same(place), None)

    def _same(self, place: Place) -> Iterator[int]:
        """Return the players with the same identity: that of their key, if they have one."""
        dialect = _spoken_by(place)
        by_token = dialect.recognised is Recognised.BY_TOKEN
        for player, known in enumerate(self.places):
            if known.dialect != place.dialect:
                continue
            if (known.keyed or place.keyed) and not by_token:
                same = known.keyed and place.keyed and known.token == place.token
            else:
                same = dialect.identity(known) == dialect.identity(place)
            if same:
                yield player

    def find_away(self, place: Place, away: Collection[int]) -> int | None:
        """Return the disconnected player that this newcomer may be.

        Whoever has neither a key nor a private name has to come from the same address as before.
        Where names are not unique, a player whose name was taken got a number added to it, which
        its program does not know.
        """
        for player in self._same(place):
            if player in away and self._same_address(player, place):
                return player
        if _spoken_by(place).unique or place.name not in self.names.values():
            return None
        for other, known in enumerate(self.places):
            same = known.dialect == place.dialect and place.name == bare_name(known.name)
            named = same and not known.keyed and not place.keyed
            if other in away and named and self._same_address(other, place):
                return other
        return None

    def _same_address(self, player: int, place: Place) -> bool:
        return self.places[player].address in ("", place.address)

    def listen(self, player: int, dialect: str, listener: Any) -> Speaker | None:
        """Add a listener; return a new speaker if it is the first of its dialect."""
        listeners = self.listeners.setdefault(dialect, {})
        first = not listeners  # a spectator may have come before any player
        listeners[player] = listener
        spoken = dialect_of(dialect)
        assert spoken is not None
        return spoken.speaker(self, listeners, time_of_day) if first else None

    @classmethod
    def restore(
        cls, table_number: str, places: Iterable[Place], *, named: bool = False
    ) -> tuple["Seating", list[Speaker]]:
        """Return the places of a match on record, and the speakers for its players.

        Everyone is a listener from the start, so that a player who reconnects in the middle of a
        hand learns about it. What each asks for is known when it reconnects.
        """
        seating = cls(table_number, named=named)
        speakers = []
        for place in places:
            player = seating.give(place)
            if place.dialect != HOUSE:
                listener = _spoken_by(place).default_listener
                speaker = seating.listen(player, place.dialect, listener)
                if speaker is not None:
                    speakers.append(speaker)
        return seating, speakers


def _spoken_by(place: Place) -> Dialect:
    """Return the dialect of a player who is no house bot."""
    dialect = dialect_of(place.dialect)
    assert dialect is not None
    return dialect


def time_of_day() -> str:
    """Return the present time, as messages show it."""
    now = time.time()
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now)) + f".{int(now % 1 * 1000):03d}"
