"""Describe a hand for people: the seats, the actions on each street, who won what."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from croupier.history.printable import plain
from croupier.history.sentences import BetVerb, sentence
from croupier.match.events import MatchEnded
from croupier.rules.events import (
    HAND_EVENTS,
    BetReturned,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    PotDiscarded,
    PotWon,
)
from croupier.rules.rules import HOLDEM, Rules
from croupier.rules.view import View


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of a hand."""

    pot: int
    winners: list[str]
    discarded: bool


def summary(events: Sequence[Event], names: Sequence[str]) -> Summary:
    """Return the total pot and the winners of a completed hand."""
    seats: Sequence[int] = ()
    pot = 0
    won: set[int] = set()
    returned: set[int] = set()
    discarded = False
    for event in events:
        if isinstance(event, HandStarted):
            seats = event.players
        elif isinstance(event, PotWon):
            pot += event.amount
            won.update(seat for seat, _ in event.winners)
        elif isinstance(event, BetReturned):
            # If nobody put in a chip against it, the returned bet is all that the winner gets.
            returned = {event.seat}
        elif isinstance(event, PotDiscarded):
            pot += event.amount
            discarded = True
    return Summary(pot, [plain(names[seats[seat]]) for seat in sorted(won or returned)], discarded)


def hand_log(rules: Rules, events: Sequence[Event], names: Sequence[str]) -> Iterator[str]:
    """Yield the lines that describe a hand and the match events around it."""
    return _Log(rules, [plain(name) for name in names]).lines(events)


class _Log:
    """The context for the sentences of one hand, updated with each event."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules = rules
        self.names = names
        self.hand = View(rules)
        self._bet = BetVerb()

    @property
    def verb(self) -> str:
        """The verb for the last bet or raise."""
        return self._bet.word

    def lines(self, events: Sequence[Event]) -> Iterator[str]:
        for event in events:
            self._see(event)
            told = sentence(self, event)
            if told is not None:
                # Actions are indented below the heading of their street.
                heading = told.kind in ("hand", "match") or isinstance(event, BoardDealt)
                yield told.text if heading else f"  {told.text}"
            if isinstance(event, HandStarted):
                yield from self._seats(event)
            elif isinstance(event, HandEnded):
                yield f"Stacks after it: {self._stacks(event)}"
            elif isinstance(event, MatchEnded):
                for place, player, chips, _ in event.standings:
                    yield f"  {place}. {self.names[player]} with {chips:,}"

    def _see(self, event: Event) -> None:
        if isinstance(event, HandStarted):
            self.hand = View(self.rules)
        if type(event) in HAND_EVENTS:
            self.hand.see(event)
            self._bet.see(event)

    def _seats(self, event: HandStarted) -> Iterator[str]:
        width = max(len(self.names[player]) for player in event.players)
        for seat, player in enumerate(event.players):
            reserve = f" and {event.reserves[seat]:,} beside it" if event.reserves[seat] else ""
            button = "  button" if seat == len(event.players) - 1 else ""
            name = self.names[player].ljust(width)
            yield f"  seat {seat}  {name}  {event.stacks[seat]:>9,}{reserve}{button}"
        yield "Before the flop" if self.rules.game == HOLDEM else "Cards"

    def _stacks(self, event: HandEnded) -> str:
        stacks = zip(self.hand.players, event.stacks, strict=True)
        return ", ".join(f"{self.names[player]} {stack:,}" for player, stack in stacks)
