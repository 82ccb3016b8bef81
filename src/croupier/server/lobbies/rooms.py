"""Rooms on demand: opened by the first player who asks for them, closed when their match ends.

The first player decides the rules, size and house bots of a room. Until the room is full, its
players and spectators wait here; then it becomes a table. A room that is not full in time is
closed.

A room does not survive a crash. After a restart its id is free again, so for a while each of its
players is told, once, that it was closed: otherwise a reconnecting program would sit down in a new
room and wait there for the rest of a match that is over.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from croupier.bots import HOUSE_BOTS
from croupier.dialects.dialect import Dialect
from croupier.dialects.roster import bare_name
from croupier.dialects.session import Hello, Refusal, RefusalKind, Room, Watch, WatchBots
from croupier.rules.rules import Rules
from croupier.server.lobbies.watching import too_many_watchers, watch_game
from croupier.server.net.client import Client
from croupier.server.table.game import Game
from croupier.server.table.house import House
from croupier.server.table.limits import Quota
from croupier.server.table.opening import Opening
from croupier.server.table.spectators import MAX_SPECTATORS, TOO_MANY

PACE = 0.05
"""Seconds between two hands of house bots only, so that a spectator can follow."""


CONNECT_AGAIN = "; connect again to open a new one"


def no_room(room: str) -> str:
    """Return the refusal of a spectator that asks for a room that does not exist."""
    return f"room {room} not exists"


@dataclass(eq=False)
class WaitingRoom:
    """A room that is not full yet."""

    wish: Room
    """The request of its first player."""
    listener: Any
    """The listener settings of that player, such as its version of the protocol."""
    opening: Opening
    """What it will be dealt from, drawn before its players gave their nonces."""
    clients: list[Client] = field(default_factory=list)
    spectators: list[Client] = field(default_factory=list)
    """Those who will watch once it is full."""
    expiry: asyncio.TimerHandle | None = None
    """Closes it unless it is full in time."""

    def wait(self, expiry: asyncio.TimerHandle | None) -> None:
        """Wait until a new time for further players, or no longer."""
        if self.expiry is not None:
            self.expiry.cancel()
        self.expiry = expiry


@dataclass(eq=False)
class ClosedRoom:
    """A room that was closed by a restart of the server."""

    text: str
    """The explanation for its players."""
    untold: Counter[str]
    """How many players of each name have not been told yet."""


def closed_text(room: str, hands: int) -> str:
    """Return the explanation for players of a room that was closed after so many hands."""
    when = f"after hand {hands}" if hands else "before its first hand was over"
    return f"room {room} was closed by a restart of the server {when}"


class RoomLobby:
    """All rooms of one dialect."""

    keyed = False
    in_contest = False

    def __init__(
        self,
        house: House,
        dialect: Dialect,
        rules: Sequence[Rules],
        on_over: Callable[[Game], None],
    ) -> None:
        """`rules` replace the dialect's rule sets; `on_over` is called when a room has ended."""
        self._house = house
        self._dialect = dialect
        self._key = f"{dialect.name} "
        """The prefix of the keys of rooms in the store."""
        self._rules = rules
        self._on_over = on_over
        self._waiting: dict[str, WaitingRoom] = {}
        self.games: dict[str, Game] = {}
        """By room id, the rooms that are full and play."""
        self._closed: dict[str, ClosedRoom] = {}
        """By room id, the rooms that a crash interrupted, for as long as players may reconnect."""
        self._closing = False
        limits = house.limits
        self._unfilled_s = limits.unfilled_s
        self._rooms = Quota(limits.rooms, limits.rooms_per_address)
        """By id, the rooms that wait or play, with the addresses that opened them."""
        self._bot_matches = Quota(limits.bot_matches, limits.bot_matches_per_address)
        """By id, the rooms in which only house bots play."""

    def open(self) -> None:
        """Close the rooms that a crash interrupted: each ends with its last finished hand."""
        for game in self._house.close_interrupted(self._key):
            room = game.key.removeprefix(self._key)
            closed = self._closed_room(room, game)
            self._closed.setdefault(room, closed)  # of several, the newest comes first
            seconds = game.table.match.rules.return_s
            self._house.loop.call_later(seconds, self._closed.pop, room, None)

    def _closed_room(self, room: str, game: Game) -> ClosedRoom:
        taken = set(game.seating.names.values())
        names = [place.name for place in game.seating.places if place.dialect == self._dialect.name]
        untold = Counter(bare_name(name) if bare_name(name) in taken else name for name in names)
        return ClosedRoom(closed_text(room, game.table.match.played), untold)

    def stop(self) -> bool:
        """End all rooms; return False if no match is running in any."""
        self._closing = True
        for room in self._waiting.values():
            room.wait(None)
            for client in (*room.clients, *room.spectators):
                client.close()
        games = list(self.games.values())
        for game in games:
            game.table.stop()
        return bool(games)

    # Requests of newcomers.

    def enter(self, client: Client, hello: Hello) -> Refusal | None:
        """Let a player wait in its room, and start once it is full."""
        wish, name = hello.room, hello.place.name
        assert wish is not None
        if self._closing:
            return Refusal(RefusalKind.FULL, "the server is closing")
        closed = self._closed.get(wish.id)
        if closed is not None and closed.untold[name]:
            closed.untold[name] -= 1
            return Refusal(RefusalKind.UNKNOWN, closed.text + CONNECT_AGAIN)
        if wish.id in self.games:
            return Refusal(RefusalKind.FULL, f"room {wish.id} is full")
        room = self._waiting.get(wish.id)
        if room is not None:
            for other in [other for other in room.clients if other.closed]:
                self._left(room, other)  # closed here, but its loss is not reported yet
            room = self._waiting.get(wish.id)
        if room is None:
            refusal = self._unplayable(wish.bots, client.address)
            if refusal is not None:
                return refusal
            room = self._waiting[wish.id] = WaitingRoom(
                wish, hello.listener, self._house.openings.draw()
            )
            self._rooms.add(wish.id, client.address)
        room.clients.append(client)
        client.tell_commitment(room.opening.commitment)
        room.wait(self._house.loop.call_later(self._unfilled_s, self._expire, room))
        self._house.clients.track(client, lambda: self._left(room, client))
        if len(room.clients) + len(room.wish.bots) == room.wish.seats:
            self._begin(room)
        return None

    def watch(self, client: Client, wish: Watch) -> Refusal | None:
        """Let a spectator watch a room, from its first hand if it is not full yet."""
        refusal = too_many_watchers(self._house, client)
        if refusal is not None:
            return refusal
        game = self.games.get(wish.room)
        if game is not None:
            return watch_game(self._house, game, client)
        room = self._waiting.get(wish.room)
        if room is None:
            closed = self._closed.get(wish.room)
            return Refusal(
                RefusalKind.UNKNOWN, no_room(wish.room) if closed is None else closed.text
            )
        if len(room.spectators) >= MAX_SPECTATORS:
            return Refusal(RefusalKind.FULL, TOO_MANY)
        room.spectators.append(client)
        self._house.watchers.add(client, client.address)

        def lost() -> None:
            room.spectators.remove(client)
            self._house.watchers.discard(client)

        self._house.clients.track(client, lost)
        return None

    def watch_bots(self, client: Client, wish: WatchBots) -> Refusal | None:
        """Let house bots play the wanted number of hands, or for as long as the spectator stays."""
        if self._closing:
            return Refusal(RefusalKind.FULL, "the server is closing")
        if wish.room in self.games or wish.room in self._waiting:
            return Refusal(RefusalKind.FULL, f"room {wish.room} is full")
        address = client.address
        refusal = self._unplayable(wish.bots, address) or too_many_watchers(self._house, client)
        if refusal is not None:
            return refusal
        reason = self._bot_matches.refusal(address, "matches between house bots")
        if reason:
            return Refusal(RefusalKind.FULL, reason)
        self._rooms.add(wish.room, address)
        self._bot_matches.add(wish.room, address)
        room = Room(wish.room, len(wish.bots), wish.bots, wish.hands)
        game = self._open(room, wish.listener)
        game.table.pace = PACE
        refusal = watch_game(self._house, game, client, game.table.stop)
        self._seat_bots(game, wish.bots, wish.listener)
        self._house.announce(game)
        return refusal

    def _unplayable(self, bots: tuple[str, ...], address: str) -> Refusal | None:
        for bot in bots:
            if bot not in HOUSE_BOTS:
                return Refusal(RefusalKind.UNKNOWN, f"Agent {bot[:64]} not found")
        reason = self._rooms.refusal(address, "rooms")
        return Refusal(RefusalKind.FULL, reason) if reason else None

    # Rooms.

    def _begin(self, room: WaitingRoom) -> None:
        del self._waiting[room.wish.id]
        room.wait(None)
        game = self._open(room.wish, room.listener, room.opening)
        for spectator in room.spectators:
            watch_game(self._house, game, spectator)
        self._seat_bots(game, room.wish.bots, room.listener)
        self._house.announce(game)
        for client in room.clients:
            assert client.hello is not None
            self._house.seat(game, client, client.hello.place)

    def _open(self, room: Room, listener: Any, opening: Opening | None = None) -> Game:
        dialect = self._dialect
        assert dialect.rules_of_room is not None
        rules = dialect.rules_of_room(self._rules, listener, room.hands)
        game = self._house.open(rules, room.seats, self._key + room.id, opening=opening)
        self.games[room.id] = game
        game.on_demand = True
        game.seating.opened_by = listener
        game.on_end = lambda _: self._ended(room.id)
        game.on_over = self._on_over
        return game

    def _ended(self, room: str) -> None:
        self.games.pop(room, None)
        self._rooms.discard(room)
        self._bot_matches.discard(room)

    def _expire(self, room: WaitingRoom) -> None:
        """Close a room that was not full in time."""
        self._forget(room)
        seconds = f"{self._unfilled_s} s"
        reason = f"room {room.wish.id} is closed: nobody else came within {seconds}"
        for client in [*room.clients, *room.spectators]:
            client.refuse(Refusal(RefusalKind.FULL, reason))

    def _forget(self, room: WaitingRoom) -> None:
        del self._waiting[room.wish.id]
        room.wait(None)
        self._rooms.discard(room.wish.id)

    def _seat_bots(self, game: Game, bots: tuple[str, ...], listener: Any) -> None:
        assert self._dialect.bot_names is not None
        names = self._dialect.bot_names(bots)
        for bot, called in zip(bots, names, strict=True):
            player = self._house.seat_bot(game, bot, called[listener])
            game.seating.bot_names |= {(other, player): name for other, name in called.items()}

    def _left(self, room: WaitingRoom, client: Client) -> None:
        """Free the place of a player that left while it waited."""
        if self._waiting.get(room.wish.id) is not room or client not in room.clients:
            return
        room.clients.remove(client)
        if not room.clients:
            self._forget(room)
            for spectator in room.spectators:
                spectator.refuse(Refusal(RefusalKind.UNKNOWN, no_room(room.wish.id)))
