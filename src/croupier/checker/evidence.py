"""Collect the mistakes of a program: those seen at the table, and the notes in its transcript.

Each mistake has a position, counted in lines of the transcript, which tells what came first and
which bytes to show around it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from croupier.dialects.turns import SURPLUS

CONTEXT_LINES = 8
"""Lines of the transcript that are shown up to the first mistake."""

BROKEN = "the checker breaks the connection"
_NO_MISTAKES = (
    "connection lost",
    "cut off: write failed",  # another form of a lost connection
    f"cut off: {BROKEN}",
    "quit",
    "replaced",
    "the server was late",
)
"""Prefixes of notes that are no mistakes, or that repeat what is seen at the table anyway."""
_NOTE = re.compile(rf"^\S+ # (?!{'|'.join(map(re.escape, _NO_MISTAKES))})(.*)")
_CORRECTED = "the server had to correct or ignore something"
_OUT_OF_TURN = ("discarded", "ignored", "skipped", "timeout")
"""Prefixes of notes on input that came at the wrong time."""


@dataclass(frozen=True)
class Mistake:
    """Something that the program did wrong."""

    line_number: int
    text: str
    certain: bool
    """Whether the mistake is independent of timing, and so of the load on the machine."""


class Evidence:
    """Everything observed of one program."""

    def __init__(self, folder: Path, flush: Callable[[], None]) -> None:
        """`folder` is where transcripts are written; `flush` writes what is still buffered."""
        self._folder = folder
        self._flush = flush
        self._seen: list[Mistake] = []
        self._excused: list[tuple[int, int]] = []
        """Ranges of lines in which input out of turn does not count."""
        self._excused_from: int | None = None
        self._found: dict[Path, int] = {}
        """The transcripts, numbered in the order in which they were found."""

    # Recording.

    def find_transcripts(self) -> None:
        """Register new transcripts; a program may open more than one connection."""
        for path in sorted(self._folder.glob("*.log")):
            self._found.setdefault(path, len(self._found))

    def add(self, text: str, *, certain: bool = False) -> None:
        """Record a mistake at the current end of the transcript."""
        self._seen.append(Mistake(len(self.lines()), text, certain))

    @property
    def excusing(self) -> bool:
        """Whether input out of turn is currently excused."""
        return self._excused_from is not None

    def excuse(self) -> None:
        """Excuse input out of turn from now on."""
        self._excused_from = len(self.lines())

    def stop_excusing(self) -> None:
        """Count input out of turn as a mistake again."""
        if self._excused_from is not None:
            self._excused.append((self._excused_from, len(self.lines())))
            self._excused_from = None

    # Evaluating.

    def lines(self) -> list[str]:
        """Return the lines of the transcripts of all connections, one after the other."""
        self._flush()
        self.find_transcripts()
        paths = sorted(self._found, key=lambda p: (p.name[:7] == "refused", self._found[p]))
        return [line for path in paths for line in path.read_text("utf-8").splitlines()]

    def messages(self) -> int:
        """Return how many times the program has sent something."""
        return sum(line.split(" ", 2)[1:2] == [">"] for line in self.lines())

    def first_mistake(self) -> Mistake | None:
        """Return the first mistake, if there is one."""
        notes = (
            Mistake(
                line_number,
                note if note in SURPLUS else f"{_CORRECTED}: {note}",
                not note.startswith(_OUT_OF_TURN),
            )
            for line_number, note in self.notes()
        )
        return min([*self._seen, *notes], key=lambda mistake: mistake.line_number, default=None)

    def notes(self) -> Iterator[tuple[int, str]]:
        """Yield the position and text of each note that is not excused."""
        spans = list(self._excused)
        if self._excused_from is not None:
            spans.append((self._excused_from, len(self.lines()) + 1))
        for line_number, line in enumerate(self.lines()):
            match = _NOTE.search(line)
            if match is None:
                continue
            excused = any(begin <= line_number < end for begin, end in spans)
            if not (excused and match.group(1).startswith(_OUT_OF_TURN)):
                yield line_number, match.group(1)

    def context_of(self, mistake: Mistake | None) -> list[str]:
        """Return the lines that lead up to a mistake, or the last lines."""
        lines = self.lines()
        end = len(lines) if mistake is None else mistake.line_number + 1
        return lines[:end][-CONTEXT_LINES:]
