"""From what was played to the result that counts."""

from collections.abc import Sequence

from croupier.contest.fixtures import MatchName, MatchResult, SeatResult
from croupier.contest.forfeits import charged, not_played
from croupier.contest.plan import StagePlan
from croupier.server.table.task import Played


def scored(
    name: MatchName, teams: Sequence[str], stage: StagePlan, played: Played, stacks: float
) -> MatchResult:
    """Return the result of a match as it counts; a forfeit costs `stacks` starting stacks."""
    absent = {
        team: player.forfeit
        for team, player in zip(teams, played.players, strict=True)
        if player.forfeit
    }
    if not played.hands and absent:
        return not_played(name, stage, teams, absent, stacks)
    seats = tuple(
        SeatResult(
            team,
            player.chips,
            player.bb,
            player.bb2,
            player.rank,
            player.survived,
            player.faults + player.timeouts,
            player.forfeit,
        )
        for team, player in zip(teams, played.players, strict=True)
    )
    result = MatchResult(name, seats, played.hands)
    return charged(result, stage, stacks) if absent else result
