"""Ratings: how strong teams are, from who beat whom in which order, and how sure that is.

The model is Plackett-Luce as in the library openskill: strength is believed to be normal, with a
mean mu and a standard deviation sigma; a newcomer has 25 and 25/3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

SCALE = 40.0
"""From the model's scale to the one that is shown, on which an average team comes to 1000."""
CLASS = 25 / 6
"""The difference in mu that makes a team a clear favourite (the model's beta)."""

Game = tuple[tuple[str, int], ...]
"""Teams with their places in a set of a fixture, of which fewer is better; ties share one."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed about the strength of a team."""

    mu: float = 25.0
    sigma: float = 25 / 3

    @property
    def shown(self) -> float:
        """What a team is ranked by: a strength that it has almost certainly, from 0 upwards.

        It is three standard deviations below the mean, so a newcomer has 0 and has to prove itself.
        """
        return SCALE * (self.mu - 3 * self.sigma)

    def __str__(self) -> str:
        return f"{SCALE * self.mu:.0f} ± {SCALE * 3 * self.sigma:.0f}"


class RatingBook:
    """Ratings after a list of games that grows.

    The answer depends on the games alone. What was computed for an earlier list is kept in steps,
    so that a long ladder is not computed anew for every result.
    """

    STEP = 128

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._games: list[Game] = []
        self._kept: list[dict[str, Rating]] = [{}]

    def after(self, games: Sequence[Game]) -> dict[str, Rating]:
        """Return the ratings of all who played."""
        same = 0
        while (
            same + 1 < len(self._kept)
            and self._games[same * self.STEP : (same + 1) * self.STEP]
            == games[same * self.STEP : (same + 1) * self.STEP]
        ):
            same += 1
        del self._kept[same + 1 :]
        known = self._kept[same].copy()
        for number in range(same * self.STEP, len(games)):
            self.add(known, games[number])
            if (number + 1) % self.STEP == 0:
                self._kept.append(known.copy())
        self._games = list(games)
        return known

    def add(self, known: dict[str, Rating], game: Game) -> None:
        """Change ratings by one more game."""
        before = [known.get(team, Rating()) for team, _ in game]
        after = self._model.rate(
            [[self._model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before],
            ranks=[float(place) for _, place in game],
        )
        for (team, _), (rating,) in zip(game, after, strict=True):
            known[team] = Rating(rating.mu, rating.sigma)


_BOOK = RatingBook()


def ratings(teams: Iterable[str], games: Sequence[Game]) -> dict[str, Rating]:
    """Return the ratings of teams after games, in their order."""
    known = _BOOK.after(games)
    return {team: known.get(team, Rating()) for team in teams}
