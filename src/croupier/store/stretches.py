"""Sums over stretches of a match's hands, kept as the match is played.

A stretch is the hands with the numbers 1 to 500, 501 to 1000, and so on. Whoever asks for the
statistics of a match of a hundred thousand hands reads two hundred stretches instead. They follow
from the record alone, so a store may lack any of them: then they are computed from the hands. They
contain no cards and no words of players.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from croupier.match.events import Faulted, HandVoided, TimedOut
from croupier.match.faults import cause_of, cause_of_timeout
from croupier.rules.events import (
    BetReturned,
    Event,
    HandEnded,
    HandStarted,
    PotDiscarded,
    PotWon,
)
from croupier.store.codec import to_array

STRETCH = 500
"""The number of hands in a stretch; stores rely on it."""

_MAX_MICROSECONDS = (1 << 32) - 1

_COUNTED = frozenset(
    (HandStarted, HandEnded, HandVoided, PotWon, PotDiscarded, BetReturned, TimedOut, Faulted)
)


def _index(kind: type[Event], field: str) -> int:
    """Return the index of a field in a stored event's array, which starts with the event's name."""
    return 1 + list(kind.FIELDS).index(field)


_PLAYERS = _index(HandStarted, "players")
_BEFORE = _index(HandStarted, "stacks")
_BIG_BLIND = _index(HandStarted, "big_blind")
_AFTER = _index(HandEnded, "stacks")
_AMOUNT = _index(PotWon, "amount")
_WINNERS = _index(PotWon, "winners")
_DISCARDED = _index(PotDiscarded, "amount")
_RETURNED_TO = _index(BetReturned, "seat")
_LATE_PLAYER = _index(TimedOut, "player")
_ABSENT = _index(TimedOut, "absent")
_FAULTY = _index(Faulted, "player")
_REASON = _index(Faulted, "reason")


class PlayerSums(msgspec.Struct, array_like=True):
    """What a player did in a stretch."""

    hands: int = 0
    total: float = 0.0
    """What it won, in big blinds."""
    squares: float = 0.0
    """The sum of the squares of what it won in each hand."""
    timeouts: int = 0
    faults: dict[str, int] = {}
    """Counts by cause, timeouts included."""
    times: list[int] = []
    """How long each decision took, in microseconds."""

    def _fault(self, cause: str) -> None:
        self.faults[cause] = self.faults.get(cause, 0) + 1


class Stretch(msgspec.Struct, array_like=True):
    """Some hands of a match, in order."""

    numbers: list[int] = []
    pots: list[int] = []
    winners: list[int] = []
    """One bit per player."""
    void: list[bool] = []
    players: dict[int, PlayerSums] = {}

    def add(
        self, number: int, events: Iterable[Sequence[Any]], times: Iterable[tuple[int, int]]
    ) -> None:
        """Add a hand with its events as the store has them."""
        players: Sequence[int] = ()
        before: Sequence[int] = ()
        big_blind = 1
        pot = won = returned = 0
        void = False
        for event in events:
            name = event[0]
            if name == HandStarted.__name__:
                players, before, big_blind = event[_PLAYERS], event[_BEFORE], event[_BIG_BLIND]
            elif name == PotWon.__name__:
                pot += event[_AMOUNT]
                for seat, _ in event[_WINNERS]:
                    won |= 1 << players[seat]
            elif name == HandEnded.__name__:
                for player, chips, after in zip(players, before, event[_AFTER], strict=True):
                    sums = self._sums(player)
                    result = (after - chips) / big_blind
                    sums.hands += 1
                    sums.total += result
                    sums.squares += result * result
            elif name == BetReturned.__name__:
                returned = 1 << players[event[_RETURNED_TO]]
            elif name == PotDiscarded.__name__:
                pot += event[_DISCARDED]
            elif name == HandVoided.__name__:
                void = True
            elif name == TimedOut.__name__:
                sums = self._sums(event[_LATE_PLAYER])
                sums.timeouts += 1
                sums._fault(cause_of_timeout(event[_ABSENT]))
            elif name == Faulted.__name__:
                self._sums(event[_FAULTY])._fault(cause_of(event[_REASON]))
        for player, microseconds in times:
            self._sums(player).times.append(min(microseconds, _MAX_MICROSECONDS))
        self.numbers.append(number)
        self.pots.append(0 if void else pot)
        self.winners.append(0 if void else won or (0 if pot else returned))
        self.void.append(void)

    def _sums(self, player: int) -> PlayerSums:
        sums = self.players.get(player)
        if sums is None:
            sums = self.players[player] = PlayerSums()
        return sums


class Keeper:
    """Adds up the hands of a match as they are played."""

    __slots__ = ("_stretch",)

    def __init__(self) -> None:
        self._stretch: Stretch | None = None
        """None in a stretch whose beginning was played before this process was started."""

    def add(
        self, number: int, events: Iterable[Event], times: Iterable[tuple[int, int]]
    ) -> bytes | None:
        """Add the next hand; return the stretch if it is complete."""
        if number % STRETCH == 1:
            self._stretch = Stretch()
        stretch = self._stretch
        if stretch is None:
            return None
        counted = [to_array(event) for event in events if type(event) in _COUNTED]
        stretch.add(number, counted, times)
        if number % STRETCH or len(stretch.numbers) < STRETCH:
            return None
        self._stretch = None
        return msgspec.msgpack.encode(stretch)


def decoded(sums: bytes, last: int) -> Stretch | None:
    """Return the stretch that ends with a hand, from its bytes; None if they are damaged."""
    try:
        stretch = msgspec.msgpack.decode(sums, type=Stretch)
    except (msgspec.MsgspecError, TypeError):
        return None
    columns = (stretch.numbers, stretch.pots, stretch.winners, stretch.void)
    whole = len({len(column) for column in columns}) == 1
    inside = stretch.numbers and all(last - STRETCH < one <= last for one in stretch.numbers)
    return stretch if whole and inside else None
