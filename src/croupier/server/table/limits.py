"""Limits on what visitors may take: by address, and in all."""

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The settings of `[limits]` in an arena's file.

    They are about visitors. Players that are admitted by a key are not counted: the teams of a
    contest may all come from one address.
    """

    rooms: int = 10_000
    """Rooms at the same time."""
    rooms_per_address: int = 100
    """Rooms at the same time that were opened from one address."""
    unfilled_s: int = 600
    """Seconds after its last player came in which a room has to be full."""
    watchers: int = 2_000
    """Spectators at the same time, of all tables and rooms."""
    watchers_per_address: int = 200
    bot_matches: int = 50
    """Matches at the same time that house bots play for a spectator."""
    bot_matches_per_address: int = 5
    bot_share: int = 5
    """Per cent of the time that house bots among themselves get while players are deciding."""


class Quota:
    """Counts who holds something: so many from one address, and so many in all."""

    def __init__(self, in_all: int, per_address: int) -> None:
        self._in_all = in_all
        self._per_address = per_address
        self._addresses: dict[object, str] = {}
        """By holder."""
        self._held: Counter[str] = Counter()
        """By address."""

    def refusal(self, address: str, what: str) -> str:
        """Return why this address may have no more, or nothing if it may."""
        if self._held[address] >= self._per_address:
            return (
                f"your address has {self._per_address} {what} already, which is the limit here;"
                " come back when one of them has ended"
            )
        if len(self._addresses) >= self._in_all:
            return f"there are too many {what}; come back later"
        return ""

    def add(self, holder: object, address: str) -> None:
        """Count a holder, once."""
        if holder not in self._addresses:
            self._addresses[holder] = address
            self._held[address] += 1

    def discard(self, holder: object) -> None:
        """Count a holder no longer."""
        address = self._addresses.pop(holder, None)
        if address is not None:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]
