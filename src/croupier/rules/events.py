"""The events of a hand, in the order in which they happen.

Only events are stored, shown and sent, and an event is immutable. Seats are those of the hand: seat
0 is the first to the left of the button, and the button is the last seat. ``redact`` removes from
an event what a seat may not know.
"""

from typing import Any, ClassVar, Final

from croupier.cards import HIDDEN
from croupier.rules.decisions import Options

AUDIENCE: Final = -1
"""The seat number that stands for spectators."""


Fields = dict[str, Any]
"""The types of an event's fields by name, in the order of its constructor."""


class Event:
    """One event; `FIELDS` lists its fields, which compiled classes do not tell otherwise."""

    FIELDS: ClassVar[Fields] = {}
    __slots__: tuple[str, ...] = ()

    def fields(self) -> tuple[object, ...]:
        """Return the values of the fields, in order."""
        return tuple([getattr(self, name) for name in self.FIELDS])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.fields()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.fields() == other.fields()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.FIELDS)
        return f"{type(self).__name__}({inner})"


class HandStarted(Event):
    """A hand began; `players`, `stacks` and `reserves` are indexed by seat."""

    FIELDS: ClassVar[Fields] = {
        "hand": int,
        "players": tuple[int, ...],
        "stacks": tuple[int, ...],
        "reserves": tuple[int, ...],
        "small_blind": int,
        "big_blind": int,
        "ante": int,
    }
    __slots__ = tuple(FIELDS)

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


ANTE: Final = "ante"
SMALL: Final = "small"
BIG: Final = "big"


class Posted(Event):
    """A seat posted an ante or a blind, or what it had left."""

    FIELDS: ClassVar[Fields] = {"seat": int, "kind": str, "amount": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, seat: int, kind: str, amount: int) -> None:
        self.seat = seat
        self.kind = kind
        self.amount = amount


class HoleDealt(Event):
    """A seat was dealt its hole cards."""

    FIELDS: ClassVar[Fields] = {"seat": int, "cards": tuple[int, ...]}
    __slots__ = tuple(FIELDS)

    def __init__(self, seat: int, cards: tuple[int, ...]) -> None:
        self.seat = seat
        self.cards = cards


class BoardDealt(Event):
    """A street began with these cards."""

    FIELDS: ClassVar[Fields] = {"street": int, "cards": tuple[int, ...]}
    __slots__ = tuple(FIELDS)

    def __init__(self, street: int, cards: tuple[int, ...]) -> None:
        self.street = street
        self.cards = cards


class Asked(Event):
    """A seat was asked to act, with these options."""

    FIELDS: ClassVar[Fields] = {"seat": int, "options": Options}
    __slots__ = tuple(FIELDS)

    def __init__(self, seat: int, options: Options) -> None:
        self.seat = seat
        self.options = options


FOLDED: Final = "fold"
CHECKED: Final = "check"
CALLED: Final = "call"
# The other actions are the verbs of a raise: bet, raise and allin.


class Acted(Event):
    """A seat acted; `added` chips bring its total on this street to `to`."""

    FIELDS: ClassVar[Fields] = {"seat": int, "action": str, "added": int, "to": int, "all_in": bool}
    __slots__ = tuple(FIELDS)

    def __init__(self, seat: int, action: str, added: int, to: int, all_in: bool) -> None:
        self.seat = seat
        self.action = action
        self.added = added
        self.to = to
        self.all_in = all_in


class RoundEnded(Event):
    """The betting round of a street on which someone acted has ended."""

    FIELDS: ClassVar[Fields] = {"street": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, street: int) -> None:
        self.street = street


class BettingClosed(Event):
    """Nobody will be asked again in this hand; `seat` would be next, with these options."""

    FIELDS: ClassVar[Fields] = {"seat": int, "options": Options}
    __slots__ = tuple(FIELDS)

    def __init__(self, seat: int, options: Options) -> None:
        self.seat = seat
        self.options = options


class BetReturned(Event):
    """The uncalled part of a bet was returned to its seat."""

    FIELDS: ClassVar[Fields] = {"seat": int, "amount": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, seat: int, amount: int) -> None:
        self.seat = seat
        self.amount = amount


class Shown(Event):
    """A seat's cards were shown to everyone."""

    FIELDS: ClassVar[Fields] = {"seat": int, "cards": tuple[int, ...]}
    __slots__ = tuple(FIELDS)

    def __init__(self, seat: int, cards: tuple[int, ...]) -> None:
        self.seat = seat
        self.cards = cards


class BoardShown(Event):
    """The undealt board cards were shown to everyone after the hand had ended without them."""

    FIELDS: ClassVar[Fields] = {"cards": tuple[int, ...]}
    __slots__ = tuple(FIELDS)

    def __init__(self, cards: tuple[int, ...]) -> None:
        self.cards = cards


class PotWon(Event):
    """A pot was paid; `winners` are (seat, share) in seat order, and pot 0 is the main pot."""

    FIELDS: ClassVar[Fields] = {"pot": int, "amount": int, "winners": tuple[tuple[int, int], ...]}
    __slots__ = tuple(FIELDS)

    def __init__(self, pot: int, amount: int, winners: tuple[tuple[int, int], ...]) -> None:
        self.pot = pot
        self.amount = amount
        self.winners = winners


class PotDiscarded(Event):
    """Everyone folded, and the chips left the game."""

    FIELDS: ClassVar[Fields] = {"amount": int}
    __slots__ = tuple(FIELDS)

    def __init__(self, amount: int) -> None:
        self.amount = amount


class HandEnded(Event):
    """The hand ended with these stacks."""

    FIELDS: ClassVar[Fields] = {"stacks": tuple[int, ...]}
    __slots__ = tuple(FIELDS)

    def __init__(self, stacks: tuple[int, ...]) -> None:
        self.stacks = stacks


Fact = tuple[Any, ...]
"""An event that nobody has looked at yet: its class, and the arguments of its constructor."""


def made(fact: Fact) -> Event:
    """Return the event of a fact."""
    kind = fact[0]
    # The two commonest are made without a detour where this is compiled.
    if kind is Acted:
        return Acted(fact[1], fact[2], fact[3], fact[4], fact[5])
    if kind is Asked:
        return Asked(fact[1], fact[2])
    event: Event = kind(*fact[1:])
    return event


EVENTS: Final[tuple[type[Event], ...]] = (
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

HAND_EVENTS: Final = frozenset(EVENTS)
"""The event types of a hand, as opposed to those of a match."""


def redact(event: Event, seat: int) -> Event:
    """Return the event with everything hidden that a seat, or the AUDIENCE, may not see."""
    if type(event) is HoleDealt and event.seat != seat:
        return HoleDealt(event.seat, (HIDDEN,) * len(event.cards))
    return event
