"""A table together with what its house knows about it: deals, places, record."""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec

from croupier import __version__
from croupier.commitments import SCHEME
from croupier.dialects.roster import Place
from croupier.match.audience import Policy
from croupier.match.chance import SeededChance
from croupier.match.match import RETURNING, SEATING, Match
from croupier.match.standings import standings, worth
from croupier.server.table.opening import Opening
from croupier.server.table.seating import Seating
from croupier.server.table.table import Table
from croupier.store.places import kind_of, table_name


@dataclass(eq=False)
class Game:
    """One match at a table."""

    table: Table
    chance: SeededChance
    opening: Opening
    """What the server is bound to."""
    seating: Seating
    key: str
    """The key under which it is found in the store after a crash."""
    policy: Policy
    """What the audience sees of it."""
    humans: bool = False
    """People may sit down."""
    began: float = field(default_factory=time.time)
    on_hand: Callable[["Game"], None] = lambda game: None
    """Called when a hand is over and stored."""
    on_end: Callable[["Game"], object] = lambda game: None
    """Called as soon as the match is over, before its result is stored."""
    on_over: Callable[["Game"], None] = lambda game: None
    """Called when the match is over and its result is stored."""
    lasting: bool = False
    """The table stays when the match is over."""
    on_demand: bool = False
    """A visitor asked for the match: it is kept in the store only if a hand was finished."""
    away: set[int] = field(default_factory=set)
    """Players who have disconnected and may reconnect."""
    started: bool = False
    """The match has begun: from here on its seed deals, and is revealed at the end."""

    def lost(self, player: int, rejoins: bool) -> None:
        """Note that a player has disconnected; `rejoins` says whether its dialect lets it return.

        Before the match and after a restart of the server, every player may return, and whoever the
        next hand waits for.
        """
        match = self.table.match
        if rejoins or match.phase in (SEATING, RETURNING) or match.awaits(player):
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
        return self.opening.commitment

    @property
    def secret(self) -> bool:
        """Whether nobody knows the seed until the end."""
        return self.opening.secret

    def header(self) -> dict[str, Any]:
        """Return what is recorded when the match starts."""
        return match_header(
            self.table.id,
            self.began,
            self.key,
            self.table.match,
            self.seating.places,
            self.opening,
            self.chance.beacon,
        )

    def result(self) -> dict[str, Any]:
        """Return the result of the match as plain values.

        The seed of a match that never began is not in it: the table may open with it again.
        """
        result = match_result(
            self.table.id,
            self.began,
            self.table.match,
            self.seating.places,
            self.opening,
            self.chance,
        )
        if not self.started:
            result |= {"seed": None, "salt": None, "deal_seed": None}
        return result


def match_header(
    match_id: str,
    began: float,
    key: str,
    match: Match,
    places: Sequence[Place],
    opening: Opening,
    beacon: str = "",
) -> dict[str, Any]:
    """Return what is recorded of a match when it starts."""
    return {
        "id": match_id,
        "began": began,
        "place": key,
        "rules_name": match.rules.name,
        "rules": msgspec.json.encode(match.rules.as_dict()),
        "version": __version__,
        "players": msgspec.json.encode([asdict(place) for place in places]),
        "seed": opening.seed,
        "salt": opening.salt,
        "commitment": opening.commitment,
        "secret": int(opening.secret),
        "paused": int(match.pausing),
        "scheme": SCHEME,
        "opening": opening.number,
        "announced": opening.announced,
        "beacon": beacon,
        "twin": opening.twin,
    }


def match_result(
    match_id: str,
    began: float,
    match: Match,
    places: Sequence[Place],
    opening: Opening,
    chance: SeededChance,
) -> dict[str, Any]:
    """Return the result of a match that is over."""
    rules = match.rules
    seats = []
    for rank, player, chips, hands in standings(match.players, rules):
        entrant, place = match.players[player], places[player]
        bought = {"reloads": entrant.reloads, "worth": worth(entrant, rules)}
        seats.append(
            {
                "name": entrant.name,
                "dialect": place.dialect,
                "pid": place.pid,
                "chips": chips,
                "rank": rank,
                **(bought if rules.reloads else {}),
                "hands_survived": hands,
                "timeouts": entrant.timeouts,
                "faults": entrant.faults,
            }
        )
    return {
        "match": match_id,
        "rules": rules.name,
        "seed_sha256": opening.commitment,
        "seed": opening.seed.hex(),
        "salt": opening.salt.hex(),
        "secret": opening.secret,
        "opening": opening.number,
        "nonces": [place.nonce for place in places if place.nonce],
        "announced": opening.announced,
        "beacon": chance.beacon,
        "deal_seed": chance.deal_seed.hex(),
        "hands": match.played,
        "seats": seats,
        "seconds": round(time.time() - began, 3),
    }


def new_id() -> str:
    """Return the id of a new match."""
    return time.strftime("%Y%m%d-%H%M%S-", time.gmtime()) + secrets.token_hex(5)
