"""Frames: a signed little-endian length of four bytes, then that many bytes of JSON."""

import json
import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

MIN_BODY = 2
MAX_BODY = 64 * 1024
"""The longest frame body, in bytes. A security limit."""

SHORT = 64
"""The longest frame whose parsed value is cached, such as a decision, in bytes."""

HEADER = struct.Struct("<i")
_pack = HEADER.pack


@dataclass(frozen=True, slots=True)
class BadFrame:
    """An invalid frame, after which nothing more can be read."""

    reason: str


def frame(text: str) -> bytes:
    """Return the frame of a JSON text, which must be ASCII: programs count characters as bytes."""
    return _pack(len(text)) + text.encode("ascii")


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
        if not buffer and not self._bad and len(data) > HEADER.size:
            (length,) = HEADER.unpack_from(data)
            if length == len(data) - HEADER.size and MIN_BODY <= length <= MAX_BODY:
                # The common case: exactly one frame at a time.
                found = _parse(data[HEADER.size :])
                self._bad = isinstance(found, BadFrame)
                return [found]
        if not self._bad:
            buffer += data
        while not self._bad and len(buffer) >= HEADER.size:
            (length,) = HEADER.unpack_from(buffer)
            if not MIN_BODY <= length <= MAX_BODY:
                found = BadFrame(f"a frame is {MIN_BODY} to {MAX_BODY} bytes long, not {length}")
            elif len(buffer) < HEADER.size + length:
                break
            else:
                found = _parse(bytes(buffer[HEADER.size : HEADER.size + length]))
                del buffer[: HEADER.size + length]
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
