"""The facts of a hand, in the order in which they happen.

Events are the only thing that is stored, shown and sent. An event never changes once it is made.
Seats are those of the hand: seat 0 is the first to the left of the button, the button is the last.
``redact`` turns an event into what one seat may know of it.
"""

from croupier.cards import HIDDEN
from croupier.rules.decisions import Options

AUDIENCE = -1
"""The seat of those who only watch."""


class Event:
    """One fact; its fields are its slots, in the order of its constructor."""

    __slots__: tuple[str, ...] = ()

    def fields(self) -> tuple[object, ...]:
        """Return the values of the fields, in order."""
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.fields() == other.fields()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({inner})"


class HandStarted(Event):
    """A hand begins; `players[seat]` is who sits there, with what at the table and beside it."""

    __slots__ = ("hand", "players", "stacks", "reserves", "small_blind", "big_blind", "ante")

    def __init__(
        self,
        hand: int,
        players: tuple[int, ...],
        stacks: tuple[int, ...],
        reserves: tuple[int, ...],
        small_blind: int,
        big_blind: int,
        ante: int,
    ) -> None:
        self.hand = hand
        self.players = players
        self.stacks = stacks
        self.reserves = reserves
        self.small_blind = small_blind
        self.big_blind = big_blind
        self.ante = ante


ANTE = "ante"
SMALL = "small"
BIG = "big"


class Posted(Event):
    """A seat posted an ante or a blind, or what it had of it."""

    __slots__ = ("seat", "kind", "amount")

    def __init__(self, seat: int, kind: str, amount: int) -> None:
        self.seat = seat
        self.kind = kind
        self.amount = amount


class HoleDealt(Event):
    """A seat got its hole cards."""

    __slots__ = ("seat", "cards")

    def __init__(self, seat: int, cards: tuple[int, ...]) -> None:
        self.seat = seat
        self.cards = cards


class BoardDealt(Event):
    """A street began with these cards."""

    __slots__ = ("street", "cards")

    def __init__(self, street: int, cards: tuple[int, ...]) -> None:
        self.street = street
        self.cards = cards


class Asked(Event):
    """A seat is to act, with these options."""

    __slots__ = ("seat", "options")

    def __init__(self, seat: int, options: Options) -> None:
        self.seat = seat
        self.options = options


FOLDED = "fold"
CHECKED = "check"
CALLED = "call"
# The other actions are the verbs of a raise: bet, raise and allin.


class Acted(Event):
    """A seat acted; `added` chips bring its total on this street to `to`."""

    __slots__ = ("seat", "action", "added", "to", "all_in")

    def __init__(self, seat: int, action: str, added: int, to: int, all_in: bool) -> None:
        self.seat = seat
        self.action = action
        self.added = added
        self.to = to
        self.all_in = all_in


class RoundEnded(Event):
    """The betting of a street in which someone acted is closed."""

    __slots__ = ("street",)

    def __init__(self, street: int) -> None:
        self.street = street


class BettingClosed(Event):
    """Nobody is asked any more in this hand; the turn would come to `seat`, with these options."""

    __slots__ = ("seat", "options")

    def __init__(self, seat: int, options: Options) -> None:
        self.seat = seat
        self.options = options


class BetReturned(Event):
    """What nobody called went back to its owner."""

    __slots__ = ("seat", "amount")

    def __init__(self, seat: int, amount: int) -> None:
        self.seat = seat
        self.amount = amount


class Shown(Event):
    """A seat's cards are open to everyone."""

    __slots__ = ("seat", "cards")

    def __init__(self, seat: int, cards: tuple[int, ...]) -> None:
        self.seat = seat
        self.cards = cards


class BoardShown(Event):
    """The cards that would have come are open to everyone, after the hand ended without them."""

    __slots__ = ("cards",)

    def __init__(self, cards: tuple[int, ...]) -> None:
        self.cards = cards


class PotWon(Event):
    """A pot was paid out; winners are (seat, share) in seat order. Pot 0 is the main pot."""

    __slots__ = ("pot", "amount", "winners")

    def __init__(self, pot: int, amount: int, winners: tuple[tuple[int, int], ...]) -> None:
        self.pot = pot
        self.amount = amount
        self.winners = winners


class PotDiscarded(Event):
    """Everyone folded; the chips left the game."""

    __slots__ = ("amount",)

    def __init__(self, amount: int) -> None:
        self.amount = amount


class HandEnded(Event):
    """The hand is over and these are the stacks after it."""

    __slots__ = ("stacks",)

    def __init__(self, stacks: tuple[int, ...]) -> None:
        self.stacks = stacks


EVENTS: tuple[type[Event], ...] = (
    HandStarted,
    Posted,
    HoleDealt,
    BoardDealt,
    Asked,
    Acted,
    RoundEnded,
    BettingClosed,
    BetReturned,
    Shown,
    BoardShown,
    PotWon,
    PotDiscarded,
    HandEnded,
)

HAND_EVENTS = frozenset(EVENTS)
"""The kinds above, to tell them from the events of a match."""


def redact(event: Event, seat: int) -> Event:
    """Return the event as a seat, or the AUDIENCE, may see it."""
    if type(event) is HoleDealt and event.seat != seat:
        return HoleDealt(event.seat, (HIDDEN,) * len(event.cards))
    return event
