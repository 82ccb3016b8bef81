"""A table without a socket: our match and speakers on one side, players' sides on the other.

Every message that a speaker makes goes to its player at once, cut into pieces; every answer goes
through the dialect's own reader. At each question the view that the player's side has made of its
messages can be compared with the one that the engine gives to a bot of its own process.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from croupier.dialects.base import Answer, Speaker
from croupier.dialects.huawei import reader as huawei
from croupier.dialects.huawei.player import HuaweiPlayer
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.dialects.kuhn import words as kuhn_words
from croupier.dialects.kuhn.decisions import decide as decide_kuhn
from croupier.dialects.kuhn.messages import Action
from croupier.dialects.kuhn.player import KuhnPlayer
from croupier.dialects.kuhn.speaker import KuhnSpeaker
from croupier.dialects.player_side import HandOver, MatchOver, PlayerSide, Question, Send
from croupier.dialects.room import reader as room
from croupier.dialects.room.frames import FrameReader
from croupier.dialects.room.player import RoomPlayer
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.room.speaker import RoomSpeaker
from croupier.dialects.tokens import token_of
from croupier.dialects.trend import reader as trend
from croupier.dialects.trend.player import TrendPlayer
from croupier.dialects.trend.speaker import TrendSpeaker
from croupier.match.chance import SeededChance
from croupier.match.match import INTERVAL, OVER, RELOAD, Match
from croupier.match.view import MatchView
from croupier.rules.decisions import (
    ALL_IN,
    BET,
    CALL,
    CALL_KIND,
    FOLD,
    FOLD_KIND,
    RAISE,
    Decision,
    Options,
    raise_to,
)
from croupier.rules.events import Event
from croupier.rules.hand import NOBODY, Hand
from croupier.rules.rules import Rules
from croupier.rules.view import View, view_of

STAMP = "2026-11-15 20:30:37.296"
Compare = Callable[[str, View, View], None]
"""Dialect, the view that was told, the view of the engine."""
Decide = Callable[[View], Decision]


class Told:
    """A player's side, how its answers are read, and what it was told."""

    def __init__(
        self,
        dialect: str,
        side: PlayerSide,
        read: Callable[[bytes, Options, Hand], Answer],
        stream: bool = True,
    ) -> None:
        self.dialect = dialect
        self.side = side
        self.read = read
        self.stream = stream
        self.won: list[int] = []
        self.sent: list[bytes] = [side.hello()]
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
                    self.sent.append(step.data)
                else:
                    assert step == MatchOver(), step
                    self.over = True


def huawei_side(player: int, rules: Rules) -> Told:
    def read(text: bytes, options: Options, hand: Hand) -> Answer:
        reader = huawei.HuaweiReader()
        reader.registered = True
        (message,) = reader.receive(text)
        return answer(huawei.decide(message, options, hand.high))

    return Told("huawei", HuaweiPlayer(1001 + player, "bot", rules), read)


def trend_side(player: int, rules: Rules) -> Told:
    def read(text: bytes, options: Options, hand: Hand) -> Answer:
        bet = hand.bets[hand.actor]
        return answer(trend.decide(trend.parse(text), options, hand.high, bet, hand.big_blind))

    return Told("trend", TrendPlayer(f"n{player}", rules), read, stream=False)


def room_side(player: int, rules: Rules, version: int, seats: int) -> Told:
    def read(data: bytes, options: Options, hand: Hand) -> Answer:
        (frame,) = FrameReader().receive(data)
        assert isinstance(frame, dict)
        return answer(room.decide(frame, version, options, hand.high, hand.pot))

    side = RoomPlayer(f"n{player}", seats=seats, hands=10**9, version=version, rules=rules)
    return Told(f"room{version}", side, read)


def kuhn_side(rules: Rules, spelling: str) -> Told:
    def read(data: bytes, options: Options, hand: Hand) -> Answer:
        meaning = decide_kuhn(Action(data.decode("ascii").strip()), options)
        assert isinstance(meaning, Answer)
        return meaning

    told = Told("kuhn", KuhnPlayer(7, 10**9, spelling, rules), read)
    told.hear(kuhn_words.stakes(spelling, rules.stack, rules.stack), Random(0))
    return told


def answer(meaning: Any) -> Answer:
    assert isinstance(meaning, Answer), meaning
    return meaning


class WireTable:
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
        self.exact = exact
        self.match = Match(rules, seats, SeededChance(seed))
        for player in range(seats):
            self.match.never_reloads(player)
        self.view = MatchView(rules)
        self.sides = sides
        self.compare = compare
        self.chance = Random(seed)
        self.speakers = list(self._speakers(seats))

    def _speakers(self, seats: int) -> Iterable[Speaker]:
        players = {
            dialect: [player for player, side in self.sides.items() if side.dialect == dialect]
            for dialect in {side.dialect for side in self.sides.values()}
        }
        if "huawei" in players:
            pids = {player: str(1001 + player) for player in range(seats)}
            # Whether each action is told makes a difference to what has to be inferred; a server
            # that plays by other rules than those of the protocol is ours, and tells it.
            bets = not self.exact or self.chance.random() < 0.5
            yield HuaweiSpeaker(
                pids, {player: Listener(notify=True, bets=bets) for player in players["huawei"]}
            )
        if "trend" in players:
            tokens = {player: token_of(f"n{player}") for player in range(seats)}
            yield TrendSpeaker("1", tokens, players["trend"])
        versions = dict.fromkeys(players.get("room1", ()), V1)
        versions |= dict.fromkeys(players.get("room2", ()), V2)
        if versions:
            names = {player: f"n{player}" for player in range(seats)}
            yield RoomSpeaker(names, versions, lambda: STAMP)
        for player in players.get("kuhn", ()):
            side = self.sides[player].side
            assert isinstance(side, KuhnPlayer)
            yield KuhnSpeaker(player, side._spelling)

    def play(self, decide: Decide, house: Decide) -> None:
        """Play to the end."""
        match = self.match
        for player in range(match.size):
            self._tell(match.join(f"n{player}", 0.0))
        now = 0.0
        while match.phase != OVER:
            if match.phase == INTERVAL:
                self._tell(match.recorded(now))
            elif match.phase == RELOAD or match.asked == NOBODY:
                assert match.deadline is not None
                now = match.deadline
                self._tell(match.tick(now))
            else:
                self._decide(decide, house)

    def _decide(self, decide: Decide, house: Decide) -> None:
        match = self.match
        player, hand, options = match.asked, match.hand, match.options
        assert hand is not None
        assert options is not None
        own = view_of(hand, hand.actor)
        side = self.sides.get(player)
        assert [p for p, s in self.sides.items() if s.question] == ([player] if side else [])
        if side is None:
            self._tell(match.decide(player, house(own), 0.0))
            return
        question, side.question = side.question, None
        assert question is not None
        self.compare(side.dialect, question.view, own)
        decision = decide(question.view)
        if side.dialect != "trend" and decision.verb in (BET, RAISE):
            decision = CALL  # it has no such words
        assert not question.options.fault(decision)
        meant = side.read(side.side.answer(question, decision), options, hand).decision
        if not self.exact:
            assert (meant.kind, decision.kind) != (FOLD_KIND, CALL_KIND)
        elif side.dialect == "kuhn" and decision == FOLD and not options.owed:
            assert meant == CALL  # there is no word for it
        elif side.dialect == "trend" and decision.verb == RAISE and not question.options.bet:
            # The verb raise doubles; with another one more chips than that cannot be said.
            assert meant.to in (min(2 * hand.high, options.max_to), decision.to)
        else:
            assert (meant.kind, meant.to) == (decision.kind, decision.to), (meant, decision)
        self._tell(match.decide(player, meant, 0.0))

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            self.view.see(event)
            for speaker in self.speakers:
                for player, message in speaker.tell(event, self.view):
                    if message:
                        self.sides[player].hear(message, self.chance)


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
    return chance.choice([FOLD, *found] if chance.random() < 0.5 else found)
