"""From bytes to lines, and from lines to what a player said."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from croupier.dialects.acpc.words import CALL, FOLD, MAX_LINE, RAISE
from croupier.dialects.base import Answer
from croupier.rules import decisions as d
from croupier.rules.view import View

MAX_NAME: Final = 64
_VERSION: Final = re.compile(r"VERSION:\s*([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})(.*)", re.DOTALL)
_SIZE: Final = re.compile(r"\s*([+-]?[0-9]+)")
_LETTERS: Final = {"c": CALL, "k": CALL, "f": FOLD, "r": RAISE, "b": RAISE}


class LineReader:
    """Cuts bytes into lines; a line that is too long is dropped to its end."""

    __slots__ = ("_dropping", "_unread")

    def __init__(self) -> None:
        self._unread = b""
        self._dropping = False

    @property
    def partial(self) -> bool:
        """Whether the beginning of a line is kept."""
        return bool(self._unread)

    def receive(self, data: bytes) -> Iterator[str]:
        """Yield the lines that are complete now; a NUL ends what is read of a line."""
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            if self._dropping:
                self._dropping = False
            elif len(line) < MAX_LINE:
                yield line.partition(b"\0")[0].decode("latin-1").removesuffix("\r")
        if len(self._unread) >= MAX_LINE:
            self._dropping = True
        if self._dropping:
            self._unread = b""


@dataclass(frozen=True, slots=True)
class Version:
    """The first line of a player."""

    major: int
    words: str
    """What follows the version: a name or a key."""


def parse_version(line: str) -> Version | None:
    """Return what the first line of a player says, or None if it is no version."""
    match = _VERSION.match(line)
    if match is None:
        return None
    return Version(int(match[1]), match[4].strip())


def printable_name(words: str) -> str:
    """Return a name that can be shown, cut to its limit."""
    text = words.encode("latin-1", "replace").decode("utf-8", "replace")
    return "".join(one for one in text if one.isprintable())[:MAX_NAME].strip()


def decide(action: str | None, view: View) -> Answer:
    """Return the decision that an action becomes, with the correction if it is not what it said."""
    options = view.options
    assert options is not None
    if not action:
        return Answer(d.CALL, "no action: call")
    letter = _LETTERS.get(action[0].lower(), "")
    if letter == FOLD:
        return Answer(d.FOLD, "" if options.owed else "nothing is owed: check")
    if letter != RAISE:
        return Answer(d.CALL, "" if letter else "no such action: call")
    if not options.can_raise:
        return Answer(d.CALL, "no raise is possible: call")
    if view.rules.fixed_bets[view.street]:
        return Answer(d.raise_to(options.min_to))
    match = _SIZE.match(action, 1)
    if match is None:
        return Answer(d.CALL, "a raise without a size: call")
    # The size is the player's total of the whole hand, ours that of the street.
    seat = view.actor
    to = int(match[1]) - view.put[seat] + view.bets[seat]
    if to < options.min_to:
        return Answer(d.raise_to(options.min_to), "below the minimum: raised to it")
    if to > options.max_to:
        return Answer(d.raise_to(options.max_to), "above the stack: all-in")
    return Answer(d.raise_to(to))
