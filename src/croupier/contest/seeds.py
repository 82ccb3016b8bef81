"""The seeds of a contest's draws and deals: all follow from one, and from names alone.

Nothing that happens while playing enters a seed, so a contest with deterministic bots comes out the
same on one core, on many, and after any interruption. `docs/deals.md` has test vectors.
"""

from hashlib import sha256

from croupier.commitments import with_lengths
from croupier.contest.fixtures import MatchName


def draw_seed(seed: bytes, stage: str) -> bytes:
    """Return the seed of a stage's draws."""
    return sha256(seed + b"draw " + with_lengths([stage])).digest()


def set_seed(seed: bytes, name: MatchName) -> bytes:
    """Return the seed of a match: all matches of a set share it."""
    parts = [name.stage, name.fixture, str(name.set)]
    return sha256(seed + b"set " + with_lengths(parts)).digest()


def friendly_seed(seed: bytes, number: int) -> bytes:
    """Return the seed of a friendly match, which tells nothing of any other seed."""
    return sha256(seed + b"friendly " + with_lengths([str(number)])).digest()
