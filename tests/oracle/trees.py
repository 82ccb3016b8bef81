"""Every way in which a small game can go, played on our own state machine."""

from collections.abc import Iterator
from itertools import permutations

from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules


def decisions_of(hand: Hand) -> list[tuple[str, Decision]]:
    """Return what the seat to act may decide, each with its letter."""
    options = hand.options
    assert options is not None
    found = [("c", CALL)]
    if options.owed or hand.rules.free_fold:
        found.append(("f", FOLD))
    if options.can_raise:
        assert options.min_to == options.max_to, "only games with fixed bets are enumerated"
        found.append(("r", raise_to(options.min_to)))
    return found


def played(rules: Rules, cards: tuple[int, ...], seats: int, line: str) -> Hand:
    """Return a hand after the decisions of a line; a street's end is written as /."""
    hand = Hand(rules, [rules.stack] * seats, cards)
    for letter in line.replace("/", ""):
        hand.act(dict(decisions_of(hand))[letter])
    return hand


def lines(rules: Rules, cards: tuple[int, ...], seats: int) -> Iterator[tuple[str, Hand]]:
    """Yield every position of one deal: the line that leads there, and the hand."""
    open_lines = [""]
    while open_lines:
        line = open_lines.pop()
        hand = played(rules, cards, seats, line)
        yield line, hand
        if not hand.over:
            for letter, decision in decisions_of(hand):
                after = played(rules, cards, seats, line)
                street = after.street
                after.act(decision)
                more = "" if after.over else "/" * (after.street - street)
                open_lines.append(line + letter + more)


def deals(rules: Rules, seats: int) -> Iterator[tuple[int, ...]]:
    """Yield every deal, in the order of dealing."""
    yield from permutations(rules.deck, rules.cards_for(seats))
