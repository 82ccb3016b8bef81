"""The players of a match, and their names in each dialect.

A place belongs to a player for the whole match. Pids, names and seats are public, so they are not
credentials; each dialect defines how a reconnecting player is recognised.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

HOUSE = "house"
"""In place of a dialect's name: a house bot."""

FIRST_HOUSE_PID = 9001


@dataclass
class Place:
    """A player's place in a match: its owner and its names.

    The fields are those stored in the record of a match.
    """

    name: str
    dialect: str
    pid: str | None = None
    """Its public number."""
    token: str | None = None
    """The digest of its private name; where it has none, one that nobody can have a name for."""
    bot: str = ""
    """The name of the house bot, if it is one."""
    keyed: bool = False
    """It has proved who it is with a registered key, whose token it then has."""
    address: str = ""
    """Where it came from, if only its name tells who it is; for the server alone."""
    nonce: str = ""
    """A public text of its choice that enters the deals."""


@dataclass
class Roster:
    """The players of a match by number, and their names."""

    table_number: str = "1"
    places: list[Place] = field(default_factory=list)
    pids: dict[int, str] = field(default_factory=dict)
    tokens: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    """Names in dialects that use neither pids nor tokens."""
    opened_by: Any = None
    """The listener of the player that opened the room, if the table is a room."""
    bot_names: dict[tuple[Any, int], str] = field(default_factory=dict)
    """Names of house bots that depend on the listener, by listener and player."""
    humans: set[int] = field(default_factory=set)
    """The players who are people."""
    match: str = ""
    """The id of the match."""
    secret: bytes = field(default=b"", repr=False)
    """A secret of the match, from which players without a private name get their tokens."""

    def add(self, place: Place, called: str, *, rename: bool = False) -> int:
        """Assign the next place, under a free name, and return its player number.

        With `rename` the place gets that name too: unlike the player's own choice, it is unique.
        """
        player = len(self.places)
        self.places.append(place)
        if place.pid is not None:
            self.pids[player] = place.pid
        self.names[player] = self._free_name(called)
        if rename:
            place.name = self.names[player]
        if place.token is None and self.secret:
            place.token = secret_token(self.secret, player)
        self.tokens[player] = place.token or token_without_name(place, player)
        return player

    def _free_name(self, name: str) -> str:
        """Return the name, with a number appended if it is taken."""
        taken, free, number = set(self.names.values()), name, 2
        while free in taken:
            free, number = f"{name}-{number}", number + 1
        return free

    def pid_taken(self, pid: str) -> bool:
        """Tell whether a player already has this pid."""
        return any(int(pid) == int(known) for known in self.pids.values())

    def assign_missing_pids(self) -> None:
        """Give players without a pid the lowest free numbers for the whole match."""
        taken = {int(pid) for pid in self.pids.values()}
        number = FIRST_HOUSE_PID
        for player, place in enumerate(self.places):
            if place.pid is None:
                while number in taken:
                    number += 1
                place.pid = self.pids[player] = str(number)
                number += 1


def bare_name(name: str) -> str:
    """Return a name without the number appended because it was taken, if any."""
    return _NUMBERED.sub("", name)


_NUMBERED = re.compile(r"(?<=.)-[0-9]+$", re.S)

Listeners = Mapping[int, Any]
"""The players that a speaker addresses, with what each asked for."""


def secret_token(secret: bytes, player: int) -> str:
    """Return the token of a player without a private name, in a match with this secret."""
    text = secret + f"token {player}".encode("ascii")
    return hashlib.md5(text, usedforsecurity=False).hexdigest()


def token_without_name(place: Place, player: int) -> str:
    """Return the token that a player without a private name has in older records.

    Somebody might have this text for a private name, and so the same token.
    """
    text = f"{place.dialect}:{place.name}:{player}"
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()
