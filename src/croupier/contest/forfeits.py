"""What a match gives that was forfeited, by somebody who never came or who broke it off."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from croupier.contest.fixtures import MatchName, MatchResult, SeatResult
from croupier.contest.plan import StagePlan


def not_played(
    name: MatchName,
    stage: StagePlan,
    teams: Sequence[str],
    absent: Mapping[str, str],
    stacks: float,
) -> MatchResult:
    """Return the result of a match that was not played, because some forfeit it.

    It counts as if all its hands had been played. Who forfeits loses `stacks` starting stacks,
    which the others share; if nobody else is there, everyone loses. `absent` has the reasons.
    """
    loss = round(stacks * stage.rules.stack)
    came = [team for team in teams if team not in absent]
    gain, odd = divmod(loss * len(absent), len(came)) if came else (0, 0)
    hands = stage.hands if came else 0
    seats = []
    for team in teams:
        if team in absent:
            seats.append(_seat(stage, team, -loss, hands, len(came) + 1, absent[team]))
        else:
            share = gain + (came.index(team) < odd)
            seats.append(_seat(stage, team, share, hands, 1, ""))
    return MatchResult(name, tuple(seats), hands)


def _seat(
    stage: StagePlan, team: str, chips: int, hands: int, rank: int, forfeit: str
) -> SeatResult:
    bb = chips / stage.rules.big_blind
    # As if it had been won or lost evenly over all hands: a forfeit has no spread.
    spread = bb * bb / hands if hands else 0.0
    return SeatResult(team, chips, bb, spread, rank, 0 if forfeit else hands, 0, forfeit)


def charged(result: MatchResult, stage: StagePlan, stacks: float) -> MatchResult:
    """Return a result in which those who forfeited a match that was played are charged for it.

    They are last and lose at least `stacks` starting stacks, and more than anyone who played to the
    end, so that nobody gains by breaking off.
    """
    loss = round(stacks * stage.rules.stack)
    finished = [seat.rank for seat in result.seats if not seat.forfeit]
    least = min((seat.chips - 1 for seat in result.seats if not seat.forfeit), default=0)
    seats = []
    for seat in result.seats:
        if seat.forfeit:
            chips = min(seat.chips, -loss, least)
            bb = seat.bb + (chips - seat.chips) / stage.rules.big_blind
            seat = replace(seat, chips=chips, bb=bb, rank=len(finished) + 1)
        else:
            seat = replace(seat, rank=1 + sum(rank < seat.rank for rank in finished))
        seats.append(seat)
    return replace(result, seats=tuple(seats))
