"""Challenges: everyone who comes gets a table of its own, with the house as opponent."""

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

    def __init__(
        self,
        house: House,
        dialect: Dialect,
        rules: Rules,
        bot: str,
        on_over: Callable[[Game], None],
    ) -> None:
        """`bot` plays for the house; `on_over` is told when a match has ended."""
        self._house = house
        self._key = f"{dialect.name} "
        """How the keys begin under which matches are found again after a crash."""
        self.rules = rules
        self._bot = bot
        self._on_over = on_over
        self.games: dict[str, Game] = {}
        """By the id of the match."""
        self._challengers: dict[str, Client] = {}
        """Who plays, by name."""
        self._closing = False

    def open(self) -> None:
        """Close what a crash has left: stakes are fresh for every connection."""
        self._house.close_interrupted(self._key)

    def stop(self) -> bool:
        """End all matches; return False if there is none."""
        self._closing = True
        games = list(self.games.values())
        for game in games:
            game.table.stop()
        return bool(games)

    def enter(self, client: Client, hello: Hello) -> Refusal | None:
        """Open a table for a client, or say why not.

        A client of the same name that is between two hands makes way: there are programs that open
        a connection for every hand and never close one.
        """
        name = hello.place.name
        if self._closing:
            return Refusal(RefusalKind.FULL, "the server is closing")
        other = self._challengers.get(name)
        if other is not None and not other.gone:
            # A hand whose record is on its way to the store is over.
            if other.in_hand:
                return Refusal(RefusalKind.TAKEN, f"{name} is playing already")
            log.info("replaced", dialect=client.dialect.name, player=name)
            other.make_way()
        game = self._house.open(self.rules, 2, self._key + name)
        self.games[game.table.id] = game
        game.on_end = lambda _: self.games.pop(game.table.id, None)
        game.on_over = self._on_over
        self._house.announce(game)
        self._house.seat_bot(game, self._bot, self._bot)
        self._challengers[name] = client
        self._house.remember(client, lambda: self._left(client, name))
        self._house.seat(game, client, hello.place)
        return None

    def watch(self, client: Client, wish: Watch) -> Refusal | None:
        """Refuse: these matches are watched on the website."""
        return NOTHING_TO_WATCH

    def watch_bots(self, client: Client, wish: WatchBots) -> Refusal | None:
        """Refuse: the house plays against clients only."""
        return NOTHING_TO_WATCH

    def _left(self, client: Client, name: str) -> None:
        """Free a name whose client has gone; its hand may still be on its way to the store."""
        if self._challengers.get(name) is client:
            del self._challengers[name]
