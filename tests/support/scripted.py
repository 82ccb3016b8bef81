"""Hands with chosen cards and decisions written as words, for tests."""

from typing import TypeVar

from croupier.cards import DECK, parse_many
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.events import Event
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN


def hand_of(
    stacks: list[int],
    hole: str = "",
    board: str = "",
    rules: Rules = PLAIN,
    small_blind: int = -1,
    big_blind: int = -1,
) -> Hand:
    """Deal a hand; cards that are not given are the lowest unused ones."""
    given = parse_many(hole)
    rest = [card for card in DECK if card not in given and card not in parse_many(board)]
    missing = len(stacks) * rules.hole_cards - len(given)
    cards = given + rest[:missing] + parse_many(board) + rest[missing:]
    return Hand(rules, stacks, cards, small_blind=small_blind, big_blind=big_blind)


def decision(word: str) -> Decision:
    """Return the decision that a word means: fold, check, call, or a total to raise to."""
    if word == "fold":
        return FOLD
    if word in ("call", "check"):
        return CALL
    return raise_to(int(word))


def act(hand: Hand, words: str) -> None:
    """Let the seats act in turn."""
    for word in words.split():
        hand.act(decision(word))


E = TypeVar("E", bound=Event)


def of_kind(hand: Hand, kind: type[E]) -> list[E]:
    """Return the events of a kind."""
    return [event for event in hand.events if isinstance(event, kind)]
