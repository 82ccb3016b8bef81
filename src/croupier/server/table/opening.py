"""What the server is bound to when a table opens: a seed, and perhaps a beacon to come."""

import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from croupier.commitments import commitment_to, opening_digest
from croupier.deals import SEED_BYTES
from croupier.store.records import OpeningRow

MAX_BEACON = 200
"""Characters of a beacon, as it is announced, and of its value."""


@dataclass(frozen=True)
class Opening:
    """The seed of a match, with the salt that hides it in the commitment."""

    seed: bytes = field(repr=False)
    secret: bool
    """Whether the seed is kept from everyone until the match is over."""
    announced: str = ""
    """The beacon whose value will enter the deals, in the organiser's words."""
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(SEED_BYTES), repr=False)
    number: int | None = None
    """Counts the openings of a prepared table whose record is kept."""
    previous: str = ""
    """The digest of the opening before."""
    at: float = field(default_factory=lambda: round(time.time(), 3))
    twin: int = 0
    """The number of the match in a set of duplicates."""

    @property
    def commitment(self) -> str:
        """The digest that is published before anybody may join."""
        return commitment_to(self.seed, self.salt, self.announced)

    def record(self, place: str) -> dict[str, Any]:
        """Return what is stored of an opening with a number."""
        assert self.number is not None
        return {
            "place": place,
            "number": self.number,
            "at": self.at,
            "seed": self.seed,
            "salt": self.salt,
            "secret": int(self.secret),
            "announced": self.announced,
            "commitment": self.commitment,
            "previous": self.previous,
            "digest": opening_digest(
                self.previous, place, self.number, self.at, self.commitment, self.announced
            ),
        }

    @classmethod
    def of(cls, row: OpeningRow) -> "Opening":
        """Return an opening on record."""
        return cls(row.seed, row.secret, row.announced, row.salt, row.number, row.previous, row.at)

    @classmethod
    def of_match(cls, header: dict[str, Any]) -> "Opening":
        """Return the opening of a match on record."""
        return cls(
            header["seed"],
            bool(header["secret"]),
            header["announced"],
            header["salt"],
            header["opening"],
            twin=header["twin"],
        )
