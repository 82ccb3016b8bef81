"""Tokens: the public digests of private names."""

import hashlib

MAX_PRIVATE_NAME = 256
"""The longest private name, in characters. A security limit."""


def token_of(name: str) -> str:
    """Return the public token of a private name."""
    return hashlib.md5(name.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
