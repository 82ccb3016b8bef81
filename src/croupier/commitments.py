"""What a server commits to before a match, and what others add to it before the cards are dealt.

The server is bound to its seed by a published digest. Nonces of players and the value of a public
beacon, which came later, are then hashed into the seed from which cards are dealt, so that nobody
alone has chosen them. `docs/deals.md` says what that proves to whom, and has test vectors.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

SCHEME = 2
"""The version of this derivation, in the record of every match. Matches of scheme 1, up to version
0.2, are dealt from the seed itself and know neither nonces nor beacons."""

_DEALS = b"croupier deals 2"
_OPENING = b"croupier opening 1"


def with_lengths(texts: Iterable[str]) -> bytes:
    """Join texts in UTF-8, each after its length in bytes, as four big-endian bytes."""
    parts = [text.encode() for text in texts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def deal_seed(seed: bytes, nonces: Sequence[str] = (), beacon: str = "") -> bytes:
    """Return the seed from which cards are dealt, once everything that enters it is known.

    `nonces` are in the order of joining; those who gave none have an empty one or are left out.
    Without nonces and beacon the cards are dealt from the server's seed itself.
    """
    given = [nonce for nonce in nonces if nonce]
    if not given and not beacon:
        return seed
    return sha256(_DEALS + seed + with_lengths([*given, beacon])).digest()


def commitment_to(seed: bytes, salt: bytes, announced: str = "", coefficients: str = "") -> str:
    """Return the digest that binds a server to its seed, and to the beacon that it announced.

    `coefficients` is the hash of those with which a contest takes luck out of its rates.
    """
    return sha256(salt + seed + (announced + coefficients).encode()).hexdigest()


def opening_digest(
    previous: str, place: str, number: int, at: float, commitment: str, announced: str
) -> str:
    """Return the digest of an opening of a table; `previous` is that of the one before, if any."""
    texts = [previous, place, str(number), f"{at:.3f}", commitment, announced]
    return sha256(_OPENING + with_lengths(texts)).hexdigest()
