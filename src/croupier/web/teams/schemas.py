"""The types of what a team is told with its key."""

from typing import Literal

from msgspec import Struct

from croupier.store.friendlies import State as FriendlyState
from croupier.store.requests import State

Act = Literal["accept", "decline", "withdraw"]


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


class Checked(Struct):
    """What became of a program in one scenario of the check."""

    scenario: str
    ok: bool
    text: str
    lines: list[str]
    """What went over the connection before its first mistake, and what it printed last."""


class Upload(Struct):
    """A new version of a team's program; times are in seconds since 1970."""

    upload: int
    at: float
    size: int
    sha256: str
    state: State
    """A version that is `done` has passed the check, and plays from the next match on."""
    why: str
    checks: list[Checked]
    """Empty while it is waiting."""


class Uploads(Struct):
    """The latest uploads of a team, the newest first."""

    problem: str
    """Why it cannot upload anything; empty: it can."""
    dialect: str
    """What its program speaks."""
    items: list[Upload]


class FriendlyWish(Struct):
    """A friendly match that a team asks for."""

    opponent: str
    """A team, or a house bot by its name."""
    house: bool = False
    """Whether it is a house bot."""


class FriendlyAct(Struct):
    """What a team does about a friendly match that is asked for."""

    act: Act


class FriendlyMatch(Struct):
    """A friendly match of a team; times are in seconds since 1970."""

    friendly: int
    at: float
    mine: bool
    """Whether the team itself has asked for it."""
    opponent: str
    house: bool
    """Whether the opponent is a house bot, which is then called by its own name."""
    state: FriendlyState
    why: str
    """Why it was not played, or not to its end."""
    match: str | None
    """The id of its record, once it was played."""
    hands: int
    chips: int | None
    """What the team won, once it was played."""
    live: str | None
    """The table at which it can be watched now."""
    name: str
    """What its files are asked for by, as of any match."""
    output: int | None
    transcript: int | None
    """The sizes of the team's own files in bytes, once it is over; null if there is nothing."""


class FriendlyMatches(Struct):
    """Whom a team may ask for a friendly match, and its latest ones, the newest first."""

    problem: str
    """Why it cannot ask for any; empty: it can."""
    hands: int
    """Hands of a match."""
    waiting: int
    """How many that it asks for may be open at a time."""
    teams: list[str]
    house: list[str]
    items: list[FriendlyMatch]
