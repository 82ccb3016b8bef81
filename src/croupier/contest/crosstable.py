"""The crosstable of a stage: what each team made of each other."""

from dataclasses import dataclass, field

from croupier.contest.adjusting import adjusted, difference
from croupier.contest.course import StageCourse
from croupier.contest.estimates import Adjusted
from croupier.contest.fixtures import MatchResult
from croupier.contest.plan import StagePlan
from croupier.contest.rates import rate_of
from croupier.stats import RateEstimate


@dataclass
class Cell:
    """One team's figures in the matches that it shared with another."""

    stage: StagePlan
    team: str
    other: str
    matches: int = 0
    points: float = 0.0
    """One for each match in which it did better than the other, a half if they were equal."""
    chips: int = 0
    hands: int = 0
    bb: float = 0.0
    results: list[MatchResult] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """In bb/100; at tables of more than two, against everyone there."""
        return 100 * self.bb / self.hands if self.hands else 0.0

    @property
    def ci95(self) -> float | None:
        """Half the width of the rate's 95 % interval, as in the standing."""
        half = rate_of(self.stage, self.results, self.team).ci95
        return None if half is None else 100 * half

    @property
    def adjusted(self) -> Adjusted | None:
        """The rate without luck, if the stage takes it out."""
        return adjusted(self.stage, self.results, self.team, self.other)

    @property
    def differences(self) -> tuple[RateEstimate, RateEstimate]:
        """By how much it is better than the other; then the same without luck."""
        return difference(self.stage, self.results, self.team, self.other)


def crosstable_of(stage: StageCourse) -> dict[tuple[str, str], Cell]:
    """Return the cells by (team, other), for those who have met."""
    cells: dict[tuple[str, str], Cell] = {}
    for result in stage.results.values():
        for seat in result.seats:
            for other in result.seats:
                if seat is other:
                    continue
                cell = cells.setdefault(
                    (seat.team, other.team), Cell(stage.plan, seat.team, other.team)
                )
                better = seat.rank < other.rank
                cell.matches += 1
                cell.points += 1.0 if better else 0.5 if seat.rank == other.rank else 0.0
                cell.chips += seat.chips
                cell.hands += result.hands
                cell.bb += seat.bb
                cell.results.append(result)
    return cells
