"""Whole `kuhn` conversations without a socket: our session, speaker and match, a scripted house.

A conversation is written as the document writes it, `C:` for the client and `S:` for the server,
and can be had in both spellings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from croupier.cards import parse
from croupier.dialects.base import Answer
from croupier.dialects.kuhn.session import KuhnSession
from croupier.dialects.kuhn.speaker import KuhnSpeaker
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.dialects.session import (
    Answered,
    Expected,
    Goodbye,
    Hello,
    Ready,
    Said,
    StateRequested,
    Wrong,
)
from croupier.match.match import HAND, INTERVAL, OVER, READY, Match
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.events import Event
from croupier.rules.rules import Rules
from croupier.rules.sets import KUHN
from croupier.rules.view import View

# The house comes first, since its stack is to be set before the match starts with the client.
HOUSE, CLIENT = 0, 1
NOW = 0.0

HOUSE_DECISIONS: dict[str, Decision] = {
    "CHCK": CALL,
    "CALL": CALL,
    "FOLD": FOLD,
    "BET_": raise_to(1),
}


@dataclass
class ScriptedChance:
    """The deals and the first dealer of a script."""

    deals: Sequence[str]
    """Of each hand, the client's card and the house's: `JQ`."""
    client_deals: bool
    """In the first hand; after that they take turns."""

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        client_and_house = [parse(card) for card in self.deals[hand - 1]]
        client_deals = self.client_deals == (hand % 2 == 1)
        return client_and_house[::-1] if client_deals else client_and_house

    def seats(self, players: int) -> list[int]:
        return [HOUSE, CLIENT] if self.client_deals else [CLIENT, HOUSE]


class Conversation:
    """The server's side of one connection; what the house does is part of the script."""

    def __init__(
        self,
        deals: Sequence[str],
        house: Iterable[str],
        *,
        client_deals: bool = False,
        rules: Rules = KUHN,
        house_stack: int = 0,
    ) -> None:
        self.session = KuhnSession()
        self.speaker: KuhnSpeaker | None = None
        self.closed = False
        """The client has said goodbye."""
        self.match = Match(rules, 2, ScriptedChance(deals, client_deals), NOW)
        self._events = MatchView(rules)
        self._house = iter(house)
        self._happened(self.match.join("house", NOW))
        if house_stack:
            self.match.players[HOUSE].stack = self._events.stacks[HOUSE] = house_stack

    # How things stand, for the session.

    @property
    def seated(self) -> bool:
        return len(self.match.players) == 2

    @property
    def expected(self) -> Expected:
        if self.match.asked == CLIENT:
            return Expected.ANSWER
        waits = {READY: Expected.READY, OVER: Expected.OVER}
        return waits.get(self.match.phase, Expected.NOTHING)

    @property
    def in_hand(self) -> bool:
        return self.match.phase == HAND

    @property
    def view(self) -> View:
        return self._events.hand

    @property
    def someone_broke(self) -> bool:
        return not all(self._events.stacks)

    # The conversation.

    def hear(self, data: bytes) -> list[bytes]:
        """Take bytes of the client; return the messages that answer them."""
        return self._answers(self.session.receive(data, self))

    def silence(self) -> list[bytes]:
        """Let the moment pass after which a message without a newline counts."""
        return self._answers(self.session.quiet(self))

    def _answers(self, said: Iterable[Said]) -> list[bytes]:
        return [answer for item in said for answer in self._answer(item)]

    def _answer(self, said: Said) -> list[bytes]:
        match = self.match
        if isinstance(said, Hello):
            self.speaker = KuhnSpeaker(CLIENT, said.listener)
            assert said.handshake is not None
            match.expect_ready(CLIENT, said.handshake)
            return self._happened(match.join("client", NOW))
        if isinstance(said, StateRequested):
            assert self.speaker is not None
            return [message for _, message in self.speaker.state_for(CLIENT, self._events)]
        if isinstance(said, Ready):
            return self._happened(match.ready(CLIENT, NOW))
        if isinstance(said, Answered):
            assert isinstance(said.answer, Answer)
            return self._happened(match.decide(CLIENT, said.answer.decision, NOW))
        if isinstance(said, Wrong):
            return [said.farewell.message]
        assert isinstance(said, Goodbye)
        self.closed = True
        return []

    def _happened(self, events: Sequence[Event]) -> list[bytes]:
        sent: list[bytes] = []
        while events:
            for event in events:
                self._events.see(event)
                for player, message in (
                    self.speaker.tell(event, self._events) if self.speaker else ()
                ):
                    assert player == CLIENT
                    sent.append(message)
            events = []
            if self.match.asked == HOUSE:
                events = self.match.decide(HOUSE, HOUSE_DECISIONS[next(self._house)], NOW)
            elif self.match.phase == INTERVAL:
                events = self.match.recorded(NOW)
        return sent


def steps(script: str) -> list[tuple[str, list[str]]]:
    """Return what the client says in a script, each with what the server answers."""
    found: list[tuple[str, list[str]]] = []
    for line in script.strip().splitlines():
        who, text = line.strip().split(": ", 1)
        if who == "C":
            found.append((text, []))
        else:
            found[-1][1].append(text)
    return found


def spell(line: str, spelling: str) -> bytes:
    """Return a line of the document as bytes."""
    if spelling == TEXT:
        return line.encode("ascii") + b"\n"
    assert spelling == BINARY
    command, *arguments = line.replace("'", "").split(" ")
    if command in ("STRT", "STKS"):
        numbers = [int(argument).to_bytes(4, "big") for argument in arguments]
        return b" ".join([command.encode("ascii"), *numbers])
    return " ".join([command, *arguments]).encode("ascii")
