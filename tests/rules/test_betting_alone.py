"""The arithmetic of betting without a hand around it."""

from hypothesis import given
from hypothesis import strategies as st

from croupier.rules.betting import Betting
from croupier.rules.decisions import RAISE
from croupier.rules.events import (
    ANTE,
    BIG,
    CALLED,
    CHECKED,
    FOLDED,
    Acted,
    Asked,
    BettingClosed,
    BoardDealt,
    Event,
    HandStarted,
    Posted,
)
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN
from tests.rules.some import choices, some_hand, some_rules
from tests.support.builds import attributes_of


def follow(betting: Betting, event: Event) -> None:
    """Let a betting of its own see what happened in a hand."""
    if isinstance(event, Posted):
        if event.kind == ANTE:
            posted = betting.post_ante(event.seat, betting.terms.ante)
        else:
            blind = betting.big_blind if event.kind == BIG else betting.small_blind
            posted = betting.post_blind(event.seat, blind)
        assert posted == event.amount
    elif isinstance(event, BoardDealt):
        betting.next_street()
        assert betting.street == event.street
    elif isinstance(event, Acted):
        if event.action == FOLDED:
            betting.fold(event.seat)
        elif event.action in (CALLED, CHECKED):
            betting.call(event.seat, event.added)
        else:
            assert betting.raise_to(event.seat, event.to, event.action) == event.added
        assert betting.bets[event.seat] == event.to


@given(some_hand(), st.data())
def test_from_the_events_alone_it_offers_what_the_hand_offers(
    hand: Hand, data: st.DataObject
) -> None:
    while hand.options is not None:
        hand.act(data.draw(st.sampled_from(choices(hand.options))))
    started = hand.events[0]
    assert isinstance(started, HandStarted)
    betting = Betting(hand.rules.terms, started.stacks, started.small_blind, started.big_blind)
    for event in hand.events:
        if isinstance(event, Asked):
            assert betting.must_act(event.seat)
        if isinstance(event, Asked | BettingClosed):
            assert betting.options(event.seat) == event.options
        follow(betting, event)
        assert sum(betting.stacks) + betting.pot == sum(started.stacks)


@st.composite
def some_betting(draw: st.DrawFn) -> Betting:
    """Return a betting in a position that a hand need not have, such as a server may report."""
    rules: Rules = draw(some_rules())
    size = draw(st.integers(2, rules.max_seats))
    chips = st.integers(0, 5 * rules.big_blind)
    betting = Betting(
        rules.terms,
        draw(st.lists(chips, min_size=size, max_size=size)),
        rules.small_blind,
        rules.big_blind,
    )
    betting.bets = draw(st.lists(chips, min_size=size, max_size=size))
    betting.put = betting.bets[:]
    betting.street = draw(st.integers(0, len(rules.streets) - 1))
    betting.high = max(betting.bets) + draw(st.sampled_from([0, 0, rules.big_blind]))
    betting.level = draw(
        st.lists(st.integers(-1, betting.high), min_size=size, max_size=size),
    )
    betting.raises = draw(st.integers(0, 5))
    betting.bet_count = draw(st.integers(0, betting.raises))
    betting.raise_count = betting.raises - betting.bet_count
    for seat in range(size):
        if draw(st.booleans()):
            betting.fold(seat)
    return betting


@given(some_betting(), st.integers(0, 9), st.data())
def test_in_any_position_what_is_offered_can_be_paid(
    betting: Betting, seat: int, data: st.DataObject
) -> None:
    seat %= betting.size
    options = betting.options(seat)
    stack, total = betting.stacks[seat], sum(betting.stacks) + betting.pot
    assert 0 <= options.call <= min(options.owed, stack)
    if options.max_to:
        assert betting.high < options.min_to <= options.max_to <= betting.bets[seat] + stack
        to = data.draw(st.integers(options.min_to, options.max_to))
        assert betting.raise_to(seat, to, RAISE) == stack - betting.stacks[seat]
        assert betting.high == betting.bets[seat] == to
    else:
        betting.call(seat, options.call)
    assert betting.stacks[seat] >= 0
    assert sum(betting.stacks) + betting.pot == total


@given(some_betting(), st.integers(0, 9))
def test_who_has_acted_has_to_act_again_only_after_a_raise(betting: Betting, seat: int) -> None:
    seat %= betting.size
    betting.call(seat, betting.options(seat).call)
    assert not betting.must_act(seat)
    for other in range(betting.size):
        options = betting.options(other)
        if other != seat and options.max_to and not betting.folded[other]:
            betting.raise_to(other, options.max_to, RAISE)
            able = not betting.folded[seat] and (betting.stacks[seat] or betting.terms.ask_all_in)
            assert betting.must_act(seat) == (bool(able) and betting.live > 1)
            return


def test_a_new_street_forgets_all_but_the_chips() -> None:
    betting = Betting(PLAIN.terms, [1000, 1000], 50, 100)
    betting.post_blind(0, 50)
    betting.raise_to(1, 300, RAISE)
    betting.call(0, 250)
    betting.next_street()
    fresh = Betting(PLAIN.terms, [700, 700], 50, 100)
    fresh.put = [300, 300]
    fresh.street = 1
    for name in attributes_of(Betting):
        assert getattr(betting, name) == getattr(fresh, name), name


@given(some_betting())
def test_what_nobody_matched_goes_back_and_no_more(betting: Betting) -> None:
    live = betting.live_seats()
    if not live:
        return
    total = sum(betting.stacks) + betting.pot
    seat, amount = betting.return_uncalled(live)
    rest = max(chips for other, chips in enumerate(betting.put) if other != seat)
    assert seat in live
    assert amount >= 0
    assert sum(betting.stacks) + betting.pot == total
    assert betting.put[seat] <= rest
    assert betting.put[seat] == rest or not amount
