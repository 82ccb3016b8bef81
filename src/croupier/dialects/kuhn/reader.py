"""Bytes of a client into messages.

A command is four bytes, in any case, and acts as soon as they are there; only STRT has more to it
(start.py). Blanks, newlines and NULs before a command mean nothing. What comes in pieces is put
together, what comes glued is taken apart. Some input counts as complete only after a moment of
silence, of which the caller keeps the time: `pending` says that `flush` is due.
"""

import re

from croupier.dialects.kuhn import start
from croupier.dialects.kuhn.messages import Action, Anok, ClientError, Message, Quit, Wrong
from croupier.dialects.kuhn.words import BET, CALL, CHCK, FOLD, WRONG_SYNTAX

SILENCE = 0.2
"""Seconds after which what could go on counts as complete."""

MAX_UNREAD = 64
"""Bytes within which a command has to be complete, what precedes it included. A security limit."""

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
    """The input side of one connection; it holds at most MAX_UNREAD bytes."""

    __slots__ = ("closed", "spelling", "unread")

    def __init__(self, spelling: str | None = None) -> None:
        """`spelling` pins what the client's first STRT shows otherwise."""
        self.spelling = spelling
        """TEXT or BINARY, or None as long as the client has not shown it."""
        self.unread = b""
        """What has come and is no message yet."""
        self.closed = False
        """A message was read after which nothing counts: a wrong one, QUIT, or an ERRO."""

    @property
    def pending(self) -> bool:
        """Something is waiting that counts as complete after SILENCE."""
        return bool(self.unread) and self._first(self.unread, silent=True) is not None

    def receive(self, data: bytes) -> list[Message]:
        """Take bytes; return the messages that are complete with them."""
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
        """Return the message that bytes begin with, its length, and the spelling after it."""
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
        could_go_on = len(text) < _SIZE and word == text
        if could_go_on and (not silent or command in _BEGINNINGS):
            return None
        return _wrong(f"unknown command {repr(word)[1:]}"), before, self.spelling


def _wrong(explanation: str) -> Wrong:
    return Wrong(WRONG_SYNTAX, explanation)
