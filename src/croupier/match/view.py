"""The public state of a match, accumulated from its public events.

Each table has one such view, from which its speakers work and which its audience sees. It holds no
card that was not shown, unless it is created with `open_cards`.
"""

from typing import Any, Final

from croupier.match.events import (
    HandVoided,
    Joined,
    Left,
    MatchEnded,
    MatchStarted,
    PlayerOut,
    Reloaded,
    Returned,
    ToppedUp,
)
from croupier.rules.events import HAND_EVENTS, Event, HandEnded, HandStarted, PotWon, redact
from croupier.rules.rules import Rules
from croupier.rules.view import View, remade

_FIELDS: Final[tuple[str, ...]] = (
    "circle",
    "hand",
    "names",
    "online",
    "open_cards",
    "order",
    "out",
    "paid",
    "reloads",
    "rounds",
    "rules",
    "stacks",
    "standings",
)


class MatchView:
    """The public state of a match and its current hand; lists are indexed by player."""

    __slots__ = _FIELDS

    def __init__(self, rules: Rules, open_cards: bool = False) -> None:
        """Redact hole cards from the events unless `open_cards` is set."""
        self.rules = rules
        self.open_cards = open_cards
        self.names: list[str] = []
        self.online: list[bool] = []
        self.out: list[bool] = []
        self.stacks: list[int] = []
        """Chips between hands; during a hand, `hand` has the current stacks."""
        self.reloads: list[int] = []
        self.circle: tuple[int, ...] = ()
        """The initial seating, from the left of the first button."""
        self.order: tuple[int, ...] = ()
        """The seating of the last hand, or of the first to come, from the left of the button."""
        self.rounds = 0
        """The number of hands begun."""
        self.hand = View(rules)
        """The current hand, or the last one, as the audience sees it."""
        self.paid = 0
        """The total paid from the pots of that hand."""
        self.standings: tuple[tuple[int, int, int, int], ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a delayed audience start with a copy, in compiled builds too."""
        return remade, (MatchView, self.rules, {name: getattr(self, name) for name in _FIELDS})

    def see(self, event: Event) -> None:
        """Apply the next event of the match."""
        kind = type(event)
        if kind is HandStarted:
            self.hand = View(self.rules)
            self.hand.see(event)
            self.order = event.players  # type: ignore[attr-defined]
            self.paid = 0
            self.rounds += 1
        elif kind in HAND_EVENTS:
            self.hand.see(event if self.open_cards else redact(event, self.hand.seat))
            if kind is PotWon:
                self.paid += event.amount  # type: ignore[attr-defined]
            elif kind is HandEnded:
                self._hand_ended(event)  # type: ignore[arg-type]
        else:
            self._see_match(event)

    def _hand_ended(self, event: HandEnded) -> None:
        for player, stack in zip(self.hand.players, event.stacks, strict=True):
            self.stacks[player] = stack

    def _see_match(self, event: Event) -> None:
        if isinstance(event, Joined):
            self.names.append(event.name)
            self.online.append(True)
            self.out.append(False)
            self.stacks.append(self.rules.stack)
            self.reloads.append(0)
        elif isinstance(event, MatchStarted):
            self.circle = self.order = event.order
        elif isinstance(event, Left):
            self.online[event.player] = False
        elif isinstance(event, Returned):
            self.online[event.player] = True
        elif isinstance(event, ToppedUp):
            self.stacks[event.player] += event.amount
        elif isinstance(event, Reloaded):
            self.stacks[event.player] += event.amount
            self.reloads[event.player] = event.count
        elif isinstance(event, PlayerOut):
            self.out[event.player] = True
            if event.discarded:
                self.stacks[event.player] = 0
        elif isinstance(event, HandVoided):
            self.hand = View(self.rules)
        elif isinstance(event, MatchEnded):
            self.standings = event.standings
