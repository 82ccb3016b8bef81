"""A mixed table without sockets: guests of any hold'em dialect and of the house.

What each of them is sent is kept; what they say goes through their dialect's own session.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.cards import parse_many
from croupier.deals import deal, seed_from_text
from croupier.dialects.base import CLOSE
from croupier.dialects.huawei import reader as huawei_reader
from croupier.dialects.huawei.words import NAME as HUAWEI
from croupier.dialects.room.frames import frame
from croupier.dialects.room.player import RoomPlayer
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.room.words import NAME as ROOM
from croupier.dialects.roster import HOUSE, Place
from croupier.dialects.session import Hello
from croupier.dialects.trend.words import NAME as TREND
from croupier.match.match import COUNTDOWN, HAND, OVER, READY, RELOAD, RETURNING, Match
from croupier.rules.decisions import Decision
from croupier.rules.events import HandStarted
from croupier.rules.rules import Rules
from tests.support.referee import Referee

CLOSED = CLOSE
"""In a row of messages: the connection was closed."""


@dataclass
class Guest:
    """Who wants to sit down: its dialect, and the first bytes of its program."""

    dialect: str
    hello: bytes = b""
    name: str = ""
    """What the house calls it, if that is not its program's choice."""


def huawei(pid: int, name: str, *, notify: bool = False, bets: bool = False) -> Guest:
    wishes = "need_notify " * notify + "need_bet " * bets
    return Guest(HUAWEI, f"reg: {pid} {name} {wishes}\n".encode())


def trend(private: str, display: str = "") -> Guest:
    join = {"eventName": "__join", "data": {"playerName": private}}
    return Guest(TREND, json.dumps(join).encode(), display)


def room(name: str, version: int = V1) -> Guest:
    return Guest(ROOM, RoomPlayer(name, version=version).hello())


def room2(name: str) -> Guest:
    return room(name, V2)


def house(name: str = "CallAgent0") -> Guest:
    return Guest(HOUSE, name=name)


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


class MixedTable(Referee):
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
        chance = FixedChance(order, dealt or {})
        super().__init__(rules, seats or len(guests), chance, table_number="7")
        chance.match = self.match
        self.guests = guests
        self._display = ""
        self._taken = [0 for _ in guests]

    # Coming and going.

    def sit_down(self) -> None:
        """Let everyone come, in order."""
        for guest in self.guests:
            self.join(guest)

    def join(self, guest: Guest) -> None:
        """Let a guest come, or come back."""
        if guest.dialect == HOUSE:
            self.seat_bot(Place(guest.name, HOUSE, bot=guest.name.rstrip("0123456789")))
            return
        self._display = guest.name
        self.connect(guest.dialect).receive(guest.hello)

    def place_of(self, hello: Hello) -> Place:
        hello.place.name = self._display or hello.place.name
        return hello.place

    def come_back(self, player: int) -> None:
        self.join(self.guests[player])

    # The course of the match.

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

    def say(self, word: str, amount: int = 0) -> None:
        """Let whoever is asked say a word of its own dialect; the house decides in huawei's."""
        player = self.asked
        dialect = self.seating.places[player].dialect
        text = f"{word} {amount}" if word == "raise" else word
        if dialect == HOUSE:
            options = self.match.options
            assert options is not None
            self.answered(player, huawei_reader.decide(text.encode(), options, self.view.hand.high))
            return
        if dialect == HUAWEI:
            data = f"{text} \n".encode()
        elif dialect == TREND:
            action = {"action": word} | ({"amount": amount} if word == "bet" else {})
            data = json.dumps({"eventName": "__action", "data": action}).encode()
        else:
            data = frame(json.dumps({"info": "action", "action": word}))
        self.connections[player].receive(data)

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
