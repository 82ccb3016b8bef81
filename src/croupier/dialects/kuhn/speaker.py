"""Encoding of events as messages of the protocol, for each client of a table.

A client plays against the house, whoever that is: a house bot, or another client, for whom it is
the house in turn.
"""

from typing import Final

from croupier.dialects.base import CLOSE, Outgoing, Speaker
from croupier.dialects.kuhn import words
from croupier.dialects.roster import Listeners
from croupier.match.events import Broken, Joined, Returned, Stopped
from croupier.match.view import MatchView
from croupier.rules.events import (
    CALLED,
    CHECKED,
    FOLDED,
    Acted,
    Event,
    HandEnded,
    HandStarted,
    HoleDealt,
    Shown,
)
from croupier.rules.view import View

_WORDS: Final = {FOLDED: words.FOLD, CHECKED: words.CHCK, CALLED: words.CALL}
"""Any other action, whatever its verb, is a bet."""

SIDES: Final = 2
"""The stakes are told when both sides are there."""


class KuhnSpeaker(Speaker):
    """Sends the client the actions of the house; its own are not repeated."""

    def __init__(self, client: int, spelling: str = words.TEXT) -> None:
        """Address the player `client`; the other one is its house."""
        self._client = client
        self.spelling = spelling
        """That of the specification until the client's own is known and set here."""

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the messages that an event causes, if any."""
        client = self._client
        if isinstance(event, Stopped):
            return [(client, CLOSE)]
        if isinstance(event, Broken):
            return self._broken(event)
        complete = isinstance(event, Joined) and len(view.stacks) == SIDES
        if complete or (isinstance(event, Returned) and event.player == client):
            return self.state_for(client, view)
        message = self._message(event, view.hand)
        return [(self._client, message)] if message else ()

    def state_for(self, player: int, view: MatchView) -> Outgoing:
        """Return the stakes, which are the whole state between two hands."""
        own, house = view.stacks[self._client], view.stacks[1 - self._client]
        return [(self._client, words.stakes(self.spelling, own, house))]

    def _broken(self, event: Broken) -> Outgoing:
        """Close; a client that is not to blame is told what it would hear after the last hand."""
        if event.player == self._client:
            return [(self._client, CLOSE)]
        no_coins = words.error(self.spelling, words.NO_COINS)
        return [(self._client, no_coins), (self._client, CLOSE)]

    def _message(self, event: Event, hand: View) -> bytes:
        spelling = self.spelling
        if isinstance(event, HandStarted):
            return words.dealer(spelling, event.players[-1] == self._client)
        if isinstance(event, HoleDealt) and self._is_client(hand, event.seat):
            return words.card(spelling, event.cards[0])
        if isinstance(event, Acted) and not self._is_client(hand, event.seat):
            return words.action(spelling, _WORDS.get(event.action, words.BET))
        if isinstance(event, Shown) and not self._is_client(hand, event.seat):
            # Some rules also show the cards after a fold, which the protocol cannot express.
            return b"" if any(hand.folded) else words.show(spelling, event.cards[0])
        if isinstance(event, HandEnded):
            seat = hand.players.index(self._client)
            return words.stakes(spelling, event.stacks[seat], event.stacks[1 - seat])
        return b""

    def _is_client(self, hand: View, seat: int) -> bool:
        return hand.players[seat] == self._client


class SharedSpeaker(KuhnSpeaker):
    """Speaks to every client of a table, of whom there is one for now."""

    def __init__(self, listeners: Listeners) -> None:
        """`listeners` are the clients with their spellings; the second may come later."""
        (client,) = listeners
        super().__init__(client, str(listeners[client]))
        self._listeners = listeners

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        return [
            message
            for client, spelling in self._listeners.items()
            for message in KuhnSpeaker(client, str(spelling)).tell(event, view)
        ]

    def state_for(self, player: int, view: MatchView) -> Outgoing:
        return KuhnSpeaker(player, str(self._listeners[player])).state_for(player, view)
