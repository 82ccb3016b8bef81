"""The types of what a team is told with its key."""

from msgspec import Struct


class KeyLogin(Struct):
    """A team's proof that it is itself."""

    contest: int
    team: str
    key: str


class OwnState(Struct):
    """Whether a team is logged in."""

    enabled: bool
    """Whether the team has a key, so that it can log in."""
    logged_in: bool


class OwnMatch(Struct):
    """A match of the team that is over, with the sizes of its own files in bytes."""

    name: str
    match: str | None
    """The id of its record."""
    ended: float
    opponents: list[str]
    forfeit: str
    """Why the team did not play it, or not to its end."""
    output: int | None
    """What its program printed; null if there is nothing."""
    transcript: int | None
    """What went over its connections; null if there is none."""


class OwnMatches(Struct):
    """A page of them, the newest first."""

    items: list[OwnMatch]
    page: int
    pages: int
    total: int
    sealed: int
    """Matches of which nothing is shown yet: others of their sets are still to be played."""
    transcripts: bool
    """Whether the organiser keeps transcripts."""
