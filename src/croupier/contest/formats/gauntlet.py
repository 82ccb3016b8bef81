"""Gauntlet: some teams against all others."""

from collections.abc import Sequence
from dataclasses import replace

from croupier.contest.fixtures import Fixture
from croupier.contest.formats.base import Field, Format, Schedule
from croupier.contest.formats.round_robin import byes
from croupier.contest.plan import StagePlan
from croupier.contest.standings import Line


class Gauntlet(Format):
    """Challengers meet all others, and neither do these meet each other nor they themselves."""

    name = "gauntlet"
    about = "A few challengers against all others: how good is a new version?"
    keys = ("times", "challengers")
    pairs_only = True

    def problems(self, stage: StagePlan, teams: Sequence[str] | None) -> list[tuple[str, str]]:
        """Add challengers that are missing, unknown or without opponents."""
        found = super().problems(stage, teams)
        if not stage.challengers:
            found.append(("challengers", "must name the teams that meet all others"))
        if teams is not None:
            unknown = [name for name in stage.challengers if name not in teams]
            found += [
                ("challengers", f"no team of this stage is called {name}") for name in unknown
            ]
            if teams and not set(teams) - set(stage.challengers):
                found.append(("challengers", "must leave some teams that they can meet"))
        return found

    def schedule(self, field: Field) -> Schedule:
        """Return all fixtures; they depend on nothing but the teams."""
        one = [team for team in field.teams if team in field.stage.challengers]
        other = [team for team in field.teams if team not in field.stage.challengers]
        few, many = sorted((one, other), key=len)
        seed = {team: place for place, team in enumerate(field.teams)}
        # The smaller side moves along the larger one, so nobody plays twice in a round.
        rounds = [
            [(team, many[(step + place) % len(many)]) for place, team in enumerate(few)]
            for step in range(len(many))
        ]
        fixtures = [
            Fixture(
                f"r{number}.{table}",
                number,
                tuple(sorted(pair, key=seed.__getitem__)),
                field.stage.sets,
            )
            for number, pairs in enumerate(rounds * field.stage.times, 1)
            for table, pair in enumerate(pairs, 1)
        ]
        done = all(map(field.is_settled, fixtures))
        return Schedule(tuple(fixtures), done, byes(field, fixtures))

    def standing(self, field: Field, schedule: Schedule) -> list[Line]:
        """Return the standing of all, in which challengers are marked."""
        return [
            replace(line, note="challenger" if line.team in field.stage.challengers else "")
            for line in super().standing(field, schedule)
        ]
