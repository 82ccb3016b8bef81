"""Rooms that come into being with the first who asks for them, and are gone when they end.

The first connect decides a room's rules, size and house bots. Until the room is full its players
only wait here; then it becomes a table of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from croupier.bots import HOUSE_BOTS
from croupier.dialects.room.reader import V1, V2, Connect, Watch, WatchBots
from croupier.rules.rules import Rules
from croupier.server.lobbies.lobby import FULL, UNKNOWN, Newcomer, Refusal
from croupier.server.lobbies.prepared import watch_game
from croupier.server.table.game import Game
from croupier.server.table.house import House
from croupier.server.table.seating import ROOM, Place

MAX_ROOMS = 10_000
"""Rooms at one time. A security limit."""

PACE = 0.05
"""Seconds between two hands that house bots play among themselves: someone is to watch them."""

KEY = "room "


@dataclass(eq=False)
class WaitingRoom:
    """A room that is not full yet."""

    wish: Connect
    """What its first player asked for."""
    clients: list[Newcomer] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


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
        self._closing = False

    def open(self) -> None:
        """Close what a crash has left: a room ends with its last finished hand."""
        self._house.close_cut_off(KEY)

    def stop(self) -> bool:
        """End all rooms; return False if there is none in which is being played."""
        self._closing = True
        for room in self._waiting.values():
            for client in room.clients:
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
        """Let someone watch a room in which is being played."""
        game = self.games.get(wish.room)
        if game is None:
            return Refusal(UNKNOWN, f"room {wish.room} is not being played in")
        return watch_game(self._house, game, client)

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
        self._seat_bots(game, wish.bots, wish.version)
        self._house.announce(game)
        for client, name in zip(room.clients, room.names, strict=True):
            self._house.seat(game, client, Place(name, ROOM))

    def _open(self, room: str, hands: int | None, seats: int) -> Game:
        rules = self._rules[V1 if hands is None else V2]
        if hands is not None:
            rules = replace(rules, hands=hands)
        game = self.games[room] = self._house.open(rules, seats, KEY + room)
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
