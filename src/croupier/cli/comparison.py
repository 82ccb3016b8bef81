"""How `croupier play` finds out whether the first bot is better, and how it says so."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from croupier.contest.coefficients import coefficients_name, frozen
from croupier.contest.estimates import HAND, MATCH, SET, Adjusted, Estimates, in_bb_per_100
from croupier.contest.plan import DUPLICATE, SINGLE
from croupier.contest.stopping import BETTER, BUDGET, SAME, WORSE, Look, Stop
from croupier.play import Outcome, Player
from croupier.play_sets import Course, blocks_of, play_sets
from croupier.rules.rules import CARRY, Rules
from croupier.stats import RateEstimate

EXIT_CODES = {BETTER: 0, WORSE: 10, SAME: 11, BUDGET: 12}
"""By what was found out."""


@dataclass
class Comparison:
    """What was asked for on the command line."""

    rules: Rules
    bots: tuple[str, ...]
    players: list[Player]
    seed: bytes
    hands: int
    duplicate: bool
    luck: bool
    stop: Stop | None
    look: Look | None = None

    @property
    def in_blocks(self) -> bool:
        """Whether short matches with fresh bots are played, and not a single long one."""
        return self.duplicate or self.stop is not None

    @property
    def unit(self) -> str:
        """What is independent of everything else."""
        if self.rules.stacks == CARRY:
            return MATCH
        return SET if self.duplicate else HAND

    @cached_property
    def estimates(self) -> Estimates:
        """The estimates, in which nothing is known yet."""
        seats = len(self.players)
        deals = DUPLICATE if self.duplicate else SINGLE
        weights = frozen(self.rules.game, deals, seats) if self.luck else None
        return Estimates(seats, weights)

    def run(self, workers: int, progress: Callable[[int, str], None]) -> Outcome:
        """Play blocks, until it is decided or the hands are played."""
        names = [player.name for player in self.players]
        tasks = blocks_of(
            self.rules, names, self.bots, self.seed, self.hands, self.duplicate, self.luck
        )

        def advance(course: Course) -> None:
            progress(course.hands, "" if course.look is None else str(course.look))

        course = Course(
            self.estimates, [Player(player.name, player.bot) for player in self.players]
        )
        play_sets(tasks, course, self.hands, self.stop, workers, advance)
        self.look = course.look
        return course.outcome

    @property
    def stopped(self) -> str | None:
        """Why playing ended, if that was asked for."""
        if self.stop is None:
            return None
        return (self.look.decision if self.look is not None else "") or BUDGET

    @property
    def exit_code(self) -> int:
        return 0 if self.stopped is None else EXIT_CODES[self.stopped]

    def as_object(self, estimates: Estimates) -> dict[str, Any]:
        """Return what is known about the comparison as a whole."""
        found: dict[str, Any] = {
            "unit": self.unit,
            "sets": estimates.units,
            "stopped": self.stopped,
            "differences": [
                {
                    "of": self.players[one].name,
                    "to": self.players[other].name,
                    **_rate(estimates.difference(one, other)[1]),
                }
                for one in range(len(self.players))
                for other in range(one + 1, len(self.players))
            ],
        }
        if self.luck:
            found["coefficients"] = coefficients_name()
        if self.look is not None:
            found["interval"] = self.look.as_object()
        return found

    def sentences(self, estimates: Estimates) -> Iterator[str]:
        """Return what was found out, in words."""
        units = f"{estimates.units:,} {_PLURALS[self.unit]}"
        if len(self.players) == 2 or not estimates.units:
            yield f"error bars are over {units}"
        else:
            yield f"error bars are over {units}; differences have their own:"
            for other in range(1, len(self.players)):
                rate = _rate(estimates.difference(0, other)[1])
                half = "–" if rate["ci95"] is None else f"{rate['ci95']:,.1f}"
                one, two = self.players[0].name, self.players[other].name
                yield f"  {one} less {two}: {rate['bb_per_100']:+,.1f} ± {half} bb/100"
        if self.luck:
            yield f"luck taken out by {coefficients_name()}"
        if self.stop is None or self.look is None:
            return
        name = self.players[0].name
        others = self.players[1].name if len(self.players) == 2 else "the average of the others"
        verdict = {
            BETTER: f"{name} is better than {others}",
            WORSE: f"{name} is worse than {others}",
            SAME: f"no difference above {self.stop.same} bb/100",
            BUDGET: "undecided within the budget",
        }[self.stopped or BUDGET]
        if self.look.identical:
            verdict = f"identical play: every one of {units} came out level; {verdict}"
        yield f"{verdict}: {self.look}, an interval that holds at every look"


_PLURALS = {HAND: "hands", SET: "sets", MATCH: "matches"}


def adjusted(estimates: Estimates, player: int) -> dict[str, Any]:
    """Return a player's rate over units, without luck if it was taken out."""
    return asdict(estimates.shown(player))


def adjusted_cells(value: Adjusted | None) -> tuple[str, str, str]:
    """Return a rate without luck for a table."""
    if value is None:
        return ("–", "–", "–")
    return (
        f"{value.bb_per_100:+,.1f}",
        "–" if value.ci95 is None else f"{value.ci95:,.1f}",
        "–" if value.factor is None else f"{value.factor:,.1f}",
    )


def _rate(estimate: RateEstimate) -> dict[str, Any]:
    return dict(zip(("bb_per_100", "ci95"), in_bb_per_100(estimate), strict=True))
