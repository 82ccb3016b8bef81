"""Parsing of a player's bytes into messages, and of messages into decisions.

The first newline or NUL ends a message. What follows a NUL in the same read is left over from the
program's fixed-size buffer, and is dropped. Real programs often send neither, so a complete word
takes effect at once; text that could continue (`raise 1`, a registration) takes effect after a
short silence, which the caller times: while `pending` is set, `flush` is due. Blanks around a
message and NULs before it are ignored.
"""

import re
from dataclasses import dataclass
from typing import Final

from croupier.dialects.base import PLAIN_CALL, PLAIN_FOLD, Answer, Illegal
from croupier.dialects.nonces import WHAT, is_nonce
from croupier.rules.decisions import ALL_IN, CALL, RAISE, Options, raise_to

SILENCE: Final = 0.020
"""Seconds after which a message without a newline counts as complete."""

MAX_UNREAD: Final = 4096
"""The most unread input, in bytes. A security limit: a player that sends more is dropped."""

NONCE: Final = b"nonce="
"""Begins a word of the registration that is a nonce."""

MAX_NAME: Final = 20
MAX_PID_DIGITS: Final = 18

_FILLER: Final = b" \t\r\0"
BLANK: Final = _FILLER + b"\n"
_END: Final = re.compile(rb"[\n\0]")
_WORDS: Final = frozenset((b"check", b"call", b"all_in", b"all in", b"all-in", b"fold"))
_WHOLE: Final = {word + end: word for word in _WORDS for end in (b"\n", b" \n")}
"""Complete messages that need no parsing: the common case."""
_RAISE: Final = re.compile(rb"raise[ \t]*(?:([0-9]+)(?:\.[0-9]*)?)?")
"""A fraction is truncated, and a missing number is 0."""
_REGISTRATION: Final = re.compile(rb"reg:[ \t]*([0-9]+)(?:[ \t]+([^ \t]+))?((?:[ \t]+[^ \t]+)*)")

CHECK_IS_CALL: Final = "check facing a bet counts as call"
RAISED_TO_MINIMUM: Final = "raise below the minimum counts as the minimum"
RAISE_IS_ALL_IN: Final = "raise of all chips or more counts as all_in"
RAISE_IS_CALL: Final = "a raise is not possible here and counts as call"


@dataclass(frozen=True, slots=True)
class Registration:
    """The first message of a player."""

    pid: str
    name: str
    notify: bool
    bets: bool
    nonce: str = ""


def parse_registration(line: bytes) -> Registration | Illegal:
    """Parse a registration."""
    match = _REGISTRATION.fullmatch(line.strip(BLANK))
    if match is None:
        return Illegal("the first message is not 'reg: pid name'")
    pid, name, rest = match.group(1), match.group(2) or match.group(1), match.group(3).split()
    if len(pid) > MAX_PID_DIGITS:
        return Illegal(f"the pid has more than {MAX_PID_DIGITS} digits")
    if len(name) > MAX_NAME or not all(32 < byte < 127 for byte in name):
        return Illegal(f"the name is not {MAX_NAME} printable characters at most")
    nonce = next((word[len(NONCE) :] for word in rest if word.startswith(NONCE)), None)
    text = "" if nonce is None else nonce.decode("latin-1")
    if nonce is not None and not is_nonce(text):
        return Illegal(WHAT)
    return Registration(
        pid.decode("ascii"),
        name.decode("ascii"),
        b"need_notify" in rest,
        b"need_bet" in rest,
        text,
    )


def has_end(data: bytes) -> bool:
    """Return whether a message ends in this input."""
    return _END.search(data) is not None


class HuaweiReader:
    """The input buffer of one connection, of at most MAX_UNREAD bytes."""

    __slots__ = ("_buffer", "_cut_short", "registered")

    def __init__(self) -> None:
        self._buffer = b""
        self._cut_short = False
        """Whether the last message took effect before its newline, which is then skipped."""
        self.registered = False

    @property
    def pending(self) -> bool:
        """Whether the buffered input counts as a complete message after SILENCE."""
        return bool(self._buffer) and self._could_be_complete(self._buffer.strip(BLANK))

    @property
    def partial(self) -> bool:
        """Whether a message is buffered that may be incomplete."""
        return bool(self._buffer)

    @property
    def overflowed(self) -> bool:
        """Whether more input is buffered than the limit allows."""
        return len(self._buffer) > MAX_UNREAD

    def receive(self, data: bytes) -> list[bytes]:
        """Accept bytes and return the messages that they complete."""
        if self._cut_short:
            data = self._skip_rest(data)
        whole = _WHOLE.get(data)
        if whole is not None and not self._buffer:
            return [whole]
        messages = []
        rest = self._buffer + data
        while (end := _END.search(text := rest.lstrip(_FILLER))) is not None:
            messages.append(text[: end.start()].strip(BLANK))
            rest = text[end.end() :]
            if end.group() == b"\0":
                self._cut_short = True
                rest = b""
        text = text.strip(BLANK)
        if self.registered and text and not self._could_grow(text):
            # A complete word, or something that no further byte can turn into one.
            messages.append(text)
            self._cut_short = True
            rest = b""
        self._buffer = rest
        return messages

    def flush(self) -> list[bytes]:
        """Return the message that silence has completed, if any."""
        if not self.pending:
            return []
        message, self._buffer = self._buffer.strip(BLANK), b""
        self._cut_short = True
        return [message]

    def discard(self) -> None:
        """Discard input received before a question."""
        self._buffer = b""

    def _skip_rest(self, data: bytes) -> bytes:
        rest = data.lstrip(_FILLER)
        if not rest:
            return b""
        self._cut_short = False
        return rest[1:] if rest[:1] == b"\n" else rest

    def _could_grow(self, text: bytes) -> bool:
        if text.startswith(b"raise"):
            return _RAISE.fullmatch(text) is not None
        if text in _WORDS:
            return False
        return any(word.startswith(text) for word in _WORDS) or b"raise".startswith(text)

    def _could_be_complete(self, text: bytes) -> bool:
        if not self.registered:
            return not isinstance(parse_registration(text), Illegal)
        return _RAISE.fullmatch(text) is not None


def decide(message: bytes, options: Options, high: int) -> Answer | Illegal:
    """Return the decision that a message means, given the player's options.

    `high` is the bet to match. Only the corrections that the specification promises are applied.
    """
    if message == b"call":
        return PLAIN_CALL
    if message == b"check":
        return Answer(CALL, CHECK_IS_CALL) if options.owed else PLAIN_CALL
    if message == b"fold":
        return PLAIN_FOLD
    if message in _WORDS:
        return _all_in(options, "")
    match = _RAISE.fullmatch(message)
    if match is None:
        return Illegal(f"{message[:40]!r} is no action")
    return _raise(_number(match.group(1) or b""), options, high)


def _number(digits: bytes) -> int:
    # A security limit: no stack has this many digits, so int() need not parse more.
    significant = digits.lstrip(b"0")[:19]
    return int(significant) if significant else 0


def _raise(by: int, options: Options, high: int) -> Answer:
    to = high + by
    if options.max_to and to >= options.max_to:
        if options.raise_ and not options.all_in:
            return Answer(raise_to(options.max_to, RAISE))
        return _all_in(options, RAISE_IS_ALL_IN)
    if not (options.max_to and options.raise_):
        return Answer(CALL, RAISE_IS_CALL)
    if to < options.min_to:
        if options.min_to == options.max_to and options.all_in:
            return _all_in(options, RAISE_IS_ALL_IN)
        return Answer(raise_to(options.min_to, RAISE), RAISED_TO_MINIMUM)
    return Answer(raise_to(to, RAISE))


def _all_in(options: Options, correction: str) -> Answer:
    if options.max_to and options.all_in:
        return Answer(raise_to(options.max_to, ALL_IN), correction)
    return Answer(CALL, correction)
