"""What went over one player's connection, with times: what a bot's author asks for first.

Each line is the seconds since the connection was opened, a sign and a text: `>` bytes from the
player, `<` bytes to the player, `#` what the server made of it.
"""

import re
import time
import zlib
from pathlib import Path
from typing import TextIO


def _safe(part: str) -> str:
    """Return a part of a file's name; two names that differ stay different."""
    safe = re.sub(r"[^A-Za-z0-9_.-]", "_", part)
    return (
        safe if safe == part else f"{safe}~{zlib.crc32(part.encode('utf-8', 'surrogatepass')):08x}"
    )


class Transcript:
    """One file per connection; without a folder nothing is kept."""

    __slots__ = ("_began", "_file", "_folder", "_lines")

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._began = time.monotonic()
        self._file: TextIO | None = None
        self._lines: list[str] = []

    def name(self, *parts: str) -> None:
        """Open the file, once it is known whose it is; what came before is not lost."""
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        safe = "-".join(_safe(part) for part in parts if part)
        self._file = (self._folder / f"{safe}.log").open("a", encoding="utf-8", buffering=1 << 16)
        self._file.writelines(self._lines)
        self._lines = []

    def add(self, sign: str, text: object) -> None:
        """Write a line."""
        if self._folder is None:
            return
        line = f"{time.monotonic() - self._began:.3f} {sign} {text}\n"
        if self._file is not None:
            self._file.write(line)
        elif len(self._lines) < 100:
            self._lines.append(line)

    def flush(self) -> None:
        """Bring it to the disk."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._folder = None
