"""The only list of dialects. A new protocol is a package of its own and a line here."""

from croupier.dialects.dialect import Dialect
from croupier.dialects.huawei.dialect import HUAWEI
from croupier.dialects.kuhn.dialect import KUHN
from croupier.dialects.room.dialect import ROOM
from croupier.dialects.trend.dialect import TREND

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (HUAWEI, TREND, ROOM, KUHN)}
"""By name, in the order in which people read of them."""


def dialects_for(game: str) -> tuple[str, ...]:
    """Return the names of the dialects in which a game can be played."""
    return tuple(name for name, dialect in DIALECTS.items() if dialect.game == game)
