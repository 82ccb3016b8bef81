"""Decisions, and the options that a player decides among.

A decision is fold, call or raise-to. A check is a call of 0. A raise names the player's resulting
total on this street, and may carry the verb it was made with, because some rules count bets and
raises separately and still allow an all-in when both are used up.
"""

from typing import Any, ClassVar, Final

from mypy_extensions import mypyc_attr

FOLD_KIND: Final = 0
CALL_KIND: Final = 1
RAISE_KIND: Final = 2

BET: Final = "bet"
RAISE: Final = "raise"
ALL_IN: Final = "allin"


class IllegalDecisionError(ValueError):
    """The rules do not allow this decision here; the hand is unchanged."""


@mypyc_attr(acyclic=True)  # nothing for the garbage collector, where it is compiled
class Decision:
    """Fold, call, or raise to a total."""

    __slots__ = ("kind", "to", "verb")

    def __init__(self, kind: int, to: int = 0, verb: str = "") -> None:
        self.kind = kind
        self.to = to
        self.verb = verb

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Decision)
            and self.kind == other.kind
            and self.to == other.to
            and self.verb == other.verb
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.to, self.verb))

    def __reduce__(self) -> tuple[Any, ...]:
        return Decision, (self.kind, self.to, self.verb)

    def __repr__(self) -> str:
        if self.kind == FOLD_KIND:
            return "FOLD"
        if self.kind == CALL_KIND:
            return "CALL"
        return f"raise_to({self.to}{f', {self.verb!r}' if self.verb else ''})"


FOLD: Final = Decision(FOLD_KIND)
CALL: Final = Decision(CALL_KIND)


def raise_to(total: int, verb: str = "") -> Decision:
    """Return a raise to a total on this street; by default it opens as a bet, else as a raise."""
    return Decision(RAISE_KIND, total, verb)


@mypyc_attr(acyclic=True)
class Options:
    """The options of the player to act, besides fold and call, which are always allowed.

    A raise is possible if ``max_to`` is not 0, to any total from ``min_to`` to ``max_to``, with a
    verb that is still allowed. A raise without a verb counts as ``verb``.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "owed",
        "call",
        "min_to",
        "max_to",
        "verb",
        "bet",
        "raise_",
        "all_in",
        "small_to",
    )
    __slots__ = FIELDS

    def __init__(
        self,
        owed: int,
        call: int,
        min_to: int,
        max_to: int,
        verb: str,
        bet: bool,
        raise_: bool,
        all_in: bool,
        small_to: int,
    ) -> None:
        self.owed = owed
        """The difference between the highest bet and the player's own; if 0, a call is a check."""
        self.call = call
        """The chips that a call adds: what is owed, or the whole stack if that is less."""
        self.min_to = min_to
        self.max_to = max_to
        self.verb = verb
        self.bet = bet
        """Whether a raise with the verb bet is possible."""
        self.raise_ = raise_
        """Whether a raise with the verb raise is possible."""
        self.all_in = all_in
        """Whether a raise to ``max_to`` with the verb allin is possible."""
        self.small_to = small_to
        """An opening bet below ``min_to`` that the rules exempt from the minimum, or 0."""

    @property
    def can_raise(self) -> bool:
        """Whether a raise without a verb is possible."""
        return self.bet if self.verb == BET else self.raise_

    def fault(self, decision: Decision) -> str:
        """Return why a decision is illegal here, or an empty string if it is legal."""
        kind = decision.kind
        if kind != RAISE_KIND:
            return "" if kind in (CALL_KIND, FOLD_KIND) else f"there is no decision {kind!r}"
        if not self.max_to:
            return "no raise is possible here"
        verb = decision.verb or self.verb
        to = decision.to
        if type(to) is not int:
            return f"a raise is to a whole number of chips, not {to!r}"
        if verb == ALL_IN:
            if not self.all_in:
                return "no more raises are allowed on this street"
            return "" if to == self.max_to else f"all-in is {self.max_to}, not {to}"
        if verb not in (BET, RAISE):
            return f"{verb!r} is no verb; a raise is a bet, a raise or allin"
        if not (self.bet if verb == BET else self.raise_):
            return f"no more {verb}s are allowed on this street"
        if self.min_to <= to <= self.max_to or (verb == BET and to == self.small_to > 0):
            return ""
        return f"a {verb} is to {self.min_to} at least and {self.max_to} at most, not to {to}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and all(
            getattr(self, name) == getattr(other, name) for name in Options.FIELDS
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Options, tuple([getattr(self, name) for name in Options.FIELDS])

    def __repr__(self) -> str:
        return "Options(" + ", ".join(f"{n}={getattr(self, n)!r}" for n in self.FIELDS) + ")"
