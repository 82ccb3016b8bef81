"""Rooms that come into being with the first who asks for them, and are gone when they end.

The first connect decides a room's rules, size and house bots. Until the room is full its players
and spectators only wait here; then it becomes a table of its own.

A room does not survive a crash. Its id is free again after a restart, so for a while whoever played
in it is told, once, that it was closed: else a returning program would sit down in a new room and
wait there for the rest of a match that is over.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from croupier.bots import HOUSE_BOTS
from croupier.dialects.room import words
from croupier.dialects.room.reader import V1, V2, Connect, Watch, WatchBots
from croupier.rules.rules import Rules
from croupier.server.game import Game
from croupier.server.house import House
from croupier.server.lobby import FULL, UNKNOWN, Newcomer, Refusal
from croupier.server.seating import ROOM, Place, bare_name
from croupier.server.tables import watch_game
from croupier.server.watching import MAX_WATCHERS, TOO_MANY_WATCHERS

MAX_ROOMS = 10_000
"""Rooms at one time. A security limit."""

PACE = 0.05
"""Seconds between two hands that house bots play among themselves: someone is to watch them."""

KEY = "room "

CONNECT_AGAIN = "; connect again to open a new one"


def no_room(room: str) -> str:
    """Return what a spectator is told who asks for a room that is not there."""
    return f"room {room} not exists"


@dataclass(eq=False)
class WaitingRoom:
    """A room that is not full yet."""

    wish: Connect
    """What its first player asked for."""
    clients: list[Newcomer] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    watchers: list[Newcomer] = field(default_factory=list)
    """Who will watch once it is full."""


@dataclass(eq=False)
class ClosedRoom:
    """A room that a restart of the server has closed."""

    text: str
    """What is said of it."""
    untold: Counter[str]
    """By which names its players connected, as far as they have not been told yet."""


def closed_text(room: str, hands: int) -> str:
    """Return what is said of a room that was closed after so many hands."""
    when = f"after hand {hands}" if hands else "before its first hand was over"
    return f"room {room} was closed by a restart of the server {when}"


def closed_room(game: Game) -> ClosedRoom:
    """Return what is to be known of a room that a crash has cut off."""
    text = closed_text(game.key.removeprefix(KEY), game.table.match.played)
    taken = set(game.seating.names.values())
    names = [place.name for place in game.seating.places if place.dialect == ROOM]
    untold = Counter(bare_name(name) if bare_name(name) in taken else name for name in names)
    return ClosedRoom(text, untold)


class RoomLobby:
    """All rooms of a server."""

    def __init__(
        self, house: House, rules: dict[int, Rules], on_over: Callable[[Game], None]
    ) -> None:
        """`rules` are those of each version; `on_over` is told when a room has ended."""
        self._house = house
        self._rules = rules
        self._on_over = on_over
        self._waiting: dict[str, WaitingRoom] = {}
        self.games: dict[str, Game] = {}
        """The rooms in which is being played."""
        self._closed: dict[str, ClosedRoom] = {}
        """Rooms that a crash has cut off, until their players' time to come back is over."""
        self._closing = False

    def open(self) -> None:
        """Close what a crash has left: a room ends with its last finished hand."""
        for game in self._house.close_cut_off(KEY):
            room = game.key.removeprefix(KEY)
            self._closed.setdefault(room, closed_room(game))  # of several, the newest comes first
            seconds = game.table.match.rules.return_s
            self._house.loop.call_later(seconds, self._closed.pop, room, None)

    def stop(self) -> bool:
        """End all rooms; return False if there is none in which is being played."""
        self._closing = True
        for room in self._waiting.values():
            for client in (*room.clients, *room.watchers):
                client.close()
        games = list(self.games.values())
        for game in games:
            game.table.stop()
        return bool(games)

    # What newcomers ask for.

    def connect(self, client: Newcomer, wish: Connect) -> Refusal | None:
        """Let a player wait in his room, and begin once it is full."""
        if self._closing:
            return Refusal(FULL, "the server is closing")
        closed = self._closed.get(wish.room)
        if closed is not None and closed.untold[wish.name]:
            closed.untold[wish.name] -= 1
            return Refusal(UNKNOWN, closed.text + CONNECT_AGAIN)
        if wish.room in self.games:
            return Refusal(FULL, f"room {wish.room} is full")
        room = self._waiting.get(wish.room)
        if room is not None:
            for other in [other for other in room.clients if other.closed]:
                self._left(room, other)  # he has gone, and the loop does not know it yet
            room = self._waiting.get(wish.room)
        if room is None:
            refusal = self._unplayable(wish.bots)
            if refusal is not None:
                return refusal
            room = self._waiting[wish.room] = WaitingRoom(wish)
        room.clients.append(client)
        room.names.append(wish.name)
        self._house.remember(client, lambda: self._left(room, client))
        if len(room.clients) + len(room.wish.bots) == room.wish.seats:
            self._begin(room)
        return None

    def watch(self, client: Newcomer, wish: Watch) -> Refusal | None:
        """Let someone watch a room, from its first hand if it is not full yet."""
        game = self.games.get(wish.room)
        if game is not None:
            return watch_game(self._house, game, client)
        room = self._waiting.get(wish.room)
        if room is None:
            closed = self._closed.get(wish.room)
            return Refusal(UNKNOWN, no_room(wish.room) if closed is None else closed.text)
        if len(room.watchers) >= MAX_WATCHERS:
            return Refusal(FULL, TOO_MANY_WATCHERS)
        room.watchers.append(client)
        self._house.remember(client, lambda: room.watchers.remove(client))
        return None

    def watch_bots(self, client: Newcomer, wish: WatchBots) -> Refusal | None:
        """Let house bots play for as long as someone watches, or their number of hands."""
        if self._closing:
            return Refusal(FULL, "the server is closing")
        if wish.room in self.games or wish.room in self._waiting:
            return Refusal(FULL, f"room {wish.room} is full")
        refusal = self._unplayable(wish.bots)
        if refusal is not None:
            return refusal
        game = self._open(wish.room, wish.hands, len(wish.bots))
        game.table.pace = PACE
        refusal = watch_game(self._house, game, client, game.table.stop)
        self._seat_bots(game, wish.bots, V1 if wish.hands is None else V2)
        self._house.announce(game)
        return refusal

    def _unplayable(self, bots: tuple[str, ...]) -> Refusal | None:
        for bot in bots:
            if bot not in HOUSE_BOTS:
                return Refusal(UNKNOWN, f"Agent {bot[:64]} not found")
        if len(self._waiting) + len(self.games) >= MAX_ROOMS:
            return Refusal(FULL, "there are too many rooms; come back later")
        return None

    # Rooms.

    def _begin(self, room: WaitingRoom) -> None:
        wish = room.wish
        del self._waiting[wish.room]
        game = self._open(wish.room, wish.hands, wish.seats)
        for watcher in room.watchers:
            watch_game(self._house, game, watcher)
        self._seat_bots(game, wish.bots, wish.version)
        self._house.announce(game)
        for client, name in zip(room.clients, room.names, strict=True):
            self._house.seat(game, client, Place(name, ROOM))

    def _open(self, room: str, hands: int | None, seats: int) -> Game:
        version = V1 if hands is None else V2
        rules = self._rules[version]
        if hands is not None:
            rules = replace(rules, hands=hands)
        game = self.games[room] = self._house.open(rules, seats, KEY + room)
        game.seating.room_version = version
        game.on_end = lambda _: self.games.pop(room, None)
        game.on_over = self._on_over
        return game

    def _seat_bots(self, game: Game, bots: tuple[str, ...], version: int) -> None:
        for index, bot in enumerate(bots):
            before = bots[:index].count(bot)
            called = {V1: f"{bot}{index}", V2: f"{bot}{before}" if before else bot}
            player = self._house.seat_bot(game, bot, called[version])
            game.seating.room_bots |= {(other, player): name for other, name in called.items()}

    def _left(self, room: WaitingRoom, client: Newcomer) -> None:
        """Free the place of a player who did not wait."""
        if self._waiting.get(room.wish.room) is not room or client not in room.clients:
            return
        index = room.clients.index(client)
        del room.clients[index], room.names[index]
        if not room.clients:
            del self._waiting[room.wish.room]
            for watcher in room.watchers:
                watcher.send(words.error(no_room(room.wish.room)))
                watcher.close()
