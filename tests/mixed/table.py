"""A mixed table without sockets: the match, the places and the speakers, joined as the server does.

Guests of any hold'em dialect and of the house sit down; what each of them is sent is kept, and what
they say goes through their dialect's own reader.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.cards import parse_many
from croupier.deals import deal, seed_from_text
from croupier.dialects.base import Answer, Illegal, Speaker
from croupier.dialects.huawei import reader as huawei_reader
from croupier.dialects.huawei.speaker import Listener
from croupier.dialects.huawei.words import NAME as HUAWEI
from croupier.dialects.room import reader as room_reader
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.room.session import HANDSHAKES
from croupier.dialects.room.words import NAME as ROOM
from croupier.dialects.roster import HOUSE, Place
from croupier.dialects.tokens import token_of
from croupier.dialects.trend import reader as trend_reader
from croupier.dialects.trend.words import NAME as TREND
from croupier.match.match import COUNTDOWN, HAND, INTERVAL, OVER, READY, RELOAD, RETURNING, Match
from croupier.match.ready import Handshake
from croupier.match.view import MatchView
from croupier.rules.decisions import Decision
from croupier.rules.events import Event, HandStarted
from croupier.rules.rules import Rules
from croupier.server.table.seating import Seating

CLOSED = b""
"""In a row of messages: the connection was closed."""


@dataclass
class Guest:
    """Who wants to sit down, and what the server knows of him besides his place."""

    place: Place
    listener: Any = None
    handshake: Handshake | None = None
    can_reload: bool = False


def huawei(pid: int, name: str, *, notify: bool = False, bets: bool = False) -> Guest:
    return Guest(Place(name, HUAWEI, str(pid)), Listener(notify, bets))


def trend(private: str, display: str = "") -> Guest:
    token = token_of(private)
    return Guest(Place(display or f"t-{token[:8]}", TREND, token=token), can_reload=True)


def room(name: str, version: int = V1) -> Guest:
    return Guest(Place(name, ROOM), version, HANDSHAKES[version])


def room2(name: str) -> Guest:
    return room(name, V2)


def house(name: str = "CallAgent0") -> Guest:
    return Guest(Place(name, HOUSE, bot=name.rstrip("0123456789")))


class FixedChance:
    """Seats as they are given; cards too, as far as they are, the rest from a seed."""

    def __init__(self, order: Sequence[int], dealt: Mapping[int, Mapping[Any, str]]) -> None:
        self.order = order
        self.dealt = dealt
        self.seed = seed_from_text("mixed")
        self.match: Match | None = None

    def seats(self, players: int) -> list[int]:
        return list(self.order or range(players))

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        assert self.match is not None
        named = {who: parse_many(text) for who, text in self.dealt.get(hand, {}).items()}
        used = {card for cards in named.values() for card in cards}
        spare = [card for card in deal(self.seed, hand, deck, len(deck)) if card not in used]
        row: list[int] = []
        for who, size in [*((player, 2) for player in self.match.order), ("board", 5)]:
            cards = named.get(who, [])
            row += cards + [spare.pop() for _ in range(size - len(cards))]
        assert len(row) == count
        return row


class MixedTable:
    """A table that is played in no time; players are numbered as they sat down."""

    def __init__(
        self,
        rules: Rules,
        *guests: Guest,
        order: Sequence[int] = (),
        dealt: Mapping[int, Mapping[Any, str]] | None = None,
        seats: int = 0,
    ) -> None:
        """`order` is who sits where in the first hand, the button last."""
        self.rules = rules
        self.guests = guests
        self.now = 0.0
        self.chance = FixedChance(order, dealt or {})
        self.match = Match(rules, seats or len(guests), self.chance, self.now)
        self.chance.match = self.match
        self.view = MatchView(rules)
        self.seating = Seating("7")
        self.speakers: list[Speaker] = []
        self.events: list[Event] = []
        self.sent: list[list[bytes]] = [[] for _ in guests]
        self.corrections: list[str] = []
        self._taken = [0 for _ in guests]
        self._present: set[int] = set()
        self._closed: set[int] = set()
        self._hung_up: list[int] = []

    # Coming and going.

    def sit_down(self) -> None:
        """Let everyone come, in order."""
        for guest in self.guests:
            self.join(guest)

    def join(self, guest: Guest) -> int:
        player = self.seating.give(guest.place)
        self._present.add(player)
        if guest.handshake is not None:
            self.match.expect_ready(player, guest.handshake)
        if not guest.can_reload:
            self.match.never_reloads(player)
        if guest.place.dialect != HOUSE:
            speaker = self.seating.listen(player, guest.place.dialect, guest.listener)
            if speaker is not None:
                self.speakers.append(speaker)
        self.play(self.match.join(guest.place.name, self.now))
        return player

    def leave(self, player: int) -> None:
        self._present.discard(player)
        if self.match.phase != OVER:
            self.play(self.match.disconnected(player, self.now))

    def come_back(self, player: int) -> None:
        self._present.add(player)
        self.play(self.match.connected(player, self.now))

    # The course of the match.

    def play(self, events: Sequence[Event]) -> None:
        while events:
            for event in events:
                self._tell(event)
            events = self.match.recorded(self.now) if self.match.phase == INTERVAL else []
        while self._hung_up:
            player = self._hung_up.pop()
            if player in self._present:
                self.leave(player)

    def _tell(self, event: Event) -> None:
        self.events.append(event)
        self.view.see(event)
        if type(event).__name__ == "MatchStarted":
            self.seating.assign_missing_pids()
        for speaker in self.speakers:
            for player, message in speaker.tell(event, self.view):
                if player in self._present and player not in self._closed:
                    self.sent[player].append(message)
                    if message == CLOSED:
                        self._closed.add(player)
                        self._hung_up.append(player)

    def tick(self) -> None:
        """Let the time pass up to the deadline."""
        assert self.match.deadline is not None
        self.now = max(self.now, self.match.deadline)
        self.play(self.match.tick(self.now))

    def go_on(self) -> None:
        """Get to the next question or the end: players of `room` are ready, nobody buys chips."""
        match = self.match
        while match.phase not in (HAND, OVER):
            if match.phase == READY:
                for player in match.ready_list.handshakes:
                    if match.phase == READY and match.players[player].online:
                        self.play(match.ready(player, self.now))
            if match.phase in (COUNTDOWN, RELOAD, RETURNING, READY):
                self.tick()

    def start(self) -> None:
        self.sit_down()
        self.go_on()

    # What players do.

    @property
    def asked(self) -> int:
        return self.match.asked

    def decide(self, decision: Decision) -> None:
        """Let whoever is asked decide, as a house bot does."""
        self.play(self.match.decide(self.asked, decision, self.now))

    def meaning(self, player: int, word: str, amount: int = 0) -> Answer | Illegal:
        """Return what a player's reader makes of a word of his dialect."""
        hand, options = self.match.hand, self.match.options
        assert hand is not None
        assert options is not None
        place = self.seating.places[player]
        if place.dialect in (HUAWEI, HOUSE):
            text = f"{word} {amount}" if word == "raise" else word
            return huawei_reader.decide(text.encode(), options, hand.high)
        if place.dialect == TREND:
            data: dict[str, Any] = {"action": word}
            if word == "bet":
                data["amount"] = amount
            frame = json.dumps({"eventName": "__action", "data": data}).encode()
            message = trend_reader.parse(frame)
            bet = hand.bets[hand.actor]
            return trend_reader.decide(message, options, hand.high, bet, hand.big_blind)
        version = self.guests[player].listener
        return room_reader.decide({"action": word}, version, options, hand.high, hand.pot)

    def say(self, word: str, amount: int = 0) -> None:
        """Let whoever is asked say a word of his own dialect; the house decides in huawei's."""
        player = self.asked
        answer = self.meaning(player, word, amount)
        if isinstance(answer, Illegal):
            self.play(self.match.illegal(player, answer.reason, self.now))
            return
        if answer.correction:
            self.corrections.append(answer.correction)
        self.play(self.match.decide(player, answer.decision, self.now))

    # What they were sent.

    def take(self, player: int) -> list[bytes]:
        """Return what a player was sent since the last time."""
        start, self._taken[player] = self._taken[player], len(self.sent[player])
        return self.sent[player][start:]

    def frames(self, player: int) -> list[dict[str, Any]]:
        """Return what a player of `room` or `trend` was sent since the last time, as objects."""
        cut = 4 if self.seating.places[player].dialect == ROOM else 0
        return [json.loads(message[cut:]) for message in self.take(player) if message]

    def last(self, player: int, kind: str) -> Any:
        """Return the last object of a kind that a player was sent: its data in `trend`."""
        for message in reversed(self.sent[player]):
            if self.seating.places[player].dialect == TREND:
                value = json.loads(message)
                if value["eventName"] == kind:
                    return value["data"]
            elif message and json.loads(message[4:])["info"] == kind:
                return json.loads(message[4:])
        raise AssertionError(f"no {kind} among {len(self.sent[player])} messages")

    def block(self, player: int, name: str) -> str:
        """Return the last message of a name that a player of `huawei` was sent."""
        for message in reversed(self.sent[player]):
            if message.startswith(name.encode()):
                return message.decode("ascii")
        raise AssertionError(f"no {name} among {len(self.sent[player])} messages")

    @property
    def started(self) -> HandStarted:
        """How the present hand, or the last one, began."""
        return next(event for event in reversed(self.events) if isinstance(event, HandStarted))
