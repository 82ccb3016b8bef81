"""Frames: a signed little-endian length of four bytes, then that many bytes of JSON."""

import json
import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

MIN_BODY: Final = 2
MAX_BODY: Final = 64 * 1024
"""The longest frame body, in bytes. A security limit."""

SHORT: Final = 64
"""The longest frame whose parsed value is cached, such as a decision, in bytes."""

HEADER: Final = struct.Struct("<i")
_SIZE: Final = 4
"""Of the header."""


@dataclass(frozen=True, slots=True)
class BadFrame:
    """An invalid frame, after which nothing more can be read."""

    reason: str


def frame(text: str) -> bytes:
    """Return the frame of a JSON text, which must be ASCII: programs count characters as bytes."""
    return len(text).to_bytes(_SIZE, "little") + text.encode("ascii")


def _bad_length(length: int) -> str:
    """Return what is wrong with a length, and the likely reason."""
    text = f"a frame is {MIN_BODY} to {MAX_BODY} bytes long, not {length}"
    header = HEADER.pack(length)
    if MIN_BODY <= int.from_bytes(header, "big") <= MAX_BODY:
        return f"{text}; the length is little-endian"
    return f"{text}; a frame begins with its length" if header[:1] == b"{" else text


class FrameReader:
    """Reassembles the JSON objects of one connection from arbitrary pieces."""

    __slots__ = ("_bad", "_buffer")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._bad = False

    @property
    def pending(self) -> bool:
        """Whether an incomplete frame is buffered."""
        return bool(self._buffer)

    def receive(self, data: bytes) -> list[dict[str, Any] | BadFrame]:
        """Return the frames that these bytes complete; a BadFrame ends the stream."""
        frames: list[dict[str, Any] | BadFrame] = []
        found: dict[str, Any] | BadFrame
        buffer = self._buffer
        if not buffer and not self._bad and len(data) > _SIZE:
            length: int = HEADER.unpack_from(data)[0]
            if length == len(data) - _SIZE and MIN_BODY <= length <= MAX_BODY:
                # The common case: exactly one frame at a time.
                found = _parse(data[_SIZE:])
                self._bad = isinstance(found, BadFrame)
                return [found]
        if not self._bad:
            buffer += data
        while not self._bad and len(buffer) >= _SIZE:
            length = HEADER.unpack_from(buffer)[0]
            if not MIN_BODY <= length <= MAX_BODY:
                found = BadFrame(_bad_length(length))
            elif len(buffer) < _SIZE + length:
                break
            else:
                found = _parse(bytes(buffer[_SIZE : _SIZE + length]))
                del buffer[: _SIZE + length]
            frames.append(found)
            if isinstance(found, BadFrame):
                self._bad = True
                buffer.clear()
        return frames


def _parse(body: bytes) -> dict[str, Any] | BadFrame:
    return _parse_again(body) if len(body) <= SHORT else _parse_once(body)


def _parse_once(body: bytes) -> dict[str, Any] | BadFrame:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return BadFrame("the body of the frame is not JSON")
    return value if isinstance(value, dict) else BadFrame("the frame is not a JSON object")


# Players send the same few frames again and again. The cached objects are never modified.
_parse_again = lru_cache(maxsize=1024)(_parse_once)
