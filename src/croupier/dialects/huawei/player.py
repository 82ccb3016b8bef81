"""The player side of `huawei`: parses blocks of text, encodes decisions.

It asks for `need_notify` and `need_bet`; a server that does not know them does not send those
messages, and the missing actions are inferred (action_inference.py). A server refuses a
registration by closing the connection without a message.
"""

import re
from collections.abc import Callable, Iterator

from croupier.cards import parse
from croupier.dialects.huawei.action_inference import FOLD, ActionInference, Line
from croupier.dialects.huawei.blocks import GAME_OVER, Block, BlockReader
from croupier.dialects.huawei.reader import MAX_NAME, MAX_PID_DIGITS
from croupier.dialects.player_side import (
    Committed,
    Failed,
    HandOver,
    MatchOver,
    Question,
    Reconnect,
    Step,
    WireError,
    digest_of,
)
from croupier.dialects.remote_hand import RemoteHand
from croupier.rules.decisions import CALL_KIND, FOLD_KIND, Decision
from croupier.rules.events import BIG, SMALL, HandStarted, Posted
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI

_N = rf"(\d{{1,{MAX_PID_DIGITS}}})"
_SEAT = re.compile(rf"(?:(?:button|small blind|big blind): ?)?{_N} {_N} {_N}")
_CHIPS = re.compile(rf"{_N}: {_N}")
_LINE = re.compile(rf"{_N} {_N} {_N} {_N} (blind|check|call|raise|all_in|fold)")
_NAME = re.compile(rf"[!-~]{{1,{MAX_NAME}}}")


class HuaweiPlayer:
    """One player in one match."""

    def __init__(self, pid: int, name: str, rules: Rules = HUAWEI, nonce: str = "") -> None:
        """Play by the table's `rules`, which no message contains."""
        if not 0 <= pid < 10**MAX_PID_DIGITS:
            raise ValueError(f"a pid is a number of at most {MAX_PID_DIGITS} digits, not {pid}")
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"a name in huawei is 1 to {MAX_NAME} printable characters, without blanks"
            )
        self._pid = str(pid)
        self._name = name
        self._nonce = nonce
        self._rules = rules
        self._reader = BlockReader()
        self._heard = False
        self._numbers: dict[str, int] = {}
        """Player numbers by pid, in the order in which they were first seated."""
        self._hands = 0
        self._seats: list[tuple[str, int, int]] = []
        """(pid, jetton, money) from the left of the button."""
        self._posts: list[tuple[str, int]] = []
        self._hand: RemoteHand | None = None
        self._inference: ActionInference | None = None
        self._answered: tuple[Question, Decision] | None = None
        """The last question and answer, until a message confirms it."""
        self._put = 0
        """What the player has put into this hand, as last reported."""
        self._result: int | None = None
        """The net result of this hand, once its pots are paid."""
        self._certain = False
        """Whether the result relies on no unconfirmed answer."""
        self._chips: int | None = None
        """The player's chips and money when the current hand began."""
        self._handlers: dict[str, Callable[[list[str]], Iterator[Step]]] = {
            "seat": self._seated,
            "blind": self._posted,
            "hold": self._held,
            "flop": self._board,
            "turn": self._board,
            "river": self._board,
            "bet": self._acted,
            "notify": self._notified,
            "inquire": self._asked,
            "pot-win": self._won,
            GAME_OVER: self._over,
            "commitment": self._committed,
        }

    @property
    def idle(self) -> bool:
        """Whether the last hand left the player with too little for another one."""
        if self._hand is None or self._result is None or self._chips is None:
            return False
        return self._chips + self._result < self._hand.view.big_blind

    def hello(self) -> bytes:
        """Register, also after a reconnect, which voids an interrupted hand."""
        self._reader = BlockReader()
        self._hand = self._inference = self._answered = None
        nonce = f" nonce={self._nonce}" if self._nonce else ""
        return f"reg: {self._pid} {self._name} need_notify need_bet{nonce} \n".encode("ascii")

    def goodbye(self) -> bytes:
        """Return nothing: the protocol has no such message."""
        return b""

    def lost(self, reason: str, code: int, at_once: bool) -> MatchOver | Failed | Reconnect:
        """Reconnect, unless the server closed the connection at once, which is a refusal."""
        if not at_once:
            return Reconnect()
        if self._heard:
            return Failed("the connection was lost, and the server does not take the player back")
        return Failed(
            f"the server closed the connection without a word: pid {self._pid} may be taken or"
            " not admitted, or the match is running"
        )

    def receive(self, data: bytes) -> Iterator[Step]:
        """Parse bytes and yield the resulting steps."""
        for block in self._reader.receive(data):
            self._heard = True
            handler = self._handlers.get(block.name)
            if handler is not None:
                yield from self._checked(handler, block)

    def _checked(
        self, handler: Callable[[list[str]], Iterator[Step]], block: Block
    ) -> Iterator[Step]:
        try:
            yield from handler(block.lines)
        except WireError as error:
            raise WireError(f"{block.name}/: {error}") from None

    def _committed(self, lines: list[str]) -> Iterator[Step]:
        yield Committed(digest_of(lines[0] if lines else ""))

    def answer(self, question: Question, decision: Decision) -> bytes:
        """Encode a decision; a raise names the amount on top of the highest bet."""
        options = question.options
        if decision.kind == FOLD_KIND:
            word = FOLD
        elif decision.kind == CALL_KIND:
            word = "call" if options.owed else "check"
        elif decision.to >= options.max_to:
            word = "all_in"
        else:
            word = f"raise {decision.to - question.view.high}"
        self._answered = question, decision
        return f"{word} \n".encode("ascii")

    # A hand.

    def _seated(self, lines: list[str]) -> Iterator[Step]:
        rows = [(pid, int(jetton), int(money)) for pid, jetton, money in _all(_SEAT, lines)]
        if len(rows) < 2 or len({pid for pid, _, _ in rows}) < len(rows):
            raise WireError(f"{len(rows)} seats")
        chips = next((sum(row[1:]) for row in rows if row[0] == self._pid), None)
        if self._hand is not None and self._chips is not None and chips is not None:
            supposed = self._result is None or not self._certain
            yield HandOver(chips - self._chips if supposed else self._result or 0)
        self._seats = rows[1:] + rows[:1]
        self._posts = []
        self._hand = self._inference = self._answered = self._result = None
        self._chips = chips
        self._hands += 1
        for pid, _, _ in self._seats:
            self._numbers.setdefault(pid, len(self._numbers))

    def _posted(self, lines: list[str]) -> Iterator[Step]:
        self._posts = [(pid, int(amount)) for pid, amount in _all(_CHIPS, lines)]
        if len(self._posts) > 2:
            raise WireError(f"{len(self._posts)} blinds")
        yield from ()

    def _held(self, lines: list[str]) -> Iterator[Step]:
        pids = [pid for pid, _, _ in self._seats]
        if self._pid not in pids:
            raise WireError("cards for a player who is not seated")
        hole = _cards(lines)
        if len(hole) != self._rules.hole_cards:
            raise WireError(f"{len(hole)} cards")
        posts = [
            Posted(self._seat(pid), kind, amount)
            for (pid, amount), kind in zip(self._posts, (SMALL, BIG), strict=False)
        ]
        small, big = self._blinds(posts)
        started = HandStarted(
            self._hands,
            tuple(self._numbers[pid] for pid in pids),
            tuple(jetton for _, jetton, _ in self._seats),
            tuple(money for _, _, money in self._seats),
            small,
            big,
            0,
        )
        hand = RemoteHand(self._rules, pids.index(self._pid), started, posts, hole)
        first = posts[-1].seat + 1 if posts else 0
        self._hand, self._inference = hand, ActionInference(hand, first % hand.size)
        self._put = hand.view.put[hand.seat]
        yield from ()

    def _blinds(self, posts: list[Posted]) -> tuple[int, int]:
        """Return both blinds; one that took a player's last chip may be a short one."""
        if not posts:
            return self._rules.small_blind, self._rules.big_blind
        whole = [self._seats[post.seat][1] > post.amount for post in posts]
        small = posts[0].amount
        if len(posts) == 1:
            return small, 2 * small
        big = posts[1].amount
        if not whole[1]:
            big = max(big, 2 * small)
        if not whole[0]:
            small = max(small, big // 2)
        return small, big

    def _board(self, lines: list[str]) -> Iterator[Step]:
        if self._inference is not None:
            self._inference.board(_cards(lines))
        yield from ()

    def _acted(self, lines: list[str]) -> Iterator[Step]:
        if self._inference is not None:
            for seat, line in self._lines(lines).items():
                self._inference.action(seat, line)
        yield from ()

    def _notified(self, lines: list[str]) -> Iterator[Step]:
        hand = self._hand
        if hand is None or self._inference is None:
            return
        told = self._lines(lines)
        own = told.get(hand.seat)
        # A player that is still in the hand is notified of how a round ended. One that is not will
        # not be asked again, so it need not know.
        if own is None or (own.stack and own.action != FOLD):
            self._inference.round_over(told)
        yield from ()

    def _asked(self, lines: list[str]) -> Iterator[Step]:
        if self._hand is None or self._inference is None:
            raise WireError("a question before any cards")
        question = Question(self._hand.question(self._inference.asked(self._lines(lines))))
        question.options.small_to = 0  # the server raises any lower bet to the minimum
        yield question

    def _lines(self, lines: list[str]) -> dict[int, Line]:
        told = {}
        for line in lines:
            match = _LINE.fullmatch(line)
            if match is not None:
                pid, stack, _, put, action = match.groups()
                told[self._seat(pid)] = Line(int(stack), int(put), action)
                if pid == self._pid:
                    self._put, self._answered = int(put), None
            elif not line.startswith("total pot:"):
                raise WireError(f"unexpected line {line[:40]!r}")
        return told

    def _seat(self, pid: str) -> int:
        for seat, (other, _, _) in enumerate(self._seats):
            if other == pid:
                return seat
        raise WireError(f"nobody sits here with the pid {pid}")

    # The end.

    def _won(self, lines: list[str]) -> Iterator[Step]:
        paid = sum(int(chips) for pid, chips in _all(_CHIPS, lines) if pid == self._pid)
        if self._hand is not None:
            self._result = paid - self._own_put()
            self._certain = self._answered is None
        yield from ()

    def _over(self, lines: list[str]) -> Iterator[Step]:
        if self._result is not None:
            yield HandOver(self._result)
        self._hand = self._result = None
        yield MatchOver()

    def _own_put(self) -> int:
        """Return what the player put into the hand, including an unconfirmed answer."""
        if self._answered is None:
            return self._put
        question, decision = self._answered
        if decision.kind == FOLD_KIND:
            return self._put
        if decision.kind == CALL_KIND:
            return self._put + question.options.call
        return self._put + decision.to - question.view.bets[question.view.seat]


def _all(pattern: re.Pattern[str], lines: list[str]) -> Iterator[tuple[str, ...]]:
    for line in lines:
        match = pattern.fullmatch(line)
        if match is None:
            raise WireError(f"unexpected line {line[:40]!r}")
        yield match.groups()


def _cards(lines: list[str]) -> list[int]:
    try:
        return [parse(line) for line in lines]
    except ValueError as error:
        raise WireError(str(error)) from None
