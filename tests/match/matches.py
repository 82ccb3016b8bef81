"""Matches at hand for tests: fixed seats and cards, and simple ways to play."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from croupier.deals import deal
from croupier.match.match import HAND, Match
from croupier.rules import rules as r
from croupier.rules.decisions import ALL_IN, CALL, FOLD, Decision, raise_to
from croupier.rules.events import Event, HandStarted
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN

SEED = bytes(range(32))
LAPS = PLAIN.with_fields(
    {"name": "laps", "stacks": r.CARRY, "stack": 1000, "small_blind": 10, "blinds_double": r.LAP}
)
"""Plain rules with stacks that carry over and blinds that double with each lap."""
E = TypeVar("E", bound=Event)
Policy = Callable[[Match], Decision]


class FixedSeats:
    """Cards from a seed, seats in the order of joining: player 0 is the first small blind."""

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        return deal(SEED, hand, deck, count)

    def seats(self, players: int) -> list[int]:
        return list(range(players))


def opened(size: int, rules: Rules = HUAWEI, **fields: object) -> Match:
    """Return a match in its first hand."""
    match = Match(rules.with_fields(dict(fields)), size, FixedSeats(), 0.0)
    for number in range(size):
        match.join(f"p{number}", 0.0)
    return match


def of_kind(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def checks(match: Match) -> Decision:
    return CALL


def folds(match: Match) -> Decision:
    return FOLD


def all_in(match: Match) -> Decision:
    options = match.options
    assert options is not None
    return raise_to(options.max_to, ALL_IN) if options.max_to and options.all_in else CALL


def finish(match: Match, policy: Policy = checks) -> list[Event]:
    """Play the present hand to its end."""
    number = match.number
    events: list[Event] = []
    while match.phase == HAND and match.number == number:
        events += match.decide(match.asked, policy(match), 0.0)
    return events


def next_hand(match: Match, policy: Policy = checks) -> list[Event]:
    """Play the present hand to its end and begin the next."""
    return finish(match, policy) + match.recorded(0.0)


def seats(events: Sequence[Event]) -> tuple[int, ...]:
    """Return the players of the hand that began last; the first is the small blind."""
    return of_kind(events, HandStarted)[-1].players


def random_policy(numbers: list[int]) -> Policy:
    row = iter(numbers * 1000)

    def choose(match: Match) -> Decision:
        options = match.options
        assert options is not None
        number = next(row)
        decisions = [CALL, CALL, CALL, FOLD]
        if options.max_to and options.raise_:
            decisions.append(raise_to(options.min_to, "raise"))
        if options.max_to and options.all_in:
            decisions.append(raise_to(options.max_to, ALL_IN))
        return decisions[number % len(decisions)]

    return choose


def chips_in(match: Match) -> int:
    """Return all chips that are in the match; those of a hand in play count as before it."""
    return sum(player.chips for player in match.players)
