"""Places: where a match is played, and where it is resumed after a crash.

A place is its kind and its own name, such as `table main`, `host plain`, or a dialect and what its
player asked for. A room has the name that its players chose, blanks included.
"""

_NAMED_BY_THE_ORGANISER = ("table", "host")
"""The kinds whose own names are enough: nobody else can take them."""


def kind_of(place: str) -> str:
    """Return what kind of place it is."""
    return place.partition(" ")[0]


def table_name(place: str) -> str:
    """Return what the table at a place is called on pages, in the log and by organisers."""
    kind, _, name = place.partition(" ")
    return name if kind in _NAMED_BY_THE_ORGANISER else f"{kind}-{name}"
