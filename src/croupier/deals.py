"""Deals that anyone can recompute: a pure function of (match seed, hand number).

All chance in a match comes from its seed of 32 bytes, through SHA-256 in counter mode. Each
purpose has a label of its own, so that no draw for one purpose can tell anything about another:

- block *i* of a label's stream is ``SHA-256(seed + label + i)``: the label in ASCII, *i* as eight
  bytes, big-endian, counted from 0. The stream is its blocks, read byte by byte;
- a number below *m* (*m* at most 256) takes one byte *b*: if ``b < 256 - 256 % m`` it is
  ``b % m``, otherwise the byte is dropped and the next one taken, so no number is favoured;
- *k* cards are the first *k* places of a Fisher-Yates shuffle of the deck in ascending order: for
  *i* from 0 to *k* - 1, swap place *i* with place *i* + (a number below *n* - *i*).

``docs/deals.md`` has the labels, a worked example and test vectors. Changing anything in this file
breaks the verification of every match on record.
"""

from collections.abc import Sequence
from hashlib import sha256

SEED_BYTES = 32


class Stream:
    """The random numbers of one purpose within a match."""

    __slots__ = ("_block", "_next", "_prefix", "_used")

    def __init__(self, seed: bytes, label: str) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._prefix = seed + label.encode("ascii")
        self._block = b""
        self._next = 0
        self._used = 32

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, each equally likely."""
        if not 0 < bound <= 256:
            raise ValueError(f"a bound is from 1 to 256, not {bound}")
        accepted = 256 - 256 % bound
        while True:
            if self._used == 32:
                self._block = sha256(self._prefix + self._next.to_bytes(8, "big")).digest()
                self._next += 1
                self._used = 0
            byte = self._block[self._used]
            self._used += 1
            if byte < accepted:
                return byte % bound


def draw(stream: Stream, deck: Sequence[int], count: int) -> list[int]:
    """Return the first cards of the deck as the stream shuffles it."""
    places = list(deck)
    size = len(places)
    if count > size:
        raise ValueError(f"cannot draw {count} cards from a deck of {size}")
    below = stream.below
    for i in range(count):
        j = i + below(size - i)
        places[i], places[j] = places[j], places[i]
    return places[:count]


def deal(seed: bytes, hand: int, deck: Sequence[int], count: int) -> list[int]:
    """Return the cards of one hand, in the order in which they are dealt."""
    return draw(Stream(seed, f"cards {hand}"), deck, count)


def seed_from_text(text: str) -> bytes:
    """Return the seed that a user's text means: 64 hex digits are its bytes, else its SHA-256."""
    if len(text) == 2 * SEED_BYTES:
        try:
            return bytes.fromhex(text)
        except ValueError:
            pass
    return sha256(text.encode()).digest()


def series_seed(seed: bytes, number: int) -> bytes:
    """Return the seed of a match in a series; the first has the seed itself."""
    return sha256(seed + f"match {number}".encode("ascii")).digest() if number else seed
