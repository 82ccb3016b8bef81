"""Hands with any stacks and decisions under any rules, as rows of the store: for tests."""

import random

from croupier.rules.decisions import ALL_IN, BET, CALL, FOLD, RAISE, Decision, Options, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.store.queries import HandRow, MatchRow, PlayerRecord, State


def wild_hand(rules: Rules, rng: random.Random) -> Hand:
    """Play a hand of short and uneven stacks with decisions of all kinds."""
    size = rng.randint(2, min(6, rules.max_seats))
    top = rng.choice((3, 10, 60)) * rules.big_blind
    stacks = [rng.randint(1, top) for _ in range(size)]
    cards = rng.sample(rules.deck, rules.cards_for(size))
    if rng.random() < 0.2:
        # A board that nobody can beat makes ties of many.
        royal = [card for card in rules.deck if card % 4 == 3][-5:]
        rest = [card for card in rng.sample(rules.deck, 52) if card not in royal]
        cards = rest[: 2 * size] + royal
    hand = Hand(rules, stacks, cards)
    while hand.options is not None:
        hand.act(_decision(hand.options, rng))
    return hand


def _decision(options: Options, rng: random.Random) -> Decision:
    kind = rng.randrange(10)
    if kind < 2:
        return FOLD
    if kind < 6 or not options.max_to:
        return CALL
    totals = (options.min_to, options.max_to, rng.randint(options.min_to, options.max_to))
    choices = [raise_to(rng.choice(totals), verb) for verb in (BET, RAISE)]
    choices.append(raise_to(options.max_to, ALL_IN))
    choices.append(raise_to(options.small_to, BET))
    legal = [choice for choice in choices if not options.fault(choice)]
    return rng.choice(legal) if legal else CALL


def match_row(rules: Rules, players: int) -> MatchRow:
    """Return the header of a match that has ended."""
    return MatchRow(
        id="wild",
        began=0.0,
        ended=1.0,
        place="test",
        rules_name=rules.name,
        rules=rules,
        version="0",
        players=tuple(PlayerRecord(f"player {n}", "house") for n in range(players)),
        commitment="",
        secret=True,
        seed=None,
        salt=None,
        result=None,
        hands=0,
        state=None,
    )


def hand_row(hand: Hand, number: int) -> HandRow:
    """Return the record of a hand."""
    return HandRow(number, 0.0, list(hand.events), State(number, number, (), False, ()))
