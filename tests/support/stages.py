"""A stage of a contest that is played without matches: who wins what is made up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from croupier.contest.fixtures import Fixture, MatchName, MatchResult, SeatResult
from croupier.contest.formats.base import Field, Schedule
from croupier.contest.formats.registry import FORMATS
from croupier.contest.outcome import Outcome, summed_up
from croupier.contest.plan import POINTS, RATE, StagePlan
from croupier.contest.standings import Line
from croupier.rules.sets import PLAIN, TREND

HANDS = 100
"""Of each match; with big blinds of 100, a chip is then 0.01 bb/100."""

Chips = Callable[[Fixture, int], Mapping[str, int]]
"""What each team of a fixture wins in a set."""


def names(number: int) -> tuple[str, ...]:
    """Return the names of teams, in the order of their seeds."""
    return tuple(f"t{seed:03}" for seed in range(1, number + 1))


def planned(
    format: str,
    *,
    carried: bool = False,
    seats: int = 2,
    sets: int = 1,
    score: str = "",
    advance: int = 0,
    times: int = 1,
    rounds: int = 0,
    groups: int = 1,
    third_place: bool = False,
    challengers: tuple[str, ...] = (),
    matches: int = 0,
) -> StagePlan:
    """Return a stage with a format."""
    return StagePlan(
        name="stage",
        format=format,
        rules=TREND if carried else PLAIN,
        seats=seats,
        sets=sets,
        score=score or FORMATS[format].score or (POINTS if carried else RATE),
        advance=advance,
        times=times,
        rounds=rounds,
        groups=groups,
        third_place=third_place,
        challengers=challengers,
        matches=matches,
    )


def match(name: MatchName, chips: Mapping[str, int]) -> MatchResult:
    """Return a match in which each team won so many chips, and is placed by them."""
    seats = [
        SeatResult(
            team,
            won,
            won / 100,
            (won / 100) ** 2 / HANDS,
            1 + sum(other > won for other in chips.values()),
            HANDS,
        )
        for team, won in chips.items()
    ]
    return MatchResult(name, tuple(seats), HANDS)


def outcome(stage: StagePlan, name: str, *sets: Mapping[str, int]) -> Outcome:
    """Return the outcome of a fixture with such sets, as the course of a contest makes it."""
    matches = [
        match(MatchName(stage.name, name, number, 1), chips) for number, chips in enumerate(sets, 1)
    ]
    teams = tuple(dict.fromkeys(team for chips in sets for team in chips))
    fixture = Fixture(name, 0, teams, max(stage.sets, len(sets)))
    return summed_up(fixture, stage, matches, len(matches) == fixture.sets)


def chance(seed: int, level: int = 4) -> Chips:
    """Return results that depend on a number and the fixture, but not on when it is played.

    The smaller `level`, the more fixtures are level.
    """

    def chips(fixture: Fixture, number: int) -> Mapping[str, int]:
        text = f"{seed} {fixture.name} {number}"
        digest = sha256(text.encode()).digest()
        won = {team: digest[place] % level for place, team in enumerate(fixture.teams)}
        return {team: len(won) * mine - sum(won.values()) for team, mine in won.items()}

    return chips


def better_seed(fixture: Fixture, number: int) -> Mapping[str, int]:
    """Let the better seed win."""
    size = len(fixture.teams)
    return {team: size - 1 - 2 * place for place, team in enumerate(fixture.teams)}


class PlayedStage:
    """A stage, and what has been played of it; every answer has to agree with those before it."""

    def __init__(
        self, stage: StagePlan, teams: Sequence[str], chips: Chips = better_seed, seed: bytes = b""
    ) -> None:
        self.format = FORMATS[stage.format]
        self.field = Field(stage, tuple(teams), seed)
        self._chips = chips
        self._sets: dict[str, list[Mapping[str, int]]] = {}
        self._given_up: set[str] = set()
        self._known: dict[str, Fixture] = {}
        self.schedule = self._ask()

    @property
    def open(self) -> list[Fixture]:
        """The fixtures of which something can be played."""
        return [
            fixture
            for fixture in self.schedule.fixtures
            if len(self.field.present(fixture)) > 1
            and fixture.name not in self._given_up
            and len(self._sets.get(fixture.name, ())) < fixture.sets
        ]

    @property
    def standing(self) -> list[Line]:
        return self.format.standing(self.field, self.schedule)

    def play(self, *fixtures: Fixture) -> None:
        """Play the next set of fixtures."""
        outcomes = dict(self.field.outcomes)
        for fixture in fixtures:
            sets = self._sets.setdefault(fixture.name, [])
            there = replace(fixture, teams=tuple(self.field.present(fixture)))
            sets.append(self._chips(there, len(sets) + 1))
            outcomes[fixture.name] = outcome(self.field.stage, fixture.name, *sets)
        self.field = replace(self.field, outcomes=outcomes)
        self.schedule = self._ask()

    def play_to_the_end(self) -> None:
        """Play whatever is open until nothing is."""
        while self.open:
            self.play(*self.open)

    def give_up(self, fixture: Fixture) -> None:
        """Let nothing more be played of a fixture."""
        self._given_up.add(fixture.name)
        so_far = outcome(self.field.stage, fixture.name, *self._sets.get(fixture.name, ()))
        over = {fixture.name: replace(so_far, complete=True, given_up=True)}
        self.field = replace(self.field, outcomes={**self.field.outcomes, **over})
        self.schedule = self._ask()

    def leave(self, team: str, disqualified: bool = False) -> None:
        """Withdraw a team, or disqualify it."""
        after = 1 + max((fixture.round for fixture in self.schedule.fixtures), default=0)
        left = {**self.field.left}
        left.setdefault(team, after)
        annulled = {**self.field.annulled, **({team: after} if disqualified else {})}
        self.field = replace(self.field, left=left, annulled=annulled)
        self.schedule = self._ask()

    def _ask(self) -> Schedule:
        schedule = self.format.schedule(self.field)
        now = {fixture.name: fixture for fixture in schedule.fixtures}
        assert len(now) == len(schedule.fixtures), "two fixtures have the same name"
        for name, before in self._known.items():
            assert replace(now[name], sets=before.sets) == before, "a fixture has changed"
            assert now[name].sets >= before.sets
        self._known = now
        return schedule
