"""Any rules, any hand, and what may be decided in it, for property tests."""

from typing import Any

from hypothesis import strategies as st

from croupier.deals import deal, seed_from_text
from croupier.rules import rules as r
from croupier.rules.decisions import ALL_IN, BET, CALL, FOLD, RAISE, Decision, Options, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import SETS

SEED = seed_from_text("properties")


@st.composite
def some_rules(draw: st.DrawFn) -> Rules:
    base = draw(st.sampled_from(list(SETS.values())))
    if base.game != r.HOLDEM:
        return base
    changes: dict[str, Any] = {
        "ante": draw(st.sampled_from([0, 0, 5])),
        "heads_up": draw(st.sampled_from([r.BUTTON_SMALL, r.NO_BIG])),
        "later_start": draw(st.sampled_from([r.LEFT_OF_BUTTON, r.AFTER_SMALL_BLIND])),
        "min_raise": draw(st.sampled_from([r.STANDARD, r.ROOM, r.ANY])),
        "raise_cap": draw(st.sampled_from([-1, 0, 3])),
        "verb_cap": draw(st.sampled_from([-1, 0, 2])),
        "fixed_bet": draw(st.sampled_from([0, 0, 0, 100, [100, 100, 200, 200]])),
        "free_fold": draw(st.booleans()),
        "action_cap": draw(st.sampled_from([0, 0, 10])),
        "reveal": draw(st.sampled_from([r.SHOWDOWN, r.ALL])),
        "short_blind": draw(st.sampled_from([r.NOMINAL, r.POSTED])),
    }
    for flag in (
        "short_all_in_reopens",
        "small_opening",
        "raise_unanswered",
        "ask_last",
        "ask_lone",
        "ask_all_in",
    ):
        changes[flag] = draw(st.booleans())
    return base.with_fields(changes)


@st.composite
def some_hand(draw: st.DrawFn) -> Hand:
    rules = draw(some_rules())
    seats = draw(st.integers(2, rules.max_seats))
    chips = st.one_of(st.integers(1, 3 * rules.big_blind), st.integers(1, 2 * rules.stack))
    stacks = draw(st.lists(chips, min_size=seats, max_size=seats))
    cards = deal(SEED, draw(st.integers(1, 10_000)), rules.deck, rules.cards_for(seats))
    return Hand(rules, stacks, cards)


def choices(options: Options) -> list[Decision]:
    """Return the corners of what is legal."""
    found = [FOLD, CALL]
    if options.max_to:
        middle = (options.min_to + options.max_to) // 2
        for verb, allowed in ((BET, options.bet), (RAISE, options.raise_)):
            if allowed:
                found += [raise_to(to, verb) for to in (options.min_to, middle, options.max_to)]
        if options.all_in:
            found.append(raise_to(options.max_to, ALL_IN))
        if options.small_to and options.bet:
            found.append(raise_to(options.small_to, BET))
    return found
