"""The source of fresh seeds; everything derived from a seed is pure (`deals.py`)."""

from secrets import token_bytes

from croupier.deals import SEED_BYTES


def fresh_seed() -> bytes:
    """Return a new cryptographically random seed."""
    return token_bytes(SEED_BYTES)
