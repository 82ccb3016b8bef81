"""The table of decisions and corrections, cell by cell, and whatever else may come in."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.tokens import token_of
from croupier.dialects.trend import reader
from croupier.dialects.trend.reader import Action, Join, Reload, Unknown, decide, parse
from croupier.rules.decisions import BET, CALL, FOLD, RAISE, raise_to
from croupier.rules.events import Acted
from croupier.rules.hand import Hand
from croupier.rules.rules import HOLDEM, Rules
from croupier.rules.sets import SETS, TREND
from tests.support.scripted import hand_of

MISSING = object()


def answer(hand: Hand, action: Any, amount: Any = MISSING) -> Answer | Illegal:
    """Return what an `__action` with this action and amount means to who is asked."""
    data = {"action": action} | ({} if amount is MISSING else {"amount": amount})
    assert hand.options is not None
    return decide(Action(data), hand.options, hand.high, hand.bets[hand.actor], hand.big_blind)


def shown(hand: Hand, action: Any, amount: Any = MISSING) -> str:
    """Let who is asked act; return the action as everyone sees it, with what it added."""
    made = answer(hand, action, amount)
    hand.act(made.decision if isinstance(made, Answer) else FOLD)
    done = next(event for event in reversed(hand.events) if isinstance(event, Acted))
    word = "allin" if done.all_in else done.action
    return word if done.action in ("check", "fold") else f"{word} {done.added}"


def correction(hand: Hand, action: Any, amount: Any = MISSING) -> str:
    made = answer(hand, action, amount)
    assert isinstance(made, Answer)
    return made.correction


def before_flop(*stacks: int) -> Hand:
    """The player after the big blind is asked: 20 to call, by `__action`."""
    return hand_of(list(stacks) or [1000, 1000, 1000], rules=TREND)


def bet_asked(*stacks: int) -> Hand:
    """On the flop the small blind is asked to `__bet`; everyone has put in 20."""
    hand = hand_of([stack + 20 for stack in stacks or (1000, 1000, 1000)], rules=TREND)
    for _ in range(3):
        hand.act(CALL)
    assert (hand.street, hand.high, hand.actor) == (1, 0, 0)
    return hand


def facing(high: int, *stacks: int) -> Hand:
    """On the flop the first has bet; the second is asked by `__action`."""
    hand = bet_asked(*stacks or (1000, 1000, 1000))
    hand.act(raise_to(high, BET))
    assert hand.actor == 1
    return hand


def capped(verb: str) -> Hand:
    """A flop that has seen four bets, or four raises; more chips than anyone needs."""
    hand = bet_asked(5000, 5000, 5000)
    total = 20
    hand.act(raise_to(total, BET))
    for _ in range(3 if verb == BET else 4):
        total += 20
        hand.act(raise_to(total, verb))
    assert (hand.betting.bet_count, hand.betting.raise_count) == ((4, 0) if verb == BET else (1, 4))
    return hand


# bet


def test_bet_in_a_bet_is_a_bet_of_the_amount() -> None:
    assert shown(bet_asked(), "bet", 100) == "bet 100"
    assert correction(bet_asked(), "bet", 100) == ""


def test_bet_is_added_to_the_own_bet() -> None:
    hand = before_flop()
    hand.act(CALL)
    assert hand.bets[hand.actor] == 10  # the small blind
    assert shown(hand, "bet", 100) == "bet 100"
    assert hand.high == 110


@pytest.mark.parametrize("amount", [19, 1, 0, -1, -(10**30), 19.0, "5", "-3"])
def test_bet_below_the_minimum_is_the_minimum(amount: Any) -> None:
    assert shown(bet_asked(), "bet", amount) == "bet 20"
    assert correction(bet_asked(), "bet", amount) == reader.RAISED_TO_MINIMUM


def test_bet_of_the_minimum_is_not_corrected() -> None:
    assert shown(bet_asked(), "bet", 20) == "bet 20"
    assert correction(bet_asked(), "bet", 20) == ""


def test_bet_below_the_minimum_before_the_flop_is_the_minimum_and_so_a_call() -> None:
    assert shown(before_flop(), "bet", 5) == "call 20"


def test_the_minimum_is_the_big_blind_of_the_lap() -> None:
    hand = hand_of([1000] * 3, rules=TREND, small_blind=40, big_blind=80)
    for _ in range(3):
        hand.act(CALL)
    assert shown(hand, "bet", 20) == "bet 80"


@pytest.mark.parametrize("amount", [1001, 10**6, 10**30, 1e300, "99999999999999999999"])
def test_bet_beyond_the_chips_is_all_in(amount: Any) -> None:
    assert shown(bet_asked(), "bet", amount) == "allin 1000"
    assert correction(bet_asked(), "bet", amount) == reader.BEYOND_CHIPS


def test_bet_beyond_the_chips_facing_a_bet_is_all_in() -> None:
    assert shown(facing(100), "bet", 5000) == "allin 1000"


def test_bet_of_exactly_all_chips_is_all_in() -> None:
    assert shown(bet_asked(), "bet", 1000) == "allin 1000"
    assert correction(bet_asked(), "bet", 1000) == ""


def test_bet_when_the_minimum_is_beyond_the_chips_is_all_in() -> None:
    assert shown(bet_asked(15, 1000, 1000), "bet", 1) == "allin 15"
    assert shown(bet_asked(15, 1000, 1000), "bet", 500) == "allin 15"


def test_bet_when_the_chips_do_not_suffice_for_a_call_is_all_in() -> None:
    assert shown(facing(500, 1000, 300, 1000), "bet", 700) == "allin 300"
    assert shown(facing(500, 1000, 300, 1000), "bet", 100) == "allin 300"


def test_bet_when_the_chips_just_suffice_for_a_call_is_all_in() -> None:
    assert shown(facing(500, 1000, 500, 1000), "bet", 700) == "allin 500"


def test_the_note_on_a_bet_when_the_chips_just_suffice_for_a_call_names_the_chips() -> None:
    assert correction(facing(500, 1000, 500, 1000), "bet", 700) == reader.BEYOND_CHIPS


NO_NUMBERS = [
    pytest.param(MISSING, id="missing"),
    None,
    True,
    False,
    "",
    "abc",
    "12 34",
    "0x64",
    "NaN",
    "Infinity",
    math.nan,
    math.inf,
    -math.inf,
    [],
    [100],
    {},
    {"amount": 100},
]


@pytest.mark.parametrize("amount", NO_NUMBERS, ids=repr)
def test_bet_with_an_amount_that_is_no_number_is_a_fold(amount: Any) -> None:
    assert shown(bet_asked(), "bet", amount) == "fold"
    assert shown(before_flop(), "bet", amount) == "fold"
    assert isinstance(answer(capped(BET), "bet", amount), Illegal)


@pytest.mark.parametrize("amount", ["1_00", "１００"])
def test_bet_with_a_text_that_no_json_would_call_a_number_is_a_fold(amount: str) -> None:
    assert shown(bet_asked(), "bet", amount) == "fold"


@pytest.mark.parametrize("amount", [33.5, 0.1, -7.5, 999.99, 5000.5, "33.5"])
def test_bet_of_a_fraction_is_a_bet_of_the_big_blind(amount: Any) -> None:
    assert shown(bet_asked(), "bet", amount) == "bet 20"
    assert correction(bet_asked(), "bet", amount) == reader.NOT_WHOLE


def test_bet_of_a_fraction_where_the_big_blind_is_no_raise_is_a_call() -> None:
    assert shown(before_flop(), "bet", 33.5) == "call 20"
    assert shown(facing(100), "bet", 150.5) == "call 100"


@pytest.mark.parametrize("amount", [100, 100.0, "100", "100.0", " 100 "])
def test_bet_of_a_whole_number_in_any_spelling_is_that_number(amount: Any) -> None:
    assert shown(bet_asked(), "bet", amount) == "bet 100"


@pytest.mark.parametrize("amount", [50, 99, 100])
def test_bet_not_above_the_highest_bet_is_shown_and_counted_as_a_call(amount: int) -> None:
    hand = facing(100)
    assert correction(hand, "bet", amount) == reader.BET_IS_CALL
    assert shown(hand, "bet", amount) == "call 100"
    assert hand.betting.bet_count == 1


def test_bet_above_the_highest_bet_knows_no_minimum_raise() -> None:
    hand = facing(100)
    assert shown(hand, "bet", 101) == "bet 101"
    assert hand.betting.bet_count == 2


def test_the_fourth_bet_of_a_street_is_a_bet() -> None:
    hand = bet_asked(5000, 5000, 5000)
    for total in (20, 40, 60):
        hand.act(raise_to(total, BET))
    assert shown(hand, "bet", 100) == "bet 100"


@pytest.mark.parametrize("amount", [500, 5000, 10**9, 1])
def test_the_fifth_bet_of_a_street_is_a_call(amount: int) -> None:
    hand = capped(BET)
    owed = hand.high - hand.bets[hand.actor]
    assert shown(hand, "bet", amount) == f"call {owed}"


def test_after_four_bets_a_raise_is_still_a_raise() -> None:
    hand = capped(BET)
    bet = hand.bets[hand.actor]
    assert shown(hand, "raise") == f"raise {2 * 80 - bet}"


def test_the_counts_begin_anew_with_each_street() -> None:
    hand = capped(BET)
    for _ in range(2):
        hand.act(CALL)
    assert hand.street == 2
    assert shown(hand, "bet", 100) == "bet 100"


# call


def test_call_puts_in_what_is_owed() -> None:
    assert shown(before_flop(), "call") == "call 20"
    assert shown(facing(100), "call") == "call 100"


@pytest.mark.parametrize("stack", [99, 50, 1])
def test_call_when_the_chips_do_not_suffice_is_all_in(stack: int) -> None:
    assert shown(facing(100, 1000, stack, 1000), "call") == f"allin {stack}"


def test_call_when_the_chips_just_suffice_is_all_in() -> None:
    assert shown(facing(100, 1000, 100, 1000), "call") == "allin 100"


def test_call_in_a_bet_is_a_bet_of_the_small_blind() -> None:
    hand = bet_asked()
    assert correction(hand, "call") == reader.CALL_IS_SMALL_BET
    assert shown(hand, "call") == "bet 10"
    assert hand.betting.bet_count == 1
    assert hand.high == 10


@pytest.mark.parametrize("stack", [10, 9, 1])
def test_call_in_a_bet_with_no_more_than_the_small_blind_is_all_in(stack: int) -> None:
    assert shown(bet_asked(stack, 1000, 1000), "call") == f"allin {stack}"


def test_call_by_the_big_blind_before_the_flop_owes_nothing() -> None:
    hand = before_flop()
    hand.act(CALL)
    hand.act(CALL)
    assert shown(hand, "call") == "check"


def test_an_amount_beside_a_call_is_ignored() -> None:
    for amount in (500, None, "x", [1], -3):
        assert shown(before_flop(), "call", amount) == "call 20"


# raise


def test_raise_is_to_twice_the_highest_bet() -> None:
    hand = before_flop()
    assert shown(hand, "raise") == "raise 40"
    assert shown(hand, "raise") == "raise 70"  # the small blind to 80
    assert shown(hand, "raise") == "raise 140"  # the big blind to 160


def test_raise_facing_a_bet_on_a_later_street() -> None:
    assert shown(facing(30), "raise") == "raise 60"


@pytest.mark.parametrize("stack", [199, 101])
def test_raise_when_the_chips_do_not_suffice_is_all_in(stack: int) -> None:
    assert shown(facing(100, 1000, stack, 1000), "raise") == f"allin {stack}"


def test_raise_when_the_chips_just_suffice_is_all_in() -> None:
    assert shown(facing(100, 1000, 200, 1000), "raise") == "allin 200"


@pytest.mark.parametrize("stack", [100, 60])
def test_raise_when_the_chips_do_not_exceed_a_call_is_all_in(stack: int) -> None:
    assert shown(facing(100, 1000, stack, 1000), "raise") == f"allin {stack}"


def test_the_fourth_raise_of_a_street_is_a_raise() -> None:
    hand = bet_asked(5000, 5000, 5000)
    hand.act(raise_to(20, BET))
    for total in (40, 60, 80):
        hand.act(raise_to(total, RAISE))
    bet = hand.bets[hand.actor]
    assert shown(hand, "raise") == f"raise {160 - bet}"


def test_the_fifth_raise_of_a_street_is_a_call() -> None:
    hand = capped(RAISE)
    owed = hand.high - hand.bets[hand.actor]
    assert correction(hand, "raise") == reader.CAPPED_RAISE
    assert shown(hand, "raise") == f"call {owed}"


def test_after_four_raises_a_bet_is_still_a_bet() -> None:
    assert shown(capped(RAISE), "bet", 1000) == "bet 1000"


def test_after_four_raises_allin_is_still_all_in() -> None:
    assert shown(capped(RAISE), "allin").startswith("allin")
    assert shown(capped(BET), "allin").startswith("allin")


def test_raise_in_a_bet_is_a_bet_of_the_big_blind() -> None:
    hand = bet_asked()
    assert correction(hand, "raise") == reader.RAISE_IS_BIG_BET
    assert shown(hand, "raise") == "bet 20"
    assert (hand.betting.bet_count, hand.betting.raise_count) == (1, 0)


@pytest.mark.parametrize("stack", [20, 19, 1])
def test_raise_in_a_bet_with_no_more_than_the_big_blind_is_all_in(stack: int) -> None:
    assert shown(bet_asked(stack, 1000, 1000), "raise") == f"allin {stack}"


# check


def test_check_facing_a_bet_is_a_call() -> None:
    assert correction(facing(100), "check") == reader.CHECK_IS_CALL
    assert shown(facing(100), "check") == "call 100"
    assert shown(before_flop(), "check") == "call 20"


def test_check_facing_more_than_the_chips_is_all_in() -> None:
    assert shown(facing(100, 1000, 60, 1000), "check") == "allin 60"


def test_check_in_a_bet_is_a_check() -> None:
    assert correction(bet_asked(), "check") == ""
    assert shown(bet_asked(), "check") == "check"


def test_check_by_the_big_blind_before_the_flop_is_a_check() -> None:
    hand = before_flop()
    hand.act(CALL)
    hand.act(CALL)
    assert shown(hand, "check") == "check"


# allin and fold


def test_allin_is_all_chips() -> None:
    assert shown(bet_asked(), "allin") == "allin 1000"
    assert shown(before_flop(), "allin") == "allin 1000"
    assert shown(facing(100, 1000, 60, 1000), "allin") == "allin 60"
    assert shown(facing(100, 1000, 100, 1000), "allin") == "allin 100"


def test_allin_counts_neither_as_bet_nor_as_raise() -> None:
    hand = bet_asked()
    assert shown(hand, "allin") == "allin 1000"
    assert (hand.betting.bet_count, hand.betting.raise_count) == (0, 0)


def test_fold_is_a_fold_anywhere() -> None:
    assert shown(bet_asked(), "fold") == "fold"
    assert shown(before_flop(), "fold") == "fold"
    hand = before_flop()
    hand.act(CALL)
    hand.act(CALL)
    assert shown(hand, "fold") == "fold"  # the big blind, who might have checked


# anything else

STRANGE: list[Any] = ["CALL", "Fold", "", " call", "all_in", "all-in", None, 1, True, [], {}, 1.5]


@pytest.mark.parametrize("action", STRANGE, ids=repr)
def test_an_action_that_is_no_word_of_the_table_is_a_fold(action: Any) -> None:
    assert isinstance(answer(bet_asked(), action, 100), Illegal)
    assert isinstance(answer(before_flop(), action, 100), Illegal)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"call",
        b"{",
        b"\xff\xfe\x00",
        b"null",
        b"[]",
        b'"call"',
        b"{}",
        b'{"eventName":"__action"}',
        b'{"eventName":"__action","data":null}',
        b'{"eventName":"__action","data":"call"}',
        b'{"eventName":"__action","data":["call"]}',
        b'{"eventName":"__action","data":{}}',
        b'{"eventName":"_action","data":{"action":"call"}}',
        b'{"eventName":["__action"],"data":{"action":"call"}}',
        b'{"eventname":"__action","data":{"action":"call"}}',
        b'{"eventName":"__bet","data":{"action":"bet","amount":100}}',
        b'{"eventName":"__action","data":{"action":"call"}',
        b'{"eventName":"__action","data":{"action":"call"}}x',
        b'{"eventName":"__action","data":{"action":"call"}} {"eventName":"__reload"}',
        b"[" * 30_000,
        b'{"a":' * 10_000,
        b"[" * 100_000,
    ],
    ids=lambda text: repr(text[:40]),
)
def test_a_message_that_is_no_action_is_a_fold(text: bytes) -> None:
    hand = before_flop()
    assert hand.options is not None
    made = decide(parse(text), hand.options, hand.high, 0, hand.big_blind)
    assert isinstance(made, Illegal)


# Messages.


def test_a_join_names_the_player() -> None:
    assert parse(b'{"eventName":"__join","data":{"playerName":"0123456789ABCDEF"}}') == Join(
        "0123456789ABCDEF"
    )
    assert parse('{"eventName":"__join","data":{"playerName":"名字"}}'.encode()) == Join("名字")


@pytest.mark.parametrize("name", ["", "x" * 257, None, 7, ["x"], {"x": 1}])
def test_a_join_without_a_usable_name_is_none(name: Any) -> None:
    text = json.dumps({"eventName": "__join", "data": {"playerName": name}}).encode()
    assert isinstance(parse(text), Unknown)


def test_the_token_is_the_md5_of_the_name_in_lower_case_hex() -> None:
    assert token_of("0123456789ABCDEF") == "e43df9b5a46b755ea8f1b4dd08265544"
    assert token_of("aa") == "4124bc0a9335c27f086f24ba207a4912"


def test_a_reload_comes_without_data_or_with_any() -> None:
    assert parse(b'{"eventName":"__reload"}') == Reload()
    assert parse(b'{"eventName":"__reload","data":{"x":1}}') == Reload()


def test_other_keys_are_ignored() -> None:
    text = b'{"eventName":"__action","data":{"action":"call","playerName":"x","amount":5},"z":[{}]}'
    made = parse(text)
    assert isinstance(made, Action)
    hand = before_flop()
    assert hand.options is not None
    assert decide(made, hand.options, hand.high, 0, hand.big_blind) == Answer(CALL)


def test_what_is_nested_too_deeply_is_refused() -> None:
    inner = b"[" * 30_000 + b"]" * 30_000
    assert parse(b'{"eventName":"__reload","data":' + inner + b"}") == Unknown("not JSON")


def test_many_flat_objects_are_not_nested_deeply() -> None:
    data = {"action": "call", "players": [{"n": i} for i in range(30)]}
    text = json.dumps({"eventName": "__action", "data": data}).encode()
    assert isinstance(parse(text), Action)


def test_brackets_in_a_name_are_no_nesting() -> None:
    name = "[" * 30
    text = json.dumps({"eventName": "__join", "data": {"playerName": name}}).encode()
    assert parse(text) == Join(name)


def test_a_bet_of_five_thousand_digits_is_all_in() -> None:
    text = b'{"eventName":"__action","data":{"action":"bet","amount":' + b"9" * 5000 + b"}}"
    made = parse(text)
    assert isinstance(made, Action)
    assert shown(bet_asked(), "bet", made.data["amount"]) == "allin 1000"


def test_a_message_with_nan_in_it_is_malformed() -> None:
    text = b'{"eventName":"__action","data":{"action":"call","x":NaN}}'
    assert isinstance(parse(text), Unknown)


# Anything at all, under any rules.

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)
WORDS = st.sampled_from(["bet", "call", "check", "raise", "fold", "allin"])
AMOUNTS = JSON | st.integers(-50, 25_000) | st.integers().map(str) | st.floats(0, 5000)
DECISIONS = st.fixed_dictionaries(
    {"action": WORDS | JSON}, optional={"amount": AMOUNTS, "playerName": JSON}
)
RULES = st.sampled_from([rules for rules in SETS.values() if rules.game == HOLDEM])


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_parse_takes_anything(text: bytes) -> None:
    assert isinstance(parse(text), Join | Action | Reload | Unknown)


@given(
    RULES,
    st.lists(st.integers(1, 400), min_size=2, max_size=5),
    st.lists(DECISIONS, max_size=40),
)
def test_whatever_is_said_under_whatever_rules_is_legal_or_a_fold(
    rules: Rules, stacks: list[int], said: list[dict[str, Any]]
) -> None:
    hand = hand_of([stack * rules.big_blind // 10 + 1 for stack in stacks], rules=rules)
    for data in said:
        if hand.options is None:
            break
        text = json.dumps({"eventName": "__action", "data": data}).encode()
        made = decide(parse(text), hand.options, hand.high, hand.bets[hand.actor], hand.big_blind)
        decision = made.decision if isinstance(made, Answer) else FOLD
        assert hand.options.fault(decision) == ""
        hand.act(decision)


@given(RULES, JSON)
def test_decide_takes_any_json(rules: Rules, value: Any) -> None:
    hand = hand_of([rules.stack] * 3, rules=rules)
    assert hand.options is not None
    text = json.dumps({"eventName": "__action", "data": value}).encode()
    made = decide(parse(text), hand.options, hand.high, 0, hand.big_blind)
    assert isinstance(made, Illegal) or hand.options.fault(made.decision) == ""
