"""The rules as a hand reads them at every step: numbers and flags, computed once per rules.

`Rules` is made for people: names as values, defaults by game, checks. A hand asks for the same few
answers thousands of times a second, so it gets them from here. `Rules.terms` keeps them.
"""

from typing import Final

from croupier.rules import rules as r
from croupier.rules.rules import Rules

# What a minimum raise is measured by.
BY_RAISE: Final = 0
"""The largest full raise of the street."""
BY_OWED: Final = 1
"""What the player owes."""
BY_CHIP: Final = 2
"""One chip, but an opening bet is a big blind."""

_MEASURES: Final = {r.STANDARD: BY_RAISE, r.ROOM: BY_OWED, r.ANY: BY_CHIP}


class Terms:
    """What the course and the betting of a hand depend on; immutable."""

    __slots__ = (
        "action_cap",
        "after_small_blind",
        "ante",
        "ante_only",
        "ask_all_in",
        "ask_last",
        "ask_lone",
        "big_blind",
        "blind_as_posted",
        "board_cards",
        "button_small",
        "fixed_bets",
        "free_fold",
        "hole_cards",
        "max_seats",
        "min_raise",
        "raise_caps",
        "raise_unanswered",
        "reveal_all",
        "short_all_in_reopens",
        "small_blind",
        "small_opening",
        "streets",
        "verb_cap",
    )

    def __init__(self, rules: Rules) -> None:
        self.hole_cards: int = rules.hole_cards
        self.max_seats: int = rules.max_seats
        self.streets: tuple[int, ...] = rules.streets
        self.board_cards: int = sum(rules.streets)
        self.ante: int = rules.ante
        self.ante_only: bool = rules.ante_only
        self.small_blind: int = rules.small_blind
        self.big_blind: int = rules.big_blind
        self.button_small: bool = rules.heads_up == r.BUTTON_SMALL
        self.blind_as_posted: bool = rules.short_blind == r.POSTED
        self.after_small_blind: bool = rules.later_start == r.AFTER_SMALL_BLIND
        self.min_raise: int = _MEASURES[rules.min_raise]
        self.fixed_bets: tuple[int, ...] = rules.fixed_bets
        self.raise_caps: tuple[int, ...] = rules.raise_caps
        self.action_cap: int = rules.action_cap
        self.verb_cap: int = rules.verb_cap
        self.short_all_in_reopens: bool = rules.short_all_in_reopens
        self.small_opening: bool = rules.small_opening
        self.raise_unanswered: bool = rules.raise_unanswered
        self.free_fold: bool = rules.free_fold
        self.ask_last: bool = rules.ask_last
        self.ask_lone: bool = rules.ask_lone
        self.ask_all_in: bool = rules.ask_all_in
        self.reveal_all: bool = rules.reveal == r.ALL
