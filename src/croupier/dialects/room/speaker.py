"""Encoding of events as frames of the protocol, in both of its versions.

Every player of the hand gets every state; states differ only in the position and cards that they
show, so the rest is encoded once for all players of the same version.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from croupier.dialects.base import CLOSE, Outgoing, Speaker
from croupier.dialects.room import words
from croupier.dialects.room.frames import frame
from croupier.dialects.room.reader import EXIT, ILLEGAL_ACTION, NO_ACTION, V1, V2
from croupier.match.events import (
    LATE,
    LEFT,
    LEFT_BETWEEN,
    NOT_READY,
    Broken,
    MatchEnded,
    MatchStarted,
    PlayerOut,
    Returned,
    Stopped,
)
from croupier.match.rotation import rotate
from croupier.match.view import MatchView
from croupier.rules.decisions import Options
from croupier.rules.events import (
    Acted,
    Asked,
    BettingClosed,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    HoleDealt,
)
from croupier.rules.hand import NOBODY
from croupier.rules.rules import BUTTON_SMALL
from croupier.rules.view import View

STOPPED: Final = "The match was stopped by the organiser"


def broken_text(event: Broken, name: str) -> str:
    """Return the text about the player that caused a room to close."""
    cause = event.cause
    if cause in (LEFT, LEFT_BETWEEN):
        return f"Player {name} disconnected"
    if cause == LATE:
        return f"Player {name} did not act in time"
    if cause == NOT_READY:
        return f"Player {name} was not ready in time"
    if cause == NO_ACTION:
        return f"No action in Player {name}' message"
    if cause == EXIT:
        return f"Player {name} {EXIT}"
    if not cause.startswith(ILLEGAL_ACTION):
        cause = f"{ILLEGAL_ACTION}: {cause}"
    return f"Player {name} makes an {cause}"


class RoomSpeaker(Speaker):
    """Addresses the players of a table that use this dialect."""

    def __init__(
        self,
        names: Mapping[int, str],
        listeners: Mapping[int, int],
        stamp: Callable[[], str],
        bots: Mapping[tuple[int, int], str] | None = None,
    ) -> None:
        """Address `listeners`, each with its version, using the `names` of all players.

        `stamp` returns the time of day of an action, which the second version shows. `bots` are the
        names of house bots that differ between the versions, by version and player.
        """
        self._names = names
        self._bots = bots or {}
        self._listeners = listeners
        self._stamp = stamp
        self._order: list[int] = []
        """The seats in the order of their positions."""
        self._places: list[int] = []
        """The position of each seat."""
        self._hole: dict[int, str] = {}
        """The cards of each seat, encoded as JSON."""
        self._board = ""
        """The board, encoded as JSON."""
        self._start_stacks: tuple[int, ...] = ()
        self._money: list[int] = []
        """The stacks when the betting ended."""
        self._last_options: Options | None = None
        """The options of the next seat in turn when the betting ended."""
        self._histories: dict[int, words.History] = {}
        """The history by version, for the versions in use in the hand."""
        self._closing_error = ""
        self._dismissed: set[int] = set()

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the frames that an event causes."""
        hand = view.hand
        if isinstance(event, Acted):
            self._acted(event)
        elif isinstance(event, Asked):
            for history in self._histories.values():
                history.asked(hand.street)
            return self._states(hand, event.seat, event.options, hand.stacks)
        elif isinstance(event, HandStarted):
            self._started(event, hand)
        elif isinstance(event, HoleDealt):
            self._hole[event.seat] = words.cards(event.cards)
        elif isinstance(event, BoardDealt):
            self._board = words.cards(hand.board)
        elif isinstance(event, BettingClosed):
            self._last_options = event.options
            self._money = hand.stacks[:]
        elif isinstance(event, HandEnded):
            return self._ended(event, hand)
        else:
            return self._tell_match_event(event, view)
        return ()

    def _tell_match_event(self, event: Event, view: MatchView) -> Outgoing:
        if isinstance(event, MatchStarted):
            return self._name_everyone(event.order, view)
        if isinstance(event, Stopped):
            self._closing_error = STOPPED
        elif isinstance(event, Returned):
            return self._welcome(event.player, view)
        elif isinstance(event, Broken):
            self._closing_error = broken_text(event, self._names[event.player])
            first_version = self._listeners.get(event.player) == V1
            if event.cause == LEFT_BETWEEN and first_version and view.rounds:
                self._closing_error = ""  # the regular way to leave in the first version
        elif isinstance(event, PlayerOut):
            return self._dismiss([event.player])
        elif isinstance(event, MatchEnded):
            return self._dismiss(list(self._listeners))
        return ()

    def _name_everyone(self, order: Sequence[int], view: MatchView) -> Outgoing:
        """Send players of the first version the names and positions, in seat order."""
        if len(order) == 2 and view.rules.heads_up == BUTTON_SMALL:
            order = order[::-1]
        names = words.array(self._first_name(player) for player in order)
        for place, player in enumerate(order):
            if self._listeners.get(player) == V1:
                yield player, frame(f'{{"info": "name", "name": {names}, "position": {place}}}')

    def _welcome(self, player: int, view: MatchView) -> Outgoing:
        """Send a reconnected player the current state without being asked.

        Players of the first version get the names, and answer with `start`. A player that
        reconnects in the middle of a hand also gets the state of the hand.
        """
        if player not in self._listeners or not view.order:
            return  # the match has not started
        if view.out[player]:
            self._dismissed.discard(player)  # dismissed on an earlier connection
            yield from self._dismiss([player])
            return
        hand = view.hand
        playing = hand.actor != NOBODY
        order = list(view.order)
        if not playing and view.rounds:
            out = [other for other, is_out in enumerate(view.out) if is_out]
            order = rotate(view.rules, order, out)
        for other, message in self._name_everyone(order, view):
            if other == player:
                yield player, message
        if playing and player in hand.players:
            version = self._listeners[player]
            if version not in self._histories:
                self._histories[version] = words.History.so_far(hand, version, self._stamp)
            assert hand.options is not None
            for other, message in self._states(hand, hand.actor, hand.options, hand.stacks):
                if other == player:
                    yield player, message

    def _first_name(self, player: int) -> str:
        return self._name(player, V1)

    def _second_name(self, player: int) -> str:
        return self._name(player, V2)

    def _name(self, player: int, version: int) -> str:
        """Return a player's name as JSON."""
        return json.dumps(self._bots.get((version, player)) or self._names[player])

    def _dismiss(self, players: list[int]) -> Iterator[tuple[int, bytes]]:
        """Send the last message to players that have no next hand, and close."""
        for player in players:
            if player in self._dismissed or player not in self._listeners:
                continue
            self._dismissed.add(player)
            if self._closing_error:
                yield player, words.error(self._closing_error)
            elif self._listeners[player] == V2:
                yield player, words.SUCCESS
            yield player, CLOSE

    # A hand.

    def _started(self, event: HandStarted, hand: View) -> None:
        self._order = words.seats(hand)
        self._places = [words.position(seat, hand) for seat in range(len(event.players))]
        spoken = {self._listeners.get(player) for player in event.players}
        self._histories = {version: words.History() for version in spoken if version is not None}
        self._start_stacks = event.stacks
        self._hole = {}
        self._board = words.cards(hand.board)
        self._last_options = None

    def _acted(self, event: Acted) -> None:
        place, action = self._places[event.seat], words.action(event)
        for version, history in self._histories.items():
            history.add(words.done(version, place, action, self._stamp))

    def _states(
        self, hand: View, seat: int, options: Options, money: list[int]
    ) -> list[tuple[int, bytes]]:
        """Return a state for everyone in the hand; it is the last one if NOBODY is to act."""
        turn = NOBODY if seat == NOBODY else self._places[seat]
        middle = f'"action_position": {turn}, {words.legal(options)}, "private_card": '
        board = f', "public_card": {self._board}, '
        tails: dict[int, str] = {}
        for version, history in self._histories.items():
            players = ""
            if version == V2:
                players = words.players(
                    hand, self._order, money, self._start_stacks, self._second_name
                )
                players += ", "
            tails[version] = (
                f'{board}{players}"action_history": {history.text()}, "info": "state"}}'
            )
        messages = []
        for own, player in enumerate(hand.players):
            version = self._listeners.get(player, 0)
            if version in tails and player not in self._dismissed:
                text = (
                    f'{{"position": {self._places[own]}, {middle}{self._hole[own]}{tails[version]}'
                )
                messages.append((player, frame(text)))
        return messages

    def _ended(self, event: HandEnded, hand: View) -> list[tuple[int, bytes]]:
        assert self._last_options is not None
        messages = self._states(hand, NOBODY, self._last_options, self._money)
        order = self._order
        won = [event.stacks[seat] - self._start_stacks[seat] for seat in order]
        shown = words.array(words.cards(hand.cards[seat]) for seat in order)
        first = frame(
            f'{{"win_money": {words.numbers(won)}, "player_card": {shown},'
            f' "private_card": {shown}, "public_card": {self._board}, "info": "result"}}'
        )
        second = ""
        if V2 in self._histories:
            winnings = words.winnings(
                hand, order, won, self._money, self._start_stacks, self._second_name
            )
            second = (
                f', "public_card": {self._board}, "action_history": {self._histories[V2].text()},'
                f' {winnings}, "info": "result"}}'
            )
        for own, player in enumerate(hand.players):
            version = self._listeners.get(player)
            if version == V1 and player not in self._dismissed:
                messages.append((player, first))
            elif version in self._histories and player not in self._dismissed:
                cards = self._cards_for(own, hand)
                messages.append((player, frame(f'{{"player_card": {cards}{second}')))
        return messages

    def _cards_for(self, own: int, hand: View) -> str:
        """Return all cards that a seat of the second version sees at the end."""
        by_folds = sum(not folded for folded in hand.folded) < 2
        return words.array(
            self._hole[seat] if seat == own and by_folds else words.cards(hand.cards[seat])
            for seat in self._order
        )
