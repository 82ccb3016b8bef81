"""The same seed and decisions give the same events, whatever dialects the seats speak."""

from random import Random

import pytest

from croupier.dialects.huawei.words import NAME as HUAWEI_DIALECT
from croupier.dialects.roster import HOUSE
from croupier.dialects.trend.words import NAME as TREND_DIALECT
from croupier.match.events import Joined, Left
from croupier.match.match import OVER
from croupier.rules.decisions import CALL, FOLD, Decision, raise_to
from croupier.rules.events import CALLED, CHECKED, FOLDED, Acted, Event
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, PLAIN, ROOM, ROOM2, TREND
from tests.mixed.table import Guest, MixedTable, house, huawei, room, room2, trend

RULES = [rules.with_fields({"hands": 25}) for rules in (PLAIN, HUAWEI, TREND, ROOM, ROOM2)]
UNCAPPED = [rules for rules in RULES if rules.verb_cap < 0]
"""Rules that do not count bets and raises apart, so that any dialect can say any raise."""


def seats(kinds: str) -> list[Guest]:
    """Return guests, one for each letter: h, t, 1, 2 for the versions of room, b for the house."""
    made = {
        "h": lambda index: huawei(1001 + index, f"n{index}"),
        "t": lambda index: trend(f"s{index}"),
        "1": lambda index: room(f"n{index}"),
        "2": lambda index: room2(f"n{index}"),
        "b": lambda index: house(f"CallAgent{index}"),
    }
    return [made[kind](index) for index, kind in enumerate(kinds)]


def draw(table: MixedTable, chance: Random) -> Decision:
    """Draw a decision; what is drawn depends on the state of the hand and on nothing else."""
    options, hand = table.match.options, table.match.hand
    assert options is not None
    assert hand is not None
    wish = chance.random()
    if wish < 0.1:
        return FOLD
    if wish < 0.6 or not options.max_to or not options.can_raise:
        return CALL
    if wish > 0.95:
        return raise_to(options.max_to)
    # No less than a big blind more than before, which is what `trend` can say.
    least = max(options.min_to, hand.bets[hand.actor] + hand.big_blind)
    return raise_to(min(options.max_to, least + chance.randrange(1 + hand.big_blind)))


def speak(table: MixedTable, decision: Decision) -> None:
    """Let whoever is asked say a decision in the words of his dialect."""
    options, hand = table.match.options, table.match.hand
    assert options is not None
    assert hand is not None
    dialect = table.seating.places[table.asked].dialect
    if decision == FOLD:
        table.say("fold")
    elif decision == CALL:
        table.say("call" if options.owed else "check")
    elif dialect in (HUAWEI_DIALECT, HOUSE):
        table.say("raise", decision.to - hand.high)
    elif dialect == TREND_DIALECT:
        table.say("bet", decision.to - hand.bets[hand.actor])
    else:
        table.say(f"r{decision.to}")


def played(rules: Rules, kinds: str, *, spoken: bool) -> list[Event]:
    """Return what happens in a match, without names and whose connection is closed when."""
    order = list(range(len(kinds)))
    Random(rules.name).shuffle(order)
    table = MixedTable(rules, *seats(kinds), order=order)
    table.start()
    chance = Random(f"{rules.name} {len(kinds)}")
    while table.match.phase != OVER:
        decision = draw(table, chance)
        speak(table, decision) if spoken else table.decide(decision)
        table.go_on()
    return [event for event in table.events if not isinstance(event, Joined | Left)]


def without_verbs(events: list[Event]) -> list[Event]:
    """Return events in which every bet, raise and all-in is a raise."""
    plain: list[Event] = []
    for event in events:
        if isinstance(event, Acted) and event.action not in (FOLDED, CALLED, CHECKED):
            event = Acted(event.seat, "raise", event.added, event.to, event.all_in)
        plain.append(event)
    return plain


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_the_same_decisions_give_the_same_events_in_all_dialects(rules: Rules) -> None:
    first = played(rules, "bbbb", spoken=False)
    assert len(first) > 300
    for kinds in ("hhhh", "tttt", "1111", "2222", "ht12", "2bth"):
        assert played(rules, kinds, spoken=False) == first


@pytest.mark.parametrize("rules", UNCAPPED, ids=lambda rules: rules.name)
def test_decisions_that_are_spoken_in_any_dialect_give_the_same_events_but_for_the_verb(
    rules: Rules,
) -> None:
    first = without_verbs(played(rules, "bbbb", spoken=False))
    for kinds in ("hhhh", "tttt", "1111", "2222", "ht12", "21th"):
        assert without_verbs(played(rules, kinds, spoken=True)) == first


@pytest.mark.parametrize(
    "kinds",
    [
        "1111",
        "2222",
    ],
)
def test_decisions_that_are_spoken_give_the_same_events_with_their_verbs(kinds: str) -> None:
    first = played(PLAIN.with_fields({"hands": 25}), "bbbb", spoken=False)
    assert played(PLAIN.with_fields({"hands": 25}), kinds, spoken=True) == first
