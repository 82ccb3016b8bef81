"""Where a newcomer is led to a table: what doors and lobbies know of each other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from croupier.dialects.room.reader import Connect, Watch, WatchBots
from croupier.match.ready import Handshake
from croupier.server.net.old_client import Client
from croupier.server.table.seating import Place
from croupier.server.table.table import Table

UNKNOWN = "unknown"
TAKEN = "taken"
FULL = "full"


@dataclass(frozen=True)
class Refusal:
    """Why a newcomer gets no place: UNKNOWN, TAKEN or FULL, and a sentence."""

    kind: str
    reason: str


class Newcomer(Client, Protocol):
    """A client on its way to a table."""

    table: Table | None
    handshake: Handshake | None
    """When it says that it is ready, if its dialect has a word for it."""
    can_reload: bool
    """Whether its dialect has a word for buying chips."""
    on_lost: Callable[[], None]

    @property
    def listener(self) -> Any:
        """What its dialect's speaker has to know of it."""

    def seated(self, match_id: str) -> None:
        """Note that the client has a place in a match."""


class Lobby(Protocol):
    """Who leads newcomers to a table."""

    def admit(self, client: Newcomer, place: Place) -> Table | Refusal:
        """Return the table where the client has a place now, or why it has none."""


class Rooms(Protocol):
    """Who leads newcomers of `room` to a room."""

    def connect(self, client: Newcomer, wish: Connect) -> Refusal | None:
        """Give the client a seat, now or when its room is full, or say why not."""

    def watch(self, client: Newcomer, wish: Watch) -> Refusal | None:
        """Let the client watch a room, or say why not."""

    def watch_bots(self, client: Newcomer, wish: WatchBots) -> Refusal | None:
        """Let house bots play in a room for the client to watch, or say why not."""
