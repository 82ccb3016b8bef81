"""Whole `trend` games without sockets: the match, the speaker and the reader, in no time.

The driver does what the server does: it tells each event to those who are connected, takes the
answer of who is asked, and lets the clock run to the next deadline where nobody answers.
"""

import json
from collections.abc import Callable
from typing import Any

from croupier.dialects.base import Illegal
from croupier.dialects.tokens import token_of
from croupier.dialects.trend.reader import Reload, decide, parse
from croupier.dialects.trend.speaker import TrendSpeaker
from croupier.match.chance import Chance
from croupier.match.match import HAND, INTERVAL, OVER, RELOAD, Match
from croupier.match.view import MatchView
from croupier.rules.events import Event
from croupier.rules.hand import NOBODY
from croupier.rules.rules import Rules

Reply = bytes | None
"""What a player sends; None: nothing, until his time is up."""


def message(action: str, **more: Any) -> bytes:
    """Return the frame of a decision."""
    data = {"action": action, **more}
    return json.dumps({"eventName": "__action", "data": data}).encode()


RELOAD_MESSAGE = b'{"eventName":"__reload"}'


class Game:
    """A table that is played in no time."""

    def __init__(self, rules: Rules, names: list[str], chance: Chance, seats: int = 0) -> None:
        self.now = 0.0
        self.names = names
        self.tokens = {player: token_of(name) for player, name in enumerate(names)}
        self.sent: list[list[bytes]] = [[] for _ in names]
        self.corrections: list[str] = []
        self.match = Match(rules, seats or len(names), chance, self.now)
        self.view = MatchView(rules)
        self.listeners: dict[int, None] = {}
        self.speaker = TrendSpeaker("1", self.tokens, self.listeners)
        self.connected: set[int] = set()
        self.on_message: Callable[[int, bytes], None] = lambda player, text: None

    def start(self) -> None:
        """Let everyone join and count down."""
        for player, name in enumerate(self.names):
            self.join(player, name)
        while self.match.phase not in (HAND, OVER):
            self.tick()

    def join(self, player: int, name: str) -> None:
        self.listeners[player] = None
        self.connected.add(player)
        self.play(self.match.join(f"t-{self.tokens[player][:8]}", self.now))

    def leave(self, player: int) -> None:
        self.connected.discard(player)
        self.play(self.match.disconnected(player, self.now))

    def rejoin(self, player: int) -> None:
        self.connected.add(player)
        self.play(self.match.connected(player, self.now))

    def tick(self) -> None:
        """Let the time pass up to the deadline."""
        assert self.match.deadline is not None
        self.now = max(self.now, self.match.deadline)
        self.play(self.match.tick(self.now))

    def stop(self) -> None:
        self.play(self.match.stop())

    def receive(self, player: int, text: bytes) -> None:
        """Take a frame of a player."""
        parsed = parse(text)
        match = self.match
        if isinstance(parsed, Reload):
            self.play(match.reload(player, self.now))
            return
        if match.asked != player:
            return
        hand, options = match.hand, match.options
        assert hand is not None
        assert options is not None
        answer = decide(parsed, options, hand.high, hand.bets[hand.actor], hand.big_blind)
        if isinstance(answer, Illegal):
            self.corrections.append(answer.reason)
            self.play(match.illegal(player, answer.reason, self.now))
            return
        assert options.fault(answer.decision) == ""
        if answer.correction:
            self.corrections.append(answer.correction)
        self.play(match.decide(player, answer.decision, self.now))

    def play(self, events: list[Event]) -> None:
        while events:
            for event in events:
                self.view.see(event)
                for player, text in self.speaker.tell(event, self.view):
                    if player in self.connected:
                        self.sent[player].append(text)
                        self.on_message(player, text)
            events = self.match.recorded(self.now) if self.match.phase == INTERVAL else []

    def run(
        self,
        answer: Callable[["Game", int], Reply],
        reload: Callable[["Game"], None] = lambda game: None,
    ) -> None:
        """Play to the end of the match."""
        while self.match.phase != OVER:
            if self.match.phase == RELOAD:
                reload(self)
                if self.match.phase == RELOAD:
                    self.tick()
            elif self.match.asked != NOBODY:
                player = self.match.asked
                reply = answer(self, player)
                if reply is None:
                    self.tick()
                else:
                    self.receive(player, reply)
            else:
                self.tick()
