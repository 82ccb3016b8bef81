"""Players' public totals over all matches that have ended.

Each match is counted once, from its final books, so that no hand has to be read; winnings are in
big blinds of its rules. Matches that have not ended do not count, and so reveal nothing.
"""

import threading
from dataclasses import dataclass

from sqlalchemy import Engine, select

from croupier.store import queries
from croupier.store.queries import PAGE, MatchRow, RecordError
from croupier.store.schema import MATCHES
from croupier.web.archive.records import display_name
from croupier.web.archive.schemas import Career

OVERLAP_S = 3600.0
"""How far before the last counted match to look for new ones, as clocks may be set back."""


@dataclass
class _Total:
    matches: int = 0
    hands: int = 0
    big_blinds: float = 0.0
    wins: int = 0


class Careers:
    """The totals of all players, updated with newly ended matches."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._totals: dict[tuple[str, str], _Total] = {}
        self._counted: set[str] = set()
        self._newest = 0.0
        self._lock = threading.Lock()

    def all(self) -> list[Career]:
        """Return all players, those with the most wins first; this blocks."""
        with self._lock:
            self._count_new()
            careers = [
                Career(
                    name=name,
                    dialect=dialect,
                    matches=total.matches,
                    hands=total.hands,
                    bb_per_100=round(100 * total.big_blinds / total.hands, 3)
                    if total.hands
                    else 0.0,
                    wins=total.wins,
                )
                for (name, dialect), total in self._totals.items()
            ]
        return sorted(careers, key=lambda one: (-one.wins, -one.bb_per_100, one.name, one.dialect))

    def _count_new(self) -> None:
        after = self._newest - OVERLAP_S
        query = select(MATCHES.c.id, MATCHES.c.ended).order_by(MATCHES.c.ended, MATCHES.c.id)
        page = query.where(MATCHES.c.ended >= after)
        offset = 0
        while True:
            with self._engine.connect() as connection:
                rows = connection.execute(page.limit(PAGE).offset(offset)).all()
            for match_id, ended in rows:
                if match_id not in self._counted:
                    self._counted.add(match_id)
                    self._count(match_id)
                    self._newest = max(self._newest, ended)
            if len(rows) < PAGE:
                return
            offset += PAGE

    def _count(self, match_id: str) -> None:
        try:
            match = queries.match(self._engine, match_id)
        except RecordError:
            return  # the match's page reports the damage
        if match.state is not None:
            self._add(match)

    def _add(self, match: MatchRow) -> None:
        assert match.state is not None
        rules = match.rules
        for line in match.standings:
            player, books = match.players[line.player], match.state.players[line.player]
            brought = rules.stack + rules.reserve + books.reloads * rules.stack
            total = self._totals.setdefault((display_name(player), player.dialect), _Total())
            total.matches += 1
            total.hands += books.hands
            total.big_blinds += (books.chips - brought) / rules.big_blind
            total.wins += line.rank == 1
