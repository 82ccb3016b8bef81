"""How players play: the usual figures, each as how often it was done and how often it could be."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields

from croupier.rules import events as e
from croupier.rules.events import Event


@dataclass
class Share:
    """How often something was done, out of how many chances."""

    done: int = 0
    chances: int = 0

    def add(self, done: bool) -> None:
        """Count one more chance."""
        self.done += done
        self.chances += 1

    def merge(self, other: "Share") -> None:
        """Count everything that another one has counted."""
        self.done += other.done
        self.chances += other.chances


@dataclass
class Style:
    """The figures of one player."""

    vpip: Share = field(default_factory=Share)
    """Put chips in before the flop by its own decision, of hands in which it decided there."""
    pfr: Share = field(default_factory=Share)
    """Raised before the flop, of the same hands."""
    three_bet: Share = field(default_factory=Share)
    """Raised again, of the hands in which it faced a single raise before the flop."""
    aggression: Share = field(default_factory=Share)
    """Bet or raised, of its decisions after the flop without its checks."""
    to_showdown: Share = field(default_factory=Share)
    """Reached the showdown, of the hands in which it saw the flop."""
    won_showdown: Share = field(default_factory=Share)
    """Won at least a part of a pot, of its showdowns."""

    def merge(self, other: "Style") -> None:
        """Count everything that another one has counted."""
        for one in fields(self):
            getattr(self, one.name).merge(getattr(other, one.name))


@dataclass
class _Seat:
    """One seat during a hand."""

    decided: bool = False
    entered: bool = False
    raised: bool = False
    folded: bool = False
    saw_flop: bool = False
    won: bool = False


def count_hand(events: Iterable[Event], styles: dict[int, Style]) -> None:
    """Add a hand of hold'em to the figures, by player number; a hand that was cut off is left out.

    Until its end nothing is added, since a hand that counts for nothing shows nothing of a style.
    """
    for hand in _hands(events):
        _count(hand, styles)


def _hands(events: Iterable[Event]) -> Iterator[list[Event]]:
    hand: list[Event] = []
    for event in events:
        if isinstance(event, e.HandStarted):
            hand = [event]
        elif hand:
            hand.append(event)
            if isinstance(event, e.HandEnded):
                yield hand
                hand = []


def _count(hand: list[Event], styles: dict[int, Style]) -> None:
    started = hand[0]
    assert isinstance(started, e.HandStarted)
    seats = [_Seat() for _ in started.players]
    found = [styles.setdefault(player, Style()) for player in started.players]
    street = raises = 0
    for event in hand:
        match event:
            case e.Acted():
                seat, style = seats[event.seat], found[event.seat]
                raised = event.action not in (e.FOLDED, e.CHECKED, e.CALLED)
                if street == 0:
                    if raises == 1 and not seat.raised:
                        style.three_bet.add(raised)
                    seat.decided = True
                    seat.entered = seat.entered or raised or event.action == e.CALLED
                    seat.raised = seat.raised or raised
                    raises += raised
                elif event.action != e.CHECKED:
                    style.aggression.add(raised)
                seat.folded = seat.folded or event.action == e.FOLDED
            case e.BoardDealt():
                street = event.street
                if street == 1:
                    for seat in seats:
                        seat.saw_flop = not seat.folded
            case e.PotWon():
                for number, _ in event.winners:
                    seats[number].won = True
            case _:
                pass
    showdown = sum(not seat.folded for seat in seats) > 1
    for seat, style in zip(seats, found, strict=True):
        if seat.decided:
            style.vpip.add(seat.entered)
            style.pfr.add(seat.raised)
        if seat.saw_flop:
            style.to_showdown.add(showdown and not seat.folded)
        if showdown and not seat.folded:
            style.won_showdown.add(seat.won)
