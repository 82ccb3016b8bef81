"""Transcripts: everything that went over one connection, with times, for the author of a bot.

Each line is the seconds since the connection was opened, a sign and a text: `>` bytes from the
player, `<` bytes to the player, `#` a remark of the server.

A transcript is a convenience: when it cannot be written, the log says so once per connection, and
the match continues without it.
"""

import contextlib
import re
import time
import zlib
from pathlib import Path
from typing import Final, TextIO

import structlog

from croupier.private_files import make_folder, opener

log = structlog.get_logger()

HIDDEN: Final = "..."
"""In place of a secret."""


def file_part(part: str) -> str:
    """Return a text as a part of a file name; different texts stay different."""
    safe = re.sub(r"[^A-Za-z0-9_.-]", "_", part)
    return (
        safe if safe == part else f"{safe}~{zlib.crc32(part.encode('utf-8', 'surrogatepass')):08x}"
    )


def transcript_name(*parts: str) -> str:
    """Return the name of the file for a connection, from the parts that tell whose it is."""
    return "-".join(file_part(part) for part in parts if part) + ".log"


class Transcript:
    """The transcript of one connection; without a folder, nothing is written."""

    __slots__ = ("_began", "_file", "_folder", "_hidden", "_lines", "_path")

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._path = Path()
        self._began = time.monotonic()
        self._file: TextIO | None = None
        self._lines: list[str] = []
        self._hidden: tuple[str, ...] = ()

    def hide(self, spellings: tuple[str, ...]) -> None:
        """Leave a secret out of all lines that are not in a file yet, however it is spelled."""
        self._hidden = spellings
        for spelling in spellings:
            self._lines = [line.replace(spelling, HIDDEN) for line in self._lines]

    def name(self, *parts: str) -> None:
        """Open the file, once its owner is known, and write the lines so far."""
        self._end_file()  # that of an earlier seat
        if self._folder is None:
            return
        self._path = self._folder / transcript_name(*parts)
        try:
            make_folder(self._folder)
            self._file = open(  # noqa: SIM115
                self._path,
                "a",
                encoding="utf-8",
                errors="backslashreplace",
                buffering=1 << 16,
                opener=opener,
            )
            self._file.writelines(self._lines)
        except OSError as error:
            self._give_up(error)
        self._lines = []

    def add(self, sign: str, text: object) -> None:
        """Add a line."""
        if self._folder is None:
            return
        for spelling in self._hidden:
            text = str(text).replace(spelling, HIDDEN)
        line = f"{time.monotonic() - self._began:.3f} {sign} {text}\n"
        if self._file is not None:
            try:
                self._file.write(line)
            except OSError as error:
                self._give_up(error)
        elif len(self._lines) < 100:
            self._lines.append(line)

    def flush(self) -> None:
        """Flush it to disk."""
        if self._file is not None:
            try:
                self._file.flush()
            except OSError as error:
                self._give_up(error)

    def close(self) -> None:
        """Close the file; further lines are dropped."""
        self._end_file()
        self._folder = None

    def _end_file(self) -> None:
        self.flush()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _give_up(self, error: OSError) -> None:
        log.error("a transcript cannot be written", file=str(self._path), reason=error.strerror)
        file, self._file, self._folder = self._file, None, None
        if file is not None:
            with contextlib.suppress(OSError):  # closing tries once more to write the buffer
                file.close()
