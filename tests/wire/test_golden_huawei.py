"""Whole games of the `huawei` dialect, byte for byte, and what holds of every game."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.rules.sets import HUAWEI
from tests.wire.huawei_game import FOLDER, Game, ScriptedChance, replayed

GAMES = sorted(FOLDER.glob("*.txt"))

CARD = rb"(?:SPADES|HEARTS|CLUBS|DIAMONDS) (?:[2-9]|10|J|Q|K|A)"
FIGURES = rb"(?:\d+ \d+ \d+ \d+ (?:blind|check|call|raise|all_in|fold) \n){1,8}total pot: \d+ \n"
NUT_HAND = (
    rb"(?:HIGH_CARD|ONE_PAIR|TWO_PAIR|THREE_OF_A_KIND|STRAIGHT|FLUSH|FULL_HOUSE|FOUR_OF_A_KIND"
    rb"|STRAIGHT_FLUSH)"
)
GRAMMAR = {
    "seat": rb"seat/ \nbutton: \d+ \d+ \d+ \nsmall blind: \d+ \d+ \d+ \n"
    rb"(?:big blind: \d+ \d+ \d+ \n(?:\d+ \d+ \d+ \n){0,5})?/seat \n",
    "blind": rb"blind/ \n(?:\d+: \d+ \n){1,2}/blind \n",
    "hold": rb"hold/ \n(?:%b \n){2}/hold \n" % CARD,
    "inquire": rb"inquire/ \n%b/inquire \n" % FIGURES,
    "notify": rb"notify/ \n%b/notify \n" % FIGURES,
    "bet": rb"bet/ \n\d+ \d+ \d+ \d+ (?:check|call|raise|all_in|fold) \n/bet \n",
    "flop": rb"flop/ \n(?:%b \n){3}/flop \n" % CARD,
    "turn": rb"turn/ \n%b \n/turn \n" % CARD,
    "river": rb"river/ \n%b \n/river \n" % CARD,
    "showdown": rb"showdown/ \ncommon/ \n(?:%b \n){5}/common \n(?:[1-8]: \d+ %b %b %b \n){2,8}"
    rb"/showdown \n" % (CARD, CARD, CARD, NUT_HAND),
    "pot-win": rb"pot-win/ \n(?:\d+: \d+ \n){0,8}/pot-win \n",
    "game-over": rb"game-over \n",
}
TALK = "(?:(?:inquire|notify|bet) )*"
COURSE = re.compile(
    f"(?:seat blind hold {TALK}(?:flop {TALK}(?:turn {TALK}(?:river {TALK}(?:showdown )?)?)?)?"
    "(?:pot-win )?)*(?:game-over )?"
)


def kind(message: bytes) -> str:
    return re.split(rb"[/ ]", message)[0].decode("ascii")


def check_wire(game: Game) -> None:
    """Check what holds of everything that any game sends."""
    for messages in game.sent.values():
        for message in messages:
            assert re.fullmatch(GRAMMAR[kind(message)], message), message
        course = "".join(f"{kind(message)} " for message in messages)
        assert COURSE.fullmatch(course), course


def read(path: Path) -> str:
    return path.read_text("ascii")


def game_named(name: str) -> Game:
    return replayed(read(FOLDER / f"{name}.txt"))[1]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_game_comes_out_byte_for_byte(path: Path) -> None:
    text = read(path)
    again, game = replayed(text)
    assert again == text
    assert game.over


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_message_follows_the_grammar_and_the_course_of_a_hand(path: Path) -> None:
    check_wire(replayed(read(path))[1])


def test_the_games_together_send_every_kind_of_message() -> None:
    sent = {kind(m) for path in GAMES for row in replayed(read(path))[1].sent.values() for m in row}
    assert sent == set(GRAMMAR)


def test_a_changed_byte_is_noticed() -> None:
    text = read(FOLDER / "two_players.txt")
    changed = text.replace("< total pot: 300 \\n", "< total pot: 300\\n", 1)
    assert changed != text
    assert replayed(changed)[0] == text


def test_everyone_gets_his_own_two_cards_and_nobody_elses() -> None:
    for path in GAMES:
        game = replayed(read(path))[1]
        for messages in game.sent.values():
            kinds = [kind(message) for message in messages]
            assert kinds.count("hold") == kinds.count("seat")


def test_folded_cards_are_never_shown() -> None:
    for path in GAMES:
        for messages in replayed(read(path))[1].sent.values():
            folded: set[bytes] = set()
            for message in messages:
                if kind(message) == "seat":
                    folded = set()
                if kind(message) in ("inquire", "notify"):
                    folded |= set(re.findall(rb"(\d+) \d+ \d+ \d+ fold", message))
                if kind(message) == "showdown":
                    assert not folded & set(re.findall(rb"\d: (\d+) ", message))


def test_who_is_out_hears_nothing_until_game_over() -> None:
    messages = game_named("elimination").messages_to("1002")
    assert messages[-2].startswith(b"pot-win/")
    assert messages[-1] == b"game-over \n"
    assert [kind(message) for message in messages].count("seat") == 2


def test_the_tenth_timeout_ends_a_players_connection_without_game_over() -> None:
    messages = game_named("tenth_timeout").messages_to("1003")
    assert messages[-1].startswith(b"inquire/")


def test_who_was_late_has_no_share_of_the_pot() -> None:
    game = game_named("timeout")
    first = next(message for message in game.messages_to("1001") if kind(message) == "pot-win")
    assert b"1001:" not in first
    assert b"1003: 250" in first


def test_an_answer_to_a_notify_changes_nothing() -> None:
    text = read(FOLDER / "three_players.txt")
    answered = re.sub(r"(1002 < notify/(?:.|\n)*?/notify .n\n)", r"\g<1>1002 > fold \\n\n", text)
    assert answered.count("> fold") > text.count("> fold")
    assert replayed(answered)[1].sent == replayed(text)[1].sent


FORMS = [
    *(b"check \n", b"call \n", b"fold \n", b"all_in \n", b"raise 100 \n", b"raise 1\n", b"raise"),
    *(
        b"check",
        b"\0",
        b"\n",
        b" ",
        b"raise 5",
        b"0",
        b"che",
        b"all",
        b" in",
        b"x",
        b"raise 9999\n",
    ),
    *(b"call\ncall\ncall\n", b"\xff\xfe", b"raise -1\n", b"reg: 1001 a \n"),
]

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("receive"), st.integers(0, 7), st.sampled_from(FORMS)),
        st.tuples(st.just("answer"), st.just(0), st.sampled_from(FORMS)),
        st.tuples(st.just("answer"), st.just(0), st.sampled_from(FORMS[:5])),
        st.tuples(st.just("wait"), st.sampled_from([1, 20, 499, 500]), st.just(b"")),
        st.tuples(st.just("leave"), st.integers(0, 7), st.just(b"")),
    ),
    max_size=120,
)


@given(
    size=st.integers(2, 8),
    wishes=st.lists(st.sampled_from([b"", b" need_notify", b" need_bet"]), min_size=8, max_size=8),
    steps=STEPS,
)
def test_whatever_players_send_every_message_follows_the_grammar(
    size: int, wishes: list[bytes], steps: list[tuple[str, int, bytes]]
) -> None:
    pids = [str(1001 + number) for number in range(size)]
    rules = HUAWEI.with_fields({"hands": 8, "stack": 400, "reserve": 200, "max_timeouts": 3})
    game = Game(rules, size, ScriptedChance(order=pids))
    for pid, wish in zip(pids, wishes, strict=False):
        game.receive(pid, b"reg: %b a%b \n" % (pid.encode(), wish))
    for what, number, data in steps:
        if game.over:
            break
        if what == "receive":
            game.receive(pids[number % size], data)
        elif what == "answer":
            game.receive(game.asked, data)
        elif what == "leave":
            game.hang_up(pids[number % size])
        else:
            game.pause(number)
    check_wire(game)
    assert all(kind(row[0]) == "seat" for row in game.sent.values() if row)
