"""Places: where a match is played, and where it is resumed after a crash.

A place consists of a kind and a name, such as `table main`, `host plain`, or a dialect and what its
player asked for. A room's name is chosen by its players and may contain spaces.
"""

IMPORT = "import"
"""The kind of a match that was dealt elsewhere; its name is that of its file."""

CONTEST = "contest"
"""The kind of a match of a contest; its name is the contest's number and the name of the match."""

FRIENDLY = "friendly"
"""The kind of a friendly match; its name is the contest's number and that of the request."""

_NAMED_BY_THE_ORGANISER = ("table", "host")
"""The kinds whose names are unique by themselves: players cannot choose them."""


def kind_of(place: str) -> str:
    """Return the kind of a place."""
    return place.partition(" ")[0]


def table_name(place: str) -> str:
    """Return the name of the table at a place, as pages, the log and organisers use it."""
    kind, _, name = place.partition(" ")
    return name if kind in _NAMED_BY_THE_ORGANISER else f"{kind}-{name}"
