"""Groups: a round robin in each of several groups, whose best go on."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, zip_longest

from croupier.contest.fixtures import Fixture
from croupier.contest.formats.base import Field, Format, Schedule, counting
from croupier.contest.formats.round_robin import all_meet, byes
from croupier.contest.plan import StagePlan
from croupier.contest.standings import Line, lines_of, ranked


class Groups(Format):
    """Groups of equal strength, drawn from pots of equal seeds."""

    name = "groups"
    about = "A round robin in each of several groups, as the first stage for many teams."
    keys = ("times", "groups")

    def problems(self, stage: StagePlan, teams: Sequence[str] | None) -> list[tuple[str, str]]:
        """Add a number of groups that the teams cannot fill."""
        found = super().problems(stage, teams)
        if stage.groups < 1:
            found.append(("groups", f"must be at least 1, not {stage.groups}"))
        elif teams is not None and stage.groups > max(1, len(teams) // 2):
            most = max(1, len(teams) // 2)
            text = f"must be at most {most} for {len(teams)} teams, not {stage.groups}"
            found.append(("groups", text))
        return found

    def most_advancing(self, stage: StagePlan, teams: int) -> int:
        """Return the size of the smallest group."""
        return teams // max(1, stage.groups)

    def schedule(self, field: Field) -> Schedule:
        """Return the fixtures of all groups, round by round."""
        fixtures: list[Fixture] = []
        notes = {}
        for letter, teams in draw(field).items():
            meetings, note = all_meet(teams, field.stage)
            fixtures += [
                replace(fixture, name=f"{letter}.{fixture.name}", label=f"group {letter}")
                for fixture in meetings
            ]
            notes[len(teams)] = note
        fixtures.sort(key=lambda fixture: fixture.round)
        note = "; ".join(f"in groups of {size}, {notes[size]}" for size in sorted(notes))
        done = all(map(field.is_settled, fixtures))
        return Schedule(tuple(fixtures), done, byes(field, fixtures), note)

    def standing(self, field: Field, schedule: Schedule) -> list[Line]:
        """Return the standing of each group, one after the other."""
        stage = field.stage
        outcomes = counting(field, schedule)
        standing = []
        for letter, teams in draw(field).items():
            prefix = f"{letter}."
            ours = [outcome for outcome in outcomes if outcome.fixture.name.startswith(prefix)]
            counted = [team for team in teams if team not in field.annulled]
            lines = lines_of(stage, counted, ours, schedule.byes)
            standing += [
                replace(line, group=letter) for line in ranked(stage.score, stage, lines, ours)
            ]
        return standing

    def advancing(self, field: Field, standing: Sequence[Line], number: int) -> list[str]:
        """Return all winners, then all seconds, and so on: in a bracket groups meet crosswise."""
        groups = [
            super(Groups, self).advancing(field, list(lines), number)
            for _, lines in groupby(standing, key=lambda line: line.group)
        ]
        return [team for place in zip_longest(*groups) for team in place if team is not None]


def draw(field: Field) -> dict[str, list[str]]:
    """Return the teams of each group, by its letter.

    The first seeds are in the first pot, as many as there are groups, and so on; each group gets
    one team of each pot.
    """
    number = max(1, field.stage.groups)
    groups: dict[str, list[str]] = {letters(place): [] for place in range(number)}
    for start in range(0, len(field.teams), number):
        pot = field.drawn(field.teams[start : start + number], f"pot {start // number + 1}")
        for team, group in zip(pot, groups.values(), strict=False):
            group.append(team)
    return groups


def letters(place: int) -> str:
    """Return the letter of a group: A to Z, then AA and so on."""
    text = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        text = chr(ord("A") + letter) + text
    return text
