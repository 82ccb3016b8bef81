"""Encoding of events as frames for the spectators of a room.

The incoming events are already redacted for the audience; hidden cards are left out.

Frames of the second version are those of the first with `players` added, and the items of the
history are objects.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from croupier.dialects.base import CLOSE, Outgoing
from croupier.dialects.room import words
from croupier.dialects.room.frames import frame
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.room.speaker import STOPPED, broken_text
from croupier.match.events import LEFT_BETWEEN, Broken, MatchEnded, Stopped
from croupier.match.view import MatchView
from croupier.rules.events import Acted, Asked, BettingClosed, Event, HandEnded, HandStarted
from croupier.rules.hand import NOBODY
from croupier.rules.view import View


class ObserverSpeaker:
    """Addresses all spectators of a table that use this dialect."""

    def __init__(
        self,
        names: Mapping[int, str],
        spectators: Iterable[int],
        version_of: Callable[[int], int | None] = lambda player: None,
        version: Callable[[], int] = lambda: V1,
        stamp: Callable[[], str] = lambda: "",
    ) -> None:
        """Address `spectators`, using the `names` of all players.

        `version_of` returns the version that a player speaks, if any, and `version` the version for
        the next hand. `stamp` returns the time of day, which the second version shows.
        """
        self._version_of = version_of
        self._names = names
        self._spectators = spectators
        self._choose_version = version
        self._version = V1
        self._stamp = stamp
        self._history = words.History()
        self._action = '""'
        self._actor = '""'
        self._start_stacks: tuple[int, ...] = ()
        self._closing: tuple[list[int], list[int], int] = ([], [], 0)
        """Stacks, bets and pot when the betting ended."""
        self._totals: dict[int, int] = {}
        self._times: dict[int, int] = {}
        self._closing_error = ""

    def resumed(self, view: MatchView) -> None:
        """Initialise from a hand that began before the first spectator arrived."""
        hand = view.hand
        self._version = self._choose_version()
        self._history = words.History.so_far(hand, self._version, self._stamp)
        for _, acted in hand.history[-1:]:
            self._note(acted, hand)
        self._start_stacks = tuple(
            stack + put for stack, put in zip(hand.stacks, hand.put, strict=True)
        )

    def tell(self, event: Event, view: MatchView) -> Outgoing:
        """Return the frames that an event causes."""
        hand = view.hand
        if isinstance(event, HandStarted):
            self._version = self._choose_version()
            self._history = words.History()
            self._action = self._actor = '""'
            self._start_stacks = event.stacks
        elif isinstance(event, Acted):
            place, action = words.position(event.seat, hand), words.action(event)
            self._history.add(words.done(self._version, place, action, self._stamp))
            self._note(event, hand)
        elif isinstance(event, Asked):
            self._history.asked(hand.street)
            return self._state(hand, event.seat, hand.stacks, hand.bets, hand.pot)
        elif isinstance(event, BettingClosed):
            self._closing = hand.stacks[:], hand.bets[:], hand.pot
        elif isinstance(event, HandEnded):
            return self._ended(event, hand)
        elif isinstance(event, Stopped):
            self._closing_error = STOPPED
        elif isinstance(event, Broken):
            first_version = self._version_of(event.player) == V1
            # After a hand, that is how a program of the first version says goodbye.
            if not (event.cause == LEFT_BETWEEN and first_version and view.rounds):
                self._closing_error = broken_text(event, self._names[event.player])
        elif isinstance(event, MatchEnded):
            return self._over()
        return ()

    def present(self, view: MatchView) -> bytes | None:
        """Return the state of the current hand for a new spectator."""
        hand = view.hand
        if hand.actor == NOBODY:
            return None
        return self._state_frame(hand, hand.actor, hand.stacks, hand.bets, hand.pot)

    def _note(self, event: Acted, hand: View) -> None:
        """Remember the last action and its player."""
        self._action = f'"{words.action(event)}"'
        self._actor = str(words.position(event.seat, hand))

    def _to_all(self, message: bytes) -> Iterator[tuple[int, bytes]]:
        return ((spectator, message) for spectator in self._spectators)

    def _over(self) -> Iterator[tuple[int, bytes]]:
        last = words.error(self._closing_error) if self._closing_error else words.SUCCESS
        for spectator in self._spectators:
            yield spectator, last
            yield spectator, CLOSE

    def _state(
        self, hand: View, actor: int, stacks: list[int], bets: list[int], pot: int
    ) -> Iterator[tuple[int, bytes]]:
        return self._to_all(self._state_frame(hand, actor, stacks, bets, pot))

    def _state_frame(
        self, hand: View, actor: int, stacks: list[int], bets: list[int], pot: int
    ) -> bytes:
        order = words.seats(hand)
        turn = NOBODY if actor == NOBODY else words.position(actor, hand)
        players = ""
        if self._version == V2:
            players = " " + words.players(hand, order, stacks, self._start_stacks, self._name)
            players += ","
        return frame(
            f'{{"player_card": {self._cards(hand)},'
            f' "money": {words.numbers(stacks[seat] for seat in order)},'
            f' "round_raise": {words.numbers(bets[seat] for seat in order)},'
            f' "public_card": {words.cards(hand.board)}, "desktop_money": {pot},'
            f' "current_action": {self._action}, "action_player": {self._actor},{players}'
            f' "action_history": {self._history.text()}, "action_position": {turn},'
            f' "info": "state", "name": {self._names_of(hand)}}}'
        )

    def _ended(self, event: HandEnded, hand: View) -> Iterator[tuple[int, bytes]]:
        yield from self._state(hand, NOBODY, *self._closing)
        order = words.seats(hand)
        won = [event.stacks[seat] - self._start_stacks[seat] for seat in order]
        players = [hand.players[seat] for seat in order]
        for player, amount in zip(players, won, strict=True):
            self._totals[player] = self._totals.get(player, 0) + amount
            self._times[player] = self._times.get(player, 0) + 1
        more = ""
        if self._version == V2:
            left = self._closing[0]
            winnings = words.winnings(hand, order, won, left, self._start_stacks, self._name)
            more = f' "action_history": {self._history.text()}, {winnings},'
        yield from self._to_all(
            frame(
                f'{{"win_money": {words.numbers(won)}, "player_card": {self._cards(hand)},'
                f' "public_card": {words.cards(hand.board)},{more} "info": "result",'
                f' "total_money": {words.numbers(self._totals[player] for player in players)},'
                f' "times": {words.numbers(self._times[player] for player in players)},'
                f' "name": {self._names_of(hand)}}}'
            )
        )

    def _cards(self, hand: View) -> str:
        return words.array(words.cards(hand.cards[seat]) for seat in words.seats(hand))

    def _names_of(self, hand: View) -> str:
        return words.array(self._name(hand.players[seat]) for seat in words.seats(hand))

    def _name(self, player: int) -> str:
        return json.dumps(self._names[player])
