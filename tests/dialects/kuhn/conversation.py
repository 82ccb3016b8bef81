"""Whole `kuhn` conversations without a socket: our reader, speaker and match, a scripted house.

A conversation is written as the document writes it, `C:` for the client and `S:` for the server,
and can be had in both spellings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from croupier.cards import parse
from croupier.dialects.base import Answer
from croupier.dialects.kuhn import words
from croupier.dialects.kuhn.decisions import OUT_OF_TURN, decide
from croupier.dialects.kuhn.messages import Action, Anok, Message, Start, Wrong
from croupier.dialects.kuhn.reader import KuhnReader
from croupier.dialects.kuhn.speaker import KuhnSpeaker
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.match.match import Match
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.events import Event
from croupier.rules.rules import Rules
from croupier.rules.sets import KUHN

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
        self.reader = KuhnReader()
        self.speaker = KuhnSpeaker(CLIENT)
        self.match = Match(rules, 2, ScriptedChance(deals, client_deals), NOW)
        self.view = MatchView(rules)
        self._house = iter(house)
        self._happened(self.match.join("house", NOW))
        if house_stack:
            self.match.players[HOUSE].stack = house_stack

    def hear(self, data: bytes) -> list[bytes]:
        """Take bytes of the client; return the messages that answer them."""
        return self._answers(self.reader.receive(data))

    def silence(self) -> list[bytes]:
        """Let the moment pass after which a message without a newline counts."""
        return self._answers(self.reader.flush())

    def _answers(self, messages: Sequence[Message]) -> list[bytes]:
        return [answer for message in messages for answer in self._answer(message)]

    def _answer(self, message: Message) -> list[bytes]:
        if isinstance(message, Start):
            assert self.reader.spelling
            self.speaker.spelling = self.reader.spelling
            return [words.stakes(self.speaker.spelling, self._stack(CLIENT), self._stack(HOUSE))]
        if isinstance(message, Anok):
            if len(self.match.players) == 1:
                return self._happened(self.match.join("client", NOW))
            return self._happened(self.match.recorded(NOW))
        if isinstance(message, Action):
            options = self.match.options if self.match.asked == CLIENT else None
            answer = decide(message, options) if options else OUT_OF_TURN
            if isinstance(answer, Answer):
                return self._happened(self.match.decide(CLIENT, answer.decision, NOW))
            message = answer
        if isinstance(message, Wrong):
            return [words.error(self.speaker.spelling, message.code)]
        return []

    def _stack(self, player: int) -> int:
        players = self.match.players
        return players[player].stack if player < len(players) else self.match.rules.stack

    def _happened(self, events: Sequence[Event]) -> list[bytes]:
        sent: list[bytes] = []
        while events:
            for event in events:
                self.view.see(event)
                for player, message in self.speaker.tell(event, self.view):
                    assert player == CLIENT
                    sent.append(message)
            events = []
            if self.match.asked == HOUSE:
                events = self.match.decide(HOUSE, HOUSE_DECISIONS[next(self._house)], NOW)
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
