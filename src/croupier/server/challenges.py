"""Kuhn poker: everyone who comes gets a table of his own, with the house as opponent."""

from collections.abc import Callable

from croupier.rules.rules import Rules
from croupier.server.game import Game
from croupier.server.house import House
from croupier.server.lobby import FULL, TAKEN, Newcomer, Refusal
from croupier.server.seating import KUHN, Place
from croupier.server.table import Table

KEY = "kuhn "


class KuhnLobby:
    """All matches of clients against the house."""

    def __init__(
        self, house: House, rules: Rules, bot: str, on_over: Callable[[Game], None]
    ) -> None:
        """`bot` plays for the house; `on_over` is told when a match has ended."""
        self._house = house
        self._rules = rules
        self._bot = bot
        self._on_over = on_over
        self.games: dict[int, Game] = {}
        """By the id of the client."""
        self._closing = False

    def open(self) -> None:
        """Close what a crash has left: stakes are fresh for every connection."""
        self._house.close_cut_off(KEY)

    def stop(self) -> bool:
        """End all matches; return False if there is none."""
        self._closing = True
        games = list(self.games.values())
        for game in games:
            game.table.stop()
        return bool(games)

    def challenge(self, client: Newcomer, number: int) -> Table | Refusal:
        """Open a table for a client, or say why not."""
        if self._closing:
            return Refusal(FULL, "the server is closing")
        if number in self.games:
            return Refusal(TAKEN, f"{number} is playing already")
        game = self.games[number] = self._house.open(self._rules, 2, f"{KEY}{number}")
        game.on_end = lambda _: self.games.pop(number, None)
        game.on_over = self._on_over
        self._house.announce(game)
        self._house.seat_bot(game, self._bot, self._bot)
        self._house.remember(client)
        self._house.seat(game, client, Place(str(number), KUHN))
        return game.table
