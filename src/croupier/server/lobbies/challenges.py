"""Challenges: every client gets a table of its own, with the house as opponent."""

from collections.abc import Callable

import structlog

from croupier.dialects.dialect import Dialect
from croupier.dialects.session import Hello, Refusal, RefusalKind, Watch, WatchBots
from croupier.rules.rules import Rules
from croupier.server.net.client import Client
from croupier.server.table.game import Game
from croupier.server.table.house import House

log = structlog.get_logger()

NOTHING_TO_WATCH = Refusal(RefusalKind.UNKNOWN, "there is nothing to watch here")


class ChallengeLobby:
    """All matches of one dialect's clients against the house."""

    keyed = False
    in_contest = False

    def __init__(
        self,
        house: House,
        dialect: Dialect,
        rules: Rules,
        bot: str,
        on_over: Callable[[Game], None],
    ) -> None:
        """`bot` plays for the house; `on_over` is called when a match has ended."""
        self._house = house
        self._key = f"{dialect.name} "
        """The prefix of the keys of these matches in the store."""
        self.rules = rules
        self._bot = bot
        self._on_over = on_over
        self.games: dict[str, Game] = {}
        """By match id."""
        self._challengers: dict[str, Client] = {}
        """By name, the clients who play."""
        self._closing = False

    def open(self) -> None:
        """End the matches that a crash interrupted: every connection starts with new chips."""
        self._house.close_interrupted(self._key)

    def stop(self) -> bool:
        """End all matches; return False if there is none."""
        self._closing = True
        games = list(self.games.values())
        for game in games:
            game.table.stop()
        return bool(games)

    def enter(self, client: Client, hello: Hello) -> Refusal | None:
        """Open a table for a client, or return why not.

        An older client of the same name gives way if it is between two hands: there are programs
        that open a connection for every hand and never close one.
        """
        name = hello.place.name
        if self._closing:
            return Refusal(RefusalKind.FULL, "the server is closing")
        other = self._challengers.get(name)
        if other is not None and not other.gone:
            # A hand whose record is being stored is over.
            if other.in_hand or other.address != client.address:
                return Refusal(RefusalKind.TAKEN, f"{name} is playing already")
            log.info("replaced", dialect=client.dialect.name, player=name)
            other.give_way()
        game = self._house.open(self.rules, 2, self._key + name)
        game.on_demand = True
        self.games[game.table.id] = game
        game.on_end = lambda _: self.games.pop(game.table.id, None)
        game.on_over = self._on_over
        self._house.announce(game)
        self._house.seat_bot(game, self._bot, self._bot)
        self._challengers[name] = client
        self._house.clients.track(client, lambda: self._left(client, name))
        self._house.seat(game, client, hello.place)
        return None

    def watch(self, client: Client, wish: Watch) -> Refusal | None:
        """Refuse: these matches are shown on the website only."""
        return NOTHING_TO_WATCH

    def watch_bots(self, client: Client, wish: WatchBots) -> Refusal | None:
        """Refuse: the house plays against clients only."""
        return NOTHING_TO_WATCH

    def _left(self, client: Client, name: str) -> None:
        """Free the name of a client that has left; the record of its hand may not be stored yet."""
        if self._challengers.get(name) is client:
            del self._challengers[name]
