"""Digest the hands of a match in one pass: all players' statistics and all pots.

A match may have a hundred thousand hands, so the pass takes the sums that were kept as they were
played, decodes no more than it needs of the others, runs once, and continues where it stopped as
the match proceeds. It uses no events that show cards.
"""

import threading
from array import array
from collections import OrderedDict

import msgspec
import numpy as np
import structlog
from sqlalchemy import Engine, select
from sqlalchemy.exc import SQLAlchemyError

from croupier.contest.estimates import MATCH
from croupier.results import PlayerResult, unit_of
from croupier.store.kept_stretches import keep, kept
from croupier.store.queries import MatchRow, RecordError
from croupier.store.schema import HANDS
from croupier.store.stretches import STRETCH, Stretch
from croupier.web.archive.records import dialects_of, last_number, names_of
from croupier.web.archive.schemas import HandSummary, Result

log = structlog.get_logger()

MAX_HANDS = 1_000_000
"""The maximum number of hands in all cached digests together."""


class Digest:
    """The statistics of one match up to some hand."""

    def __init__(self, match: MatchRow) -> None:
        self._match_id = match.id
        self._last = 0
        """The last number that was looked for."""
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
        found = kept(engine, self._match_id, self._last, last)
        computed: dict[int, Stretch] = {}
        while self._last < last:
            end = min(self._last - self._last % STRETCH + STRETCH, last)
            stretch = found.get(end) if self._last % STRETCH == 0 else None
            if stretch is None or not self._names_players(stretch):
                stretch = self._read(engine, end)
                if end - self._last == STRETCH:
                    computed[end] = stretch
            self._absorb(stretch)
            self._last = end
        try:
            keep(engine, self._match_id, computed)
        except SQLAlchemyError as error:
            log.warning("sums are not kept", match=self._match_id, reason=str(error.args[0]))

    def _read(self, engine: Engine, end: int) -> Stretch:
        query = (
            select(HANDS.c.number, HANDS.c.events, HANDS.c.times)
            .where(HANDS.c.match_id == self._match_id)
            .where(HANDS.c.number > self._last, HANDS.c.number <= end)
            .order_by(HANDS.c.number)
        )
        with engine.connect() as connection:
            rows = connection.execute(query).all()
        stretch = Stretch()
        for row in rows:
            try:
                stretch.add(row.number, msgspec.json.decode(row.events), _times(row.times))
            except (msgspec.DecodeError, LookupError, TypeError, ValueError) as error:
                raise RecordError(f"hand {row.number} is damaged: {error}") from None
            if not self._names_players(stretch):
                raise RecordError(
                    f"hand {row.number} is damaged: it names a player who is not there"
                )
        return stretch

    def _names_players(self, stretch: Stretch) -> bool:
        return all(0 <= player < len(self._names) for player in stretch.players)

    def _absorb(self, stretch: Stretch) -> None:
        self._numbers.extend(stretch.numbers)
        self._pots.extend(stretch.pots)
        self._winners.extend(stretch.winners)
        self._void.extend(stretch.void)
        for player, sums in stretch.players.items():
            line = self._lines[player]
            line.bb_per_hand.merge(sums.hands, sums.total, sums.squares)
            line.timeouts += sums.timeouts
            line.faults.update(sums.faults)
            self._times[player].extend(sums.times)

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
        # Where stacks carry over the match is one observation.
        half = None if unit_of(match) == MATCH else line.ci95
        times = np.array(self._times[player], np.uint32)
        mean = p99 = None
        if len(times):
            mean = float(times.mean()) / 1e6
            at = min(len(times) - 1, int(0.99 * len(times)))
            p99 = float(np.partition(times, at)[at]) / 1e6
        return Result(
            rank=rank,
            name=line.name,
            dialect=dialects_of(match)[player],
            chips=chips,
            hands=hands,
            bb_per_100=round(line.bb_per_100, 3),
            ci95=None if half is None else round(half, 3),
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


def _times(data: bytes | None) -> list[tuple[int, int]]:
    return [] if data is None else msgspec.json.decode(data, type=list[tuple[int, int]])


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
