"""Matches that are really played, by the house bots, into a real store: for tests.

Players may be late, answer nonsense, go and come back; all of it is drawn from the match's seed.
"""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from threading import Event as Flag
from typing import Any

import msgspec
from sqlalchemy import Engine

from croupier import __version__
from croupier.bots import house_bot
from croupier.bots.bot import Bot
from croupier.deals import seed_from_text
from croupier.match.chance import SeededChance
from croupier.match.match import HAND, INTERVAL, OVER, RELOAD, Match
from croupier.match.standings import standings
from croupier.rules.events import Event
from croupier.rules.rules import Rules
from croupier.rules.view import view_of
from croupier.store.records import HandRecord, MatchRecord, Record, ResultRecord
from croupier.store.schema import open_store
from croupier.store.stretches import Keeper
from croupier.store.writer import Writer

SALT = bytes(range(100, 132))

NONSENSE = ("no action", "an unknown command", "illegal action")
"""The causes of the faults that players with trouble make."""


@dataclass(frozen=True)
class Trouble:
    """How often in 1,000 decisions a player is late, answers nonsense, or is gone for a while."""

    late: int = 0
    nonsense: int = 0
    gone: int = 0


CALM = Trouble()


class Recording:
    """A match and the store it is written to."""

    def __init__(
        self, engine: Engine, rules: Rules, bots: Sequence[str], seed: str, match_id: str = ""
    ) -> None:
        self.engine = engine
        self.rules = rules
        self.seed = seed_from_text(seed)
        self.id = match_id or f"{rules.name}-{seed}"
        self.place = "test"
        self.chance = SeededChance(self.seed)
        self.bots: list[Bot] = [house_bot(n, self.chance.bot(i)) for i, n in enumerate(bots)]
        self.names = [f"{name}-{index}" for index, name in enumerate(bots)]
        self.rng = random.Random(seed)
        self.match = Match(rules, len(bots), self.chance)
        self.hands: list[list[Event]] = []
        self.states: list[dict[str, Any]] = []
        self.now = 0.0
        self._keeper = Keeper()

    def play(self, trouble: Trouble = CALM, *, hands: int = 0, began: float = 1000.0) -> None:
        """Play and record until the match is over, or so many hands are."""
        records: list[Record] = [MatchRecord(self._header(began))]
        events: list[Event] = []
        for name in self.names:
            events += self.match.join(name, self.now)
        while self.match.phase != OVER and not 0 < hands <= len(self.hands):
            if self.match.phase != INTERVAL:
                events += self._turn(trouble)
            else:
                records.append(self._hand(events))
                events = self.match.recorded(self.now)
        write(self.engine, records)

    def crash(self) -> None:
        """Cut the match off in its next hand, and go on with it."""
        self._keeper = Keeper()
        self.match, events = restore(self.rules, self.states[-1], self.chance, self.now)
        write(self.engine, [self._hand(events)])
        for player in range(len(self.names)):
            self.match.connected(player, self.now)

    def go_on(self, trouble: Trouble = CALM) -> None:
        """Play a match that was cut off to its end."""
        records: list[Record] = []
        events: list[Event] = list(self.match.hand.events) if self.match.hand else []
        while self.match.phase != OVER:
            if self.match.phase != INTERVAL:
                events += self._turn(trouble)
            else:
                records.append(self._hand(events))
                events = self.match.recorded(self.now)
        write(self.engine, records)

    def end(self) -> None:
        """Write the result, which opens the record."""
        seats = [
            {"name": self.names[player], "chips": chips, "rank": rank, "hands_survived": hands}
            for rank, player, chips, hands in standings(self.match.players, self.match.rules)
        ]
        result = {"match": self.id, "hands": self.match.played, "seats": seats}
        write(self.engine, [ResultRecord(self.id, 2000.0, msgspec.json.encode(result))])

    def _header(self, began: float) -> dict[str, Any]:
        players = [{"name": n, "dialect": "house", "pid": None} for n in self.names]
        return {
            "id": self.id,
            "began": began,
            "place": self.place,
            "rules_name": self.rules.name,
            "rules": msgspec.json.encode(asdict(self.rules)),
            "version": __version__,
            "players": msgspec.json.encode(players),
            "seed": self.seed,
            "salt": SALT,
            "commitment": sha256(SALT + self.seed).hexdigest(),
            "secret": 1,
        }

    def _hand(self, events: list[Event]) -> HandRecord:
        state = self.match.state()
        self.hands.append(events)
        self.states.append(state)
        self.now += 1.0
        ended = 1000.0 + self.now
        number, books = self.match.number, msgspec.json.encode(state)
        times = [(player, 1000 * number + player) for player in range(len(self.names))]
        stretch = self._keeper.add(number, events, times)
        return HandRecord(self.id, number, ended, events, books, times, stretch)

    def _turn(self, trouble: Trouble) -> list[Event]:
        match = self.match
        if match.phase != HAND:
            return self._between_hands()
        player = match.asked
        self._bring_back()
        if not match.players[player].online:
            return self._let_time_pass()
        fate = self.rng.randrange(1000)
        if fate < trouble.late:
            return self._let_time_pass()
        fate -= trouble.late
        if 0 <= fate < trouble.nonsense:
            return match.illegal(player, self._nonsense(), self.now)
        fate -= trouble.nonsense
        if 0 <= fate < trouble.gone:
            return match.disconnected(player, self.now)
        assert match.hand is not None
        decision = self.bots[player].decide(view_of(match.hand, match.hand.actor))
        return match.decide(player, decision, self.now)

    def _nonsense(self) -> str:
        """Return what is said of an answer, with the words of a player who means no good."""
        word = self.rng.choice(["dance", "a: b", "[b]\x1b[31mred", "it's", '"'])
        reasons = (
            f"{word.encode()!r} is no action",
            f"{word!r} is an unknown command",
            f"illegal action: {word}",
        )
        return self.rng.choice(reasons)

    def _between_hands(self) -> list[Event]:
        if self.match.phase == RELOAD and self.rng.random() < 0.2:
            return self.match.reload(self.rng.randrange(len(self.names)), self.now)
        return self._let_time_pass()

    def _let_time_pass(self) -> list[Event]:
        assert self.match.deadline is not None
        self.now = self.match.deadline
        return self.match.tick(self.now)

    def _bring_back(self) -> None:
        for player, entrant in enumerate(self.match.players):
            if not entrant.online and not entrant.out and self.rng.random() < 0.3:
                self.match.connected(player, self.now)


def restore(
    rules: Rules, state: dict[str, Any], chance: SeededChance, now: float
) -> tuple[Match, list[Event]]:
    """Return a match after a crash."""
    return Match.restore(rules, msgspec.json.decode(msgspec.json.encode(state)), chance, now=now)


def write(engine: Engine, records: Sequence[Record]) -> None:
    """Store records and wait until they are safe."""
    stored = Flag()
    writer = Writer(engine, lambda function: function())
    for record in records[:-1]:
        writer.write(record, lambda: None)
    writer.write(records[-1], stored.set)
    assert stored.wait(30)
    writer.close()


def record_match(
    store: str | Path,
    rules: Rules,
    bots: Sequence[str],
    seed: str,
    trouble: Trouble = CALM,
    *,
    hands: int = 0,
    match_id: str = "",
    began: float = 1000.0,
) -> Recording:
    """Play a match to its end into a store; with `hands` it is left running."""
    engine = open_store(str(store))
    try:
        recording = Recording(engine, rules, bots, seed, match_id)
        recording.play(trouble, hands=hands, began=began)
        if not hands:
            recording.end()
    finally:
        engine.dispose()
    return recording
