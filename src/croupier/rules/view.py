"""What one seat, or the audience, knows about a hand.

A view accumulates the events of one hand as its seat sees them: `View.see` adds one event, already
redacted. `view_of` builds the same view directly from a hand, for bots in this process; tests check
that both agree at every event. A bot must treat its view as read-only.
"""

from collections.abc import Iterable
from typing import Any, Final

from croupier import ranking
from croupier.rules.decisions import CALL, FOLD, Decision, Options, raise_to
from croupier.rules.events import (
    ANTE,
    AUDIENCE,
    BIG,
    CALLED,
    CHECKED,
    FOLDED,
    Acted,
    Asked,
    BetReturned,
    BoardDealt,
    BoardShown,
    Event,
    Fact,
    HandEnded,
    HandStarted,
    HoleDealt,
    Posted,
    PotDiscarded,
    PotWon,
    Shown,
    redact,
)
from croupier.rules.hand import NOBODY, Hand
from croupier.rules.rules import BUTTON_SMALL, HOLDEM, POSTED, Rules

_FIELDS: Final[tuple[str, ...]] = (
    "_facts",
    "_history",
    "_known",
    "_last",
    "actor",
    "bets",
    "big_blind",
    "board",
    "cards",
    "folded",
    "high",
    "number",
    "options",
    "over",
    "players",
    "put",
    "reserves",
    "rules",
    "seat",
    "small_blind",
    "stacks",
    "street",
    "undealt",
)


class View:
    """A hand as one seat sees it; seat 0 is left of the button, the last seat is the button."""

    __slots__ = _FIELDS

    number: int
    """The number of the hand in its match."""
    players: tuple[int, ...]
    """The player number of each seat."""
    small_blind: int
    big_blind: int
    stacks: list[int]
    bets: list[int]
    """What each seat has put in on this street."""
    put: list[int]
    """What each seat has put in during the whole hand."""
    folded: list[bool]
    reserves: tuple[int, ...]
    """The chips of each seat beside the table; empty where no message tells them."""
    cards: list[tuple[int, ...]]
    """The hole cards of each seat; HIDDEN where this seat may not see them."""
    board: list[int]
    undealt: tuple[int, ...]
    """Board cards shown after the hand had ended without them."""
    street: int
    """0 before the flop, then 1, 2, 3."""
    high: int
    """The bet to match."""
    actor: int
    options: Options | None
    """The options of the actor."""
    over: bool

    def __init__(self, rules: Rules, seat: int = AUDIENCE, hand: Hand | None = None) -> None:
        """Begin a view that events are applied to, or copy what the seat knows from a hand."""
        self.rules = rules
        self.seat = seat
        """The seat whose view this is, or AUDIENCE."""
        self.undealt = ()
        # Made when somebody looks, which most bots do not.
        self._history: list[tuple[int, Acted]] | None = None
        self._last: list[Posted | Acted | None] | None = None
        if hand is not None:
            self._copy(hand)
            return
        self._facts: list[Fact] = []
        self._known = 0
        self.number = 0
        self.players = ()
        self.small_blind = 0
        self.big_blind = 0
        self.stacks = []
        self.bets = []
        self.put = []
        self.folded = []
        self.reserves = ()
        self.cards = []
        self.board = []
        self.street = 0
        self.high = 0
        self.actor = NOBODY
        self.options = None
        self.over = False

    def _copy(self, hand: Hand) -> None:
        betting = hand.betting
        self._facts = hand.facts
        self._known = len(hand.facts)
        self.number = hand.number
        self.players = hand.players
        self.small_blind = betting.small_blind
        self.big_blind = betting.big_blind
        self.stacks = betting.stacks[:]
        self.bets = betting.bets[:]
        self.put = betting.put[:]
        self.folded = betting.folded[:]
        self.reserves = hand.reserves
        self.cards = [self.rules.hidden] * hand.size
        if self.seat != AUDIENCE:
            self.cards[self.seat] = hand.hole[self.seat]
        self.board = hand.board[:]
        self.street = betting.street
        self.high = betting.high
        self.actor = hand.actor
        self.options = hand.options
        self.over = hand.over
        if hand.over:
            for fact in hand.facts:
                if fact[0] is Shown:
                    self.cards[fact[1]] = fact[2]
                elif fact[0] is BoardShown:
                    self.undealt = fact[1]

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a bot copy or pickle its view, in compiled builds too."""
        return remade, (View, self.rules, {name: getattr(self, name) for name in _FIELDS})

    # Convenience for bots.

    @property
    def hole(self) -> tuple[int, ...]:
        """The seat's own cards."""
        return self.cards[self.seat]

    @property
    def pot(self) -> int:
        """All chips in the middle, including those of this street."""
        pot = 0
        for chips in self.put:  # compiled code has no `sum` of its own for a list
            pot += chips
        return pot

    @property
    def stack(self) -> int:
        """The seat's own chips that are not in the middle."""
        return self.stacks[self.seat]

    @property
    def button(self) -> int:
        """The seat with the button."""
        return len(self.stacks) - 1

    @property
    def small_seat(self) -> int:
        """The seat of the small blind."""
        with_button = len(self.stacks) == 2 and self.rules.heads_up == BUTTON_SMALL
        return self.button if with_button else 0

    @property
    def opponents(self) -> int:
        """The number of other seats that have not folded."""
        return len(self.folded) - sum(self.folded) - 1

    @property
    def pot_odds(self) -> float:
        """The price of a call as a share of the pot after it: the break-even chance of winning."""
        call = self._asked.call
        return call / (self.pot + call) if call else 0.0

    @property
    def strength(self) -> float:
        """The chance, from 0 to 1, that the seat's cards beat one random hand on this board."""
        rules = self.rules
        if rules.game == HOLDEM:
            return ranking.strength(self.hole, self.board)
        return ranking.small_strength(self.hole, self.board, rules.deck)

    @property
    def history(self) -> list[tuple[int, Acted]]:
        """All actions of this hand so far, as (street, event)."""
        if self._history is None:
            self._history = []
            street = 0
            for fact in self._facts[: self._known]:
                if fact[0] is Acted:
                    self._history.append((street, Acted(*fact[1:])))
                elif fact[0] is BoardDealt:
                    street = fact[1]
        return self._history

    @property
    def last(self) -> list[Posted | Acted | None]:
        """The last action of each seat in this hand, including posting a blind."""
        if self._last is None:
            self._last = [None] * len(self.stacks)
            for fact in self._facts[: self._known]:
                if fact[0] is Acted:
                    self._last[fact[1]] = Acted(*fact[1:])
                elif fact[0] is Posted and fact[2] != ANTE:
                    self._last[fact[1]] = Posted(*fact[1:])
        return self._last

    # Decisions to return.

    @property
    def fold(self) -> Decision:
        """Fold."""
        return FOLD

    @property
    def call(self) -> Decision:
        """Match the highest bet, or check if nothing is owed."""
        return CALL

    @property
    def min_raise(self) -> Decision:
        """The smallest raise, or a call if no raise is possible."""
        options = self._asked
        return raise_to(options.min_to) if options.can_raise else CALL

    @property
    def max_raise(self) -> Decision:
        """The largest raise, or a call if no raise is possible."""
        options = self._asked
        return raise_to(options.max_to) if options.can_raise else CALL

    def raise_to(self, total: float) -> Decision:
        """Return a raise to a total, clamped to the limits, or a call if no raise is possible."""
        options = self._asked
        if not options.can_raise:
            return CALL
        return raise_to(max(options.min_to, min(int(total), options.max_to)))

    @property
    def _asked(self) -> Options:
        if self.options is None:
            raise ValueError("nobody is asked to act in this view")
        return self.options

    # Applying events.

    def see(self, event: Event) -> None:
        """Apply the next event, already redacted for this seat."""
        if isinstance(event, Acted):
            self._acted(event)
        elif isinstance(event, Asked):
            self.actor = event.seat
            self.options = event.options
        elif isinstance(event, BoardDealt):
            self._board_dealt(event)
        elif isinstance(event, (HoleDealt, Shown)):
            self.cards[event.seat] = event.cards
        elif isinstance(event, Posted):
            self._posted(event)
        elif isinstance(event, HandStarted):
            self._started(event)
        elif isinstance(event, BetReturned):
            self.put[event.seat] -= event.amount
            self.stacks[event.seat] += event.amount
        elif isinstance(event, PotWon):
            self._pot_won(event)
        elif isinstance(event, PotDiscarded):
            self._take_from_middle(event.amount)
        elif isinstance(event, HandEnded):
            self.bets = [0] * len(self.bets)
            self.over = True
        elif isinstance(event, BoardShown):
            self.undealt = event.cards
        # Only speakers need the other events.

    def _started(self, event: HandStarted) -> None:
        size = len(event.stacks)
        self.number = event.hand
        self.players = event.players
        self.small_blind = event.small_blind
        self.big_blind = event.big_blind
        self.stacks = list(event.stacks)
        self.reserves = event.reserves
        self._last = [None] * size
        self.bets = [0] * size
        self.put = [0] * size
        self.folded = [False] * size
        self.cards = [()] * size

    def _posted(self, event: Posted) -> None:
        self._put(event.seat, event.amount)
        if event.kind == ANTE:
            self.bets[event.seat] = 0
        else:
            self.last[event.seat] = event
            if self.rules.short_blind == POSTED:
                self.high = max(self.high, event.amount)
            else:
                self.high = self.big_blind if event.kind == BIG else self.small_blind

    def _board_dealt(self, event: BoardDealt) -> None:
        self.street = event.street
        self.board.extend(event.cards)
        self.bets = [0] * len(self.bets)
        self.high = 0

    def _acted(self, event: Acted) -> None:
        self.history.append((self.street, event))
        self.last[event.seat] = event
        self.actor = NOBODY
        self.options = None
        if event.action == FOLDED:
            self.folded[event.seat] = True
        elif event.action != CHECKED:
            self._put(event.seat, event.added)
            if event.action != CALLED:
                self.high = event.to

    def _pot_won(self, event: PotWon) -> None:
        for seat, share in event.winners:
            self.stacks[seat] += share
        # By now the middle is one heap: it does not matter which seat's chips are taken first.
        self._take_from_middle(event.amount)

    def _put(self, seat: int, amount: int) -> None:
        # Not with `-=`: see `Betting._put`.
        stacks, bets, put = self.stacks, self.bets, self.put
        stacks[seat] = stacks[seat] - amount
        bets[seat] = bets[seat] + amount
        put[seat] = put[seat] + amount

    def _take_from_middle(self, amount: int) -> None:
        for seat, chips in enumerate(self.put):
            taken = min(chips, amount)
            self.put[seat] -= taken
            amount -= taken


def view_from(rules: Rules, seat: int, events: Iterable[Event]) -> View:
    """Build a seat's view from events that are not redacted yet."""
    view = View(rules, seat)
    for event in events:
        view.see(redact(event, seat))
    return view


def view_of(hand: Hand, seat: int) -> View:
    """Build the view of a seat, or of the AUDIENCE, directly from a hand."""
    return View(hand.rules, seat, hand)


def remade(kind: Any, rules: Rules, values: dict[str, Any]) -> Any:
    """Return a view of a kind with these values by name: the copy of another."""
    view = kind(rules)
    for name, value in values.items():
        setattr(view, name, value)
    return view
