"""Parsing of the id after STRT: where it ends, and in which spelling it is.

Every other command is four bytes. This one is followed by a blank and either a number as text,
which ends with its line, or four arbitrary bytes, which may be digits, blanks or newlines. So the
first STRT of a connection determines the client's spelling:

- digits, possibly quoted, up to the end of a line or a silence are text; anything else is binary.
  A binary id that looks like text is above 500 million; a listener can fix the spelling for those;
- input that can no longer become text is binary at once; input that still can has to wait;
- input that continues with a digit after four bytes is text at once: no command begins with one;
- a line of printable characters that is too short for four bytes is text after a silence: nothing
  of a binary id is missing for that long.

Silence aside, the outcome depends only on the bytes, not on how they are split.
"""

import re
from dataclasses import dataclass

from croupier.dialects.kuhn.messages import Start, Wrong
from croupier.dialects.kuhn.words import BINARY, TEXT, WRONG_ID, WRONG_SYNTAX

MAX_DIGITS = 18
"""The most digits of a text id. A security limit."""

_SIZE = 4
_BLANK = b" "
_LINE_END = re.compile(rb"[\n\0]")
"""NUL included, since many C programs send it with their text."""
_NUMBER = re.compile(rb" *(['\"]?)(-?[0-9]+)\1[ \r]*")
_SHORT_LINE = re.compile(rb"[ -~]+\r?\n")
_LIKE_A_NUMBER = re.compile(rb" *['\"]?-?(?:[0-9]+['\"]?[ \r]*)?")
"""Anything that a number can begin with, and some input that is rejected when the line ends."""


@dataclass(frozen=True, slots=True)
class Argument:
    """The argument of a STRT: its meaning, its length in bytes and its spelling."""

    message: Start | Wrong
    length: int
    spelling: str | None


def read(data: bytes, spelling: str | None, silent: bool) -> Argument | None:
    """Parse the argument that follows `STRT`; return None if it is incomplete.

    The spelling is detected if it is None. `silent` means that no input has arrived for a while.
    """
    if not data:
        return None
    if data[:1] != _BLANK:
        return Argument(Wrong(WRONG_SYNTAX, "STRT without an id"), 0, spelling)
    after = data[1:]
    found = spelling or _spelling(after, silent)
    if found == TEXT:
        return _text(after, silent)
    if found == BINARY and len(after) >= _SIZE:
        number = int.from_bytes(after[:_SIZE], "big", signed=True)
        return Argument(_start(number), 1 + _SIZE, BINARY)
    return None


def _spelling(after: bytes, silent: bool) -> str | None:
    """Detect the spelling, or return None if it is still ambiguous."""
    end = _LINE_END.search(after)
    line = after[: end.start()] if end else after
    goes_on = line[_SIZE : _SIZE + 1] not in (b"", _BLANK)
    if goes_on and _LIKE_A_NUMBER.fullmatch(line[: _SIZE + 1]):
        return TEXT
    if (end or silent) and _NUMBER.fullmatch(line):
        return TEXT
    if silent and len(after) < _SIZE and _SHORT_LINE.fullmatch(after):
        return TEXT
    if not end and _LIKE_A_NUMBER.fullmatch(line):
        return BINARY if silent and len(line) >= _SIZE else None
    return BINARY


def _text(after: bytes, silent: bool) -> Argument | None:
    end = _LINE_END.search(after)
    line = after[: end.start()] if end else after
    if end is None and not (silent and line.strip()):
        return None
    return Argument(_start_of_text(line), 1 + len(line), TEXT)


def _start_of_text(line: bytes) -> Start | Wrong:
    number = _NUMBER.fullmatch(line)
    if number is None:
        return Wrong(WRONG_SYNTAX, "the id is no number")
    digits = number.group(2)
    if len(digits) > MAX_DIGITS:
        return Wrong(WRONG_ID, f"the id has more than {MAX_DIGITS} digits")
    return _start(int(digits))


def _start(number: int) -> Start | Wrong:
    return Start(number) if number > 0 else Wrong(WRONG_ID, "the id is not above 0")
