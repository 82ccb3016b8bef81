"""Parsing of a `huawei` server's bytes into blocks: a name and the lines up to `/name`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from croupier.dialects.player_side import WireError

MAX_LINE: Final = 256
MAX_LINES: Final = 64
"""The longest line in bytes, and the longest block in lines. Security limits."""

GAME_OVER: Final = "game-over"

_OPENING: Final = re.compile(r"([a-z]+(?:-[a-z]+)?)/")
_BLANK: Final = " \t\r\0"
_BEGINNING: Final = re.compile(rb"[ \t\r\0]*[a-z-]*/?[ \t\r\0]*")
"""Anything that the first line of a message can begin with."""


@dataclass(frozen=True, slots=True)
class Block:
    """One message of the server."""

    name: str
    lines: list[str]


class BlockReader:
    """Reassembles blocks from bytes that arrive in arbitrary pieces."""

    __slots__ = ("_lines", "_name", "_rest")

    def __init__(self) -> None:
        self._rest = b""
        self._name = ""
        self._lines: list[str] = []

    def receive(self, data: bytes) -> Iterator[Block]:
        """Yield the blocks that these bytes complete."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            block = self._line(line)
            if block is not None:
                yield block
        if len(self._rest) > MAX_LINE or not self._rest.isascii():
            raise WireError(f"{self._rest[:40]!r} is not the start of a line of text")
        if not (self._name or _BEGINNING.fullmatch(self._rest)):
            raise WireError(f"{self._rest[:40]!r} is not the start of a message")

    def _line(self, raw: bytes) -> Block | None:
        if len(raw) > MAX_LINE or not raw.isascii():
            raise WireError(f"{raw[:40]!r} is not a line of text")
        line = raw.decode("ascii").strip(_BLANK)
        if self._name:
            if line == f"/{self._name}":
                block = Block(self._name, self._lines)
                self._name, self._lines = "", []
                return block
            self._lines.append(line)
            if len(self._lines) > MAX_LINES:
                raise WireError(f"{self._name}/ has no end")
            return None
        if line == GAME_OVER:
            return Block(GAME_OVER, [])
        opening = _OPENING.fullmatch(line)
        if opening is not None:
            self._name = opening.group(1)
        elif line:
            raise WireError(f"{line[:40]!r} is not the start of a message")
        return None
