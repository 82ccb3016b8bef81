"""A player's situation at a table, as a test wants it: for sessions without a server."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from croupier.dialects.session import Expected, Said, Session
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN
from croupier.rules.view import View


def asked_view(rules: Rules = PLAIN, seats: int = 2) -> View:
    """Return the public view of a hand at its first question."""
    hand = Hand(rules, [rules.stack] * seats, list(rules.deck))
    view = View(rules)
    for event in hand.events:
        view.see(event)
    return view


@dataclass
class FakeSeat:
    """Where a player stands; a test moves it on."""

    seated: bool = True
    expected: Expected = Expected.NOTHING
    in_hand: bool = False
    someone_broke: bool = False
    hands_played: bool = False
    question: bytes = b""
    view: View = field(default_factory=asked_view)


Feed = Callable[[Session, FakeSeat], Iterable[Said]]


def all_at_once(data: bytes) -> Feed:
    """Return what feeds a session all bytes at once."""
    return lambda session, seat: session.receive(data, seat)


def byte_by_byte(data: bytes) -> Feed:
    """Return what feeds a session one byte at a time."""

    def feed(session: Session, seat: FakeSeat) -> Iterator[Said]:
        for place in range(len(data)):
            yield from session.receive(data[place : place + 1], seat)

    return feed
