"""Kuhn poker: everyone who comes gets a table of his own, with the house as opponent."""

from collections.abc import Callable
from typing import Protocol

from croupier.match.match import HAND
from croupier.rules.rules import Rules
from croupier.server.game import Game
from croupier.server.house import House
from croupier.server.lobby import FULL, TAKEN, Newcomer, Refusal
from croupier.server.seating import KUHN, Place
from croupier.server.table import Table

KEY = "kuhn "


class Challenger(Newcomer, Protocol):
    """A client who wants to play against the house."""

    @property
    def gone(self) -> bool:
        """The other side has closed the connection, whether or not the loop knows it already."""

    def replaced(self) -> None:
        """Make way for a new connection with the same id."""


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
        self.games: dict[str, Game] = {}
        """By the id of the match."""
        self._challengers: dict[int, Challenger] = {}
        """Who plays, by his id."""
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

    def challenge(self, client: Challenger, number: int) -> Table | Refusal:
        """Open a table for a client, or say why not.

        A client with the same id that is between two hands makes way: there are programs that open
        a connection for every hand and never close one.
        """
        if self._closing:
            return Refusal(FULL, "the server is closing")
        other = self._challengers.get(number)
        if other is not None and not other.gone:
            if _is_in_a_hand(other):
                return Refusal(TAKEN, f"{number} is playing already")
            other.replaced()
        game = self._house.open(self._rules, 2, f"{KEY}{number}")
        self.games[game.table.id] = game
        game.on_end = lambda _: self.games.pop(game.table.id, None)
        game.on_over = self._on_over
        self._house.announce(game)
        self._house.seat_bot(game, self._bot, self._bot)
        self._challengers[number] = client
        self._house.remember(client, lambda: self._left(client, number))
        self._house.seat(game, client, Place(str(number), KUHN))
        return game.table

    def _left(self, client: Challenger, number: int) -> None:
        """Give an id free whose client has gone; his hand may still be on its way to the store."""
        if self._challengers.get(number) is client:
            del self._challengers[number]


def _is_in_a_hand(client: Challenger) -> bool:
    """Tell whether cards are dealt; a hand whose record is on its way to the store is over."""
    return client.table is not None and client.table.match.phase == HAND
