"""Players' public totals over all matches that have ended."""

from sqlalchemy import Engine

from croupier.history.printable import plain
from croupier.store.careers import Total, Totals, totals
from croupier.web.archive.schemas import Career


def careers(engine: Engine) -> list[Career]:
    """Return all players, those with the most wins first; this blocks."""
    shown: Totals = {}
    for (name, dialect), total in totals(engine).items():
        shown.setdefault((plain(name), dialect), Total()).add(total)
    found = [
        Career(
            name=name,
            dialect=dialect,
            matches=total.matches,
            hands=total.hands,
            bb_per_100=round(100 * total.big_blinds / total.hands, 3) if total.hands else 0.0,
            wins=total.wins,
        )
        for (name, dialect), total in shown.items()
    ]
    return sorted(found, key=lambda one: (-one.wins, -one.bb_per_100, one.name, one.dialect))
