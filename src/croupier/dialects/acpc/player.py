"""The player side: follows the states of a server, and answers those that ask it.

Both sides know the game beforehand, so a state is replayed on the same state machine that deals
here: what the bot sees is what it would see at our own table. Cards that are not known are hidden.
"""

import re
from collections.abc import Iterator

from croupier.cards import HIDDEN, parse_many
from croupier.dialects.acpc.reader import LineReader
from croupier.dialects.acpc.words import CALL, FOLD, HEADER, RAISE
from croupier.dialects.player_side import (
    Failed,
    HandOver,
    MatchOver,
    Question,
    Reconnect,
    Step,
    WireError,
)
from croupier.rules import decisions as d
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.view import view_of

_STATE = re.compile(
    HEADER + r":([0-9]{1,2}):([0-9]{1,10}):((?:[cf/]|r[0-9]{0,13})*):([0-9TJQKAcdhs|/]*)"
)
_ACTION = re.compile(r"([cfr])([0-9]*)")


class AcpcPlayer:
    """One player in one match."""

    idle = False

    def __init__(self, name: str, rules: Rules) -> None:
        """`name` follows the version; empty: nothing does, as the protocol has it."""
        if name != " ".join(name.split()) or not name.isprintable():
            raise ValueError("a name has printable characters, and single blanks within")
        self._name = name
        self._rules = rules
        self._reader = LineReader()
        self._last = ""
        self._over = False
        """Whether the last state was that of a finished hand."""

    def hello(self) -> bytes:
        """Return the version, with the name if there is one."""
        self._reader = LineReader()
        return f"VERSION:2.0.0 {self._name}".rstrip().encode("utf-8") + b"\r\n"

    def goodbye(self) -> bytes:
        """Return nothing: the protocol has no such message."""
        return b""

    def lost(self, reason: str, code: int, at_once: bool) -> MatchOver | Failed | Reconnect:
        """Take the end of the stream after a finished hand for the end of the match."""
        if not self._last:
            return Failed("the server closed the connection before the first hand")
        return MatchOver("" if self._over else "the server closed the connection within a hand")

    def receive(self, data: bytes) -> Iterator[Step]:
        """Parse bytes and yield the resulting steps."""
        for line in self._reader.receive(data):
            if line[:1] in ("#", ";") or line == self._last:
                continue
            yield from self._state(line)

    def answer(self, question: Question, decision: d.Decision) -> bytes:
        """Repeat the state and encode a decision; where a check is free, a fold is one."""
        return f"{self._last}:{self._action(question, decision)}\r\n".encode("ascii")

    def _action(self, question: Question, decision: d.Decision) -> str:
        view, options = question.view, question.options
        if decision.kind == d.FOLD_KIND and options.owed:
            return FOLD
        if decision.kind != d.RAISE_KIND:
            return CALL
        if self._rules.fixed_bets[view.street]:
            return RAISE
        return f"{RAISE}{decision.to + view.put[view.seat] - view.bets[view.seat]}"

    def _state(self, line: str) -> Iterator[Step]:
        match = _STATE.fullmatch(line)
        if match is None:
            raise WireError(f"not a state: {line[:60]!r}")
        position = int(match[1])
        hand = self._replayed(int(match[2]), position, match[3], match[4])
        self._last, self._over = line, hand.over
        if hand.over:
            yield HandOver(hand.stacks[position] - self._rules.stack)
        elif hand.actor == position:
            yield Question(view_of(hand, position))

    def _replayed(self, number: int, position: int, betting: str, cards: str) -> Hand:
        """Return the hand of a state."""
        rules = self._rules
        fields = cards.split("|")
        size = len(fields)
        if not 2 <= size <= rules.max_seats or position >= size:
            raise WireError(f"{size} hole-card fields, and {rules.name} is for {rules.max_seats}")
        fields[-1], *rounds = fields[-1].split("/")
        dealt = [_cards(field, rules.hole_cards) for field in fields]
        known = [card for hole in dealt for card in hole]
        board = [card for part in rounds for card in _cards(part, len(part) // 2)]
        unknown = rules.cards_for(size) - len(known) - len(board)
        if dealt[position][0] == HIDDEN or unknown < 0:
            raise WireError(f"cards of another game than {rules.name}: {cards[:60]!r}")
        hand = Hand(
            rules,
            [rules.stack] * size,
            known + board + [HIDDEN] * unknown,
            number=number + 1,
            players=[(seat - position) % size for seat in range(size)],
        )
        for letter, total in _ACTION.findall(betting):
            self._act(hand, letter, total)
        if hand.betting.street != betting.count("/"):
            raise WireError(f"the rounds of {betting[:60]!r} are not those of {rules.name}")
        return hand

    def _act(self, hand: Hand, letter: str, total: str) -> None:
        options, seat = hand.options, hand.actor
        if options is None:
            raise WireError("an action after the end of the hand")
        if letter == RAISE:
            to = int(total or 0) - hand.put[seat] + hand.bets[seat]
            decision = d.raise_to(options.min_to if hand.rules.fixed_bets[hand.street] else to)
        else:
            decision = d.FOLD if letter == FOLD else d.CALL
        try:
            hand.act(decision)
        except d.IllegalDecisionError as error:
            game = hand.rules.name
            raise WireError(f"the server plays another game than {game}: {error}") from None


def _cards(text: str, count: int) -> list[int]:
    if not text:
        return [HIDDEN] * count
    try:
        cards = parse_many(text)
    except ValueError as error:
        raise WireError(str(error)) from None
    if len(cards) != count:
        raise WireError(f"{len(cards)} cards in {text!r}, not {count}")
    return cards
