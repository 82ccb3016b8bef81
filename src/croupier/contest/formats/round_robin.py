"""Round robin: everybody meets everybody."""

from collections.abc import Sequence

from croupier.contest.fixtures import Fixture
from croupier.contest.formats.base import Field, Format, Schedule


class RoundRobin(Format):
    """All pairs, or tables in which all pairs meet equally often."""

    name = "round-robin"
    about = "Everybody meets everybody: the fairest, for as many teams as the time allows."
    keys = ("times",)

    def schedule(self, field: Field) -> Schedule:
        """Return all fixtures; they depend on nothing but the teams."""
        fixtures = [
            Fixture(f"r{number}.{table}", number, teams, field.stage.sets)
            for number, tables in enumerate(rounds_of_pairs(field.teams) * field.stage.times, 1)
            for table, teams in enumerate(tables, 1)
        ]
        done = all(map(field.is_settled, fixtures))
        return Schedule(tuple(fixtures), done)


def rounds_of_pairs(teams: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return rounds in which everyone plays once, by the circle method.

    One team stays in its place and the others move round the circle; with an odd number, whoever
    sits opposite the empty place has a rest.
    """
    circle: list[str | None] = [*teams, *([None] if len(teams) % 2 else [])]
    half = len(circle) // 2
    order = {team: place for place, team in enumerate(teams)}
    rounds = []
    for _ in range(len(circle) - 1):
        pairs = [
            (one, other) if order[one] < order[other] else (other, one)
            for one, other in zip(circle[:half], reversed(circle[half:]), strict=True)
            if one is not None and other is not None
        ]
        rounds.append(pairs)
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds
