"""The rules of a game as data.

All games share one state machine (hand.py with betting.py); every point on which the specifications
of the protocols differ is a field here. `sets.py` has the named rule sets; users write their own in
TOML with these fields as keys.
"""

from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from croupier.cards import HIDDEN, KUHN_DECK, small_deck

if TYPE_CHECKING:
    from croupier.rules.terms import Terms

MAX_SEATS: Final = 10
MAX_CHIPS: Final = 10**12
UNLIMITED: Final = -1

HOLDEM: Final = "holdem"
KUHN: Final = "kuhn"
CUSTOM: Final = "custom"

BUTTON_SMALL: Final = "button_small"
NO_BIG: Final = "no_big"

NOMINAL: Final = "nominal"
POSTED: Final = "posted"

LEFT_OF_BUTTON: Final = "left_of_button"
AFTER_SMALL_BLIND: Final = "after_small_blind"

STANDARD: Final = "standard"
ROOM: Final = "room"
ANY: Final = "any"

SHOWDOWN: Final = "showdown"
ALL: Final = "all"

RESET: Final = "reset"
CARRY: Final = "carry"

BUTTON: Final = "button"
SMALL_BLIND: Final = "small_blind"

NEVER: Final = "never"
LAP: Final = "lap"

DRAWN: Final = "drawn"
ARRIVAL: Final = "arrival"

_CARDS = {HOLDEM: (13, 4, 2, (0, 3, 1, 1)), KUHN: (3, 1, 1, (0,)), CUSTOM: (13, 4, 2, (0, 3, 1, 1))}
"""By game: ranks, suits, hole cards and streets where the rules say nothing else."""
_OF_THE_GAME: dict[str, Any] = {"ranks": 0, "suits": 0, "hole_cards": 0, "streets": ()}


class RulesError(ValueError):
    """Unplayable rules; the message says which field is wrong and why."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a game. The defaults are those of plain no-limit hold'em."""

    name: str = "plain"
    game: str = HOLDEM
    """`holdem`: 52 cards, two hole cards, a flop, a turn and a river. `kuhn`: J, Q, K, one card.
    `custom`: the cards that the next four fields describe."""
    ranks: int = 0
    """The deck has this many ranks, the highest ones; 0: as many as the game has."""
    suits: int = 0
    """The deck has this many suits, the last ones of clubs, diamonds, hearts, spades; 0: as many
    as the game has."""
    hole_cards: int = 0
    """The number of cards dealt to each seat; 0: as many as the game has."""
    streets: tuple[int, ...] = ()
    """The number of board cards dealt at the start of each street; none: as the game has them."""
    max_seats: int = MAX_SEATS
    seating: str = DRAWN
    """Whether the seats of the first hand are `drawn` or taken in the order of `arrival`."""

    stack: int = 10_000
    """Starting chips of each player."""
    stacks: str = RESET
    """Whether stacks `carry` over to the next hand or are `reset` before it."""
    reserve: int = 0
    """Chips of each player beside the table. Before a hand, a stack below the big blind is topped
    up from them to the starting stack, as far as they reach."""
    reloads: int = 0
    """How many times in a match a player may buy a new stack between two hands."""
    reload_ms: int = 3000
    """How long the window for that stays open before a hand."""
    out_below_big_blind: bool = False
    """Whether a player with less than a big blind is out, not only one without chips."""

    hands: int = 1000
    """After how many hands a match ends; 0: when one player is left."""
    ends_below_half: bool = False
    """Whether a match also ends once fewer than half of its initial players are still in."""
    pace_ms: int = 0
    """A delay before each question, and four times as long before the next hand, for the audience;
    no player's clock runs meanwhile."""
    decision_ms: int = 5000
    """How long a player may think, in milliseconds; a timeout is a fold."""
    hand_ms: int = 0
    """How long all decisions of a player in one hand may take together; 0: no limit."""
    average_ms: int = 0
    """How long a player's decisions may take per hand on average: those of the whole match may take
    this times the number of its hands together; 0: no limit."""
    human_ms: int = 30_000
    """How long a person on the website may think, and is waited for when it is away."""
    max_timeouts: int = 0
    """How many timeouts eliminate a player from a match, with all its chips; 0: no limit."""
    fault_ends: bool = False
    """Whether a fault, a timeout or a lost connection ends the match after the hand."""
    ready_ms: int = 5000
    """How long to wait before a hand for players whose dialect signals that they are ready."""
    absence_ms: int = 0
    """How long to wait for a player that is disconnected when its turn comes before it folds."""
    countdown_s: int = 0
    """How many seconds the start of a match is announced before the first hand."""
    registration_s: int = 30
    """How long to wait for a full table; then two players are enough."""
    return_s: int = 60
    """How long players have to reconnect after a restart of the server."""
    closing_s: int = 5
    """How long players have to close their connections after the end."""

    small_blind: int = 50
    big_blind: int = 100
    """Also the smallest bet and raise, even where nobody posts it."""
    ante: int = 0
    ante_only: bool = False
    """Whether nobody posts a blind; the first player left of the button then starts every
    street."""
    blinds_double: str = NEVER
    """`lap`: both blinds double each time the small blind has gone once round the table."""
    heads_up: str = BUTTON_SMALL
    """With two players: `button_small`, the button posts the small blind and the other player the
    big blind; `no_big`, the other player posts the small blind and nobody the big blind."""
    short_blind: str = NOMINAL
    """The bet to match when a blind is all-in for less: `nominal`, the full blind; `posted`, the
    highest bet that was actually posted."""

    rotation: str = BUTTON
    """What moves to the next remaining player after a hand: the `button` or the `small_blind`. It
    makes a difference when a player is out."""
    later_start: str = LEFT_OF_BUTTON
    """Who acts first from the flop on: the first player `left_of_button`, or the first
    `after_small_blind`, so that the small blind acts last."""

    min_raise: str = STANDARD
    """By how much a raise must exceed the highest bet. `standard`: the largest full raise of the
    street, at least a big blind. `room`: what the player owes, at least a big blind. `any`: one
    chip, but an opening bet is at least a big blind."""
    fixed_bet: int | tuple[int, ...] = 0
    """If not 0, every bet and raise is by exactly this amount; several amounts: one by street."""
    raise_cap: int | tuple[int, ...] = UNLIMITED
    """How many times the highest bet may be raised on a street, including bets and all-ins; -1:
    unlimited; several numbers: one by street."""
    action_cap: int = 0
    """How many actions a street may have: no raise is possible that every player could not answer
    any more within them; 0: unlimited."""
    verb_cap: int = UNLIMITED
    """How many bets and, counted separately, how many raises are allowed on a street; an all-in is
    neither. -1: unlimited."""
    short_all_in_reopens: bool = False
    """Whether an all-in of less than a full raise lets players who have acted raise again."""
    small_opening: bool = False
    """Whether a bet of the small blind may open a street although it is below the minimum."""
    raise_unanswered: bool = False
    """Whether a player may raise although nobody else can put in another chip."""
    free_fold: bool = True
    """Whether a player may fold although it owes nothing. If not, whatever would fold it there, a
    timeout or a lost connection included, is a check."""

    ask_last: bool = False
    """Whether the last player left is still asked if it has not acted on this street; if it folds
    too, the pot is discarded."""
    ask_lone: bool = False
    """Whether the only player left with chips is asked on a street on which others have acted and
    it has not, although it owes nothing and its opponents are all-in."""
    ask_all_in: bool = False
    """Whether players without chips are still asked to act (they call for nothing)."""

    reveal: str = SHOWDOWN
    """Which cards are shown at the end: those that reached `showdown`, or `all` of them and the
    rest of the board."""

    def __post_init__(self) -> None:
        if self.game in _CARDS:
            for key, usual in zip(_OF_THE_GAME, _CARDS[self.game], strict=True):
                if not getattr(self, key):
                    object.__setattr__(self, key, usual)
        problem = _problem(self)
        if problem:
            raise RulesError(problem)

    # What never changes is computed once: these are read at every step of a hand.

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The cards of the game, in ascending order."""
        return KUHN_DECK if self.game == KUHN else small_deck(self.ranks, self.suits)

    @cached_property
    def hidden(self) -> tuple[int, ...]:
        """What a seat is shown in place of another seat's cards."""
        return (HIDDEN,) * self.hole_cards

    @cached_property
    def fixed_bets(self) -> tuple[int, ...]:
        """By street, the amount of every bet and raise, or 0 if the players choose it."""
        return self._by_street(self.fixed_bet)

    @cached_property
    def raise_caps(self) -> tuple[int, ...]:
        """By street, how many times the highest bet may be raised, or UNLIMITED."""
        return self._by_street(self.raise_cap)

    @cached_property
    def terms(self) -> "Terms":
        """These rules as a hand reads them."""
        from croupier.rules.terms import Terms

        return Terms(self)

    def __getstate__(self) -> dict[str, Any]:
        """Copy and pickle the fields alone: what is computed from them need not be copyable."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _by_street(self, numbers: int | tuple[int, ...]) -> tuple[int, ...]:
        return (numbers,) * len(self.streets) if isinstance(numbers, int) else numbers

    def cards_for(self, seats: int) -> int:
        """Return how many cards a complete hand takes."""
        return seats * self.hole_cards + sum(self.streets)

    def with_fields(self, values: dict[str, Any]) -> "Rules":
        """Return these rules with some fields changed; raise RulesError for invalid fields."""
        for key, value in values.items():
            problem = value_problem(key, value)
            if problem:
                raise RulesError(problem)
        values = {key: _as_stored(key, value) for key, value in values.items()}
        if values.get("small_blind") and self.big_blind == 2 * self.small_blind:
            # A user who changes only the small blind means both.
            values = {"big_blind": 2 * values["small_blind"]} | values
        if values.get("game", self.game) != self.game:
            # A user who changes only the game means its cards as well.
            values = _OF_THE_GAME | values
        return replace(self, **values)

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name; `with_fields` takes them."""
        return {key: getattr(self, key) for key in FIELD_TYPES}


FIELD_TYPES: dict[str, type] = {
    field.name: field.type if isinstance(field.type, type) else tuple for field in fields(Rules)
}
"""The type of each field: int, bool, str, or tuple for a list of numbers."""

_SINGLE = ("fixed_bet", "raise_cap")
"""The lists of numbers for which one number is short for the same one on every street."""

_WANTED = {int: "a whole number", bool: "true or false", str: "a text"}


def value_problem(key: str, value: Any) -> str:
    """Return why a field cannot have a value of this type, or an empty string."""
    if key not in FIELD_TYPES:
        return f"unknown setting {key!r}" + nearest(key, FIELD_TYPES)
    expected = FIELD_TYPES[key]
    if expected is not tuple:
        return "" if type(value) is expected else f"{key} is {_WANTED[expected]}, not {value!r}"
    numbers = value if isinstance(value, list | tuple) else (value,)
    if all(type(number) is int for number in numbers):
        return ""
    single = "a whole number or " if key in _SINGLE else ""
    return f"{key} is {single}a list of whole numbers, not {value!r}"


def _as_stored(key: str, value: Any) -> Any:
    if FIELD_TYPES[key] is not tuple:
        return value
    if isinstance(value, list | tuple):
        return tuple(value)
    return value if key in _SINGLE else (value,)


CHOICES: dict[str, tuple[str, ...]] = {
    "game": (HOLDEM, KUHN, CUSTOM),
    "seating": (DRAWN, ARRIVAL),
    "stacks": (RESET, CARRY),
    "blinds_double": (NEVER, LAP),
    "heads_up": (BUTTON_SMALL, NO_BIG),
    "short_blind": (NOMINAL, POSTED),
    "rotation": (BUTTON, SMALL_BLIND),
    "later_start": (LEFT_OF_BUTTON, AFTER_SMALL_BLIND),
    "min_raise": (STANDARD, ROOM, ANY),
    "reveal": (SHOWDOWN, ALL),
}

_RANGES: dict[str, tuple[int, int]] = {
    "ranks": (1, 13),
    "suits": (1, 4),
    "hole_cards": (1, 5),
    "streets": (0, 5),
    "max_seats": (2, MAX_SEATS),
    "stack": (1, MAX_CHIPS),
    "reserve": (0, MAX_CHIPS),
    "hands": (0, 10**9),
    "pace_ms": (0, 60_000),
    "decision_ms": (1, 10**8),
    "hand_ms": (0, 10**8),
    "average_ms": (0, 10**8),
    "human_ms": (1, 10**8),
    "max_timeouts": (0, 10**6),
    "reloads": (0, 1000),
    "reload_ms": (0, 10**8),
    "ready_ms": (1, 10**8),
    "absence_ms": (0, 10**8),
    "countdown_s": (0, 1000),
    "registration_s": (0, 10**6),
    "return_s": (0, 10**6),
    "closing_s": (0, 10**6),
    "small_blind": (0, MAX_CHIPS),
    "big_blind": (1, MAX_CHIPS),
    "ante": (0, MAX_CHIPS),
    "fixed_bet": (0, MAX_CHIPS),
    "raise_cap": (UNLIMITED, 1000),
    "action_cap": (0, 1000),
    "verb_cap": (UNLIMITED, 1000),
}


def _problem(rules: Rules) -> str:
    """Return what makes rules unplayable, or an empty string."""
    for key, choices in CHOICES.items():
        value = getattr(rules, key)
        if value not in choices:
            return f"{key} is one of {', '.join(choices)}, not {value!r}" + nearest(value, choices)
    for key, (low, high) in _RANGES.items():
        value = getattr(rules, key)
        for number in value if isinstance(value, tuple) else (value,):
            if not low <= number <= high:
                return f"{key} is from {low} to {high}, not {number}"
    if rules.small_blind > rules.big_blind:
        return f"small_blind {rules.small_blind} is above big_blind {rules.big_blind}"
    for key in ("small_blind", "big_blind", "ante"):
        if getattr(rules, key) > rules.stack:
            return f"{key} {getattr(rules, key)} is above the stack of {rules.stack}"
    if rules.ante_only and not rules.ante:
        return "nobody would have to put in a chip: ante_only needs an ante"
    if rules.heads_up == NO_BIG and not (rules.small_blind or rules.ante):
        return "nobody would have to put in a chip: set small_blind or ante"
    if rules.average_ms and not rules.hands:
        return "average_ms needs a number of hands: set hands"
    return _cards_problem(rules) or _streets_problem(rules)


def _cards_problem(rules: Rules) -> str:
    cards = tuple(getattr(rules, key) for key in _OF_THE_GAME)
    if rules.game != CUSTOM and cards != _CARDS[rules.game]:
        key = next(
            key
            for key, value, usual in zip(_OF_THE_GAME, cards, _CARDS[rules.game], strict=True)
            if value != usual
        )
        return f"{key} is fixed in {rules.game}: set game to custom to choose the cards"
    if rules.game == KUHN and rules.max_seats > 2:
        return f"kuhn has three cards, so max_seats is 2, not {rules.max_seats}"
    if rules.hole_cards + sum(rules.streets) > 7:
        return "hole cards and board are 7 cards at most"
    needed = rules.cards_for(rules.max_seats)
    if needed > len(rules.deck):
        return (
            f"{rules.max_seats} seats need {needed} cards, and the deck has {len(rules.deck)}:"
            " lower max_seats"
        )
    return ""


def _streets_problem(rules: Rules) -> str:
    if rules.streets[0]:
        return f"streets begin with 0, before any board card, not with {rules.streets[0]}"
    if len(rules.streets) > 4:
        return f"there are 4 streets at most, not {len(rules.streets)}"
    for key in _SINGLE:
        value = getattr(rules, key)
        if isinstance(value, tuple) and len(value) != len(rules.streets):
            return f"{key} has {len(value)} numbers for {len(rules.streets)} streets"
    if any(rules.fixed_bets) and not all(rules.fixed_bets):
        return "fixed_bet is 0 on every street or on none"
    return ""


def nearest(word: object, choices: Any) -> str:
    """Return a hint with the most similar choice for a mistyped word, or an empty string."""
    close = get_close_matches(str(word), list(choices), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
