"""Whole `room` games without sockets: players' frames in, everybody's frames out.

House bots play what they are told. Every message is one whole frame, or the driver complains.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from croupier.cards import DECK
from croupier.dialects import roster
from croupier.dialects.base import CLOSE, Answer, Illegal, Outgoing
from croupier.dialects.room.frames import HEADER
from croupier.dialects.room.frames import frame as framed
from croupier.dialects.room.observer import ObserverSpeaker
from croupier.dialects.room.player import RoomPlayer
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.room.words import NAME
from croupier.dialects.session import Said, Stray
from croupier.match.audience import Audience, Policy
from croupier.match.chance import Chance
from croupier.match.match import OVER, READY
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.events import Event, HandEnded
from croupier.rules.rules import Rules
from croupier.rules.sets import ROOM2
from tests.support.referee import STAMP, Connection, Referee

BOT = 0
"""In place of a version: a house bot, to whom nothing is sent."""
BOARD = -1
"""In place of a position: the cards in the middle."""
WATCHER = 0


@dataclass(frozen=True)
class Place:
    """A player of the room: a program that speaks one of the versions, or a house bot."""

    name: str
    version: int = V1


@dataclass
class ScriptedChance:
    """Seats and cards by position; cards that are not named are the lowest unused ones."""

    order: Sequence[int]
    """The players by their position in the first hand: the small blind, the big blind, …"""
    dealt: dict[int, dict[int, list[int]]] = field(default_factory=dict)
    """The cards of each position, and of the BOARD, in each hand."""

    def seats(self, players: int) -> list[int]:
        assert sorted(self.order) == list(range(players))
        return [self.order[position] for position in positions(players)]

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        named = self.dealt.get(hand, {})
        used = [card for cards in named.values() for card in cards]
        assert len(set(used)) == len(used), "a card is dealt twice"
        spare = [card for card in DECK if card not in used]
        row: list[int] = []
        for place in [*positions((count - 5) // 2), BOARD]:
            cards = named.get(place, [])
            row += cards
            row += [spare.pop(0) for _ in range((5 if place == BOARD else 2) - len(cards))]
        return row


def positions(players: int) -> list[int]:
    """Return the position of each seat: with two the small blind has the button, the last seat."""
    return [1, 0] if players == 2 else list(range(players))


def decision(word: str) -> Decision:
    """Return the decision that a word of the protocol means."""
    if word == "fold":
        return FOLD
    if word in ("call", "check"):
        return CALL
    return raise_to(int(word.removeprefix("r")))


class Game(Referee):
    """A room, from the moment it is full."""

    def __init__(
        self,
        rules: Rules,
        places: Sequence[Place],
        chance: Chance,
        policy: Policy | None = None,
    ) -> None:
        """With a policy someone watches from the start, in the version of the rules."""
        super().__init__(rules, len(places), chance)
        self.places = list(places)
        self.texts: dict[int, list[str]] = {player: [] for player in range(len(self.places))}
        """The JSON text of every frame to a player."""
        self.closed: set[int] = set()
        """Whose connection we have closed."""
        self.ignored: list[Stray] = []
        """Frames that came out of turn and were none of our business."""
        self.answers: list[Answer | Illegal] = []
        """What the programs' answers meant."""
        self.ended = 0
        """How many hands have ended."""
        self.watched: list[tuple[int, str]] = []
        """What the watcher got, with how many hands had ended by then."""
        self.watcher_closed = False
        self.watching = policy
        self.watched_in = V2 if rules.name == ROOM2.name else V1
        self._audience: Audience | None = None
        if policy is not None:
            self._audience = Audience(policy)
            self._audience_view = MatchView(rules, open_cards=policy.open_cards)
            self._observer = ObserverSpeaker(
                self.seating.names,
                [WATCHER],
                version=lambda: self.watched_in,
                stamp=lambda: STAMP,
            )

    def start(self) -> None:
        """Let everyone sit down."""
        for place in self.places:
            if place.version == BOT:
                self.seat_bot(roster.Place(place.name, roster.HOUSE))
            else:
                hello = RoomPlayer(place.name, version=place.version).hello()
                self.connect(NAME).receive(hello)

    # What players do.

    def take(self, player: int, frame: dict[str, Any]) -> None:
        """Take a frame of a player, if it is connected."""
        if player in self.connections:
            self.connections[player].receive(framed(json.dumps(frame)))

    def say(self, word: str) -> None:
        """Let the program that is asked send an action."""
        self.take(self.match.asked, {"info": "action", "action": word})

    def act(self, word: str) -> None:
        """Let whoever is asked act, bypassing the reader; this is how house bots play."""
        self.play(self.match.decide(self.match.asked, decision(word), self.now))

    def start_all(self) -> None:
        """Let every program say that it is ready, until the hand begins."""
        for player, place in enumerate(self.places):
            if place.version and self.match.phase == READY:
                self.take(player, {"info": "start" if place.version == V1 else "ready"})

    def withdraw(self, player: int) -> None:
        """Let the organiser take a player out."""
        self.play(self.match.withdraw(player, self.now))

    def stop(self) -> None:
        """Let the organiser end the match."""
        self.play(self.match.stop())

    # What came of it.

    @property
    def over(self) -> bool:
        return self.match.phase == OVER

    def frames(self, player: int) -> list[dict[str, Any]]:
        """Return what a player was sent."""
        return [json.loads(text) for text in self.texts[player]]

    def said(self, connection: Connection, item: Said) -> None:
        if isinstance(item, Stray):
            self.ignored.append(item)
        super().said(connection, item)

    def answered(self, player: int, answer: Answer | Illegal) -> None:
        self.answers.append(answer)
        super().answered(player, answer)

    def told(self, event: Event, messages: list[tuple[int, bytes]]) -> None:
        self.ended += isinstance(event, HandEnded)
        for player, message in messages:
            assert player not in self.closed, "nothing is sent after the end"
            if message == CLOSE:
                self.closed.add(player)
            else:
                self.texts[player].append(body(message))
        if self._audience is not None:
            for seen in self._audience.release(event):
                self._audience_view.see(seen)
                self._show(self._observer.tell(seen, self._audience_view))

    def _show(self, messages: Outgoing) -> None:
        for watcher, message in messages:
            assert watcher == WATCHER
            assert not self.watcher_closed, "nothing is sent after the end"
            if message == CLOSE:
                self.watcher_closed = True
            else:
                self.watched.append((self.ended, body(message)))


def body(message: bytes) -> str:
    """Return the JSON text of one whole frame; it is ASCII, and its length is right."""
    (length,) = HEADER.unpack_from(message)
    assert len(message) == HEADER.size + length
    return message[HEADER.size :].decode("ascii")
