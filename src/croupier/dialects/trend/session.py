"""The server side of a `trend` connection: a join with the private name, then actions.

The private name is a credential. It is converted to its token here; the session keeps it only to
redact it from transcripts.
"""

import re
from collections.abc import Iterator
from typing import Final

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.nonces import WHAT
from croupier.dialects.roster import Place
from croupier.dialects.session import (
    Answered,
    Expected,
    Farewell,
    Hello,
    Refusal,
    RefusalKind,
    Said,
    Session,
    Situation,
    Stray,
    Wrong,
)
from croupier.dialects.session import Reload as WantsReload
from croupier.dialects.tokens import token_of
from croupier.dialects.trend.reader import (
    Action,
    Join,
    Message,
    Reload,
    Unknown,
    decide,
    parse,
)
from croupier.dialects.trend.words import NAME

CLOSE_CODES: Final = {
    RefusalKind.NOT_UNDERSTOOD: 4001,
    RefusalKind.TAKEN: 4002,
    RefusalKind.UNKNOWN: 4003,
    RefusalKind.FULL: 4004,
}

NO_JOIN: Final = "the first message is not a __join with a playerName"

MIN_SUBSTRING_REDACTED: Final = 8
"""The length from which a private name is also redacted inside other words; a shorter one would
match too many of them."""


class TrendSession(Session):
    """One connection; input comes as whole WebSocket messages."""

    __slots__ = ("_name", "_said_hello")

    def __init__(self) -> None:
        self._name = b""
        self._said_hello = False

    def receive(self, data: bytes, situation: Situation) -> Iterator[Said]:
        message = parse(data)
        if not self._said_hello:
            yield self._join(message)
        elif isinstance(message, Join):
            yield Stray("ignored: a second join")
        elif isinstance(message, Reload):
            expected = situation.expected is Expected.RELOAD
            yield WantsReload() if expected else Stray("ignored: no reload is asked for")
        elif situation.expected is Expected.ANSWER:
            yield Answered(self._decide(message, situation))
        else:
            yield Stray("ignored: it is not this player's turn")

    def refuse(self, refusal: Refusal) -> Farewell:
        return Farewell(refusal.reason, code=CLOSE_CODES[refusal.kind])

    def loggable(self, data: bytes) -> bytes:
        """Redact the private name, which some programs repeat in their messages."""
        if not self._said_hello:
            return b""
        name = self._name
        data = data.replace(b'"' + name + b'"', b'"..."')
        if len(name) >= MIN_SUBSTRING_REDACTED:
            data = data.replace(name, b"...")
        if b"\\" in data:
            plain = _ESCAPE.sub(_unescaped, data.decode("utf-8", "replace"))
            if name.decode("utf-8", "replace") in plain:
                return b"(left out: it holds the private name)"
        return data

    def _join(self, message: Message) -> Hello | Wrong:
        if not isinstance(message, Join):
            bad_nonce = isinstance(message, Unknown) and message.reason == WHAT
            reason = WHAT if bad_nonce else NO_JOIN
            return Wrong(self.refuse(Refusal(RefusalKind.NOT_UNDERSTOOD, reason)))
        self._said_hello = True
        self._name = message.name.encode("utf-8", "surrogatepass")
        token = token_of(message.name)
        place = Place(f"t-{token[:8]}", NAME, token=token, nonce=message.nonce)
        return Hello(place, secret=message.name)

    def _decide(self, message: Message, situation: Situation) -> Answer | Illegal:
        if not isinstance(message, Action):
            return Illegal("a message that is no action")
        view = situation.view
        assert view.options is not None
        return decide(message, view.options, view.high, view.bets[view.actor], view.big_blind)


_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROLS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescaped(match: re.Match[str]) -> str:
    """Return the character that a JSON escape stands for."""
    escape = match.group(1)
    return chr(int(escape[1:], 16)) if len(escape) > 1 else _CONTROLS.get(escape, escape)
