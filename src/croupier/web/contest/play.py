"""How a team played: style, faults, decision times and big pots, from the hands of its matches.

Only matches that have ended are read, the latest first, and at most so many hands: a page is not to
wait for a million of them. The answer says how many it is about. What was read of a match is kept.
"""

import heapq
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlalchemy import Engine

from croupier.history.printable import plain
from croupier.history.sentences import MAX_REASON
from croupier.history.style import Share, Style, count_hand
from croupier.match.events import Faulted, TimedOut
from croupier.match.faults import OTHER, cause_of, cause_of_timeout
from croupier.rules.events import Event, HandEnded, HandStarted, PotWon
from croupier.rules.rules import HOLDEM
from croupier.store import queries
from croupier.store.contests import StoredResult
from croupier.store.queries import SealedError
from croupier.web.contest.courses import Followed
from croupier.web.contest.schemas import BigPot, FaultLine, ShareOf, StyleFigures, TeamPlay

MAX_HANDS = 20_000
"""How many hands are read for one answer."""
KEPT_HANDS = 100_000
"""Of how many hands what was read is kept."""
LINES = 30
POTS = 10


@dataclass
class _Played:
    """What one player did in one match."""

    style: Style = field(default_factory=Style)
    faults: Counter[str] = field(default_factory=Counter)
    lines: list[FaultLine] = field(default_factory=list)
    pots: list[BigPot] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


@dataclass
class _Read:
    """What was read of a match, by the name of its player."""

    hands: int
    holdem: bool
    players: dict[str, _Played]


class Plays:
    """Reads matches for the pages of teams; all methods block."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._kept: OrderedDict[str, _Read] = OrderedDict()
        self._lock = threading.Lock()
        """Two requests for the same team read its matches once."""

    def of(self, followed: Followed, team: str) -> TeamPlay:
        """Return how a team played."""
        seats = [
            (stored, seat)
            for stored in reversed(followed.results)
            if (seat := stored.result.of(team)) is not None
        ]
        recorded = [stored for stored, _ in seats if stored.match_id is not None]
        found = _Played()
        hands, holdem = 0, False
        faults = sum(seat.faults for _, seat in seats)
        for _, seat in seats:
            found.faults.update(seat.causes)
        with self._lock:
            for read in self._latest(recorded):
                played = read.players.get(team)
                hands += read.hands
                holdem = holdem or read.holdem
                if played is not None:
                    _add(found, played)
        rest = faults - sum(found.faults.values())
        if rest > 0:
            found.faults[OTHER] += rest
        times = sorted(found.times)
        return TeamPlay(
            hands=hands,
            of_hands=sum(stored.result.hands for stored in recorded),
            style=_figures(found.style) if holdem else None,
            faults=dict(found.faults.most_common()),
            fault_lines=found.lines[:LINES],
            decisions=len(times),
            mean_seconds=sum(times) / len(times) if times else None,
            p99_seconds=times[min(len(times) - 1, int(0.99 * len(times)))] if times else None,
            pots=heapq.nlargest(POTS, found.pots, key=lambda pot: pot.big_blinds),
        )

    def _latest(self, recorded: list[StoredResult]) -> Iterator[_Read]:
        hands = 0
        for stored in recorded:
            if hands >= MAX_HANDS:
                return
            try:
                read = self._read(str(stored.match_id))
            except SealedError:
                continue
            hands += read.hands
            yield read

    def _read(self, match_id: str) -> _Read:
        read = self._kept.pop(match_id, None)
        if read is None:
            read = _read(self._engine, match_id)
        self._kept[match_id] = read
        while len(self._kept) > 1 and sum(one.hands for one in self._kept.values()) > KEPT_HANDS:
            self._kept.popitem(last=False)
        return read


def _read(engine: Engine, match_id: str) -> _Read:
    match = queries.match(engine, match_id)
    names = [player.name for player in match.players]
    players = {name: _Played() for name in names}
    holdem = match.rules.game == HOLDEM
    styles: dict[int, Style] = {}
    hands = 0
    for row in queries.all_hands(engine, match_id):
        hands += row.played
        if holdem and not row.void:
            count_hand(row.events, styles)
        _look(match_id, row.number, row.events, [players[name] for name in names])
    for player, times in queries.decision_times(engine, match_id).items():
        players[names[player]].times = times
    for player, style in styles.items():
        players[names[player]].style = style
    for name, played in players.items():
        played.pots = heapq.nlargest(POTS, played.pots, key=lambda pot: pot.big_blinds)
        for pot in played.pots:
            pot.opponents = [plain(other) for other in names if other != name]
    return _Read(hands, holdem, players)


def _look(match_id: str, number: int, events: list[Event], players: list[_Played]) -> None:
    """Take from a hand its faults, and its pot for whoever won or lost much by it."""
    started: HandStarted | None = None
    pot, winners = 0, set[int]()
    ends: tuple[int, ...] = ()
    for event in events:
        if isinstance(event, HandStarted):
            started = event
        elif isinstance(event, TimedOut):
            cause = cause_of_timeout(event.absent)
            _fault(players[event.player], match_id, number, cause, "")
        elif isinstance(event, Faulted):
            text = plain(event.reason[:MAX_REASON])
            _fault(players[event.player], match_id, number, cause_of(event.reason), text)
        elif isinstance(event, PotWon) and started is not None:
            pot += event.amount
            winners |= {started.players[seat] for seat, _ in event.winners}
        elif isinstance(event, HandEnded):
            ends = event.stacks
    if started is None or not pot:
        return
    in_blinds = pot / started.big_blind
    for player, before, after in zip(started.players, started.stacks, ends, strict=False):
        won = player in winners
        if won or 4 * (before - after) >= pot:
            players[player].pots.append(BigPot(match_id, number, pot, in_blinds, won, []))


def _fault(played: _Played, match_id: str, number: int, cause: str, text: str) -> None:
    played.faults[cause] += 1
    if len(played.lines) < LINES:
        played.lines.append(FaultLine(match_id, number, cause, text))


def _add(found: _Played, played: _Played) -> None:
    found.style.merge(played.style)
    found.faults.update(played.faults)
    found.lines += played.lines
    found.pots += played.pots
    found.times += played.times


def _figures(style: Style) -> StyleFigures:
    return StyleFigures(*(_share(getattr(style, name)) for name in StyleFigures.__struct_fields__))


def _share(share: Share) -> ShareOf:
    return ShareOf(share.done, share.chances)
