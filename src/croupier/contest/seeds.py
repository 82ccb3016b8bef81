"""The seeds of a contest's draws and deals: all follow from one, and from names alone.

Nothing that happens while playing enters a seed, so a contest with deterministic bots comes out the
same on one core, on many, and after any interruption. `docs/deals.md` has test vectors.
"""

from collections.abc import Sequence
from hashlib import sha256

from croupier.contest.fixtures import MatchName


def deal_seed(seed: bytes, nonces: Sequence[str] = (), beacon: str = "") -> bytes:
    """Return the seed from which a contest deals, once everything that enters it is known.

    Without nonces and beacon it is the contest's own seed.
    """
    if not beacon and not any(nonces):
        return seed
    return sha256(seed + b"deals " + _with_lengths([*nonces, beacon])).digest()


def draw_seed(seed: bytes, stage: str) -> bytes:
    """Return the seed of a stage's draws."""
    return sha256(seed + b"draw " + _with_lengths([stage])).digest()


def set_seed(seed: bytes, name: MatchName) -> bytes:
    """Return the seed of a match: all matches of a set share it."""
    parts = [name.stage, name.fixture, str(name.set)]
    return sha256(seed + b"set " + _with_lengths(parts)).digest()


def _with_lengths(texts: Sequence[str]) -> bytes:
    """Join texts, each after its length as four big-endian bytes."""
    parts = [text.encode() for text in texts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
