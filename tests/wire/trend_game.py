"""Whole `trend` games without sockets, in no time: the clock runs where nobody answers."""

import json
from collections.abc import Callable
from typing import Any

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.tokens import token_of
from croupier.dialects.trend.words import NAME
from croupier.match.chance import Chance
from croupier.match.match import HAND, OVER, RELOAD
from croupier.rules.events import Event
from croupier.rules.hand import NOBODY
from croupier.rules.rules import Rules
from tests.support.referee import Referee

Reply = bytes | None
"""What a player sends; None: nothing, until his time is up."""


def message(action: str, **more: Any) -> bytes:
    """Return the frame of a decision."""
    data = {"action": action, **more}
    return json.dumps({"eventName": "__action", "data": data}).encode()


RELOAD_MESSAGE = b'{"eventName":"__reload"}'


class Game(Referee):
    """A table of players by their private names."""

    def __init__(self, rules: Rules, names: list[str], chance: Chance, seats: int = 0) -> None:
        super().__init__(rules, seats or len(names), chance)
        self.names = names
        self.tokens = {player: token_of(name) for player, name in enumerate(names)}
        self.on_message: Callable[[int, bytes], None] = lambda player, text: None

    def start(self) -> None:
        """Let everyone join and count down."""
        for player, name in enumerate(self.names):
            self.join(player, name)
        while self.match.phase not in (HAND, OVER):
            self.tick()

    def join(self, player: int, name: str) -> None:
        join = {"eventName": "__join", "data": {"playerName": name}}
        connection = self.connect(NAME)
        connection.receive(json.dumps(join).encode())
        assert connection.player == player

    def rejoin(self, player: int) -> None:
        self.join(player, self.names[player])

    def stop(self) -> None:
        self.play(self.match.stop())

    def receive(self, player: int, text: bytes) -> None:
        """Take a frame of a player, if it is connected."""
        if player in self.connections:
            self.connections[player].receive(text)

    def answered(self, player: int, answer: Answer | Illegal) -> None:
        if isinstance(answer, Illegal):
            self.corrections.append(answer.reason)
        else:
            assert self.match.options is not None
            assert self.match.options.fault(answer.decision) == ""
        super().answered(player, answer)

    def told(self, event: Event, messages: list[tuple[int, bytes]]) -> None:
        super().told(event, messages)
        for player, text in messages:
            self.on_message(player, text)

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
