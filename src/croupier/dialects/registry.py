"""The only list of dialects: a new protocol takes its own package and an entry here."""

from croupier.dialects.acpc.dialect import ACPC
from croupier.dialects.browser.dialect import BROWSER
from croupier.dialects.dialect import Dialect
from croupier.dialects.huawei.dialect import HUAWEI
from croupier.dialects.kuhn.dialect import KUHN
from croupier.dialects.room.dialect import ROOM
from croupier.dialects.trend.dialect import TREND

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (HUAWEI, TREND, ROOM, KUHN, ACPC)
}
"""By name, the dialects that programs speak, in the order in which they are listed for people."""

PEOPLE = BROWSER
"""The dialect of people on the website."""


def dialect_of(name: str) -> Dialect | None:
    """Return the dialect of a player; None for a house bot."""
    return PEOPLE if name == PEOPLE.name else DIALECTS.get(name)


def dialects_for(game: str) -> tuple[str, ...]:
    """Return the names of the dialects that can play a game."""
    return tuple(name for name, dialect in DIALECTS.items() if game in dialect.games)
