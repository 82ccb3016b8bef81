"""The player side of `kuhn`, in both spellings: parses commands, encodes decisions.

There is no explicit question: whose turn it is follows from the dealer and the actions so far. The
player sits in seat 0 when it acts first and in seat 1 when it deals.
"""

import re
from collections.abc import Callable, Iterator

from croupier.cards import parse
from croupier.dialects.kuhn import words
from croupier.dialects.kuhn.start import MAX_DIGITS
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.dialects.player_side import (
    Failed,
    HandOver,
    MatchOver,
    Question,
    Reconnect,
    Send,
    Step,
    WireError,
    one_line,
)
from croupier.dialects.remote_hand import RemoteHand
from croupier.rules.decisions import CALL_KIND, FOLD_KIND, Decision
from croupier.rules.events import ANTE, HandStarted, Posted
from croupier.rules.rules import Rules
from croupier.rules.sets import KUHN

HOUSE, CLIENT = 0, 1
MAX_COMMAND = {TEXT: 128, BINARY: 14}
"""The longest command, in bytes. A security limit."""

_ERRORS = {
    words.WRONG_ACTION: "wrong action",
    words.NO_COINS: "no coins",
    words.WRONG_SYNTAX: "wrong syntax",
    words.WRONG_ID: "wrong id",
}

_ACTIONS = rb"CHCK|BET_|CALL|FOLD"
_COMMANDS = {
    TEXT: re.compile(
        rb"[ \t\r\n\0]*(?:(STKS) +(\d{1,18}) +(\d{1,18})|(DEAL|CARD|SHOW) +'?([01JQK])'?"
        rb"|(ERRO) ?(.*?)|(" + _ACTIONS + rb"))[ \t\r]*\n",
        re.IGNORECASE,
    ),
    BINARY: re.compile(
        rb"(?:(STKS) (.{4}) (.{4})|(DEAL|CARD|SHOW) (.)|(ERRO) (.{3,})|(" + _ACTIONS + rb"))",
        re.IGNORECASE | re.DOTALL,
    ),
}
_BEGINNINGS = tuple(
    word[:size]
    for word in (b"STKS", b"DEAL", b"CARD", b"SHOW", b"ERRO", b"CHCK", b"BET_", b"CALL", b"FOLD")
    for size in range(1, 5)
)


class KuhnPlayer:
    """One player in one match against a house bot."""

    def __init__(
        self, number: int, hands: int = 100, spelling: str = TEXT, rules: Rules = KUHN
    ) -> None:
        """Play up to `hands` hands, or until one side has no coins left."""
        if not 0 < number < (2**31 if spelling == BINARY else 10**MAX_DIGITS):
            raise ValueError(f"an id in kuhn is a number above 0 of usual size, not {number}")
        self._number = number
        self._limit = hands
        self._spelling = spelling
        self._rules = rules
        self._unread = b""
        self._hands = 0
        self._stacks = (0, 0)
        """The coins of the house and of the player before the antes, by player number."""
        self._ready = False
        """Whether the player has posted its ante and the hand is not over."""
        self._deals = False
        self._hand: RemoteHand | None = None
        self._handlers: dict[str, Callable[[str], Iterator[Step]]] = {
            "DEAL": self._dealer,
            "CARD": self._card,
            "SHOW": self._shown,
            "ERRO": self._error,
        }

    @property
    def idle(self) -> bool:
        """Always false: the house answers at once."""
        return False

    def hello(self) -> bytes:
        """Identify the player."""
        self._unread = b""
        if self._spelling == BINARY:
            return b"STRT " + self._number.to_bytes(4, "big")
        return f"STRT {self._number}\n".encode("ascii")

    def goodbye(self) -> bytes:
        """Leave the table; within a hand, that is a fold."""
        return self._said("QUIT")

    def lost(self, reason: str, code: int, at_once: bool) -> MatchOver | Failed | Reconnect:
        """Reconnect only before the match: every connection starts with fresh stakes."""
        if self._ready:
            return Failed("the connection was lost in the middle of a hand")
        if self._hands:
            return MatchOver("the server closed the connection")
        return Failed("the server closed the connection without a word") if at_once else Reconnect()

    # Parsing.

    def receive(self, data: bytes) -> Iterator[Step]:
        """Parse bytes and yield the resulting steps."""
        self._unread += data
        pattern = _COMMANDS[self._spelling]
        while match := pattern.match(self._unread):
            self._unread = self._unread[match.end() :]
            yield from self._take(match)
        rest = self._unread.lstrip(b" \t\r\n\0") if self._spelling == TEXT else self._unread
        incomplete = len(rest) < MAX_COMMAND[self._spelling] and (
            self._spelling == BINARY or b"\n" not in rest
        )
        if rest and not (rest[:4].upper() in _BEGINNINGS and incomplete):
            raise WireError(f"{rest[:40]!r} is no command")

    def _take(self, match: re.Match[bytes]) -> Iterator[Step]:
        stakes, own, house, command, argument, error, text, action = match.groups()
        if stakes:
            return self._told_stakes(self._coins(own), self._coins(house))
        if action:
            return self._house_acts(action.decode("ascii").upper())
        word = (command or error).decode("ascii").upper()
        content = (argument if command else text).decode("ascii", "replace")
        return self._handlers[word](content)

    def _coins(self, written: bytes) -> int:
        return int.from_bytes(written, "big") if self._spelling == BINARY else int(written)

    def _said(self, word: str) -> bytes:
        return words.action(self._spelling, word)

    # A hand.

    def _told_stakes(self, own: int, house: int) -> Iterator[Step]:
        before, self._stacks = self._stacks[CLIENT], (house, own)
        if self._hand is not None:
            self._hand = None
            self._ready = False
            self._hands += 1
            yield HandOver(own - before)
        if self._ready:
            return  # a second answer to the same STRT
        if self._hands < self._limit and own and house:
            self._ready = True
            yield Send(self._said("ANOK"))
        else:
            yield Send(self.goodbye())
            yield MatchOver()

    def _dealer(self, digit: str) -> Iterator[Step]:
        if digit not in ("0", "1") or not self._ready:
            raise WireError(f"DEAL {digit!r} comes at the wrong time")
        self._deals = digit == "1"
        yield from ()

    def _card(self, letter: str) -> Iterator[Step]:
        try:
            card = parse(letter.upper())
        except ValueError as error:
            raise WireError(str(error)) from None
        if not self._ready or self._hand is not None:
            raise WireError("CARD comes at the wrong time")
        players = (HOUSE, CLIENT) if self._deals else (CLIENT, HOUSE)
        stacks = tuple(self._stacks[player] for player in players)
        rules = self._rules
        started = HandStarted(
            self._hands + 1, players, stacks, (0, 0), rules.small_blind, rules.big_blind, rules.ante
        )
        posts = [Posted(seat, ANTE, min(rules.ante, stacks[seat])) for seat in (0, 1)]
        self._hand = RemoteHand(rules, players.index(CLIENT), started, posts, [card])
        if not self._deals:
            yield self._question(self._hand)

    def _house_acts(self, word: str) -> Iterator[Step]:
        hand = self._hand
        if hand is None:
            raise WireError(f"{word} comes at the wrong time")
        view, house = hand.view, 1 - hand.seat
        if word == words.FOLD:
            hand.fold(house)
            return
        owed = view.high - view.bets[house]
        if word == words.BET:
            owed += self._rules.fixed_bets[0]
        hand.put_in(house, max(0, min(owed, view.stacks[house])))
        if word == words.BET or (word == words.CHCK and len(view.history) == 1):
            yield self._question(hand)

    def _question(self, hand: RemoteHand) -> Question:
        return Question(hand.question())

    def answer(self, question: Question, decision: Decision) -> bytes:
        """Encode a decision; where a check is free, a fold becomes a check."""
        hand, options = self._hand, question.options
        assert hand is not None
        if decision.kind == FOLD_KIND and options.owed:
            hand.fold(hand.seat)
            return self._said(words.FOLD)
        if decision.kind in (CALL_KIND, FOLD_KIND):
            hand.put_in(hand.seat, options.call)
            return self._said(words.CALL if options.owed else words.CHCK)
        hand.put_in(hand.seat, decision.to - question.view.bets[hand.seat])
        return self._said(words.BET)

    def _shown(self, letter: str) -> Iterator[Step]:
        yield from ()

    def _error(self, text: str) -> Iterator[Step]:
        code = next((code for code in _ERRORS if code in text), "")
        if code == words.NO_COINS and self._hands and self._hand is None:
            yield MatchOver()  # the hands are played, or the other side has left
            return
        what = f"{code}, {_ERRORS[code]}" if code else "no reason given"
        detail = one_line(text).removeprefix(code)
        yield Failed(f"the server reports an error: {what}{f' ({detail})' if detail else ''}")
