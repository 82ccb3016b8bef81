"""Parsing of a client's bytes into messages.

A command is four bytes, upper or lower case, and takes effect as soon as they have arrived; only
STRT has an argument (start.py). Blanks, newlines and NULs before a command are ignored. Commands
may arrive in pieces or several at once; programs that send a buffer of fixed size fill it with
NULs. Some input counts as complete only after a short silence,
which the caller times: while `pending` is set, `flush` is due.
"""

import re
from typing import Final

from croupier.dialects.kuhn import start
from croupier.dialects.kuhn.messages import Action, Anok, ClientError, Message, Quit, Wrong
from croupier.dialects.kuhn.words import BET, CALL, CHCK, FOLD, WRONG_SYNTAX

SILENCE: Final = 0.2
"""Seconds of silence after which input that could continue counts as complete."""

MAX_UNREAD: Final = 64
"""The longest command in bytes. A security limit."""

MAX_FILLER: Final = 16 * 1024
"""The most blanks, newlines and NULs before a command. A security limit."""

_FILLER: Final = re.compile(rb"[ \t\r\n\0]*")
_SIZE: Final = 4
_WORD: Final = re.compile(rb"[^ \t\r\n\0]{0,4}")
_START: Final = b"STRT"
_COMMANDS: Final[dict[bytes, Message]] = {
    b"ANOK": Anok(),
    b"QUIT": Quit(),
    b"ERRO": ClientError(),
    **{word.encode("ascii"): Action(word) for word in (CHCK, BET, CALL, FOLD)},
}
_BEGINNINGS: Final = frozenset(
    word[:size] for word in (_START, *_COMMANDS) for size in range(_SIZE)
)


class KuhnReader:
    """The input buffer of one connection, of at most MAX_UNREAD bytes."""

    __slots__ = ("_filler", "closed", "spelling", "unread")

    def __init__(self, spelling: str | None = None) -> None:
        """Use this spelling, or detect it from the client's first STRT if None."""
        self.spelling = spelling
        """TEXT or BINARY, or None until the client has shown it."""
        self.unread = b""
        """Input that is not a complete message yet."""
        self.closed = False
        """Whether the last message ends all input: an invalid one, QUIT or ERRO."""
        self._filler = 0
        """How many bytes without meaning have come since the last command."""

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
        first: tuple[Message, int, str | None] | None
        while not self.closed:
            filler = _FILLER.match(data, place).end() - place  # type: ignore[union-attr]
            self._filler += filler
            place += filler
            if self._filler > MAX_FILLER:
                first = _wrong(f"no command within {MAX_FILLER} bytes"), 0, self.spelling
            elif place == len(data):
                break
            else:
                first = self._first(data[place : place + MAX_UNREAD], silent)
                if first is None and len(data) - place <= MAX_UNREAD:
                    break
                if first is None:
                    first = _wrong(f"no command within {MAX_UNREAD} bytes"), 0, self.spelling
            message, length, self.spelling = first
            messages.append(message)
            place += length
            self._filler = 0
            self.closed = isinstance(message, Wrong | Quit | ClientError)
        self.unread = b"" if self.closed else data[place:]
        return messages

    def _first(self, data: bytes, silent: bool) -> tuple[Message, int, str | None] | None:
        """Return the message that the data begins with, its length, and the spelling after it."""
        word = _WORD.match(data).group()  # type: ignore[union-attr]
        command = word.upper()
        if command == _START:
            argument = start.read(data[_SIZE:], self.spelling, silent)
            if argument is None:
                return None
            return argument.message, _SIZE + argument.length, argument.spelling
        message = _COMMANDS.get(command)
        if message is not None:
            return message, _SIZE, self.spelling
        incomplete = len(data) < _SIZE and word == data
        if incomplete and (not silent or command in _BEGINNINGS):
            return None
        return _wrong(f"unknown command {repr(word)[1:]}"), 0, self.spelling


def _wrong(explanation: str) -> Wrong:
    return Wrong(WRONG_SYNTAX, explanation)
