"""How the large columns of a hand are packed.

Hands resemble each other more than themselves: most of a hand's JSON is the names of events and
fields, and figures of the hand before. So each is deflated with a dictionary of typical hands. It
stays readable by itself, without the hands before it, whichever of them are lost or damaged.

A packed value begins with the number of its dictionary. JSON never begins with such a byte, so that
rows of older versions are recognised and returned as they are. Dictionaries are never changed: what
was packed with one could not be read any more.
"""

import zlib
from functools import cache
from pathlib import Path

from sqlalchemy import Dialect, LargeBinary, TypeDecorator

NEWEST = 1

_RAW = -15
"""Deflate without zlib's header and checksum, which would be an eighth of a small hand."""

_MAX_BYTES = 1 << 26
"""What a value may unpack to; a damaged one could ask for any amount."""


@cache
def dictionary(number: int) -> bytes:
    """Return a dictionary by its number."""
    return (Path(__file__).parent / f"dictionary-{number}.txt").read_bytes()


def pack(data: bytes) -> bytes:
    """Return a value as it is stored."""
    packer = zlib.compressobj(6, wbits=_RAW, zdict=dictionary(NEWEST))
    return bytes([NEWEST]) + packer.compress(data) + packer.flush()


def unpack(data: bytes) -> bytes:
    """Return a value as it was before it was packed; one that is not, or is damaged, as it is."""
    if not isinstance(data, bytes) or not data or not 1 <= data[0] <= NEWEST:
        return data
    unpacker = zlib.decompressobj(_RAW, zdict=dictionary(data[0]))
    try:
        whole = unpacker.decompress(data[1:], _MAX_BYTES)
    except zlib.error:
        return data
    return whole if unpacker.eof else data


class Packed(TypeDecorator[bytes]):
    """A column whose values are packed."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Pack."""
        return None if value is None else pack(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Unpack."""
        return None if value is None else unpack(value)
