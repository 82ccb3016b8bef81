"""What speaks against a program: mistakes seen at the table, and notes in its transcript.

A place is a number of lines of the transcript, so that what came first can be told, and the bytes
around it can be shown.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from croupier.dialects.turns import SURPLUS

AROUND = 8
"""Lines of the transcript up to the first mistake."""

BROKEN = "the checker breaks the connection"
_NO_MISTAKES = (
    "connection lost",
    "cut off: write failed",  # it is lost as well
    f"cut off: {BROKEN}",
    "quit",
    "replaced",
    "the server was late",
)
"""How notes begin that blame nobody, or that tell of what is seen at the table anyway."""
_NOTE = re.compile(rf"^\S+ # (?!{'|'.join(map(re.escape, _NO_MISTAKES))})(.*)")
_CORRECTED = "the server had to correct or ignore something"
_OUT_OF_TURN = ("discarded", "ignored", "timeout")
"""How notes begin on what came at the wrong time."""


@dataclass(frozen=True)
class Mistake:
    """Something that the program did wrong."""

    place: int
    text: str
    certain: bool
    """It was no matter of time, which a busy machine may be short of."""


class Evidence:
    """All that was seen of one program."""

    def __init__(self, folder: Path, flush: Callable[[], None]) -> None:
        """`folder` is where the transcripts are written, `flush` brings them there."""
        self._folder = folder
        self._flush = flush
        self._seen: list[Mistake] = []
        self._excused: list[tuple[int, int]] = []
        """Places from which to which nothing out of turn counts."""
        self._excused_from: int | None = None
        self._found: dict[Path, int] = {}
        """The transcripts, numbered as they were found."""

    # What is seen.

    def look(self) -> None:
        """Find new transcripts: a program may open more than one connection."""
        for path in sorted(self._folder.glob("*.log")):
            self._found.setdefault(path, len(self._found))

    def saw(self, text: str, *, certain: bool = False) -> None:
        """Note a mistake of this moment."""
        self._seen.append(Mistake(len(self.lines()), text, certain))

    @property
    def excusing(self) -> bool:
        """The program is not to blame for what comes out of turn now."""
        return self._excused_from is not None

    def excuse(self) -> None:
        """Blame the program for nothing that comes out of turn from now on."""
        self._excused_from = len(self.lines())

    def excuse_no_more(self) -> None:
        """Take it seriously again."""
        if self._excused_from is not None:
            self._excused.append((self._excused_from, len(self.lines())))
            self._excused_from = None

    # What is made of it.

    def lines(self) -> list[str]:
        """Return the transcript, of all connections one after the other."""
        self._flush()
        self.look()
        paths = sorted(self._found, key=lambda p: (p.name[:7] == "refused", self._found[p]))
        return [line for path in paths for line in path.read_text("utf-8").splitlines()]

    def messages(self) -> int:
        """Return how often something came from the program."""
        return sum(line.split(" ", 2)[1:2] == [">"] for line in self.lines())

    def first_mistake(self) -> Mistake | None:
        """Return what went wrong first, if anything did."""
        notes = (
            Mistake(
                place,
                note if note in SURPLUS else f"{_CORRECTED}: {note}",
                not note.startswith(_OUT_OF_TURN),
            )
            for place, note in self.notes()
        )
        return min([*self._seen, *notes], key=lambda mistake: mistake.place, default=None)

    def notes(self) -> Iterator[tuple[int, str]]:
        """Return what the server made of messages, where it made something of them."""
        spans = list(self._excused)
        if self._excused_from is not None:
            spans.append((self._excused_from, len(self.lines()) + 1))
        for place, line in enumerate(self.lines()):
            match = _NOTE.search(line)
            if match is None:
                continue
            excused = any(begin <= place < end for begin, end in spans)
            if not (excused and match.group(1).startswith(_OUT_OF_TURN)):
                yield place, match.group(1)

    def around(self, mistake: Mistake | None) -> list[str]:
        """Return the lines up to a mistake, or the last ones."""
        lines = self.lines()
        end = len(lines) if mistake is None else mistake.place + 1
        return lines[:end][-AROUND:]
