"""Parsing of a client's bytes into messages.

A command is four bytes, upper or lower case, and takes effect as soon as they have arrived; only
STRT has an argument (start.py). Blanks, newlines and NULs before a command are ignored. Commands
may arrive in pieces or several at once. Some input counts as complete only after a short silence,
which the caller times: while `pending` is set, `flush` is due.
"""

import re

from croupier.dialects.kuhn import start
from croupier.dialects.kuhn.messages import Action, Anok, ClientError, Message, Quit, Wrong
from croupier.dialects.kuhn.words import BET, CALL, CHCK, FOLD, WRONG_SYNTAX

SILENCE = 0.2
"""Seconds of silence after which input that could continue counts as complete."""

MAX_UNREAD = 64
"""The longest command in bytes, including what precedes it. A security limit."""

_BETWEEN = b" \t\r\n\0"
_SIZE = 4
_WORD = re.compile(rb"[^ \t\r\n\0]{0,4}")
_START = b"STRT"
_COMMANDS: dict[bytes, Message] = {
    b"ANOK": Anok(),
    b"QUIT": Quit(),
    b"ERRO": ClientError(),
}
_COMMANDS |= {word.encode("ascii"): Action(word) for word in (CHCK, BET, CALL, FOLD)}
_BEGINNINGS = frozenset(word[:size] for word in (_START, *_COMMANDS) for size in range(_SIZE))


class KuhnReader:
    """The input buffer of one connection, of at most MAX_UNREAD bytes."""

    __slots__ = ("closed", "spelling", "unread")

    def __init__(self, spelling: str | None = None) -> None:
        """Use this spelling, or detect it from the client's first STRT if None."""
        self.spelling = spelling
        """TEXT or BINARY, or None until the client has shown it."""
        self.unread = b""
        """Input that is not a complete message yet."""
        self.closed = False
        """Whether the last message ends all input: an invalid one, QUIT or ERRO."""

    @property
    def pending(self) -> bool:
        """Whether the buffered input counts as complete after SILENCE."""
        return bool(self.unread) and self._first(self.unread, silent=True) is not None

    def receive(self, data: bytes) -> list[Message]:
        """Accept bytes and return the messages that they complete."""
        if self.closed:
            return []
        self.unread += data
        return self._read(silent=False)

    def flush(self) -> list[Message]:
        """Return the messages that silence has completed."""
        return self._read(silent=True)

    def _read(self, silent: bool) -> list[Message]:
        messages: list[Message] = []
        data = self.unread
        place = 0
        while not self.closed and place < len(data):
            first = self._first(data[place : place + MAX_UNREAD], silent)
            if first is None and len(data) - place <= MAX_UNREAD:
                break
            if first is None:
                first = _wrong(f"no command within {MAX_UNREAD} bytes"), 0, self.spelling
            message, length, self.spelling = first
            messages.append(message)
            place += length
            self.closed = isinstance(message, Wrong | Quit | ClientError)
        self.unread = b"" if self.closed else data[place:]
        return messages

    def _first(self, data: bytes, silent: bool) -> tuple[Message, int, str | None] | None:
        """Return the first message in the data, its length, and the spelling after it."""
        text = data.lstrip(_BETWEEN)
        before = len(data) - len(text)
        word = _WORD.match(text).group()  # type: ignore[union-attr]
        command = word.upper()
        if command == _START:
            argument = start.read(text[_SIZE:], self.spelling, silent)
            if argument is None:
                return None
            return argument.message, before + _SIZE + argument.length, argument.spelling
        message = _COMMANDS.get(command)
        if message is not None:
            return message, before + _SIZE, self.spelling
        incomplete = len(text) < _SIZE and word == text
        if incomplete and (not silent or command in _BEGINNINGS):
            return None
        return _wrong(f"unknown command {repr(word)[1:]}"), before, self.spelling


def _wrong(explanation: str) -> Wrong:
    return Wrong(WRONG_SYNTAX, explanation)
