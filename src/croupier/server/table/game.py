"""A table together with what its house knows about it: deals, places, record."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec

from croupier import __version__
from croupier.match.chance import SeededChance
from croupier.match.match import RETURNING, SEATING
from croupier.match.standings import worth
from croupier.server.table.seating import Seating
from croupier.server.table.table import Table
from croupier.store.places import kind_of, table_name


@dataclass(eq=False)
class Game:
    """One match at a table."""

    table: Table
    chance: SeededChance
    salt: bytes
    secret: bool
    seating: Seating
    key: str
    """The key under which it is found in the store after a crash."""
    began: float = field(default_factory=time.time)
    on_hand: Callable[["Game"], None] = lambda game: None
    """Called when a hand is over and stored."""
    on_end: Callable[["Game"], object] = lambda game: None
    """Called as soon as the match is over, before its result is stored."""
    on_over: Callable[["Game"], None] = lambda game: None
    """Called when the match is over and its result is stored."""
    lasting: bool = False
    """The table stays when the match is over."""
    away: set[int] = field(default_factory=set)
    """Players who have disconnected and may reconnect."""

    def lost(self, player: int, rejoins: bool) -> None:
        """Note that a player has disconnected; `rejoins` says whether its dialect lets it return.

        Before the match and after a restart of the server, every player may return.
        """
        if rejoins or self.table.match.phase in (SEATING, RETURNING):
            self.away.add(player)

    @property
    def kind(self) -> str:
        """Where it is played: a table, a host, or the dialect whose player asked for it."""
        return kind_of(self.key)

    @property
    def name(self) -> str:
        """The name of the table on pages and in the log, such as main or room-299."""
        return table_name(self.key)

    @property
    def commitment(self) -> str:
        """The digest of the seed that is published before the match."""
        return hashlib.sha256(self.salt + self.chance.seed).hexdigest()

    def header(self) -> dict[str, Any]:
        """Return what is recorded when the match starts."""
        rules = self.table.match.rules
        return {
            "id": self.table.id,
            "began": self.began,
            "place": self.key,
            "rules_name": rules.name,
            "rules": msgspec.json.encode(asdict(rules)),
            "version": __version__,
            "players": msgspec.json.encode([asdict(place) for place in self.seating.places]),
            "seed": self.chance.seed,
            "salt": self.salt,
            "commitment": self.commitment,
            "secret": int(self.secret),
            "paused": int(self.table.match.pausing),
        }

    def result(self) -> dict[str, Any]:
        """Return the result of the match as plain values."""
        match = self.table.match
        seats = []
        for rank, player, chips, hands in self.table.view.standings:
            entrant, place = match.players[player], self.seating.places[player]
            seats.append(
                {
                    "name": entrant.name,
                    "dialect": place.dialect,
                    "pid": place.pid,
                    "chips": chips,
                    "rank": rank,
                    **(
                        {"reloads": entrant.reloads, "worth": worth(entrant, match.rules)}
                        if match.rules.reloads
                        else {}
                    ),
                    "hands_survived": hands,
                    "timeouts": entrant.timeouts,
                    "faults": entrant.faults,
                }
            )
        return {
            "match": self.table.id,
            "rules": match.rules.name,
            "seed_sha256": self.commitment,
            "seed": self.chance.seed.hex(),
            "salt": self.salt.hex(),
            "secret": self.secret,
            "hands": match.played,
            "seats": seats,
            "seconds": round(time.time() - self.began, 3),
        }
