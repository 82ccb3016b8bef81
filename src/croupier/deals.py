"""Reproducible deals: a pure function of (match seed, hand number).

All randomness in a match comes from its 32-byte seed, through SHA-256 in counter mode. Each
purpose has its own label, so a draw for one purpose reveals nothing about another:

- block *i* of a label's stream is ``SHA-256(seed + label + i)``: the label in ASCII, *i* as eight
  big-endian bytes, counted from 0. The stream is the concatenation of its blocks;
- a number below *m* (*m* at most 256) takes one byte *b*: if ``b < 256 - 256 % m`` the number is
  ``b % m``, otherwise the byte is skipped and the next one used, so the result is unbiased;
- *k* cards are the first *k* positions of a Fisher-Yates shuffle of the deck in ascending order:
  for *i* from 0 to *k* - 1, swap position *i* with position *i* + (a number below *n* - *i*).

``docs/deals.md`` lists the labels, a worked example and test vectors. Any change to these results
breaks the verification of every recorded match.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

SEED_BYTES: Final = 32
BLOCK_BYTES: Final = 32


_ACCEPTED: Final[tuple[int, ...]] = (0, *(256 - 256 % bound for bound in range(1, 257)))
"""By bound, the bytes from which a number below it is taken; greater ones are skipped."""


class Stream:
    """A stream of random numbers for one purpose within a match."""

    __slots__ = ("_block", "_next", "_prefix", "_used")

    def __init__(self, seed: bytes, label: str) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._prefix = seed + label.encode("ascii")
        self._block = b""
        self._next = 0
        self._used = BLOCK_BYTES

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, each equally likely."""
        if not 0 < bound <= 256:
            raise ValueError(f"a bound is from 1 to 256, not {bound}")
        accepted = _ACCEPTED[bound]
        while True:
            if self._used == BLOCK_BYTES:
                self._block = self._following()
                self._used = 0
            byte = self._block[self._used]
            self._used += 1
            if byte < accepted:
                return byte % bound

    def shuffle(self, places: list[int], count: int) -> None:
        """Shuffle the first `count` places: `below` for each of them, as one loop."""
        size = len(places)
        block, used = self._block, self._used
        for i in range(count):
            bound = size - i
            accepted = _ACCEPTED[bound]
            while True:
                if used == BLOCK_BYTES:
                    block = self._following()
                    used = 0
                byte = block[used]
                used += 1
                if byte < accepted:
                    break
            j = i + byte % bound
            card = places[i]
            places[i] = places[j]
            places[j] = card
        self._block, self._used = block, used

    def _following(self) -> bytes:
        block = sha256(self._prefix + self._next.to_bytes(8, "big")).digest()
        self._next += 1
        return block


def draw(stream: Stream, deck: Sequence[int], count: int) -> list[int]:
    """Shuffle the deck with the stream and return its first `count` cards."""
    places = list(deck)
    size = len(places)
    if count > size:
        raise ValueError(f"cannot draw {count} cards from a deck of {size}")
    if size > 256:
        raise ValueError(f"a deck has at most 256 cards, not {size}")
    stream.shuffle(places, count)
    return places[:count]


def deal(seed: bytes, hand: int, deck: Sequence[int], count: int) -> list[int]:
    """Return the cards of one hand in dealing order."""
    return draw(Stream(seed, f"cards {hand}"), deck, count)


def seed_from_text(text: str) -> bytes:
    """Return the seed for a user's text: 64 hex digits verbatim, any other text hashed."""
    if len(text) == 2 * SEED_BYTES:
        try:
            return bytes.fromhex(text)
        except ValueError:
            pass
    return sha256(text.encode()).digest()


def series_seed(seed: bytes, number: int) -> bytes:
    """Return the seed of match `number` in a series; match 0 has the seed itself."""
    return hosted_seed(seed, number) if number else seed


def hosted_seed(seed: bytes, number: int) -> bytes:
    """Return the seed of match `number` that a server deals from a seed.

    Each is published when its match has ended. None of them reveals the seed that they come from,
    and so none reveals another.
    """
    return sha256(seed + f"match {number}".encode("ascii")).digest()


# Twins: matches with the same deals, in which no player recognises them.


def twin_suits(seed: bytes, twin: int) -> list[int]:
    """Return what a twin calls each suit; twin 0 leaves them as they are."""
    return draw(Stream(seed, f"twin {twin} suits"), range(4), 4) if twin else [0, 1, 2, 3]


def twin_order(seed: bytes, twin: int, hands: int, seats: int) -> list[int]:
    """Return which deal each hand of a twin has: entry i is the deal of hand number i + 1.

    The button moves by one seat a hand, so a deal may only move by a multiple of the seats: then
    the twins of a set still have every player in every seat of every deal. Among the hands that are
    so many apart, deals are in the order of SHA-256( seed + "twin K hand N" ).
    """
    order = list(range(1, hands + 1))
    if twin:
        for first in range(seats):
            order[first::seats] = sorted(
                order[first::seats],
                key=lambda hand: sha256(seed + f"twin {twin} hand {hand}".encode("ascii")).digest(),
            )
    return order
