"""Digest the hands of a match in one pass: all players' statistics and all pots.

A match may have a hundred thousand hands, so the pass decodes no more than it needs, runs once, and
continues where it stopped as the match proceeds. It uses no events that show cards.
"""

import threading
from array import array
from collections import OrderedDict
from typing import Any

import msgspec
import numpy as np
from sqlalchemy import Engine, select

from croupier.match.events import Faulted, HandVoided, TimedOut
from croupier.match.faults import cause_of, cause_of_timeout
from croupier.results import PlayerResult
from croupier.rules.events import (
    BetReturned,
    Event,
    HandEnded,
    HandStarted,
    PotDiscarded,
    PotWon,
)
from croupier.store.queries import PAGE, MatchRow, RecordError
from croupier.store.schema import HANDS
from croupier.web.archive.records import last_number, names_of
from croupier.web.archive.schemas import HandSummary, Result

MAX_HANDS = 1_000_000
"""The maximum number of hands in all cached digests together."""

_MAX_MICROSECONDS = (1 << 32) - 1


def _index(kind: type[Event], field: str) -> int:
    """Return the index of a field in a stored event's array, which starts with the event's name."""
    return 1 + kind.__slots__.index(field)


_PLAYERS = _index(HandStarted, "players")
_BEFORE = _index(HandStarted, "stacks")
_BIG_BLIND = _index(HandStarted, "big_blind")
_AFTER = _index(HandEnded, "stacks")
_AMOUNT = _index(PotWon, "amount")
_WINNERS = _index(PotWon, "winners")
_DISCARDED = _index(PotDiscarded, "amount")
_RETURNED_TO = _index(BetReturned, "seat")
_LATE_PLAYER = _index(TimedOut, "player")
_ABSENT = _index(TimedOut, "absent")
_FAULTY = _index(Faulted, "player")
_REASON = _index(Faulted, "reason")


class Digest:
    """The statistics of one match up to some hand."""

    def __init__(self, match: MatchRow) -> None:
        self._match_id = match.id
        self._names = names_of(match)
        self._lines = [PlayerResult(0, name, "", 0, 0) for name in self._names]
        self._times = [array("I") for _ in self._names]
        self._numbers = array("q")
        self._pots = array("q")
        self._winners = array("I")
        """One bit per player."""
        self._void = bytearray()
        self._lock = threading.Lock()
        """Guards the digest, as any thread that uses it may have to advance it first."""

    def __len__(self) -> int:
        return len(self._numbers)

    def advance(self, engine: Engine, last: int) -> None:
        """Digest the hands up to `last`, the last visible one.

        Concurrent requests for the same match wait instead of reading it as well.
        """
        with self._lock:
            self._advance(engine, last)

    def _advance(self, engine: Engine, last: int) -> None:
        query = select(HANDS.c.number, HANDS.c.events, HANDS.c.times)
        query = query.where(HANDS.c.match_id == self._match_id).order_by(HANDS.c.number)
        while (after := self._numbers[-1] if self._numbers else 0) < last:
            page = query.where(HANDS.c.number > after, HANDS.c.number <= last).limit(PAGE)
            with engine.connect() as connection:
                rows = connection.execute(page).all()
            if not rows:
                return
            for row in rows:
                try:
                    self._digest(row.number, msgspec.json.decode(row.events))
                    self._digest_times(row.times)
                except (msgspec.DecodeError, LookupError, TypeError, ValueError) as error:
                    raise RecordError(f"hand {row.number} is damaged: {error}") from None

    def _digest(self, number: int, events: list[list[Any]]) -> None:
        players: list[int] = []
        before: list[int] = []
        big_blind = 1
        pot = won = returned = 0
        void = False
        for event in events:
            name = event[0]
            if name == HandStarted.__name__:
                players, before, big_blind = event[_PLAYERS], event[_BEFORE], event[_BIG_BLIND]
            elif name == PotWon.__name__:
                pot += event[_AMOUNT]
                for seat, _ in event[_WINNERS]:
                    won |= 1 << players[seat]
            elif name == HandEnded.__name__:
                for player, chips, after in zip(players, before, event[_AFTER], strict=True):
                    self._lines[player].bb_per_hand.add((after - chips) / big_blind, 1)
            elif name == BetReturned.__name__:
                returned = 1 << players[event[_RETURNED_TO]]
            elif name == PotDiscarded.__name__:
                pot += event[_DISCARDED]
            elif name == HandVoided.__name__:
                void = True
            elif name == TimedOut.__name__:
                line = self._lines[event[_LATE_PLAYER]]
                line.timeouts += 1
                line.faults[cause_of_timeout(event[_ABSENT])] += 1
            elif name == Faulted.__name__:
                self._lines[event[_FAULTY]].faults[cause_of(event[_REASON])] += 1
        self._numbers.append(number)
        self._pots.append(0 if void else pot)
        self._winners.append(0 if void else won or (0 if pot else returned))
        self._void.append(void)

    def _digest_times(self, data: bytes | None) -> None:
        if data is not None:
            for player, microseconds in msgspec.json.decode(data, type=list[tuple[int, int]]):
                self._times[player].append(min(microseconds, _MAX_MICROSECONDS))

    # Results.

    def ranking(self, match: MatchRow) -> list[Result]:
        """Return the ranking of a match with all players' statistics."""
        with self._lock:
            return [
                self._result(standing.rank, standing.player, standing.chips, standing.hands, match)
                for standing in match.standings
            ]

    def _result(self, rank: int, player: int, chips: int, hands: int, match: MatchRow) -> Result:
        line = self._lines[player]
        times = np.array(self._times[player], np.uint32)
        mean = p99 = None
        if len(times):
            mean = float(times.mean()) / 1e6
            at = min(len(times) - 1, int(0.99 * len(times)))
            p99 = float(np.partition(times, at)[at]) / 1e6
        return Result(
            rank=rank,
            name=line.name,
            dialect=match.players[player].dialect,
            chips=chips,
            hands=hands,
            bb_per_100=round(line.bb_per_100, 3),
            ci95=None if line.ci95 is None else round(line.ci95, 3),
            timeouts=line.timeouts,
            faults=dict(line.faults),
            decisions=len(times),
            mean_seconds=None if mean is None else round(mean, 6),
            p99_seconds=None if p99 is None else round(p99, 6),
        )

    def hands(self, offset: int, limit: int, *, by_pot: bool) -> tuple[list[HandSummary], int]:
        """Return a page of hands, in order or biggest pots first, and the total number."""
        with self._lock:
            places = range(len(self))[offset : offset + limit]
            if by_pot:
                order = np.argsort(-np.array(self._pots, np.int64), kind="stable")
                chosen = [int(order[place]) for place in places]
            else:
                chosen = list(places)
            return [self._summary(place) for place in chosen], len(self)

    def _summary(self, place: int) -> HandSummary:
        won = self._winners[place]
        return HandSummary(
            self._numbers[place],
            self._pots[place],
            [name for player, name in enumerate(self._names) if won >> player & 1],
            bool(self._void[place]),
        )


class Digests:
    """A cache of the most recently used digests."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._kept: OrderedDict[str, Digest] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, match: MatchRow) -> Digest:
        """Return the digest of a match's visible hands; this blocks, for long the first time."""
        with self._lock:
            digest = self._kept.pop(match.id, None)
            if digest is None:
                digest = Digest(match)
            self._kept[match.id] = digest
        digest.advance(self._engine, last_number(match))
        with self._lock:
            while len(self._kept) > 1 and sum(map(len, self._kept.values())) > MAX_HANDS:
                self._kept.popitem(last=False)
        return digest
