"""Whole `kuhn` conversations without a socket: our session, speaker and match, a scripted house.

A conversation is written as the document writes it, `C:` for the client and `S:` for the server,
and can be had in both spellings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from croupier.cards import parse
from croupier.dialects import roster
from croupier.dialects.base import CLOSE
from croupier.dialects.kuhn.words import BINARY, NAME, TEXT
from croupier.dialects.roster import Place
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.rules import Rules
from croupier.rules.sets import KUHN
from tests.support.referee import Referee

# The house comes first, since its stack is to be set before the match starts with the client.
HOUSE, CLIENT = 0, 1

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


class Conversation(Referee):
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
        super().__init__(rules, 2, ScriptedChance(deals, client_deals))
        script = iter(house)
        self.seat_bot(Place("house", roster.HOUSE), lambda view: HOUSE_DECISIONS[next(script)])
        if house_stack:
            self.match.players[HOUSE].stack = self.view.stacks[HOUSE] = house_stack
        self.client = self.connect(NAME)

    def hear(self, data: bytes) -> list[bytes]:
        """Take bytes of the client; return the messages that answer them."""
        self.client.receive(data)
        return self._answers()

    def silence(self) -> list[bytes]:
        """Let the moment pass after which a message without a newline counts."""
        self.client.quiet()
        return self._answers()

    def _answers(self) -> list[bytes]:
        answers, self.sent[CLIENT] = self.sent[CLIENT], []
        return [message for message in answers if message != CLOSE]


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
