"""What the tables of a house open with: its seeds, and the chains of its prepared tables."""

from collections.abc import Callable
from dataclasses import replace

from sqlalchemy import Engine

from croupier.deals import hosted_seed
from croupier.seeds import fresh_seed
from croupier.server.table.opening import Opening
from croupier.store import openings
from croupier.store.records import OpeningRecord, Records


class Openings:
    """Draws what matches are dealt from, and puts the openings of prepared tables on record."""

    def __init__(self, seed: bytes | None, engine: Engine | None, records: Records | None) -> None:
        """With a `seed`, those of all matches follow from it; without, each is drawn and secret."""
        self._seed = seed
        self._engine = engine
        self._records = records
        self._drawn = 0

    def draw(self) -> Opening:
        """Return what the next match will be dealt from."""
        if self._seed is None:
            return Opening(fresh_seed(), secret=True)
        self._drawn += 1
        return Opening(hosted_seed(self._seed, self._drawn - 1), secret=False)

    def next_at(self, key: str, announced: str, used: int | None) -> tuple[Opening, bool]:
        """Return what a prepared table opens with, and whether that is on record already.

        A table whose last opening led to no match opens with the same seed again: neither a crash
        nor closing it has another one drawn. `used` is the number of the opening whose match is
        known to have begun; its record may still be on its way.
        """
        drawn = self.draw() if self._seed is not None else None
        last = None if self._engine is None else openings.last(self._engine, key)
        if last is not None and not last.match and last.number != used:
            same = last.secret if drawn is None else last.seed == drawn.seed
            if same and last.announced == announced:
                return Opening.of(last), True
        opening = replace(drawn or self.draw(), announced=announced)
        if self._engine is None:
            return opening, True
        number, previous = (1, "") if last is None else (last.number + 1, last.digest)
        return replace(opening, number=number, previous=previous), False

    def record(self, key: str, opening: Opening, stored: Callable[[], None]) -> None:
        """Put an opening on record, and call `stored` when it is."""
        if self._records is None:
            stored()
        else:
            self._records.write(OpeningRecord(opening.record(key)), stored)

    def spent_on(self, key: str, announced: str) -> str:
        """Return the match on record that a table dealt with an announced beacon, if any."""
        return "" if self._engine is None else openings.spent_on(self._engine, key, announced)
