"""Who has which place at a table, and who is led to one.

A place belongs to a player for the whole match. Pids and seats are public, so they are no
credentials: to come back takes, in `huawei`, pid and registered name, and in `trend` the private
name, of which the server knows only the token.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from croupier.dialects.base import Speaker
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.dialects.trend.speaker import TrendSpeaker
from croupier.server.client import Client
from croupier.server.table import Table

HOUSE = "house"
HUAWEI = "huawei"
TREND = "trend"

FIRST_HOUSE_PID = 9001

UNKNOWN = "unknown"
TAKEN = "taken"
FULL = "full"


@dataclass(frozen=True)
class Refusal:
    """Why a newcomer gets no place: UNKNOWN, TAKEN or FULL, and a sentence."""

    kind: str
    reason: str


@dataclass
class Place:
    """A player's place: who has it, and how he is called on each wire."""

    name: str
    dialect: str
    pid: str | None = None
    token: str | None = None

    @property
    def identity(self) -> tuple[str | None, ...]:
        """What a player must show to be taken for the one who had this place."""
        if self.dialect == TREND:
            return (TREND, self.token)
        return (self.dialect, self.pid, self.name)


class Newcomer(Client, Protocol):
    """A client on its way to a table."""

    table: Table | None
    listener: Any
    on_lost: Callable[[], None]

    def seated(self, match_id: str) -> None:
        """Note that the client has a place in a match."""


class Lobby(Protocol):
    """Who leads newcomers to a table."""

    def admit(self, client: Newcomer, place: Place) -> Table | Refusal:
        """Return the table where the client has a place now, or why it has none."""


@dataclass
class Seating:
    """All places of one match, and the speakers for those who are there."""

    table_number: str = "1"
    places: list[Place] = field(default_factory=list)
    pids: dict[int, str] = field(default_factory=dict)
    tokens: dict[int, str] = field(default_factory=dict)
    huawei: dict[int, Listener] = field(default_factory=dict)
    trend: dict[int, None] = field(default_factory=dict)
    speakers: dict[str, Speaker] = field(default_factory=dict)

    def add(self, place: Place) -> int:
        """Give the next place away; return its player number."""
        player = len(self.places)
        self.places.append(place)
        if place.pid is not None:
            self.pids[player] = place.pid
        self.tokens[player] = place.token or token_without_name(place, player)
        return player

    def find(self, place: Place) -> int | None:
        """Return the player who is the same as a newcomer."""
        for player, known in enumerate(self.places):
            if known.identity == place.identity:
                return player
        return None

    def pid_taken(self, pid: str) -> bool:
        """Tell whether another player is called by this number."""
        return any(int(pid) == int(known) for known in self.pids.values())

    def listen(self, player: int, dialect: str, listener: Any) -> Speaker | None:
        """Note whom to speak to; return the speaker if it is the first of its dialect."""
        if dialect == HUAWEI:
            self.huawei[player] = listener
        else:
            self.trend[player] = None
        if dialect in self.speakers:
            return None
        speaker: Speaker
        if dialect == HUAWEI:
            speaker = HuaweiSpeaker(self.pids, self.huawei)
        else:
            speaker = TrendSpeaker(self.table_number, self.tokens, self.trend)
        self.speakers[dialect] = speaker
        return speaker

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
    def restore(cls, table_number: str, places: Iterable[Place]) -> "Seating":
        """Return the places of a match on record."""
        seating = cls(table_number)
        for place in places:
            player = seating.add(place)
            if place.dialect != HOUSE:
                # Spoken to from the start, so that who comes back in the middle of a hand is told
                # of it; what he asks for he says when he is here.
                seating.listen(player, place.dialect, Listener())
        return seating


def token_without_name(place: Place, player: int) -> str:
    """Return how a player without a private name is called in `trend`."""
    text = f"{place.dialect}:{place.name}:{player}"
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()
