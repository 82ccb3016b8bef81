"""The server side of a `browser` connection: a person asks for a seat, decides and leaves.

A click may cross a new question on its way. So a decision names the hand and the street that it is
for, and one for another question is ignored: nobody loses a hand by it, and the clock goes on.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from croupier.dialects.base import Answer
from croupier.dialects.browser import words
from croupier.dialects.roster import Place
from croupier.dialects.session import (
    Answered,
    Exit,
    Expected,
    Farewell,
    Flood,
    Hello,
    Refusal,
    Said,
    Session,
    Situation,
    Stray,
    Wrong,
)
from croupier.dialects.tokens import token_of
from croupier.rules.decisions import ALL_IN, CALL, FOLD, Decision, Options, raise_to
from croupier.rules.view import View

MAX_LINE: Final = 4096
"""Bytes of one message. A security limit."""

LEFT: Final = "left the table"


class BrowserSession(Session):
    """One connection of the website, on behalf of one person."""

    __slots__ = ("_greeted", "_unread")

    def __init__(self) -> None:
        self._unread = b""
        self._greeted = False

    @property
    def partial(self) -> bool:
        return bool(self._unread)

    def receive(self, data: bytes, situation: Situation) -> Iterator[Said]:
        *lines, self._unread = (self._unread + data).split(b"\n")
        for text in lines:
            yield self._read(text, situation)
        if len(self._unread) > MAX_LINE:
            self._unread = b""
            yield Flood(f"a message of more than {MAX_LINE} bytes")

    def refuse(self, refusal: Refusal) -> Farewell:
        message = {"type": "refused", "kind": refusal.kind.value, "reason": refusal.reason}
        return Farewell(refusal.reason, words.line(message))

    def replaced(self) -> bytes:
        reason = "the seat was taken in another window"
        return words.line({"type": "refused", "kind": words.REPLACED, "reason": reason})

    def loggable(self, data: bytes) -> bytes:
        return data if self._greeted else b""  # the first message holds the token

    def _read(self, text: bytes, situation: Situation) -> Said:
        message = _object(text)
        if not self._greeted:
            return self._hello(message)
        match message.get("type"):
            case "leave" if situation.seated:
                return Exit(LEFT)
            case "act" if situation.expected is Expected.ANSWER:
                return _answered(message, situation.view)
            case "act":
                return Stray("ignored: it is not the player's turn")
            case _:
                return Stray("ignored: no message of this protocol")

    def _hello(self, message: dict[str, Any]) -> Said:
        name, token, table = (message.get(key) for key in ("name", "token", "table"))
        if message.get("type") != "hello" or not isinstance(table, str):
            return _wrong("the first message is hello, with a table, a name and a token")
        if not isinstance(name, str) or not _is_name(name):
            return _wrong(f"a name has 1 to {words.MAX_NAME} characters that can be printed")
        if not isinstance(token, str) or not words.MIN_TOKEN <= len(token) <= words.MAX_TOKEN:
            return _wrong(f"a token has {words.MIN_TOKEN} to {words.MAX_TOKEN} characters")
        self._greeted = True
        place = Place(name, words.NAME, token=token_of(token))
        return Hello(place, table=table, secret=token)


def _is_name(name: str) -> bool:
    return 1 <= len(name) <= words.MAX_NAME and name.isprintable() and name == name.strip()


def _wrong(reason: str) -> Wrong:
    message = {"type": "refused", "kind": "not understood", "reason": reason}
    return Wrong(Farewell(reason, words.line(message)))


def _object(text: bytes) -> dict[str, Any]:
    """Return a message, or an empty one if the text is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _answered(message: dict[str, Any], view: View) -> Said:
    if (message.get("hand"), message.get("street")) != (view.number, view.street):
        return Stray("ignored: a decision for another question")
    assert view.options is not None
    decision = _decision(message, view.options)
    if decision is None:
        return Stray("ignored: no decision")
    fault = view.options.fault(decision)
    return Stray(f"ignored: {fault}") if fault else Answered(Answer(decision))


def _decision(message: dict[str, Any], options: Options) -> Decision | None:
    match message.get("action"), message.get("to"):
        case "fold", _:
            return FOLD
        case "call", _:
            return CALL
        case "raise", int(to) if type(to) is int:
            # Where bets and raises are used up, all-in may be left.
            return raise_to(to) if options.can_raise else raise_to(to, ALL_IN)
        case _:
            return None
