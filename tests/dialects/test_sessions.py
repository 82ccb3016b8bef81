"""What a player said, as the server's side of each dialect hears it: no socket, no clock."""

import json
from collections.abc import Callable

import pytest

from croupier.dialects.acpc.session import AcpcSession
from croupier.dialects.base import Answer, Illegal
from croupier.dialects.huawei.reader import MAX_UNREAD
from croupier.dialects.huawei.session import HuaweiSession
from croupier.dialects.kuhn.session import MAX_QUEUED, KuhnSession
from croupier.dialects.registry import DIALECTS
from croupier.dialects.room.frames import frame
from croupier.dialects.room.session import RoomSession
from croupier.dialects.session import (
    Answered,
    Exit,
    Expected,
    Flood,
    Goodbye,
    Hello,
    Ready,
    Refusal,
    RefusalKind,
    Reload,
    Said,
    Session,
    StateRequested,
    Stray,
    Watch,
    WatchBots,
    Wrong,
)
from croupier.dialects.tokens import token_of
from croupier.dialects.trend.session import TrendSession
from croupier.rules.decisions import CALL
from croupier.rules.sets import KUHN
from tests.support.situations import FakeSeat, all_at_once, asked_view, byte_by_byte

ASKED = Expected.ANSWER


def event(name: str, data: object = None) -> bytes:
    return json.dumps({"eventName": name, "data": data}).encode()


def message(**values: object) -> bytes:
    return frame(json.dumps(values))


CONNECT = message(info="connect", room_id=7, name="bob", room_number=2, bots=[])

HELLOS: dict[str, tuple[Callable[[], Session], bytes]] = {
    "huawei": (HuaweiSession, b"reg: 1001 bob need_notify \n"),
    "trend": (TrendSession, event("__join", {"playerName": "secret"})),
    "room": (RoomSession, CONNECT),
    "kuhn": (KuhnSession, b"STRT 77432\n"),
    "acpc": (AcpcSession, b"VERSION:2.0.0 bob\r\n"),
}


def said(session: Session, data: bytes, seat: FakeSeat | None = None) -> list[Said]:
    return list(session.receive(data, seat or FakeSeat()))


def greeted(dialect: str) -> Session:
    make, hello = HELLOS[dialect]
    session = make()
    assert [type(item) for item in said(session, hello, FakeSeat(seated=False))] == [Hello]
    return session


@pytest.mark.parametrize("dialect", HELLOS)
def test_the_first_message_says_who_a_player_is(dialect: str) -> None:
    make, data = HELLOS[dialect]
    (hello,) = said(make(), data, FakeSeat(seated=False))
    assert isinstance(hello, Hello)
    assert hello.place.dialect == dialect
    assert DIALECTS[dialect].identity(hello.place)


@pytest.mark.parametrize(
    ("dialect", "secret"),
    [("huawei", "bob"), ("trend", "secret"), ("room", "bob"), ("kuhn", "77432"), ("acpc", "bob")],
)
def test_what_a_player_presents_as_its_key_is_not_in_the_representation(
    dialect: str, secret: str
) -> None:
    make, data = HELLOS[dialect]
    (hello,) = said(make(), data, FakeSeat(seated=False))
    assert isinstance(hello, Hello)
    assert hello.secret == secret
    assert "secret" not in repr(hello)


@pytest.mark.parametrize("dialect", HELLOS)
def test_a_key_of_a_dialect_can_be_presented_in_it(dialect: str) -> None:
    make, data = HELLOS[dialect]
    (before,) = said(make(), data, FakeSeat(seated=False))
    assert isinstance(before, Hello)
    for draw in (lambda bound: 0, lambda bound: bound - 1):
        key = DIALECTS[dialect].key(draw)
        if dialect == "room":
            data = message(info="connect", room_id=7, name=key, room_number=2, bots=[])
        else:
            data = HELLOS[dialect][1].replace(before.secret.encode(), key.encode())
        (hello,) = said(make(), data, FakeSeat(seated=False))
        assert isinstance(hello, Hello)
        assert hello.secret == key


@pytest.mark.parametrize("dialect", [d for d in HELLOS if d != "trend"])
def test_a_first_message_in_pieces_is_the_same(dialect: str) -> None:
    make, data = HELLOS[dialect]
    seat = FakeSeat(seated=False)
    assert list(byte_by_byte(data)(make(), seat)) == list(all_at_once(data)(make(), seat))


@pytest.mark.parametrize(
    ("dialect", "data"),
    [
        ("huawei", b"hello there\n"),
        ("huawei", b"x" * (MAX_UNREAD + 1)),
        ("trend", event("__action", {"action": "call"})),
        ("trend", b"no JSON"),
        ("room", message(info="start")),
        ("room", b"\xff\xff\xff\xffrubbish"),
        ("kuhn", b"HELO 1\n"),
        ("kuhn", b"ANOK"),
    ],
)
def test_whoever_does_not_introduce_itself_is_refused(dialect: str, data: bytes) -> None:
    (wrong,) = said(HELLOS[dialect][0](), data, FakeSeat(seated=False))
    assert isinstance(wrong, Wrong)
    assert wrong.farewell.reason


@pytest.mark.parametrize("dialect", HELLOS)
@pytest.mark.parametrize("kind", RefusalKind)
def test_every_refusal_has_a_farewell(dialect: str, kind: RefusalKind) -> None:
    make, _ = HELLOS[dialect]
    farewell = make().refuse(Refusal(kind, "the table is full"))
    assert "the table is full" in farewell.reason


CALLS = {
    "huawei": b"call \n",
    "trend": event("__action", {"action": "call"}),
    "room": message(info="action", action="call"),
}


@pytest.mark.parametrize("dialect", CALLS)
def test_an_answer_carries_the_decision(dialect: str) -> None:
    seat = FakeSeat(expected=ASKED)
    assert said(greeted(dialect), CALLS[dialect], seat) == [Answered(Answer(CALL))]


def test_an_answer_of_kuhn_carries_the_decision() -> None:
    seat = FakeSeat(expected=ASKED, in_hand=True, view=asked_view(KUHN))
    assert said(greeted("kuhn"), b"CHCK", seat) == [Answered(Answer(CALL))]


@pytest.mark.parametrize(
    ("dialect", "data"),
    [
        ("huawei", b"bluff \n"),
        ("trend", event("__action", {"action": "bluff"})),
        ("trend", b"no JSON"),
        ("room", message(info="action", action="bluff")),
        ("room", message(info="action")),
    ],
)
def test_what_is_no_decision_is_an_illegal_answer(dialect: str, data: bytes) -> None:
    (answered,) = said(greeted(dialect), data, FakeSeat(expected=ASKED))
    assert isinstance(answered, Answered)
    assert isinstance(answered.answer, Illegal)


@pytest.mark.parametrize("dialect", CALLS)
def test_what_nobody_asked_for_is_stray(dialect: str) -> None:
    assert [type(item) for item in said(greeted(dialect), CALLS[dialect])] == [Stray]


# huawei


def test_a_raise_without_a_newline_counts_after_a_silence() -> None:
    session, seat = greeted("huawei"), FakeSeat(expected=ASKED)
    assert said(session, b"raise 200", seat) == []
    assert session.quiet_after is not None
    assert [type(item) for item in session.quiet(seat)] == [Answered]
    assert session.quiet_after is None


def test_only_the_first_of_two_answers_counts() -> None:
    seat = FakeSeat(expected=ASKED)
    items = said(greeted("huawei"), b"check \ncall \n", seat)
    assert [type(item) for item in items] == [Stray, Answered]


def test_input_before_a_question_is_forgotten() -> None:
    session, seat = greeted("huawei"), FakeSeat(expected=ASKED)
    assert said(session, b"rai", seat) == []
    session.discard()
    assert said(session, b"check \n", seat) == [
        Answered(Answer(CALL, "check facing a bet counts as call"))
    ]


def test_64_kilobytes_that_nobody_asked_for_are_a_flood() -> None:
    session = greeted("huawei")
    assert [type(item) for item in said(session, b"x" * 64 * 1024)] == [Stray]
    assert [type(item) for item in said(session, b"x")] == [Flood]


@pytest.mark.parametrize("filler", [b"\0", b"x", b"\n"], ids=repr)
def test_an_answer_in_a_buffer_of_any_size_counts(filler: bytes) -> None:
    data = b"call\0" + filler * (16 * 1024 - 5)
    assert said(greeted("huawei"), data, FakeSeat(expected=ASKED)) == [Answered(Answer(CALL))]


def test_an_answer_without_an_end_is_a_flood_beyond_4_kilobytes() -> None:
    session, seat = greeted("huawei"), FakeSeat(expected=ASKED)
    assert said(session, b"raise " + b"1" * (MAX_UNREAD - 6), seat) == []
    assert [type(item) for item in said(session, b"1", seat)] == [Flood]


# trend


def test_a_reload_counts_in_its_window_only() -> None:
    session = greeted("trend")
    assert said(session, event("__reload"), FakeSeat(expected=Expected.RELOAD)) == [Reload()]
    assert [type(item) for item in said(session, event("__reload"))] == [Stray]


def test_the_private_name_is_in_no_transcript() -> None:
    session = TrendSession()
    join = event("__join", {"playerName": "a hidden word"})
    assert session.loggable(join) == b""
    (hello,) = said(session, join, FakeSeat(seated=False))
    assert isinstance(hello, Hello)
    assert hello.place.token == token_of("a hidden word")
    assert "hidden" not in repr(hello)
    for data in (join, join.replace(b"hidden", b"hid\\u0064en")):
        assert b"hidden" not in session.loggable(data)


# room


def test_spectators_say_what_they_want_to_watch() -> None:
    seat = FakeSeat(seated=False)
    assert said(RoomSession(), message(info="observer", room_id=7), seat) == [Watch("7")]
    wish = {"info": "ai_vs_ai", "room_id": 7, "room_number": 2, "bots": ["CallAgent"] * 2}
    (watch,) = said(RoomSession(), message(**wish, game_number=9), seat)
    assert isinstance(watch, WatchBots)
    assert watch.hands == 9


def test_ready_is_any_frame_where_it_is_waited_for_and_start_always() -> None:
    session = greeted("room")
    assert said(session, message(info="here I am"), FakeSeat(expected=Expected.READY)) == [Ready()]
    assert said(session, message(info="start"), FakeSeat(expected=ASKED)) == [Ready()]
    assert said(session, message(info="start"), FakeSeat(seated=False)) == [Ready()]


def test_exit_leaves_the_match_or_the_waiting_room() -> None:
    session = greeted("room")
    assert [type(item) for item in said(session, message(info="exit"))] == [Exit]
    unseated = FakeSeat(seated=False)
    assert [type(item) for item in said(session, message(info="exit"), unseated)] == [Goodbye]


def test_half_a_frame_is_partial() -> None:
    session = RoomSession()
    assert said(session, CONNECT[:4], FakeSeat(seated=False)) == []
    assert session.partial


# kuhn


def test_strt_again_wants_to_know_the_stakes() -> None:
    session = greeted("kuhn")
    assert said(session, b"STRT 77432\n", FakeSeat(expected=Expected.READY)) == [StateRequested()]
    (wrong,) = said(session, b"STRT 77432\n", FakeSeat(in_hand=True))
    assert isinstance(wrong, Wrong)


def test_commands_wait_while_a_hand_is_settled() -> None:
    session, seat = greeted("kuhn"), FakeSeat(expected=Expected.SETTLING)
    assert said(session, b"ANOK", seat) == []
    assert session.held_back
    seat.expected = Expected.READY
    assert list(session.resume(seat)) == [Ready()]
    assert not session.held_back


def test_endless_commands_while_a_hand_is_settled_are_wrong() -> None:
    seat = FakeSeat(expected=Expected.SETTLING)
    (wrong,) = said(greeted("kuhn"), b"ANOK" * (MAX_QUEUED + 1), seat)
    assert isinstance(wrong, Wrong)


def test_commands_for_the_table_wait_until_there_is_one_and_others_do_not() -> None:
    session, seat = KuhnSession(), FakeSeat(seated=False)
    (hello,) = said(session, b"STRT 5\nANOK\nCHCK\n", seat)
    assert isinstance(hello, Hello)
    assert session.held_back
    seat.seated, seat.expected = True, Expected.READY
    assert next(session.resume(seat)) == Ready()
    for word, kind in ((b"QUIT\n", Goodbye), (b"XXXX\n", Wrong)):
        assert [type(item) for item in said(greeted("kuhn"), word, FakeSeat(seated=False))] == [
            kind
        ]


def test_endless_commands_while_there_is_no_table_are_wrong() -> None:
    seat = FakeSeat(seated=False)
    (wrong,) = said(greeted("kuhn"), b"ANOK" * (MAX_QUEUED + 1), seat)
    assert isinstance(wrong, Wrong)


def test_no_hand_follows_the_last() -> None:
    seat = FakeSeat(expected=Expected.OVER, hands_played=True)
    (wrong,) = said(greeted("kuhn"), b"ANOK", seat)
    assert isinstance(wrong, Wrong)
    assert wrong.farewell.message == b"ERRO N_C\n"


@pytest.mark.parametrize(("broke", "code"), [(True, b"N_C"), (False, b"W_A")])
def test_no_hand_follows_the_end(broke: bool, code: bytes) -> None:
    seat = FakeSeat(expected=Expected.OVER, someone_broke=broke)
    (wrong,) = said(greeted("kuhn"), b"ANOK", seat)
    assert isinstance(wrong, Wrong)
    assert code in wrong.farewell.message


def test_a_word_that_does_not_fit_costs_the_hand() -> None:
    seat = FakeSeat(expected=ASKED, in_hand=True, view=asked_view(KUHN))
    (wrong,) = said(greeted("kuhn"), b"FOLD", seat)
    assert isinstance(wrong, Wrong)
    assert wrong.fault
    assert wrong.farewell.message == b"ERRO W_A\n"


def test_quit_says_goodbye() -> None:
    assert [type(item) for item in said(greeted("kuhn"), b"QUIT")] == [Goodbye]


WITH_NONCE: dict[str, Callable[[object], bytes]] = {
    "huawei": lambda nonce: f"reg: 1001 bob need_notify nonce={nonce} \n".encode(),
    "trend": lambda nonce: event("__join", {"playerName": "secret", "nonce": nonce}),
    "room": lambda nonce: message(
        info="connect", room_id=7, name="bob", room_number=2, bots=[], nonce=nonce
    ),
}


def test_protocols_with_room_for_a_nonce_say_so() -> None:
    able = {name for name, dialect in DIALECTS.items() if dialect.nonce_help}
    assert able == set(WITH_NONCE)
    assert able == {name for name, dialect in DIALECTS.items() if dialect.commitment}


@pytest.mark.parametrize("nonce", ["a", "!~" * 32])
@pytest.mark.parametrize("dialect", WITH_NONCE)
def test_a_nonce_comes_with_the_first_message(dialect: str, nonce: str) -> None:
    (hello,) = said(HELLOS[dialect][0](), WITH_NONCE[dialect](nonce), FakeSeat(seated=False))
    assert isinstance(hello, Hello)
    assert hello.place.nonce == nonce


@pytest.mark.parametrize("dialect", HELLOS)
def test_who_gives_no_nonce_has_none(dialect: str) -> None:
    make, data = HELLOS[dialect]
    (hello,) = said(make(), data, FakeSeat(seated=False))
    assert isinstance(hello, Hello)
    assert hello.place.nonce == ""


@pytest.mark.parametrize("nonce", ["", "x" * 65, "ä", 7, ["a"]])
@pytest.mark.parametrize("dialect", WITH_NONCE)
def test_what_is_no_nonce_is_refused_with_the_reason(dialect: str, nonce: object) -> None:
    if dialect == "huawei" and not isinstance(nonce, str):
        return  # everything is text there
    (wrong,) = said(HELLOS[dialect][0](), WITH_NONCE[dialect](nonce), FakeSeat(seated=False))
    assert isinstance(wrong, Wrong)
    assert "a nonce is a text of 1 to 64 printable ASCII characters" in wrong.farewell.reason
