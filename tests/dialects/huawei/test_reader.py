"""What players may send, in which pieces, and what it means."""

import random
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.huawei.reader import (
    CHECK_IS_CALL,
    MAX_NAME,
    MAX_UNREAD,
    RAISE_IS_ALL_IN,
    RAISED_TO_MINIMUM,
    HuaweiReader,
    Registration,
    decide,
    parse_registration,
)
from croupier.rules import rules as r
from croupier.rules.decisions import ALL_IN, CALL, FOLD, RAISE, Decision, Options, raise_to
from croupier.rules.events import AUDIENCE
from croupier.rules.hand import Hand
from croupier.rules.rules import Rules
from croupier.rules.sets import HUAWEI, SETS
from croupier.rules.view import view_of
from tests.support.scripted import hand_of

HOLDEM = [rules for rules in SETS.values() if rules.game == r.HOLDEM]

# A player with 1900 chips in front of a bet of 300, of which he has put in 100.
FACING = Options(
    owed=200,
    call=200,
    min_to=500,
    max_to=2000,
    verb=RAISE,
    bet=True,
    raise_=True,
    all_in=True,
    small_to=0,
)
FACING_HIGH = 300
# The same player when nothing is owed.
FREE = Options(
    owed=0,
    call=0,
    min_to=100,
    max_to=1900,
    verb="bet",
    bet=True,
    raise_=True,
    all_in=True,
    small_to=0,
)
# A player whose whole stack is less than what he owes.
SHORT = Options(
    owed=500,
    call=350,
    min_to=0,
    max_to=0,
    verb=RAISE,
    bet=False,
    raise_=False,
    all_in=False,
    small_to=0,
)

CHECK = CALL  # a check is a call of nothing


def reader(registered: bool = True) -> HuaweiReader:
    made = HuaweiReader()
    made.registered = registered
    return made


def first(pieces: list[bytes], registered: bool = True) -> bytes | None:
    """Return the first message that pieces make, with silence after the last one."""
    one = reader(registered)
    for piece in pieces:
        messages = one.receive(piece)
        if messages:
            return messages[0]
    messages = one.flush()
    return messages[0] if messages else None


def answer(message: bytes, options: Options, high: int = 0) -> Decision | str:
    """Return the decision that a message means, or why it is none."""
    made = decide(message, options, high)
    return made.decision if isinstance(made, Answer) else made.reason


def correction(message: bytes, options: Options, high: int = 0) -> str:
    made = decide(message, options, high)
    assert isinstance(made, Answer)
    return made.correction


# Every form that the protocol page lists, and the decision it means in front of a bet of 300.
FORMS: dict[bytes, Decision] = {
    b"check \n": CALL,
    b"check\n": CALL,
    b"check\n\0": CALL,
    b"check": CALL,
    b"check\0": CALL,
    b"check \r\n": CALL,
    b"call \n": CALL,
    b"call": CALL,
    b"\t call\t\n": CALL,
    b"fold \n": FOLD,
    b"fold": FOLD,
    b"fold\0\0\0\0": FOLD,
    b"\0\0fold\n": FOLD,
    b"all_in \n": raise_to(2000, ALL_IN),
    b"all in \n": raise_to(2000, ALL_IN),
    b"all-in \n": raise_to(2000, ALL_IN),
    b"all_in": raise_to(2000, ALL_IN),
    b"all in": raise_to(2000, ALL_IN),
    b"all-in\0": raise_to(2000, ALL_IN),
    b"raise 241\n": raise_to(541, RAISE),
    b"raise 241": raise_to(541, RAISE),
    b" raise 241 \0": raise_to(541, RAISE),
    b"raise  241 \n": raise_to(541, RAISE),
    b"raise\t241 \n": raise_to(541, RAISE),
    b"raise241 \n": raise_to(541, RAISE),
    b"raise 00241 \n": raise_to(541, RAISE),
    b"raise 241.0 \n": raise_to(541, RAISE),
    b"raise 241.9": raise_to(541, RAISE),
    b"raise 241.\n": raise_to(541, RAISE),
    b"raise 0.5 \n": raise_to(500, RAISE),
    b"raise\n": raise_to(500, RAISE),
    b"raise \n": raise_to(500, RAISE),
    b"raise 0 \n": raise_to(500, RAISE),
    b"raise 99999999999999999999999999 \n": raise_to(2000, ALL_IN),
}

ILLEGAL = [
    *(b"CALL \n", b"Check\n", b"allin \n", b"all  in \n", b"foo \n", b"i call \n"),
    *(b"raise -5 \n", b"raise +5 \n", b"raise .5 \n", b"raise 1e3 \n", b"raise 100 100\n"),
    *(b"raise x\n", b"raiser\n", b"raise 10a\n", b"\n", b" \n", b"\0\n", b"\xff\xfe\n", b"all\n"),
    *(
        b"reg: 1 a \n",
        b"raise 0x10\n",
        b"raise 1_000\n",
        b"raise \xb2\n",
        b"che\n",
    ),
    *(b"raise 6.1.5\n", b"raise 6,0\n", b"raise 60.0a\n", b"raise 60 .0\n", b"raise 6.-1\n"),
    *(b"bet 100 \n", b"x" * 5000 + b"\n"),
]


@pytest.mark.parametrize("form", FORMS, ids=repr)
def test_a_form_that_programs_use_is_understood(form: bytes) -> None:
    message = first([form])
    assert message is not None
    assert answer(message, FACING, FACING_HIGH) == FORMS[form]


@pytest.mark.parametrize("form", FORMS, ids=repr)
def test_a_form_split_at_any_byte_means_the_same(form: bytes) -> None:
    for cut in range(len(form) + 1):
        message = first([form[:cut], form[cut:]])
        assert message is not None
        assert answer(message, FACING, FACING_HIGH) == FORMS[form], cut
    message = first([form[place : place + 1] for place in range(len(form))])
    assert message is not None
    assert answer(message, FACING, FACING_HIGH) == FORMS[form]


@pytest.mark.parametrize("form", [form for form in FORMS if form.endswith(b"\n")], ids=repr)
def test_of_glued_messages_only_the_first_answers(form: bytes) -> None:
    message = first([form + b"fold \ncall \nraise 7"])
    assert message is not None
    assert answer(message, FACING, FACING_HIGH) == FORMS[form]


def cuts(form: bytes) -> list[list[bytes]]:
    """Return bytes in all pairs of pieces, and one by one."""
    pairs = [[form[:cut], form[cut:]] for cut in range(len(form) + 1)]
    return [*pairs, [form[place : place + 1] for place in range(len(form))]]


@pytest.mark.parametrize("form", FORMS, ids=repr)
def test_a_nul_ends_a_message_and_what_follows_it_in_the_same_read_is_dropped(form: bytes) -> None:
    ended = form.rstrip(b"\0\n") + b"\0"
    for old in (b"101\0\0", b"fold \n", b"\0call\0", b"x" * 1000, b"\n\0\n"):
        for pieces in cuts(ended[:-1]):
            one = reader()
            found = [message for piece in pieces[:-1] for message in one.receive(piece)]
            found += one.receive(pieces[-1] + b"\0" + old)
            assert answer(found[0], FACING, FACING_HIGH) == FORMS[form], (pieces, old)
            one.discard()
            assert one.receive(b"call \n") == [b"call"], "nothing is left of it"


def test_a_raise_that_a_nul_ends_acts_at_once() -> None:
    one = reader()
    assert one.receive(b"raise 100\0") == [b"raise 100"]
    assert not one.pending


def test_a_proper_prefix_that_a_nul_ends_is_complete_and_so_a_fold() -> None:
    assert reader().receive(b"che\0ck") == [b"che"]


def test_nuls_before_a_message_mean_nothing_also_after_one_without_a_newline() -> None:
    one = reader()
    assert one.receive(b"\0check") == [b"check"]
    one.discard()
    assert one.receive(b"\0\0call\0") == [b"call"]
    one.discard()
    assert one.receive(b"\0fold\n") == [b"fold"]


@pytest.mark.parametrize("form", ILLEGAL, ids=lambda form: repr(form[:20]))
def test_anything_else_is_illegal_in_any_pieces(form: bytes) -> None:
    for cut in range(min(len(form), 30)):
        message = first([form[:cut], form[cut:]])
        assert message is not None
        assert isinstance(decide(message, FACING, FACING_HIGH), Illegal), cut


@pytest.mark.parametrize("form", [b"callcall\n", b"check check \n", b"fold; \n"], ids=repr)
def test_a_line_that_only_begins_with_a_word_is_illegal(form: bytes) -> None:
    message = first([form])
    assert message is not None
    assert isinstance(decide(message, FACING, FACING_HIGH), Illegal)


@pytest.mark.parametrize("word", [b"check", b"call", b"fold", b"all_in", b"all in", b"all-in"])
def test_a_complete_word_acts_at_once_without_a_newline(word: bytes) -> None:
    assert reader().receive(word) == [word]


@pytest.mark.parametrize("word", [b"check", b"call", b"fold", b"all_in", b"all in", b"raise"])
def test_a_proper_prefix_of_a_word_waits_and_silence_does_not_complete_it(word: bytes) -> None:
    for cut in range(1, len(word)):
        one = reader()
        assert one.receive(word[:cut]) == []
        assert not one.pending
        assert one.flush() == []
        assert one.receive(word[cut:] + b"\n") == [word]


def test_a_raise_without_a_newline_acts_after_silence() -> None:
    one = reader()
    assert one.receive(b"raise 10") == []
    assert one.pending
    assert one.receive(b"0") == []
    assert one.flush() == [b"raise 100"]
    assert not one.pending
    assert one.flush() == []


def test_a_word_that_cannot_become_one_acts_at_once() -> None:
    assert reader().receive(b"bet") == [b"bet"]
    assert reader().receive(b"raise 6,") == [b"raise 6,"]


@pytest.mark.parametrize("late", [b"\n", b" \n", b"\r\n", b"\0\n", b" \0 \r\n"], ids=repr)
@pytest.mark.parametrize("cut_off", [b"check", b"raise 100", b"foo"])
def test_the_newline_of_a_message_that_has_acted_is_no_message(cut_off: bytes, late: bytes) -> None:
    one = reader()
    assert one.receive(cut_off) + one.flush() == [cut_off]
    one.discard()
    assert one.receive(late) == []
    assert one.receive(b"call \n") == [b"call"]


def test_an_empty_line_is_a_message_and_so_a_fold() -> None:
    assert reader().receive(b"\n") == [b""]
    assert isinstance(decide(b"", FREE, 0), Illegal)


def test_what_came_before_a_question_is_discarded() -> None:
    one = reader()
    assert one.receive(b"raise 9") == []
    one.discard()
    assert not one.pending
    assert one.receive(b"call\n") == [b"call"]


def test_input_without_an_end_is_noticed_beyond_4_KiB() -> None:
    one = reader()
    assert one.receive(b"raise " + b"1" * (MAX_UNREAD - 6)) == []
    assert not one.overflowed
    assert one.receive(b"1") == []
    assert one.overflowed


def test_blanks_and_nuls_without_an_end_are_noticed_beyond_4_KiB() -> None:
    for filler in (b" ", b"\0"):
        one = reader()
        assert one.receive(filler * (MAX_UNREAD + 1)) == []
        assert one.overflowed


def test_before_registration_input_without_an_end_is_noticed_beyond_4_KiB() -> None:
    one = reader(registered=False)
    assert one.receive(b"reg: 1 " + b"a" * MAX_UNREAD) == []
    assert one.overflowed


# The table of corrections, cell by cell.


def test_check_facing_a_bet_is_a_forced_call() -> None:
    assert answer(b"check", FACING, FACING_HIGH) == CALL
    assert correction(b"check", FACING, FACING_HIGH) == CHECK_IS_CALL


def test_check_facing_a_bet_of_more_than_he_has_is_a_call_for_all_of_it() -> None:
    assert answer(b"check", SHORT, 500) == CALL


def test_check_with_nothing_owed_is_a_check() -> None:
    assert answer(b"check", FREE) == CHECK
    assert not correction(b"check", FREE)


def test_call_facing_a_bet_is_a_call() -> None:
    assert answer(b"call", FACING, FACING_HIGH) == CALL


def test_call_with_nothing_owed_is_a_check() -> None:
    assert answer(b"call", FREE) == CHECK


def test_call_for_all_he_has_is_recorded_as_all_in() -> None:
    hand = hand_of([2000, 2000, 100], rules=HUAWEI)
    hand.act(CALL)
    last = view_of(hand, AUDIENCE).last[2]
    assert last is not None
    assert getattr(last, "all_in", False)


def test_raise_facing_a_bet_adds_to_the_highest_bet() -> None:
    assert answer(b"raise 200", FACING, FACING_HIGH) == raise_to(500, RAISE)
    assert answer(b"raise 999", FACING, FACING_HIGH) == raise_to(1299, RAISE)
    assert not correction(b"raise 200", FACING, FACING_HIGH)


def test_raise_below_the_minimum_facing_a_bet_is_the_minimum() -> None:
    for number in (b"", b" 0", b" 1", b" 199"):
        assert answer(b"raise" + number, FACING, FACING_HIGH) == raise_to(500, RAISE)
        assert correction(b"raise" + number, FACING, FACING_HIGH) == RAISED_TO_MINIMUM


def test_raise_with_nothing_owed_adds_to_nothing() -> None:
    assert answer(b"raise 100", FREE) == raise_to(100, RAISE)
    assert answer(b"raise 1899", FREE) == raise_to(1899, RAISE)


def test_raise_below_the_minimum_with_nothing_owed_is_the_minimum() -> None:
    assert answer(b"raise 99", FREE) == raise_to(100, RAISE)
    assert correction(b"raise 99", FREE) == RAISED_TO_MINIMUM


def test_raise_that_costs_exactly_all_he_has_is_all_in() -> None:
    assert answer(b"raise 1700", FACING, FACING_HIGH) == raise_to(2000, ALL_IN)
    assert correction(b"raise 1700", FACING, FACING_HIGH) == RAISE_IS_ALL_IN
    assert answer(b"raise 1900", FREE) == raise_to(1900, ALL_IN)


def test_raise_of_more_than_he_has_is_all_in() -> None:
    for number in (b"1701", b"99999999", b"4294967295", b"9" * 400):
        assert answer(b"raise " + number, FACING, FACING_HIGH) == raise_to(2000, ALL_IN)


def test_raise_of_a_player_who_cannot_even_call_is_a_call_for_all_he_has() -> None:
    assert answer(b"raise 100", SHORT, 500) == CALL
    assert answer(b"raise 99999999", SHORT, 500) == CALL


def test_all_in_facing_a_bet_is_all_in() -> None:
    for word in (b"all_in", b"all in", b"all-in"):
        assert answer(word, FACING, FACING_HIGH) == raise_to(2000, ALL_IN)


def test_all_in_with_nothing_owed_is_all_in() -> None:
    assert answer(b"all_in", FREE) == raise_to(1900, ALL_IN)


def test_all_in_of_a_player_who_cannot_even_call_is_a_call_for_all_he_has() -> None:
    assert answer(b"all_in", SHORT, 500) == CALL


def test_fold_facing_a_bet_is_a_fold() -> None:
    assert answer(b"fold", FACING, FACING_HIGH) == FOLD


def test_fold_with_nothing_owed_is_a_fold() -> None:
    assert answer(b"fold", FREE) == FOLD


def test_leading_zeros_do_not_make_a_number_large() -> None:
    assert answer(b"raise " + b"0" * 30 + b"241", FACING, FACING_HIGH) == raise_to(541, RAISE)


def test_under_a_fixed_limit_a_raise_of_the_limit_or_more_is_that_raise() -> None:
    rules = HUAWEI.with_fields({"fixed_bet": 100})
    hand = hand_of([2000] * 3, rules=rules)
    assert hand.options is not None
    assert answer(b"raise 100", hand.options, hand.high) == raise_to(200, RAISE)


# Registration.


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"reg: 1001 alice \n", Registration("1001", "alice", notify=False, bets=False)),
        (b"reg: 1001 alice need_notify \n", Registration("1001", "alice", True, False)),
        (b"reg:1001 alice \n", Registration("1001", "alice", False, False)),
        (b"reg: 1001 alice\n", Registration("1001", "alice", False, False)),
        (b"reg: 1001 alice", Registration("1001", "alice", False, False)),
        (b"reg: 1001 alice \n\0", Registration("1001", "alice", False, False)),
        (b"reg: 1001 alice need_notify\0\0\0", Registration("1001", "alice", True, False)),
        (b"reg: 1001 alice\0", Registration("1001", "alice", False, False)),
        (b"reg: 1001 8888 \n", Registration("1001", "8888", False, False)),
        (b"reg: 1001 game<8888> \n", Registration("1001", "game<8888>", False, False)),
        (b"reg: 1001 a_b-C.9 \r\n", Registration("1001", "a_b-C.9", False, False)),
        (b"reg: 7 a need_notify need_bet \n", Registration("7", "a", True, True)),
        (b"reg: 7 a need_bet \n", Registration("7", "a", False, True)),
        (b"reg: 7  a\tneed_notify \n", Registration("7", "a", True, False)),
        (b"reg: 7 " + b"n" * MAX_NAME + b" \n", Registration("7", "n" * 20, False, False)),
    ],
    ids=repr,
)
def test_a_registration_is_understood_split_at_any_byte(line: bytes, expected: object) -> None:
    for cut in range(len(line) + 1):
        message = first([line[:cut], line[cut:]], registered=False)
        assert message is not None
        assert parse_registration(message) == expected


@pytest.mark.parametrize("old", [b"old rubbish", b" need_bet\n\0", b"\0\0reg: 2 b \n"], ids=repr)
def test_a_nul_ends_a_registration_whatever_the_buffer_held_before(old: bytes) -> None:
    for pieces in cuts(b"reg: 1001 alice need_notify"):
        message = first([*pieces[:-1], pieces[-1] + b"\0" + old], registered=False)
        assert message is not None
        assert parse_registration(message) == Registration("1001", "alice", True, False)


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"\n", b"hello\n", b"reg\n", b"reg:\n", b"reg: \n", b"reg: alice 1001\n"),
        *(b"REG: 1 a\n", b"register: 1 a\n", b"reg: -1 a\n", b"reg: 1.5 a\n", b"reg: 1a a\n"),
        *(b"reg 1 a\n", b"check\n", b"reg: 1 \xe4\n", b"reg: 1 a\x07b\n", b"x reg: 1 a\n"),
        b"reg: 1 " + b"n" * (MAX_NAME + 1) + b"\n",
        b"reg: " + b"1" * 19 + b" a\n",
        b"GET / HTTP/1.1\r\n",
    ],
    ids=repr,
)
def test_a_first_message_that_is_no_registration_is_refused(line: bytes) -> None:
    assert isinstance(parse_registration(line.partition(b"\n")[0]), Illegal)


def test_a_registration_without_a_newline_acts_after_silence_and_not_before() -> None:
    one = reader(registered=False)
    assert one.receive(b"reg: 10") == []
    assert one.receive(b"01 alice need_no") == []
    assert one.receive(b"tify") == []
    assert one.pending
    assert one.flush() == [b"reg: 1001 alice need_notify"]


def test_the_newline_of_a_registration_that_has_acted_is_no_answer() -> None:
    one = reader(registered=False)
    assert one.receive(b"reg: 1001 alice") + one.flush() == [b"reg: 1001 alice"]
    one.registered = True
    one.discard()
    assert one.receive(b" \n") == []
    assert one.receive(b"call \n") == [b"call"]


def test_half_a_registration_is_not_completed_by_silence() -> None:
    for half in (b"r", b"reg", b"reg:", b"reg: "):
        one = reader(registered=False)
        assert one.receive(half) == []
        assert not one.pending
        assert one.flush() == []


# Any input.

WORDS = [form.strip(b" \n\0\t") for form in FORMS] + [b"reg: 1001 alice need_notify"]


def mutated(seed: int) -> bytes:
    """Return valid messages with some bytes changed, taken away, doubled or put in."""
    draw = random.Random(seed)
    data = bytearray(draw.choice([b" ", b""]).join(draw.choices([*FORMS, *WORDS], k=3)))
    for _ in range(draw.randrange(4)):
        place = draw.randrange(len(data) + 1)
        what = draw.randrange(4)
        if what == 0:
            data[place:place] = bytes([draw.choice(b"\0\n \t\r-+.0123456789acefhklnrs_:\xff")])
        elif what == 1:
            del data[place : place + draw.randrange(1, 4)]
        elif what == 2:
            data[place:place] = data[: draw.randrange(len(data) + 1)]
        elif place < len(data):
            data[place] = draw.randrange(256)
    return bytes(data)


any_bytes = st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from([*FORMS, *WORDS, b"\n", b"\0", b" "])).map(b"".join),
    st.integers(0, 10**9).map(mutated),
)


def chunks(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in pairwise(places)]


@given(data=any_bytes, cuts=st.lists(st.integers(0, 200)), registered=st.booleans())
def test_no_input_raises_and_what_waits_is_bounded(
    data: bytes, cuts: list[int], registered: bool
) -> None:
    one = reader(registered)
    for piece in chunks(data * 200, cuts):
        for message in one.receive(piece):
            assert message == message.strip(b" \t\r\n\0")
            assert b"\n" not in message
            decide(message, FACING, FACING_HIGH)
            parse_registration(message)
        if one.overflowed:
            break
        assert len(one._buffer) <= MAX_UNREAD
        if len(piece) % 3 == 0:
            one.flush()
        if len(piece) % 5 == 0:
            one.discard()


@given(data=any_bytes, cuts=st.lists(st.integers(0, 200)))
def test_lines_with_newlines_are_the_same_messages_in_whatever_pieces_they_come(
    data: bytes, cuts: list[int]
) -> None:
    lines = [line.strip(b" \t\r\n\0") for line in data.split(b"\n")]
    whole = [line for line in lines if line.startswith(b"reg:") and b"\0" not in line]
    text = b"".join(line + b" \n" for line in whole)
    one = reader(registered=False)
    got = [message for piece in chunks(text, cuts) for message in one.receive(piece)]
    assert got == whole


def hand_at_a_question(rules: Rules, seed: int) -> Hand:
    """Return a hand somewhere in its betting, after random decisions."""
    draw = random.Random(seed)
    size = draw.randrange(2, min(rules.max_seats, 8) + 1)
    stacks = [draw.randrange(1, 60) * rules.small_blind for _ in range(size)]
    hand = hand_of(stacks, rules=rules)
    for _ in range(draw.randrange(30)):
        if hand.options is None:
            break
        options = hand.options
        decisions = [CALL, CALL, FOLD]
        for verb in (RAISE, "bet", ALL_IN):
            to = options.max_to if verb == ALL_IN else draw.choice([options.min_to, options.max_to])
            if options.fault(raise_to(to, verb)) == "":
                decisions.append(raise_to(to, verb))
        hand.act(draw.choice(decisions))
    return hand


@pytest.mark.parametrize("rules", HOLDEM, ids=lambda rules: rules.name)
@given(seed=st.integers(0, 10**9), data=any_bytes)
@example(seed=0, data=b"raise 99999999999")
def test_whatever_comes_out_is_legal_for_the_options(rules: Rules, seed: int, data: bytes) -> None:
    hand = hand_at_a_question(rules, seed)
    if hand.options is None:
        return
    one = reader()
    messages = [*one.receive(data), *one.flush(), *WORDS, b"raise %d" % (seed % 5000)]
    for message in messages:
        made = decide(message, hand.options, hand.high)
        if isinstance(made, Answer):
            assert hand.options.fault(made.decision) == "", (message, hand.options)
    made = decide(messages[0], hand.options, hand.high)
    hand.act(made.decision if isinstance(made, Answer) else FOLD)


@pytest.mark.parametrize("rules", HOLDEM, ids=lambda rules: rules.name)
@given(seed=st.integers(0, 10**9), by=st.integers(0, 5000))
def test_a_larger_number_never_raises_less(rules: Rules, seed: int, by: int) -> None:
    hand = hand_at_a_question(rules, seed)
    if hand.options is None:
        return
    small = answer(b"raise %d" % by, hand.options, hand.high)
    large = answer(b"raise %d" % (by + 100), hand.options, hand.high)
    assert isinstance(small, Decision)
    assert isinstance(large, Decision)
    assert small.to <= large.to
