"""What holds at every event of any hand, under any rules."""

import copy
import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import HIDDEN
from croupier.rules.decisions import CALL
from croupier.rules.events import AUDIENCE, Acted, Asked, HandEnded, HoleDealt, PotDiscarded
from croupier.rules.hand import Hand
from croupier.rules.view import View, view_from, view_of
from croupier.store.codec import decode, encode
from tests.rules.some import choices, some_hand
from tests.support.builds import attributes_of


def play_out(hand: Hand, data: st.DataObject) -> None:
    for _ in range(400):
        if hand.options is None:
            return
        # Folds end hands early; make them rarer than the rest.
        legal = choices(hand.options)
        hand.act(data.draw(st.sampled_from(legal[1:] * 3 + legal)))
    while hand.options is not None:
        hand.act(CALL)


def state(view: View) -> dict[str, Any]:
    fields = {name: getattr(view, name) for name in attributes_of(View) if not name.startswith("_")}
    return fields | {"history": view.history}


@given(some_hand(), st.data())
def test_chips_are_constant_at_every_event(hand: Hand, data: st.DataObject) -> None:
    play_out(hand, data)
    total = sum(hand.events[0].stacks)  # type: ignore[attr-defined]
    view = View(hand.rules)
    for event in hand.events:
        view.see(event)
        if isinstance(event, PotDiscarded):
            total -= event.amount
        assert sum(view.stacks) + view.pot == total
        assert min(view.stacks) >= 0
        assert min(view.put) >= 0
    ended = hand.events[-1]
    assert isinstance(ended, HandEnded)
    assert list(ended.stacks) == view.stacks == hand.stacks
    assert view.pot == 0


@given(some_hand(), st.data())
def test_folding_the_redacted_events_gives_the_redacted_state(
    hand: Hand, data: st.DataObject
) -> None:
    while hand.options is not None:
        for seat in (AUDIENCE, *range(hand.size)):
            told = view_from(hand.rules, seat, hand.events)
            assert state(told) == state(view_of(hand, seat))
        hand.act(data.draw(st.sampled_from(choices(hand.options))))
    for seat in (AUDIENCE, *range(hand.size)):
        told = view_from(hand.rules, seat, hand.events)
        assert state(told) == state(view_of(hand, seat))


@given(some_hand(), st.data())
def test_a_bot_may_copy_and_pickle_its_view(hand: Hand, data: st.DataObject) -> None:
    play_out(hand, data)
    view = view_of(hand, 0)
    for again in (copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
        assert state(again) == state(view)


@given(some_hand(), st.data())
def test_events_survive_a_round_trip_through_json(hand: Hand, data: st.DataObject) -> None:
    play_out(hand, data)
    assert decode(encode(hand.events)) == hand.events


@given(some_hand(), st.data())
def test_no_view_of_a_hand_in_play_knows_a_card_of_another_seat(
    hand: Hand, data: st.DataObject
) -> None:
    while hand.options is not None:
        for seat in (AUDIENCE, *range(hand.size)):
            for other, cards in enumerate(view_of(hand, seat).cards):
                assert (set(cards) == {HIDDEN}) == (other != seat)
        hand.act(data.draw(st.sampled_from(choices(hand.options))))


@given(some_hand(), st.data())
def test_every_decision_is_asked_for_and_only_of_players_who_can_act(
    hand: Hand, data: st.DataObject
) -> None:
    play_out(hand, data)
    view = View(hand.rules)
    for event in hand.events:
        if isinstance(event, Asked):
            assert not view.folded[event.seat]
            assert view.stacks[event.seat] or hand.rules.ask_all_in
            assert 0 <= event.options.call <= min(event.options.owed, view.stacks[event.seat])
            assert event.options.min_to <= event.options.max_to
            if event.options.max_to:
                assert view.high < event.options.max_to
                assert event.options.max_to <= view.bets[event.seat] + view.stacks[event.seat]
        if isinstance(event, Acted):
            assert view.actor == event.seat
        view.see(event)


@given(some_hand(), st.data())
def test_the_same_cards_and_decisions_give_the_same_events(hand: Hand, data: st.DataObject) -> None:
    decisions = []
    while hand.options is not None:
        decisions.append(data.draw(st.sampled_from(choices(hand.options))))
        hand.act(decisions[-1])
    started = hand.events[0]
    again = Hand(hand.rules, started.stacks, hand.cards)  # type: ignore[attr-defined]
    for decision in decisions:
        again.act(decision)
    assert again.events == hand.events
    assert [e.seat for e in hand.events if isinstance(e, HoleDealt)] == list(range(hand.size))
