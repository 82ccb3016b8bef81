"""Knockout: who loses is out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from croupier.contest.fixtures import Fixture
from croupier.contest.formats.base import Field, Format, Schedule, counting
from croupier.contest.outcome import Outcome
from croupier.contest.plan import StagePlan
from croupier.contest.standings import Line, lines_of

LEVEL_LIMIT = 5
"""A fixture that is level goes on, set by set, up to so many sets."""

THIRD_PLACE = "third place"

NOBODY = ""
"""A place in the bracket that stays empty: there are fewer teams, or both had left."""
Slot = str | None
"""A place in the bracket; None: not known yet."""


@dataclass(frozen=True)
class Meeting:
    """A place in the bracket where two meet, as far as it is known who."""

    round: int
    name: str
    """That of its fixture, whether or not there will be one."""
    label: str
    pair: tuple[Slot, Slot]
    winner: Slot


class Knockout(Format):
    """A seeded bracket; byes go to the best seeds."""

    name = "knockout"
    about = "Who loses is out: short and exciting, but one unlucky fixture decides."
    keys = ("third_place",)
    ranks_by_score = False
    pairs_only = True

    def problems(self, stage: StagePlan, teams: Sequence[str] | None) -> list[tuple[str, str]]:
        """Add a match for the third place where nobody could play it."""
        found = super().problems(stage, teams)
        if stage.third_place and teams is not None and len(teams) < 4:
            found.append(("third_place", f"needs at least four teams, not {len(teams)}"))
        return found

    def schedule(self, field: Field) -> Schedule:
        """Return the fixtures whose two teams are known."""
        bracket = Bracket(field)
        return Schedule(tuple(bracket.fixtures), bracket.complete, bracket.byes)

    def ordered_by(self, stage: StagePlan) -> str:
        """Return in words what a standing is ordered by."""
        return "the round reached; who was beaten in the same round shares a rank"

    def score_counts(self, stage: StagePlan) -> str:
        """Return in words what the score of a line counts."""
        return "fixtures won"

    def standing(self, field: Field, schedule: Schedule) -> list[Line]:
        """Return the standing: the rank that each team has for certain, and its fixtures won."""
        bracket = Bracket(field)
        teams = [team for team in field.teams if team not in field.annulled]
        lines = [
            replace(
                line,
                rank=bracket.rank(line.team),
                score=float(bracket.wins[line.team]),
                note="; ".join(bracket.notes.get(line.team, ())),
            )
            for line in lines_of(field.stage, teams, counting(field, schedule), schedule.byes)
        ]
        return sorted(lines, key=lambda line: (line.rank, line.team in bracket.beaten))


class Bracket:
    """The bracket as far as the results decide it."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._seed = {team: place for place, team in enumerate(field.teams)}
        self._rounds = (len(field.teams) - 1).bit_length() if field.teams else 0
        self.fixtures: list[Fixture] = []
        """Those whose two teams are known, in the order of their rounds."""
        self.wins: Counter[str] = Counter()
        """By team, its fixtures won, byes and walkovers included."""
        self.byes: Counter[str] = Counter()
        """By team, how often it went on without playing."""
        self.beaten: set[str] = set()
        self.notes: dict[str, list[str]] = {}
        self.meetings: list[Meeting] = []
        """Every place of the bracket, round by round from the top; last that of third place."""
        self._reached: dict[str, int] = {}
        self._third: Slot = NOBODY
        slots: list[Slot] = [
            field.teams[seed - 1] if seed <= len(field.teams) else NOBODY
            for seed in bracket_order(self._rounds)
        ]
        third: Meeting | None = None
        for number in range(1, self._rounds + 1):
            self._reached |= {team: number for team in slots if team}
            pairs = list(zip(slots[::2], slots[1::2], strict=True))
            winners = [self._meet(number, place, pair) for place, pair in enumerate(pairs, 1)]
            losers = list(map(_loser, pairs, winners))
            self.meetings += [
                self._meeting(number, place, pair, winner)
                for place, (pair, winner) in enumerate(zip(pairs, winners, strict=True), 1)
            ]
            if len(pairs) == 2 and field.stage.third_place:
                pair = (losers[0], losers[1])
                self._third = self._meet(number + 1, 2, pair, THIRD_PLACE)
                third = Meeting(number + 1, f"r{number + 1}.2", THIRD_PLACE, pair, self._third)
            for pair, winner in zip(pairs, winners, strict=True):
                self.beaten |= {team for team in pair if team and winner not in (None, team)}
            slots = winners
        self.meetings += [third] if third is not None else []
        self._champion = slots[0] if slots else NOBODY

    @property
    def complete(self) -> bool:
        """Whether nothing more will be played."""
        return self._champion is not None and self._third is not None

    def rank(self, team: str) -> int:
        """Return the rank that a team has for certain: even if it loses where it stands now."""
        if team == self._champion:
            return 1
        ahead = 1 << (self._rounds - self._reached[team])
        if ahead == 2 and self._field.stage.third_place:
            return 3 if team == self._third else 4
        return ahead + 1

    def _meet(self, number: int, place: int, pair: tuple[Slot, Slot], label: str = "") -> Slot:
        """Return who goes on from a place in the bracket."""
        if None in pair:
            return None
        teams = sorted((team for team in pair if team), key=self._seed.__getitem__)
        if len(teams) < 2:
            return self._goes_on(teams[0], played=False) if teams else NOBODY
        fixture = Fixture(
            f"r{number}.{place}",
            number,
            tuple(teams),
            self._field.stage.sets,
            label or self._label(number, place),
        )
        outcome = self._field.outcomes.get(fixture.name)
        if outcome is not None:
            fixture = replace(fixture, sets=max(fixture.sets, outcome.fixture.sets))
            if outcome.complete:
                winner = self._decided(fixture, outcome)
                if winner is not None:
                    self.fixtures.append(fixture)
                    return self._goes_on(winner, played=True)
                fixture = replace(fixture, sets=fixture.sets + 1)
        self.fixtures.append(fixture)
        if len(self._field.present(fixture)) == 2:
            return None
        last = self._field.last_one(fixture)
        return self._goes_on(last, not self._field.is_unplayed(fixture)) if last else NOBODY

    def _meeting(self, number: int, place: int, pair: tuple[Slot, Slot], winner: Slot) -> Meeting:
        return Meeting(number, f"r{number}.{place}", self._label(number, place), pair, winner)

    def _label(self, number: int, place: int) -> str:
        return round_label(1 << (self._rounds - number), place)

    def _decided(self, fixture: Fixture, outcome: Outcome) -> str | None:
        """Return the winner of a fixture that is complete, unless it is level and goes on."""
        if outcome.best is not None:
            return outcome.best
        if outcome.given_up:
            why = "not played to the end"
        elif outcome.stopped or fixture.sets >= LEVEL_LIMIT:
            why = f"level after {outcome.fixture.sets} sets"
        else:
            return None
        better = fixture.teams[0]
        text = f"{fixture.label} {why}: advanced as the better seed"
        self.notes.setdefault(better, []).append(text)
        return better

    def _goes_on(self, team: str, played: bool) -> str:
        self.wins[team] += 1
        if not played:
            self.byes[team] += 1
        return team


def _loser(pair: tuple[Slot, Slot], winner: Slot) -> Slot:
    """Return who did not go on, if it is one team."""
    if winner is None:
        return None
    return next((team for team in pair if team and team != winner), NOBODY) if winner else NOBODY


def bracket_order(rounds: int) -> list[int]:
    """Return the seeds from the top of a bracket to its bottom.

    In each round, if the better seed always wins, the best of those left meets the last, the second
    the last but one, and so on.
    """
    order = [1]
    for _ in range(rounds):
        order = [seed for better in order for seed in (better, 2 * len(order) + 1 - better)]
    return order


def round_label(fixtures: int, place: int) -> str:
    """Return what people call a fixture, by the number of fixtures in its round."""
    if fixtures == 1:
        return "final"
    name = {2: "semi-final", 4: "quarter-final"}.get(fixtures, f"round of {2 * fixtures},")
    return f"{name} {place}"
