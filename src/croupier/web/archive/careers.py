"""What is publicly known of players, over all matches that have ended.

A match is counted once, from its last books: what a player won in big blinds of its rules, so that
no hand has to be read. Matches that are not over count for nothing yet, and give nothing away.
"""

import threading
from dataclasses import dataclass

from sqlalchemy import Engine, select

from croupier.store import queries
from croupier.store.queries import PAGE, MatchRow, RecordError
from croupier.store.schema import MATCHES
from croupier.web.archive.records import called
from croupier.web.archive.schemas import Career

OVERLAP_S = 3600.0
"""Matches are looked for as far back before the last one that was counted: clocks are set."""


@dataclass
class _Sum:
    matches: int = 0
    hands: int = 0
    big_blinds: float = 0.0
    wins: int = 0


class Careers:
    """Counts matches as they end."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._sums: dict[tuple[str, str], _Sum] = {}
        self._counted: set[str] = set()
        self._newest = 0.0
        self._lock = threading.Lock()

    def all(self) -> list[Career]:
        """Return all players, those with the most wins first. It blocks."""
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
                for (name, dialect), total in self._sums.items()
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
            return  # its own page says what is wrong with it
        if match.state is not None:
            self._add(match)

    def _add(self, match: MatchRow) -> None:
        assert match.state is not None
        rules = match.rules
        for line in match.standings:
            player, books = match.players[line.player], match.state.players[line.player]
            brought = rules.stack + rules.reserve + books.reloads * rules.stack
            total = self._sums.setdefault((called(player), player.dialect), _Sum())
            total.matches += 1
            total.hands += books.hands
            total.big_blinds += (books.chips - brought) / rules.big_blind
            total.wins += line.rank == 1
