"""The crosstable of a stage: what each team made of each other."""

from dataclasses import dataclass
from math import sqrt

from croupier.contest.course import StageCourse
from croupier.stats import Z95


@dataclass
class Cell:
    """One team's figures in the matches that it shared with another."""

    matches: int = 0
    points: float = 0.0
    """One for each match in which it did better than the other, a half if they were equal."""
    chips: int = 0
    hands: int = 0
    bb: float = 0.0
    bb2: float = 0.0

    @property
    def rate(self) -> float:
        """In bb/100; at tables of more than two, against everyone there."""
        return 100 * self.bb / self.hands if self.hands else 0.0

    @property
    def ci95(self) -> float | None:
        """Half the width of the rate's 95 % interval, over hands."""
        if self.hands < 2:
            return None
        scatter = max(0.0, self.bb2 - self.bb * self.bb / self.hands)
        return 100 * Z95 * sqrt(scatter / (self.hands - 1) / self.hands)


def crosstable_of(stage: StageCourse) -> dict[tuple[str, str], Cell]:
    """Return the cells by (team, other), for those who have met."""
    cells: dict[tuple[str, str], Cell] = {}
    for result in stage.results.values():
        for seat in result.seats:
            for other in result.seats:
                if seat is other:
                    continue
                cell = cells.setdefault((seat.team, other.team), Cell())
                better = seat.rank < other.rank
                cell.matches += 1
                cell.points += 1.0 if better else 0.5 if seat.rank == other.rank else 0.0
                cell.chips += seat.chips
                cell.hands += result.hands
                cell.bb += seat.bb
                cell.bb2 += seat.bb2
    return cells
