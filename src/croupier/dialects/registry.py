"""The only list of dialects: a new protocol takes its own package and an entry here."""

from croupier.dialects.dialect import Dialect
from croupier.dialects.huawei.dialect import HUAWEI
from croupier.dialects.kuhn.dialect import KUHN
from croupier.dialects.room.dialect import ROOM
from croupier.dialects.trend.dialect import TREND

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (HUAWEI, TREND, ROOM, KUHN)}
"""By name, in the order in which they are listed for people."""


def dialects_for(game: str) -> tuple[str, ...]:
    """Return the names of the dialects that can play a game."""
    return tuple(name for name, dialect in DIALECTS.items() if dialect.game == game)
