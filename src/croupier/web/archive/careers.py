"""Players' public totals over all matches that have ended, for each game apart."""

from sqlalchemy import Engine

from croupier.dialects.roster import HOUSE
from croupier.history.printable import plain
from croupier.store.careers import Total, Totals, totals
from croupier.web.archive.schemas import Career

GAMES = 3
PER_GAME = 5


def careers(engine: Engine, rules: str = "") -> list[Career]:
    """Return all players, or those of a game, as `ranked`; this blocks."""
    shown: Totals = {}
    for (name, dialect, game), total in totals(engine).items():
        if not rules or game == rules:
            shown.setdefault((plain(name), dialect, game), Total()).add(total)
    found = [_career(name, dialect, game, total) for (name, dialect, game), total in shown.items()]
    return ranked(found)


def ranked(found: list[Career]) -> list[Career]:
    """Return players in order, who is best almost certainly first.

    The order is that of the lower end of the interval, so that a lucky day does not lead; and who
    has lost chips leads nobody who has won some.
    """
    return sorted(found, key=_order)


def leaders(found: list[Career]) -> list[Career]:
    """Return the first players of the games that were played most."""
    hands: dict[str, int] = {}
    for one in found:
        hands[one.rules] = hands.get(one.rules, 0) + one.hands
    games = sorted(hands, key=lambda game: -hands[game])[:GAMES]
    return [one for game in games for one in [one for one in found if one.rules == game][:PER_GAME]]


def _career(name: str, dialect: str, rules: str, total: Total) -> Career:
    rate = total.rate
    return Career(
        name=name,
        dialect=dialect,
        rules=rules,
        house=dialect == HOUSE,
        matches=total.matches,
        hands=total.hands,
        bb_per_100=round(100 * rate.rate, 3),
        ci95=None if rate.ci95 is None else round(100 * rate.ci95, 3),
        wins=total.wins,
    )


def _order(one: Career) -> tuple[bool, bool, float, str, str, str]:
    lower = one.bb_per_100 - (one.ci95 or 0.0)
    return one.ci95 is None, one.bb_per_100 <= 0, -lower, one.name, one.dialect, one.rules
