"""From what was played to the result that counts."""

from collections.abc import Sequence

from croupier.contest.fixtures import MatchName, MatchResult, SeatResult
from croupier.contest.forfeits import charged, not_played
from croupier.contest.plan import DUPLICATE, StagePlan
from croupier.server.table.task import Played, Player


def filling(stage: StagePlan, teams: int) -> list[Player]:
    """Return the house bots that take the seats of a table which so many teams leave free."""
    bots = stage.fill[: stage.seats - teams]
    return [Player(f"house {number}", bot) for number, bot in enumerate(bots, 1)]


def scored(
    name: MatchName, teams: Sequence[str], stage: StagePlan, played: Played, stacks: float
) -> MatchResult:
    """Return the result of a match as it counts, without the bots that filled its table.

    A forfeit costs `stacks` starting stacks.
    """
    lines = list(zip(teams, played.players, strict=False))
    absent = {team: player.forfeit for team, player in lines if player.forfeit}
    if not played.hands and absent:
        return not_played(name, stage, teams, absent, stacks)
    ranks = [player.rank for _, player in lines]
    seats = tuple(
        SeatResult(
            team,
            player.chips,
            player.bb,
            player.bb2,
            1 + sum(rank < player.rank for rank in ranks),
            player.survived,
            player.faults + player.timeouts,
            player.forfeit,
            player.causes,
            tuple(player.groups) if stage.deals == DUPLICATE or stage.coefficients else (),
            player.luck,
        )
        for team, player in lines
    )
    result = MatchResult(name, seats, played.hands)
    return charged(result, stage, stacks) if absent else result
