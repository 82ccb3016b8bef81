"""The luck of a hand is zero on average, whatever is played."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.cards import DECK, KUHN_DECK
from croupier.contest.coefficients import frozen
from croupier.contest.luck import TERMS, luck_of
from croupier.contest.plan import SINGLE
from croupier.deals import deal, seed_from_text
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.events import BoardDealt, Event
from croupier.rules.hand import NOBODY, Hand
from croupier.rules.sets import KUHN, PLAIN
from soak.luck import BOTS, contests_of, report

SEED = seed_from_text("luck")


EXACT = ("pot", "growth", "stack")
CONTESTED = ("growth x second^4", "stack x second^4", "stack x second^12")


def columns(street: str, kinds: Sequence[str] = EXACT) -> list[int]:
    return [TERMS.index(f"{kind}, {street}") for kind in kinds]


def terms(events: Sequence[Event]) -> np.ndarray:
    luck = luck_of(events, SEED)
    assert luck is not None
    return luck.terms


def with_board(events: Sequence[Event], board: Sequence[int]) -> list[Event]:
    """Return the events of a hand with other board cards."""
    at, changed = 0, []
    for event in events:
        if isinstance(event, BoardDealt):
            cards = tuple(board[at : at + len(event.cards)])
            event, at = BoardDealt(event.street, cards), at + len(cards)
        changed.append(event)
    return changed


@st.composite
def played(draw: st.DrawFn) -> Hand:
    """Return any finished hand that came to the river, with any stacks."""
    seats = draw(st.integers(2, 10))
    stacks = draw(st.lists(st.integers(60, 20_000), min_size=seats, max_size=seats))
    cards = deal(SEED, draw(st.integers(1, 10_000)), DECK, 2 * seats + 5)
    hand = Hand(PLAIN, stacks, cards)
    while hand.actor != NOBODY:
        options = hand.options
        assert options is not None
        choice = draw(st.sampled_from(["call", "call", "call", "fold", "min", "max"]))
        if choice == "fold" and options.owed:
            hand.act(FOLD)
        elif choice in ("min", "max") and options.can_raise:
            hand.act(raise_to(options.min_to if choice == "min" else options.max_to))
        else:
            hand.act(CALL)
    assume(len(hand.board) == 5)
    return hand


@given(played())
def test_what_a_card_changed_is_zero_on_average_over_all_that_could_have_come(hand: Hand) -> None:
    known = {card for hole in hand.hole for card in hole} | set(hand.board[:3])
    deck = [card for card in DECK if card not in known]
    for street, place in (("turn", 3), ("river", 4)):
        came = hand.board[:place]
        rest = [card for card in deck if card not in came]
        total = np.zeros((hand.size, 6))
        closed = np.zeros(hand.size)
        for card in rest:
            # What comes after it does not matter to an open street.
            last = [*came, card, *(other for other in rest if other != card)][:5]
            found = terms(with_board(hand.events, last))
            total += found[:, columns(street, EXACT + CONTESTED)]
            closed += found[:, 0]
        assert np.abs(total).max() < 1e-8
        if street == "river":
            assert np.abs(closed).max() < 1e-8 or _closed_before_river(hand)


def _closed_before_river(hand: Hand) -> bool:
    """Tell whether the river was not the first card after the betting."""
    return not np.any(terms(hand.events)[:, columns("turn")])


@given(played())
def test_chips_move_between_seats_and_none_is_made(hand: Hand) -> None:
    found = terms(hand.events)
    assert np.abs(found[:, :4].sum(axis=0)).max() < 1e-9


@pytest.mark.parametrize("seats", [2, 10])
def test_a_run_out_less_its_luck_pays_exactly_the_equity_on_every_board(seats: int) -> None:
    """All in on the flop, with side pots: many seats leave few boards, and all are dealt."""
    stacks = [2520 * (1 + seat % 3) for seat in range(seats)]
    cards = deal(SEED, seats, DECK, 2 * seats + 5)
    flop = cards[2 * seats : 2 * seats + 3]
    rest = [card for card in DECK if card not in cards[: 2 * seats + 3]]
    boards = [(one, other) for one in rest for other in rest if one != other]
    results, adjusted = [], []
    for turn, river in boards[:: max(1, len(boards) // 200)]:
        hand = Hand(PLAIN, stacks, [*cards[: 2 * seats], *flop, turn, river])
        while hand.actor != NOBODY:
            options = hand.options
            assert options is not None
            raises = hand.street == 1 and options.can_raise
            hand.act(raise_to(options.max_to) if raises else CALL)
        luck = luck_of(hand.events, SEED)
        assert luck is not None
        results.append(luck.won)
        adjusted.append(np.array(luck.won) - luck.terms[:, 0])
    # Every board gives the same: the equity, which is the mean over all boards.
    assert np.abs(np.array(adjusted) - adjusted[0]).max() < 1e-9
    if len(results) == len(boards):
        assert np.abs(np.mean(results, axis=0) - adjusted[0]).max() < 1e-9


def test_what_is_sampled_before_the_flop_is_zero_on_average_within_its_error() -> None:
    sampled = [*columns("flop", EXACT + CONTESTED), TERMS.index("share")]
    changes = []
    for number in range(1, 600):
        hand = Hand(PLAIN, [10_000] * 3, deal(SEED, number, DECK, 11), number=number)
        while hand.actor != NOBODY:
            hand.act(CALL)
        changes.append(terms(hand.events)[0, sampled])
    errors = np.std(changes, axis=0) / np.sqrt(len(changes))
    assert (np.abs(np.mean(changes, axis=0)) < 4 * errors).all()


def test_in_kuhn_poker_luck_leaves_every_mean_as_it_is_exactly() -> None:
    """All deals, and every 59th pair of pure strategies; in fractions."""
    coefficients = [Fraction(float(value)) for value in frozen("kuhn", SINGLE, 2)]
    rules = KUHN.with_fields({"stacks": "reset"})
    strategies = list(product((False, True), repeat=6))
    for first, second in list(product(strategies, strategies))[::59]:
        raw = adjusted = Fraction(0)
        for cards in permutations(KUHN_DECK, 2):
            hand = Hand(rules, [10, 10], list(cards))
            while hand.actor != NOBODY:
                plan = first if hand.actor == 0 else second
                later = 3 if hand.options is not None and hand.options.owed else 0
                bets = plan[later + KUHN_DECK.index(cards[hand.actor])]
                options = hand.options
                assert options is not None
                if not bets:
                    hand.act(FOLD if options.owed else CALL)
                else:
                    can = options.can_raise and not options.owed
                    hand.act(raise_to(options.max_to) if can else CALL)
            luck = luck_of(hand.events, SEED)
            assert luck is not None
            taken = sum(
                k * Fraction(float(z)) for k, z in zip(coefficients, luck.terms[0], strict=True)
            )
            raw += Fraction(luck.won[0])
            adjusted += Fraction(luck.won[0]) - taken
        assert raw == adjusted


def test_the_same_record_has_the_same_luck_and_another_seed_only_samples_anew() -> None:
    hand = Hand(PLAIN, [10_000] * 2, deal(SEED, 3, DECK, 9))
    while hand.actor != NOBODY:
        hand.act(CALL)
    assert (terms(hand.events) == terms(hand.events)).all()
    other = luck_of(hand.events, bytes(32))
    assert other is not None
    exact = [*columns("turn"), *columns("river")]
    assert (terms(hand.events)[:, exact] == other.terms[:, exact]).all()
    assert (terms(hand.events) != other.terms).any()


def test_an_unfinished_hand_has_no_luck() -> None:
    hand = Hand(PLAIN, [10_000] * 2, deal(SEED, 3, DECK, 9))
    assert luck_of(hand.events, SEED) is None


@pytest.mark.parametrize("names", BOTS)
def test_intervals_of_real_hands_cover_the_truth_as_often_as_they_say(names: str) -> None:
    """A few short contests; `make soak` has 2,000."""
    assert report(names, contests_of(names, contests=8, workers=1, sets=50))
