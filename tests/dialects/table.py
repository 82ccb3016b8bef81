"""A table without a socket: the referee on one side, players' sides on the other.

Every message goes to its player at once, cut into pieces; what the player says goes through the
session of its dialect. At each question the view that the player's side has made of its messages
can be compared with the one that the engine gives to a bot of its own process.
"""

from collections import deque
from collections.abc import Callable
from random import Random

from croupier.dialects.acpc.player import AcpcPlayer
from croupier.dialects.base import Answer, Illegal
from croupier.dialects.huawei.player import HuaweiPlayer
from croupier.dialects.kuhn.player import KuhnPlayer
from croupier.dialects.player_side import HandOver, MatchOver, PlayerSide, Question, Send
from croupier.dialects.room.player import RoomPlayer
from croupier.dialects.roster import HOUSE, Place
from croupier.dialects.trend.player import TrendPlayer
from croupier.match.chance import SeededChance
from croupier.match.match import OVER
from croupier.rules.decisions import (
    ALL_IN,
    BET,
    CALL,
    CALL_KIND,
    FOLD,
    FOLD_KIND,
    RAISE,
    Decision,
    raise_to,
)
from croupier.rules.events import Event
from croupier.rules.rules import AFTER_SMALL_BLIND, Rules
from croupier.rules.view import View, view_of
from tests.support.referee import Referee

Compare = Callable[[str, View, View], None]
"""Dialect, the view that was told, the view of the engine."""
Decide = Callable[[View], Decision]


class Told:
    """A player's side, and what it was told."""

    def __init__(self, dialect: str, side: PlayerSide, stream: bool = True) -> None:
        """At the end of `dialect` is the version, where there are several."""
        self.dialect = dialect
        self.protocol = dialect.rstrip("12")
        self.side = side
        self.stream = stream
        self.won: list[int] = []
        self.sends = deque([side.hello()])
        """What it has yet to send."""
        self.over = False
        self.question: Question | None = None

    def hear(self, message: bytes, chance: Random) -> None:
        """Take one message, over a stream in pieces."""
        cut = chance.randrange(len(message) + 1) if self.stream else 0
        for piece in (message[:cut], message[cut:]):
            if not piece:
                continue
            for step in self.side.receive(piece):
                if isinstance(step, Question):
                    assert self.question is None
                    self.question = step
                elif isinstance(step, HandOver):
                    self.won.append(step.won)
                elif isinstance(step, Send):
                    self.sends.append(step.data)
                else:
                    assert step == MatchOver(), step
                    self.over = True


def huawei_side(player: int, rules: Rules) -> Told:
    return Told("huawei", HuaweiPlayer(1001 + player, "bot", rules))


def trend_side(player: int, rules: Rules) -> Told:
    return Told("trend", TrendPlayer(f"n{player}", rules), stream=False)


def room_side(player: int, rules: Rules, version: int, seats: int) -> Told:
    side = RoomPlayer(f"n{player}", seats=seats, hands=10**9, version=version, rules=rules)
    return Told(f"room{version}", side)


def acpc_side(rules: Rules) -> Told:
    return Told("acpc", AcpcPlayer("", rules))


def kuhn_side(rules: Rules, spelling: str) -> Told:
    return Told("kuhn", KuhnPlayer(7, 10**9, spelling, rules))


class WireTable(Referee):
    """A match whose players sit at the other end of a wire, or are of the house."""

    def __init__(
        self,
        rules: Rules,
        seats: int,
        sides: dict[int, Told],
        seed: bytes,
        compare: Compare,
        exact: bool = True,
    ) -> None:
        """With `exact` a decision has to arrive as it was made; else the server may correct it."""
        super().__init__(rules, seats, SeededChance(seed))
        self.exact = exact
        self.sides = sides
        self.compare = compare
        self.chance = Random(seed)
        self._intended = CALL

    def run(self, decide: Decide, house: Decide) -> None:
        """Seat everyone, and play to the end."""
        # Whether each action is told makes a difference to what has to be inferred. A server that
        # plays by other rules than those of the protocol is ours, and tells it; where the big
        # blind starts later rounds, nothing else says in which round it gave up a free hand.
        late = self.match.rules.later_start == AFTER_SMALL_BLIND
        bets = late or not self.exact or self.chance.random() < 0.5
        links = {player: self.connect(side.protocol) for player, side in self.sides.items()}
        for player in range(self.match.size):
            if player in links:
                hello = self.sides[player].sends.popleft()
                links[player].receive(hello if bets else hello.replace(b"need_bet ", b""))
            else:
                self.seat_bot(Place(f"n{player}", HOUSE), house)
        while self.match.phase != OVER:
            talking = [player for player, side in self.sides.items() if side.sends]
            if talking:
                links[talking[0]].receive(self.sides[talking[0]].sends.popleft())
            elif self.match.asked in self.sides:
                self._ask(self.match.asked, decide)
            else:
                self.tick()

    def told(self, event: Event, messages: list[tuple[int, bytes]]) -> None:
        super().told(event, messages)
        for player, message in messages:
            self.sides[player].hear(message, self.chance)

    def _ask(self, player: int, decide: Decide) -> None:
        assert [p for p, side in self.sides.items() if side.question] == [player]
        side, hand = self.sides[player], self.match.hand
        question, side.question = side.question, None
        assert question is not None
        assert hand is not None
        self.compare(side.dialect, question.view, view_of(hand, hand.actor))
        decision = decide(question.view)
        if side.dialect != "trend" and decision.verb in (BET, RAISE):
            decision = CALL  # it has no such words
        assert not question.options.fault(decision)
        self._question, self._intended = question, decision
        self.connections[player].receive(side.side.answer(question, decision))

    def answered(self, player: int, answer: Answer | Illegal) -> None:
        assert isinstance(answer, Answer), answer
        meant, decision, dialect = answer.decision, self._intended, self.sides[player].dialect
        hand, options = self.match.hand, self.match.options
        assert hand is not None
        assert options is not None
        if not self.exact:
            assert (meant.kind, decision.kind) != (FOLD_KIND, CALL_KIND)
        elif dialect == "kuhn" and decision == FOLD and not options.owed:
            assert meant == CALL  # there is no word for it
        elif dialect == "trend" and decision.verb == RAISE and not self._question.options.bet:
            # The verb raise doubles; with another one more chips than that cannot be said.
            assert meant.to in (min(2 * hand.high, options.max_to), decision.to)
        else:
            assert (meant.kind, meant.to) == (decision.kind, decision.to), (meant, decision)
        super().answered(player, answer)


def some_decision(view: View, chance: Random) -> Decision:
    """Return one of the corners of what a view allows, folds being rarer than the rest."""
    options = view.options
    assert options is not None
    found = [CALL, CALL]
    if options.max_to:
        middle = (options.min_to + options.max_to) // 2
        for verb, allowed in (("", options.can_raise), (BET, options.bet), (RAISE, options.raise_)):
            if allowed:
                found += [raise_to(to, verb) for to in (options.min_to, middle, options.max_to)]
        if options.all_in:
            found.append(raise_to(options.max_to, ALL_IN))
        if options.small_to and options.bet:
            found.append(raise_to(options.small_to, BET))
    folds = view.rules.free_fold or options.owed
    return chance.choice([FOLD, *found] if folds and chance.random() < 0.5 else found)
