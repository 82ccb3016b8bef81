"""Output of a server that never waits for whoever reads it.

A pipe that nobody reads, or a terminal that was stopped with Ctrl-S, would block the event loop at
the next line, and with it every table.
"""

import io
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO, cast

MOST_WAITING = 10_000
"""Texts that wait to be written; further ones are lost."""

LAST_WAIT = 5.0
"""Seconds without progress after which what still waits at the end is given up."""


class PatientOutput(io.TextIOBase):
    """Hands what is written to a thread that writes it to a stream, in order."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        stream.flush()
        try:
            self._descriptor: int | None = stream.fileno()
        except OSError:  # it is no file, but in memory
            self._descriptor = None
        self._texts: deque[str] = deque()
        self._changed = threading.Condition()
        self._lost = 0
        self._written = 0
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="output", daemon=True)
        self._thread.start()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Return the encoding of the stream."""
        return self._stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """Return how the stream treats what it cannot encode."""
        return self._stream.errors

    def writable(self) -> bool:
        """Return True."""
        return True

    def isatty(self) -> bool:
        """Tell whether the stream is a terminal."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Return the descriptor of the stream."""
        return self._stream.fileno()

    def write(self, text: str) -> int:
        """Take a text, or lose it if too many wait."""
        if not isinstance(text, str):  # so click finds out that this is no stream of bytes
            raise TypeError(f"a text is written here, not {type(text).__name__}")
        with self._changed:
            if len(self._texts) >= MOST_WAITING:
                self._lost += 1
            else:
                self._texts.append(text)
                self._changed.notify_all()
        return len(text)

    def flush(self) -> None:
        """Do nothing: the thread flushes whatever it writes."""

    def finish(self) -> None:
        """Wait until all is written, as long as somebody reads."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        written = -1
        while self._thread.is_alive() and written != self._written:
            written = self._written
            self._thread.join(LAST_WAIT)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._texts or self._closing)
                if not self._texts:
                    return
                text = self._texts.popleft()
                if self._lost and not self._texts:
                    text += f"{self._lost:,} texts are lost here: nobody read the output\n"
                    self._lost = 0
            # Whoever read may have gone: that ends no match.
            with suppress(OSError, ValueError):
                self._write_now(text)
            self._written += 1

    def _write_now(self, text: str) -> None:
        if self._descriptor is None:
            self._stream.write(text)
            return
        # Past the stream: its lock must not be held by a thread that waits when the process ends.
        rest = text.encode(self.encoding, self.errors or "strict")
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


@contextmanager
def patient_output() -> Iterator[None]:
    """Let nothing wait for the readers of standard output and standard error."""
    before = sys.stdout, sys.stderr
    ours = PatientOutput(before[0]), PatientOutput(before[1])
    sys.stdout, sys.stderr = (cast(TextIO, one) for one in ours)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for one in ours:
            one.finish()
