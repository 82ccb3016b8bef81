"""Payouts by brute force: pots dealt out chip by chip must be what the state machine pays.

`reference.payout` goes through the chips layer by layer and deals each pot out chip by chip; what
was put in, and by whom, is added up here from the events alone.
"""

import random
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, parse_many
from croupier.ranking import rank
from croupier.rules import rules as r
from croupier.rules.decisions import ALL_IN, BET, CALL, FOLD, RAISE, Decision, raise_to
from croupier.rules.events import (
    ANTE,
    AUDIENCE,
    FOLDED,
    Acted,
    BetReturned,
    Posted,
    PotDiscarded,
    PotWon,
)
from croupier.rules.hand import Hand
from croupier.rules.pots import share_out, split_pots
from croupier.rules.rules import CHOICES, FIELD_TYPES, MAX_SEATS, Rules
from croupier.rules.sets import SETS
from croupier.rules.view import view_of
from tests.oracle.reference import Reference, payout

ROYAL = parse_many("AsKsQsJsTs")
"""A board that makes everyone tie."""
PAIRS = parse_many("AcAd KcKd QcQd JcJd TcTd 9c9d 8c8d 7c7d 6c6d 5c5d")
"""Ten hands, each better than the next on the board below."""
BLANKS = parse_many("2h3h2s3s4h")


# Pots as arithmetic.


@st.composite
def middles(draw: st.DrawFn) -> tuple[list[int], list[int], dict[int, int]]:
    """Return what was put in, who is live, and how strong each is; ties and equal puts abound."""
    size = draw(st.integers(2, MAX_SEATS))
    put = draw(st.lists(st.integers(1, 12), min_size=size, max_size=size))
    live = sorted(draw(st.sets(st.integers(0, size - 1), min_size=1)))
    ranks = {seat: draw(st.integers(1, 3)) for seat in live}
    return put, live, ranks


@given(middles())
def test_pots_pay_what_dealing_them_out_chip_by_chip_pays(
    middle: tuple[list[int], list[int], dict[int, int]],
) -> None:
    put, live, ranks = middle
    paid = [0] * len(put)
    for amount, contenders in split_pots(put, live):
        best = max(ranks[seat] for seat in contenders)
        for seat, share in share_out(amount, [s for s in contenders if ranks[s] == best]):
            paid[seat] += share
    assert paid == payout(put, live, ranks, chip_by_chip=True)
    assert paid == payout(put, live, ranks)
    assert sum(paid) == sum(put)


# Whole hands against the reference.


def play_both(
    stacks: Sequence[int],
    cards: Sequence[int],
    rng: random.Random,
    *,
    small: int = 1,
    big: int = 2,
    ante: int = 0,
) -> tuple[Hand, Reference]:
    """Play random decisions by the state machine and the reference; compare all questions."""
    rules = Rules(stack=max(*stacks, big, ante), small_blind=small, big_blind=big, ante=ante)
    hand = Hand(rules, stacks, cards)
    reference = Reference(stacks, small, big, ante)
    weights = rng.choice(((1, 4, 1, 1), (0, 2, 1, 2), (2, 3, 3, 1), (1, 1, 0, 8)))
    while (question := reference.question) is not None:
        options = hand.options
        assert options is not None
        assert (hand.actor, options.owed, options.call, options.min_to, options.max_to) == (
            question.seat,
            question.owed,
            question.call,
            question.min_to,
            question.max_to,
        )
        kind = rng.choices(range(4), weights)[0]
        if kind == 0:
            hand.act(FOLD)
            reference.fold()
        elif kind == 1 or not question.max_to:
            hand.act(CALL)
            reference.call()
        else:
            total = question.max_to if kind == 3 else rng.randint(question.min_to, question.max_to)
            hand.act(raise_to(total))
            reference.raise_to(total)
    assert hand.over
    return hand, reference


def ranks_of(cards: Sequence[int], live: Sequence[int], size: int) -> dict[int, int]:
    board = tuple(cards[2 * size :])
    return {s: rank((*cards[2 * s : 2 * s + 2], *board)) for s in live}


@pytest.mark.parametrize("size", range(2, MAX_SEATS + 1))
@pytest.mark.parametrize("board", ["random", "tie for all", "tie for some"])
def test_tiny_stacks_are_asked_and_paid_as_by_the_reference(size: int, board: str) -> None:
    rng = random.Random(f"tiny {size} {board}")
    for _ in range(150):
        cards = rng.sample(DECK, 2 * size + 5)
        if board == "tie for all":
            cards = [c for c in rng.sample(DECK, 52) if c not in ROYAL][: 2 * size] + ROYAL
        elif board == "tie for some":
            # Two kinds of hands: who holds an ace or a king plays it, for the others the board.
            cards = rng.sample(range(32), 2 * size)  # twos to nines
            high = parse_many("AsAhAcKsKhKcKd")
            for seat in rng.sample(range(size), min(size, 4)):
                cards[2 * seat] = high.pop(0)
            cards += parse_many("QsJhTdAdQc")
        top = rng.choice((2, 4, 12, 40))
        stacks = [rng.randint(1, top) for _ in range(size)]
        small, big = rng.choice(((1, 2), (0, 1), (2, 5), (3, 10)))
        ante = rng.choice((0, 0, 1, 3))
        hand, reference = play_both(stacks, cards, rng, small=small, big=big, ante=ante)
        live = reference.live
        back = payout(reference.put, live, ranks_of(cards, live, size), chip_by_chip=True)
        expected = [left + paid for left, paid in zip(reference.stacks, back, strict=True)]
        assert hand.stacks == expected, (stacks, cards, hand.facts)


# All rule sets, and rules that nobody has thought of.


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Return rules with every field drawn on its own."""
    values: dict[str, Any] = {
        key: draw(st.sampled_from(choices)) for key, choices in CHOICES.items()
    }
    values |= {key: draw(st.booleans()) for key, kind in FIELD_TYPES.items() if kind is bool}
    big = draw(st.integers(1, 10))
    values |= {
        "max_seats": 2 if values["game"] == r.KUHN else MAX_SEATS,
        "stack": 100,
        "small_blind": draw(st.integers(0, big)),
        "big_blind": big,
        "ante": draw(st.sampled_from((0, 1, 3))),
        "fixed_bet": draw(st.sampled_from((0, 0, 0, 1, big, 2 * big))),
        "raise_cap": draw(st.sampled_from((-1, -1, 0, 1, 4))),
        "verb_cap": draw(st.sampled_from((-1, -1, 0, 1, 4))),
    }
    if values["ante_only"] or (values["heads_up"] == r.NO_BIG and not values["small_blind"]):
        values["ante"] = max(values["ante"], 1)
    return Rules(**values)


def random_decision(hand: Hand, rng: random.Random) -> Decision:
    """Return a decision that is legal here, with any verb."""
    options = hand.options
    assert options is not None
    wanted: list[Decision] = [CALL, CALL, FOLD]
    if options.max_to:
        assert 0 < options.min_to <= options.max_to
        total = rng.randint(options.min_to, options.max_to)
        wanted += [raise_to(t, v) for t in (options.min_to, total) for v in ("", BET, RAISE)]
        wanted += [raise_to(options.max_to, ALL_IN), raise_to(options.small_to, BET)]
    return rng.choice([decision for decision in wanted if not options.fault(decision)])


def check_chips(hand: Hand, stacks: Sequence[int]) -> None:
    """Check the end of a hand by what its events say was put in and given back."""
    size = hand.size
    put = [0] * size
    live = set(range(size))
    for event in hand.events:
        if isinstance(event, Posted):
            put[event.seat] += event.amount
        elif isinstance(event, Acted):
            put[event.seat] += event.added
            if event.action == FOLDED:
                live.discard(event.seat)
    left = [stack - chips for stack, chips in zip(stacks, put, strict=True)]
    assert min(left) >= 0
    discarded = [event.amount for event in hand.events if isinstance(event, PotDiscarded)]
    if not live:
        assert discarded == [sum(put)]
        assert hand.stacks == left
        return
    assert not discarded
    ranks = dict.fromkeys(live, 0)
    if len(live) > 1:
        for seat in live:
            cards = (*hand.hole[seat], *hand.board)
            ranks[seat] = rank(cards) if len(cards) > 4 else rank_of_few(cards)
    back = payout(put, sorted(live), ranks, chip_by_chip=True)
    assert hand.stacks == [a + b for a, b in zip(left, back, strict=True)]
    given_back = sum(event.amount for event in hand.events if isinstance(event, BetReturned))
    pots = [event for event in hand.events if isinstance(event, PotWon)]
    assert [event.pot for event in pots] == list(range(len(pots)))
    assert given_back + sum(event.amount for event in pots) == sum(put)
    for event in pots:
        assert sum(share for _, share in event.winners) == event.amount


def rank_of_few(cards: Sequence[int]) -> int:
    """Return the rank of one card, or of two: a pair beats every other hand."""
    high, low = max(cards) >> 2, min(cards) >> 2
    return 1000 + high if len(cards) > 1 and high == low else 20 * high + low


def play_and_check(rules: Rules, rng: random.Random) -> None:
    size = rng.randint(2, rules.max_seats)
    stacks = [rng.randint(1, rng.choice((2, 10, 100))) for _ in range(size)]
    hand = Hand(rules, stacks, rng.sample(rules.deck, rules.cards_for(size)))
    for _ in range(5000):
        if hand.over:
            break
        hand.act(random_decision(hand, rng))
    assert hand.over, "a hand ends"
    check_chips(hand, stacks)


@pytest.mark.parametrize("name", SETS)
def test_every_rule_set_pays_what_was_put_in_chip_by_chip(name: str) -> None:
    rules = SETS[name]
    if rules.game == r.HOLDEM:
        rules = rules.with_fields({"stack": 100, "small_blind": 1, "big_blind": 2})
    rng = random.Random(f"sets {name}")
    for _ in range(300):
        play_and_check(rules, rng)


@given(any_rules(), st.integers(0, 2**32))
def test_any_rules_pay_what_was_put_in_chip_by_chip(rules: Rules, seed: int) -> None:
    play_and_check(rules, random.Random(seed))


# Situations that are easily got wrong.


def all_in(stacks: Sequence[int], cards: Sequence[int], ante: int = 0) -> Hand:
    """Return a hand in which everyone puts in as much as possible, at 50-100."""
    hand = Hand(Rules(stack=max(*stacks, 100), ante=ante), stacks, cards)
    while not hand.over:
        assert hand.options is not None
        raises = hand.options.can_raise
        hand.act(raise_to(hand.options.max_to) if raises else CALL)
    return hand


def test_ten_all_ins_of_which_the_best_cards_are_the_shortest_pay_ten_different_layers() -> None:
    hand = all_in([100 * (seat + 1) for seat in range(10)], PAIRS + BLANKS)
    assert hand.stacks == [100 * (10 - seat) for seat in range(10)]


def test_ten_all_ins_of_which_the_best_cards_are_the_deepest_pay_one_player() -> None:
    stacks = [100 * (10 - seat) for seat in range(10)]
    hand = all_in(stacks, PAIRS + BLANKS)
    assert hand.stacks == [sum(stacks)] + [0] * 9


def test_order_of_the_seats_is_all_the_same_to_different_all_ins() -> None:
    chips = (100, 230, 370, 540)
    for order in permutations(range(4)):
        stacks = [chips[place] for place in order]
        # The shortest stack has the best cards, and so on: each wins its own layer.
        cards = [card for place in order for card in PAIRS[2 * place : 2 * place + 2]] + BLANKS
        won = (4 * 100, 3 * 130, 2 * 140, 170)
        assert all_in(stacks, cards).stacks == [won[place] for place in order]


def test_ten_all_ins_that_tie_get_their_own_chips_back_if_nothing_is_odd() -> None:
    stacks = [100 * (seat + 1) for seat in range(10)]
    blanks = [card for card in DECK if card not in ROYAL][:20]
    assert all_in(stacks, blanks + ROYAL).stacks == stacks


def test_stacks_below_a_blind_tie_layer_by_layer() -> None:
    # Seats 0 and 1 are all-in by their blinds, 2 and 3 call with what they have; nobody is deep.
    blanks = [card for card in DECK if card not in ROYAL][:8]
    hand = Hand(Rules(), [20, 35, 60, 7], blanks + ROYAL)
    assert hand.actor == 2
    hand.act(CALL)
    hand.act(CALL)
    assert hand.over
    # Layers of 7, 13, 15 and 25 chips, contested by 4, 3, 2 and 1 seats: all of them divide.
    assert hand.stacks == [20, 35, 60, 7]


def test_everyone_all_in_by_the_ante_is_asked_nothing() -> None:
    hand = all_in([5, 10, 3, 10], PAIRS[:8] + BLANKS, ante=10)
    assert not view_of(hand, AUDIENCE).history
    assert hand.stacks == [5 + 5 + 3 + 5, 5 + 5, 0, 0]


def test_only_one_with_chips_after_the_antes_is_asked_nothing_and_gets_his_blind_back() -> None:
    for rich in range(4):
        stacks = [10] * 4
        stacks[rich] = 5000
        hand = all_in(stacks, PAIRS[:8] + BLANKS, ante=10)
        assert not view_of(hand, AUDIENCE).history
        won = [40, 0, 0, 0]
        won[rich] += 4990
        assert hand.stacks == won


def test_big_blind_without_a_chip_after_the_ante_still_asks_for_a_whole_blind() -> None:
    hand = Hand(Rules(ante=10), [1000, 10, 1000], PAIRS[:6] + BLANKS)
    assert hand.options is not None
    assert (hand.actor, hand.options.call, hand.options.min_to) == (2, 100, 200)
    posted = [e for e in hand.events if isinstance(e, Posted) and e.kind != ANTE]
    assert [(e.seat, e.amount) for e in posted if e.amount] == [(0, 50)]


def test_one_chip_is_enough_to_win_one_chip_of_each() -> None:
    cards = PAIRS[:20] + BLANKS
    hand = all_in([1] + [1000] * 9, cards)
    assert hand.stacks == [10, 9 * 999] + [0] * 8


def test_chips_folded_at_every_level_count_in_every_pot_they_reached() -> None:
    # Seat 5 opens, the others fold or are all-in for less; who folds leaves 50, 100, 300 or 700.
    hand = Hand(Rules(), [5000, 200, 500, 5000, 5000, 5000], PAIRS[:12] + BLANKS)
    for decision in (
        CALL,  # seat 2: 100
        raise_to(300),  # seat 3
        FOLD,  # seat 4: nothing
        raise_to(700),  # seat 5
        FOLD,  # seat 0 leaves 50
        CALL,  # seat 1: all-in for 200
        CALL,  # seat 2: all-in for 500
        CALL,  # seat 3: 700
        raise_to(1000),  # seat 3 bets on the flop
        FOLD,  # seat 5 leaves 700
    ):
        hand.act(decision)
    assert hand.over
    # 50 + 4 * 200 for seat 1, 3 * 300 for seat 2, 2 * 200 for seat 3, whose 1000 come back.
    assert hand.stacks == [4950, 850, 900, 4300 + 400, 5000, 4300]


def test_side_pots_that_tie_are_split_one_by_one_with_odd_chips_of_their_own() -> None:
    # Seat 0 leaves 252 by folding on the flop, and the others tie: seats 1, 2 and 3 in the main pot
    # of 4 * 101 with two odd chips, seats 1 and 3 in the side pot of 3 * 151 with one.
    blanks = [card for card in DECK if card not in ROYAL][:8]
    hand = Hand(Rules(), [1000, 1000, 101, 1000], blanks + ROYAL)
    for decision in (CALL, CALL, raise_to(252), CALL, CALL, CALL, FOLD, *[CALL] * 6):
        hand.act(decision)
    pots = [(e.amount, e.winners) for e in hand.events if isinstance(e, PotWon)]
    assert pots == [
        (404, ((1, 135), (2, 135), (3, 134))),
        (453, ((1, 227), (3, 226))),
    ]


def test_largest_stacks_are_counted_exactly() -> None:
    stacks = [r.MAX_CHIPS - seat for seat in range(10)]
    hand = all_in(stacks, PAIRS + BLANKS)
    assert hand.stacks[0] == sum(stacks)
