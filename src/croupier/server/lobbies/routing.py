"""The lobby of a whole server: it routes newcomers to one of its tables, or to a room."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlalchemy import Engine

from croupier.dialects.dialect import Dialect, Recognised
from croupier.dialects.roster import Place
from croupier.dialects.session import Hello, Refusal, RefusalKind, Watch, WatchBots
from croupier.dialects.tokens import token_of
from croupier.server.lobbies.known_players import KnownPlayers
from croupier.server.lobbies.prepared import TableLobby
from croupier.server.lobbies.rooms import RoomLobby, no_room
from croupier.server.net.client import Client
from croupier.store.places import table_name


class RoutingLobby:
    """Routes newcomers to the lobby of the table or room that they belong to."""

    keyed = False
    in_contest = False

    def __init__(
        self,
        engine: Engine | None,
        tables: Mapping[str, TableLobby],
        rooms: Mapping[str, RoomLobby],
        tables_of_pids: Mapping[str, str],
        tokens_of_pids: Mapping[str, str] | None = None,
        on_wrong_key: Callable[[str, str], None] = lambda player, address: None,
    ) -> None:
        """`tables` are by name, `rooms` by dialect; `engine` holds the registry of players.

        `tokens_of_pids` are those of players who need their key besides their pid. `on_wrong_key`
        is told of a player whom somebody without the key claims to be, and from which address.
        """
        self._known = KnownPlayers(engine)
        self._tables = tables
        self._rooms = rooms
        self._tables_of_pids = tables_of_pids
        self._tokens_of_pids = tokens_of_pids or {}
        self._on_wrong_key = on_wrong_key

    # Requests of newcomers.

    def enter(self, client: Client, hello: Hello) -> Refusal | None:
        """Route a player to the table or room that it names, or else to the one it belongs to."""
        dialect, place = client.dialect, self._identified(client, hello)
        claimed = self._claimed(place, hello)
        if claimed:
            self._on_wrong_key(claimed, client.address)
            return Refusal(RefusalKind.UNKNOWN, f"wrong key for {claimed}")
        if place.keyed:
            # From here on nobody else learns what it presented.
            client.hide_key()
            client.hello = hello = replace(hello, place=place)
        if hello.table:
            return self._admit_to(hello.table, client, place)
        if hello.room is not None:
            table = self._named(dialect, hello.room.id)
            if table is not None:
                return table.admit(client, place)
            if dialect.name in self._rooms:
                return self._rooms[dialect.name].enter(client, hello)
        return self._admit(client, place)

    def watch(self, client: Client, wish: Watch) -> Refusal | None:
        """Let a spectator watch the table or room that it names."""
        table = self._named(client.dialect, wish.room)
        rooms = self._rooms.get(client.dialect.name)
        if table is None and rooms is None:
            table = self._only_table
        if table is not None:
            return table.watch(client)
        if rooms is not None:
            return rooms.watch(client, wish)
        return Refusal(RefusalKind.UNKNOWN, no_room(wish.room))

    def watch_bots(self, client: Client, wish: WatchBots) -> Refusal | None:
        """Let house bots play in a room."""
        rooms = self._rooms.get(client.dialect.name)
        if rooms is not None:
            return rooms.watch_bots(client, wish)
        return Refusal(
            RefusalKind.FULL,
            "this server has prepared tables and opens no rooms; house bots cannot be asked for",
        )

    # Tables.

    def _admit_to(self, name: str, client: Client, place: Place) -> Refusal | None:
        """Admit a player to the only table that it wants."""
        for table in self._tables.values():
            if table_name(table.plan.key) == name and table.admits(place.dialect):
                return table.admit(client, place)
        return Refusal(RefusalKind.UNKNOWN, f"there is no table {name!r} for you to sit at")

    def _admit(self, client: Client, place: Place) -> Refusal | None:
        """Route a player to the table that it belongs to, or to the one with fewest free places."""
        if self._only_table is not None:
            return self._only_table.admit(client, place)
        tables = self._tables.values()
        for table in tables:
            if table.expects(place):
                return table.admit(client, place)
        if client.dialect.unique and any(table.has(place) for table in tables):
            return Refusal(RefusalKind.TAKEN, "this player is connected already")
        own = self._own_table(client.dialect, place)
        if own is not None:
            return own.admit(client, place)
        refusal = Refusal(
            RefusalKind.FULL, f"no table has a free place for players of {place.dialect}"
        )
        candidates = [table for table in tables if table.free and table.admits(place.dialect)]
        for table in sorted(candidates, key=lambda table: table.free):
            refused = table.admit(client, place)
            if refused is None:
                return None
            refusal = refused
        return refusal

    @property
    def _only_table(self) -> TableLobby | None:
        return next(iter(self._tables.values())) if len(self._tables) == 1 else None

    def _named(self, dialect: Dialect, text: str) -> TableLobby | None:
        for table in self._tables.values():
            if table.admits(dialect.name) and text in (table.plan.name, table.plan.number):
                return table
        return None

    def _own_table(self, dialect: Dialect, place: Place) -> TableLobby | None:
        """Return the table that the organiser has assigned to a player."""
        player = self._known.with_token(place.token) if place.keyed else None
        for table in self._tables.values() if player is not None else ():
            mine = player is not None and table.plan.number == player.table
            if mine and table.admits(dialect.name):
                return table
        if dialect.recognised is Recognised.BY_PID:
            return self._tables.get(self._tables_of_pids.get(place.pid or "", ""))
        return None

    # Who is who.

    def _identified(self, client: Client, hello: Hello) -> Place:
        """Return the place of a newcomer: with its display name, if it has a registered key."""
        place = hello.place
        by_token = client.dialect.recognised is Recognised.BY_TOKEN
        token = place.token if by_token else token_of(hello.secret)
        player = self._known.with_token(token)
        if player is not None:
            return replace(place, name=player.display, token=token, keyed=True)
        return place if by_token else replace(place, address=client.address)

    def _claimed(self, place: Place, hello: Hello) -> str:
        """Return whom a newcomer claims to be without having the key, if it does.

        It does so with the pid of a player with a key, or with its display name.
        """
        if place.pid is not None and self._is_another_s(place.pid, place):
            return f"pid {place.pid}"
        player = None if place.keyed else self._known.called(hello.secret)
        return "" if player is None else player.display

    def _is_another_s(self, pid: str, place: Place) -> bool:
        """Tell whether a pid is that of a player with another key."""
        expected = self._tokens_of_pids.get(pid)
        if expected is not None:
            return place.token != expected
        return any(table.has_keyed_pid(place) for table in self._tables.values())
