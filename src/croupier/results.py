"""The results of a match per player, with error bars, computed from its record alone."""

from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import Engine

from croupier.contest.coefficients import frozen, luck_problem
from croupier.contest.estimates import Estimates, shares_of_hand, summed
from croupier.contest.plan import SINGLE
from croupier.match.events import Faulted, TimedOut
from croupier.match.faults import cause_of, cause_of_timeout
from croupier.rules.events import Event, HandEnded, HandStarted
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
        """Half the width of its 95 % interval, assuming independent hands."""
        half = self.bb_per_hand.ci95
        return None if half is None else 100 * half


@dataclass
class MatchResults:
    """A match with its ranking, best first."""

    match: MatchRow
    players: list[PlayerResult]


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
    for row in queries.all_hands(engine, match_id):
        _count(row.events, lines)
    for player, times in queries.decision_times(engine, match_id).items():
        line = lines[player]
        line.decisions = len(times)
        line.mean_seconds = sum(times) / len(times)
        line.p99_seconds = sorted(times)[min(len(times) - 1, int(0.99 * len(times)))]
    if luck:
        _take_luck_out(engine, match, lines)
    return MatchResults(match, list(lines.values()))


def _take_luck_out(engine: Engine, match: MatchRow, lines: dict[int, PlayerResult]) -> None:
    rules, seed, players = match.rules, match.deal_seed, len(match.players)
    if problem := luck_problem(rules):
        raise NoLuckError(problem)
    if match.imported:
        raise NoLuckError("luck is known of matches that were dealt here, not of imported ones")
    if seed is None:
        raise NoLuckError("luck is known when the match has ended: until then cards are hidden")
    estimates = Estimates(players, frozen(rules.game, SINGLE, players))
    hands = [
        shares_of_hand(row.events, players, seed, lucky=True)
        for row in queries.all_hands(engine, match.id)
        if any(isinstance(event, HandEnded) for event in row.events)
    ]
    if rules.stacks == CARRY and hands:  # the match is one observation
        estimates.add([summed(shares) for shares in zip(*hands, strict=True)])
    else:
        for shares in hands:
            estimates.add(shares)
    for player, line in lines.items():
        line.adjusted, line.factor = estimates.adjusted[player], estimates.factor(player)


def _count(events: list[Event], lines: dict[int, PlayerResult]) -> None:
    started: HandStarted | None = None
    for event in events:
        if isinstance(event, HandStarted):
            started = event
        elif isinstance(event, TimedOut):
            line = lines[event.player]
            line.timeouts += 1
            line.faults[cause_of_timeout(event.absent)] += 1
        elif isinstance(event, Faulted):
            lines[event.player].faults[cause_of(event.reason)] += 1
        elif isinstance(event, HandEnded) and started is not None:
            for player, before, after in zip(
                started.players, started.stacks, event.stacks, strict=True
            ):
                lines[player].bb_per_hand.add((after - before) / started.big_blind, 1)
