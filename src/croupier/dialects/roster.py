"""Who takes part in a match, and what each player is called on each wire.

A place belongs to a player for the whole match. Pids, names and seats are public, so they are no
credentials; how a player that comes back is recognised is up to its dialect.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

HOUSE = "house"
"""In place of a dialect: a bot of the house."""

FIRST_HOUSE_PID = 9001


@dataclass
class Place:
    """A player's place in a match: whose it is, and what it is called on each wire.

    The fields are those of the record of a match.
    """

    name: str
    dialect: str
    pid: str | None = None
    """Its public number."""
    token: str | None = None
    """The digest of its private name, where it has one."""
    bot: str = ""
    """Which house bot it is."""


@dataclass
class Roster:
    """The players of a match by number, and what they are called."""

    table_number: str = "1"
    places: list[Place] = field(default_factory=list)
    pids: dict[int, str] = field(default_factory=dict)
    tokens: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    """Among players that have neither a number nor a token for each other."""
    opened_by: Any = None
    """What the first player of a room is as a listener, if the table is a room."""
    bot_names: dict[tuple[Any, int], str] = field(default_factory=dict)
    """Names of house bots that differ with the listener, by listener and player."""

    def add(self, place: Place, called: str, *, rename: bool = False) -> int:
        """Give the next place away, under a free name; return its player number.

        With `rename` the place bears that name, too: unlike the player's own word, it is unique.
        """
        player = len(self.places)
        self.places.append(place)
        if place.pid is not None:
            self.pids[player] = place.pid
        self.names[player] = self._free_name(called)
        if rename:
            place.name = self.names[player]
        self.tokens[player] = place.token or token_without_name(place, player)
        return player

    def _free_name(self, name: str) -> str:
        """Return a name, numbered if another player is called so already."""
        taken, free, number = set(self.names.values()), name, 2
        while free in taken:
            free, number = f"{name}-{number}", number + 1
        return free

    def pid_taken(self, pid: str) -> bool:
        """Tell whether another player is called by this number."""
        return any(int(pid) == int(known) for known in self.pids.values())

    def number_the_rest(self) -> None:
        """Give those without a pid the lowest free numbers, for the whole match."""
        taken = {int(pid) for pid in self.pids.values()}
        number = FIRST_HOUSE_PID
        for player, place in enumerate(self.places):
            if place.pid is None:
                while number in taken:
                    number += 1
                place.pid = self.pids[player] = str(number)
                number += 1


def bare_name(name: str) -> str:
    """Return a name without the number that it may have got because it was taken."""
    return _NUMBERED.sub("", name)


_NUMBERED = re.compile(r"(?<=.)-[0-9]+$", re.S)

Listeners = Mapping[int, Any]
"""Who is spoken to, and what each asked for."""


def token_without_name(place: Place, player: int) -> str:
    """Return the token of a player without a private name."""
    text = f"{place.dialect}:{place.name}:{player}"
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()
