"""Where seeds are drawn; everything that is dealt from one is pure (`deals.py`)."""

from secrets import token_bytes

from croupier.deals import SEED_BYTES


def fresh_seed() -> bytes:
    """Return a seed that nobody can guess."""
    return token_bytes(SEED_BYTES)
