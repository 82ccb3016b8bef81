"""The results of a match per player, with error bars, computed from its record alone."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from sqlalchemy import Engine

from croupier.contest.coefficients import frozen, luck_problem
from croupier.contest.estimates import HAND, MATCH, Estimates, shares_of_hand, summed
from croupier.contest.guard import Vector
from croupier.contest.plan import SINGLE
from croupier.match.events import Faulted, TimedOut
from croupier.match.faults import cause_of, cause_of_timeout
from croupier.rules.events import Event, HandEnded
from croupier.rules.rules import CARRY
from croupier.stats import RateEstimate
from croupier.store import queries
from croupier.store.queries import MatchRow


@dataclass
class PlayerResult:
    """One line of the ranking."""

    rank: int
    name: str
    dialect: str
    chips: int
    hands: int
    bb_per_hand: RateEstimate = field(default_factory=RateEstimate)
    timeouts: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    """Counts by cause, timeouts included."""
    decisions: int = 0
    mean_seconds: float | None = None
    p99_seconds: float | None = None
    adjusted: RateEstimate | None = None
    """Its rate without luck, if that was asked for."""
    factor: float | None = None
    """How many times as many plain hands would give an interval as narrow."""

    @property
    def bb_per_100(self) -> float:
        """Big blinds won per hundred hands."""
        return 100 * self.bb_per_hand.rate

    @property
    def ci95(self) -> float | None:
        """Half the width of its 95 % interval over units."""
        half = self.bb_per_hand.ci95
        return None if half is None else 100 * half


@dataclass(frozen=True)
class Difference:
    """By how much one player is better than another; in bb/100."""

    of: str
    to: str
    bb_per_100: float
    ci95: float | None
    """Half the width of its own interval: players of one table are not independent."""


@dataclass
class MatchResults:
    """A match with its ranking, best first."""

    match: MatchRow
    players: list[PlayerResult]
    differences: list[Difference]
    """Of each player to those ranked below it; without luck, if that was asked for."""

    @property
    def unit(self) -> str:
        """What its intervals are over."""
        return unit_of(self.match)


def unit_of(match: MatchRow) -> str:
    """Return what is independent of everything else: a hand, or the match as a whole.

    Where stacks carry over the hands of a match depend on each other, and it is one observation.
    """
    return MATCH if match.rules.stacks == CARRY else HAND


class NoLuckError(ValueError):
    """The luck of a match is not known, or tells of cards that are still hidden."""


def results(engine: Engine, match_id: str, luck: bool = False) -> MatchResults:
    """Return the results of a match, or its current state while it runs.

    With `luck` also those without the luck of the cards, which takes the match to be over.
    """
    match = queries.match(engine, match_id)
    lines: dict[int, PlayerResult] = {
        standing.player: PlayerResult(
            standing.rank,
            standing.name,
            match.players[standing.player].dialect,
            standing.chips,
            standing.hands,
        )
        for standing in match.standings
    }
    estimates = Estimates(len(match.players), _coefficients(match) if luck else None)
    seed = match.deal_seed if luck else None
    hands = []
    for row in queries.all_hands(engine, match_id):
        _count(row.events, lines)
        if any(isinstance(event, HandEnded) for event in row.events):
            shares = shares_of_hand(row.events, len(match.players), seed or b"", luck)
            hands.append(shares)
    if unit_of(match) == MATCH:
        hands = [[summed(shares) for shares in zip(*hands, strict=True)]] if hands else []
    for shares in hands:
        estimates.add(shares)
    for player, line in lines.items():
        line.bb_per_hand = estimates.raw[player]
        if luck:
            line.adjusted, line.factor = estimates.adjusted[player], estimates.factor(player)
    for player, times in queries.decision_times(engine, match_id).items():
        line = lines[player]
        line.decisions = len(times)
        line.mean_seconds = sum(times) / len(times)
        line.p99_seconds = sorted(times)[min(len(times) - 1, int(0.99 * len(times)))]
    return MatchResults(match, list(lines.values()), _differences(estimates, lines))


def _coefficients(match: MatchRow) -> Vector:
    """Return the coefficients by which luck is taken out of a match."""
    if problem := luck_problem(match.rules):
        raise NoLuckError(problem)
    if match.imported:
        raise NoLuckError("luck is known of matches that were dealt here, not of imported ones")
    if match.deal_seed is None:
        raise NoLuckError("luck is known when the match has ended: until then cards are hidden")
    return frozen(match.rules.game, SINGLE, len(match.players))


def _differences(estimates: Estimates, lines: dict[int, PlayerResult]) -> list[Difference]:
    found = []
    for one, other in combinations(lines, 2):
        # The estimate is that of the smaller number less the larger one.
        rate = estimates.difference(min(one, other), max(one, other))[1]
        half, sign = rate.ci95, 1 if one < other else -1
        found.append(
            Difference(
                lines[one].name,
                lines[other].name,
                100 * sign * rate.rate,
                None if half is None else 100 * half,
            )
        )
    return found


def _count(events: list[Event], lines: dict[int, PlayerResult]) -> None:
    for event in events:
        if isinstance(event, TimedOut):
            line = lines[event.player]
            line.timeouts += 1
            line.faults[cause_of_timeout(event.absent)] += 1
        elif isinstance(event, Faulted):
            lines[event.player].faults[cause_of(event.reason)] += 1
