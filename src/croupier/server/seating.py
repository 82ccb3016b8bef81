"""Who has which place at a table, how he is called there, and who speaks to whom.

A place belongs to a player for the whole match. Pids, names and seats are public, so they are no
credentials: to come back takes, in `huawei`, pid and registered name, in `room` the name, and in
`trend` the private name, of which the server knows only the token.
"""

import hashlib
import re
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from croupier.dialects.base import Speaker
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.dialects.kuhn import words as kuhn
from croupier.dialects.kuhn.speaker import KuhnSpeaker
from croupier.dialects.room.reader import V1
from croupier.dialects.room.speaker import RoomSpeaker
from croupier.dialects.trend.speaker import TrendSpeaker

HOUSE = "house"
HUAWEI = "huawei"
TREND = "trend"
ROOM = "room"
KUHN = "kuhn"

FIRST_HOUSE_PID = 9001


@dataclass
class Place:
    """A player's place: who has it, and how he is called on each wire."""

    name: str
    dialect: str
    pid: str | None = None
    token: str | None = None
    bot: str = ""
    """Which house bot it is."""

    @property
    def identity(self) -> tuple[str | None, ...]:
        """What a player must show to be taken for the one who had this place."""
        if self.dialect == TREND:
            return (TREND, self.token)
        if self.dialect == HUAWEI:
            return (HUAWEI, self.pid, self.name)
        return (self.dialect, self.name)

    @property
    def called(self) -> str:
        """How those who have no number for him call the player."""
        return f"{self.name}-{self.pid}" if self.dialect == HUAWEI else self.name


@dataclass
class Seating:
    """All places of one match, and the speakers for those who are there."""

    table_number: str = "1"
    places: list[Place] = field(default_factory=list)
    pids: dict[int, str] = field(default_factory=dict)
    tokens: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    room_bots: dict[tuple[int, int], str] = field(default_factory=dict)
    """What house bots are called in each version of `room`, where the versions differ."""
    room_version: int | None = None
    """The version of `room` that was asked for when the table was opened, if it is a room."""
    listeners: dict[str, dict[int, Any]] = field(default_factory=dict)
    """Of each dialect, who is spoken to and what he asked for."""

    def add(self, place: Place) -> int:
        """Give the next place away; return its player number."""
        player = len(self.places)
        self.places.append(place)
        if place.pid is not None:
            self.pids[player] = place.pid
        self.names[player] = self._free_name(place.called)
        if place.dialect == ROOM:
            place.name = self.names[player]
        self.tokens[player] = place.token or token_without_name(place, player)
        return player

    def _free_name(self, name: str) -> str:
        """Return a name, numbered if another player is called so already."""
        taken, free, number = set(self.names.values()), name, 2
        while free in taken:
            free, number = f"{name}-{number}", number + 1
        return free

    def find(self, place: Place) -> int | None:
        """Return the player who is the same as a newcomer."""
        for player, known in enumerate(self.places):
            if known.identity == place.identity:
                return player
        return None

    def find_away(self, place: Place, away: Collection[int]) -> int | None:
        """Return the player who may come back as this newcomer.

        In `room` a player whose name was taken got a number, of which its program knows nothing.
        """
        player = self.find(place)
        if player is not None and player in away:
            return player
        if place.dialect == ROOM and place.name in self.names.values():
            for other, known in enumerate(self.places):
                if other in away and known.dialect == ROOM and place.name == bare_name(known.name):
                    return other
        return None

    def pid_taken(self, pid: str) -> bool:
        """Tell whether another player is called by this number."""
        return any(int(pid) == int(known) for known in self.pids.values())

    def listen(self, player: int, dialect: str, listener: Any) -> Speaker | None:
        """Note whom to speak to; return the speaker if it is the first of its dialect."""
        first = dialect not in self.listeners
        self.listeners.setdefault(dialect, {})[player] = listener
        return self._speaker(dialect) if first else None

    def _speaker(self, dialect: str) -> Speaker:
        listeners = self.listeners[dialect]
        if dialect == HUAWEI:
            return HuaweiSpeaker(self.pids, listeners)
        if dialect == TREND:
            return TrendSpeaker(self.table_number, self.tokens, listeners)
        if dialect == ROOM:
            return RoomSpeaker(self.names, listeners, time_of_day, self.room_bots)
        (client,) = listeners  # its match is against the house alone
        return KuhnSpeaker(client, listeners[client])

    @property
    def watched_version(self) -> int:
        """The version of `room` that a spectator is spoken to in.

        A room's own; at any other table that of its first player of `room`.
        """
        if self.room_version is not None:
            return self.room_version
        versions: dict[int, int] = self.listeners.get(ROOM, {})
        return versions[min(versions)] if versions else V1

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

    @classmethod
    def restore(cls, table_number: str, places: Iterable[Place]) -> tuple["Seating", list[Speaker]]:
        """Return the places of a match on record, and the speakers for its players.

        Everyone is spoken to from the start, so that who comes back in the middle of a hand is told
        of it; what he asks for he says when he is here.
        """
        seating = cls(table_number)
        speakers = []
        for place in places:
            player = seating.add(place)
            if place.dialect != HOUSE:
                speaker = seating.listen(player, place.dialect, _DEFAULTS.get(place.dialect))
                if speaker is not None:
                    speakers.append(speaker)
        return seating, speakers


_DEFAULTS = {HUAWEI: Listener(), ROOM: V1, KUHN: kuhn.TEXT}


def bare_name(name: str) -> str:
    """Return a name without the number that it may have got because it was taken."""
    return _NUMBERED.sub("", name)


_NUMBERED = re.compile(r"(?<=.)-[0-9]+$", re.S)


def token_without_name(place: Place, player: int) -> str:
    """Return how a player without a private name is called in `trend`."""
    text = f"{place.dialect}:{place.name}:{player}"
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()


def time_of_day() -> str:
    """Return the present time as the second version of `room` shows it."""
    now = time.time()
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now)) + f".{int(now % 1 * 1000):03d}"
