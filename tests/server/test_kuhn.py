"""`croupier host --rules kuhn` over real sockets: a match of its own for every client."""

import json
import random
import signal
import socket
import sqlite3
import struct
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from croupier.cards import KUHN_DECK, letter
from croupier.cli.main import main
from croupier.deals import hosted_seed, seed_from_text
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.match.chance import SeededChance
from tests.support.hosting import PATIENCE
from tests.support.kuhning import (
    BEFORE,
    BETWEEN,
    FACING,
    FREE,
    GONE,
    SPELLINGS,
    START,
    Caller,
    KuhnHost,
    Referee,
    bets_and_calls,
    checks_and_calls,
    checks_and_folds,
    coins,
    fresh_id,
    hang_up,
    seat_of_client,
    spelled,
)
from tests.web.siting import awaited

HOUSE, CLIENT = 0, 1
"""Player numbers: the house sits down first."""


@pytest.fixture(autouse=True)
def _nobody_stays() -> Iterator[None]:
    yield
    hang_up()


@pytest.fixture(scope="module")
def checking() -> Iterator[KuhnHost]:
    """A house that never bets and never folds, and is patient with a busy machine."""
    with KuhnHost("--bot", "call", "--set", "ready_ms=600000") as host:
        yield host


@pytest.fixture(scope="module")
def betting() -> Iterator[KuhnHost]:
    """A house that bets whenever it can."""
    with KuhnHost("--bot", "AllinAgent") as host:
        yield host


@pytest.fixture(scope="module")
def poor() -> Iterator[KuhnHost]:
    """A house where everyone has one coin, which is the ante."""
    with KuhnHost("--bot", "call", "--set", "chips=1") as host:
        yield host


class Doors:
    """A house with several listeners, each with settings of its own."""

    def __init__(self, host: KuhnHost) -> None:
        self.host = host
        self.text = host.port
        self.binary = host.next_port()
        self.explaining = host.next_port()


@pytest.fixture(scope="module")
def doors() -> Iterator[Doors]:
    """A listener that is pinned to text, one to binary, and one that explains its errors."""
    more = ("--listen", "kuhn:0,spelling=binary", "--listen", "kuhn:0,error_text=true")
    with KuhnHost("--bot", "call", *more, listen="kuhn:0,spelling=text") as host:
        yield Doors(host)


def started(host: KuhnHost, spelling: str = TEXT, chips: int = START) -> Referee:
    """Return the referee of a client that has said STRT."""
    referee = Referee(Caller(host.port, spelling), fresh_id(), (chips, chips))
    referee.do(f"STRT {referee.number}")
    return referee


def verified(store: Path, match: str) -> str:
    """Return what `croupier verify` says of a match that is all right."""
    result = CliRunner().invoke(main, ["verify", match, "--store", str(store)])
    assert result.exit_code == 0, result.output
    return result.stdout


def closed_matches(host: KuhnHost, count: int) -> dict[int, Any]:
    """Return the next results, in whatever order they come, by the client's id."""
    results = [json.loads(host.wait_for(r"^\{.*\}$").string) for _ in range(count)]
    return {int(seat_of_client(result)["name"]): result for result in results}


# Which spelling.


def test_each_connection_is_answered_in_the_spelling_of_its_strt(checking: KuhnHost) -> None:
    with Caller(checking.port) as text, Caller(checking.port, BINARY) as binary:
        text.send(b"STRT 77432\n")
        binary.send(b"STRT " + struct.pack(">i", 77433))
        assert text.socket.recv(100) == b"STKS 20 20\n"
        assert binary.socket.recv(100) == b"STKS \0\0\0\x14 \0\0\0\x14"
        for caller in (text, binary):
            caller.send(b"ANOK\n")
        assert text.next() in ("DEAL 0", "DEAL 1")
        assert binary.next() in ("DEAL 0", "DEAL 1")


@pytest.mark.parametrize(
    "strt",
    [
        b"STRT %d\n",
        b"strt %d\n",
        b"sTrT %d\r\n",
        b"STRT '%d'\n",
        b'STRT "%d"\r\n',
        b"STRT    %d   \n",
        b"STRT %d\0",
        b"\r\n\0 STRT %d\n",
        b"STRT 000%d\n",
    ],
)
def test_an_id_is_understood_in_any_form_of_text(checking: KuhnHost, strt: bytes) -> None:
    with Caller(checking.port) as caller:
        number = fresh_id()
        caller.send(strt % number)
        caller.hears("STKS 20 20")
        caller.say(f"STRT {number}")
        caller.hears("STKS 20 20")


@pytest.mark.parametrize("strt", ["STRT 5", "STRT 77432", "strt '4711'"])
def test_an_id_without_a_newline_counts_after_a_silence(checking: KuhnHost, strt: str) -> None:
    with Caller(checking.port) as caller:
        caller.send(strt.encode("ascii"))
        caller.hears("STKS 20 20")
        caller.send(b"QUIT")
        caller.is_closed()


LIKE_TEXT = int.from_bytes(b"1234", "big")
"""A binary id that cannot be told from text."""


def test_a_listener_pinned_to_binary_takes_an_id_that_looks_like_text(doors: Doors) -> None:
    with Caller(doors.binary, BINARY) as caller:
        caller.say(f"STRT {LIKE_TEXT}", "QUIT")
        caller.hears("STKS 20 20")
        caller.is_closed()
        doors.host.result_of(LIKE_TEXT)
    with Caller(doors.binary, BINARY) as caller:
        caller.send(b"STRT 5\n\n\nQUIT")  # an id of four bytes, whatever they are
        caller.hears("STKS 20 20")
        doors.host.result_of(int.from_bytes(b"5\n\n\n", "big"))


def test_without_a_pin_an_id_that_looks_like_text_is_text(checking: KuhnHost) -> None:
    with Caller(checking.port) as caller:
        caller.send(spelled(f"STRT {LIKE_TEXT}", BINARY) + b"\n")
        caller.hears("STKS 20 20")
        caller.say("QUIT")
        checking.result_of(1234)


def test_a_listener_pinned_to_text_takes_no_binary_id(doors: Doors) -> None:
    with Caller(doors.text) as caller:
        caller.send(spelled("STRT 77432", BINARY) + b"\n")
        caller.hears("ERRO W_S")
        caller.is_closed()


def test_each_listener_has_settings_of_its_own_before_the_first_strt(doors: Doors) -> None:
    for port, answer in (
        (doors.text, b"ERRO W_S\n"),
        (doors.binary, b"ERRO W_S"),
        (doors.explaining, b"ERRO 26W_S unknown command 'XXXX'\n"),
    ):
        with Caller(port) as caller:
            caller.send(b"XXXX")
            assert caller.rest() == answer


def test_an_id_is_taken_on_every_listener_of_a_host(doors: Doors) -> None:
    with Caller(doors.text) as first, Caller(doors.binary, BINARY) as other:
        first.say("STRT 5", "ANOK")
        first.hears("STKS 20 20")
        assert heads(first, 2) == ("DEAL", "CARD")
        other.say("STRT 5")
        other.hears("ERRO WID")
        other.is_closed()


@pytest.mark.parametrize("within_a_hand", [True, False])
def test_who_was_cut_off_may_come_back_at_once_under_the_same_id(
    doors: Doors, within_a_hand: bool
) -> None:
    for _ in range(20):
        with Caller(doors.text) as caller:
            caller.say("STRT 77")
            caller.hears("STKS 20 20")
            if within_a_hand:
                caller.say("ANOK")
                assert caller.next() in ("DEAL 0", "DEAL 1")
        # The connection is closed, and the next is here before the server can have noticed it.


# Errors with a text.


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("XXXX", b"W_S unknown command 'XXXX'"),
        ("ANOK", b"W_A ANOK before STRT"),
        ("CALL", b"W_A it is not your turn"),
        ("STRT 0", b"WID the id is not above 0"),
        ("STRT -7", b"WID the id is not above 0"),
    ],
)
def test_an_error_with_a_text_has_its_length_code_and_explanation(
    doors: Doors, said: str, text: bytes
) -> None:
    for spelling in SPELLINGS:
        with Caller(doors.explaining, spelling) as caller:
            caller.say(said)
            end = b"" if spelling == BINARY and said.startswith("STRT") else b"\n"
            assert caller.rest() == b"ERRO %02d%s%s" % (len(text), text, end)


def test_an_error_with_a_text_is_printable_whatever_was_said(doors: Doors) -> None:
    with Caller(doors.explaining) as caller:
        caller.send(b"\xff\x1b\x07\x80\n")
        heard = caller.rest()
    assert heard.startswith(b"ERRO ")
    assert heard.endswith(b"\n")
    text = heard[5:-1]
    assert int(text[:2]) == len(text) - 2
    assert text.isascii()
    assert text.decode("ascii").isprintable()


def test_in_a_hand_an_error_with_a_text_says_what_would_fit(doors: Doors) -> None:
    with Caller(doors.explaining) as caller:
        caller.say(f"STRT {fresh_id()}", "ANOK", "FOLD")
        assert caller.rest().endswith(b"ERRO 36W_A FOLD without a bet; CHCK or BET_\n")


# Every command in every state.

Expected = str | tuple[str, ...]
CLOSED: Expected = ""
SAME, OTHER = "STRT same", "STRT other"
TABLE: dict[str, dict[str, Expected]] = {
    BEFORE: {
        SAME: ("STKS",),
        OTHER: ("STKS",),
        "ANOK": "W_A",
        "CHCK": "W_A",
        "BET_": "W_A",
        "CALL": "W_A",
        "FOLD": "W_A",
        "QUIT": CLOSED,
        "ERRO W_S": CLOSED,
        "XXXX": "W_S",
    },
    BETWEEN: {
        SAME: ("STKS",),
        OTHER: "WID",
        "ANOK": ("DEAL", "CARD"),
        "CHCK": "W_A",
        "BET_": "W_A",
        "CALL": "W_A",
        "FOLD": "W_A",
        "QUIT": CLOSED,
        "ERRO 00": CLOSED,
        "XXXX": "W_S",
    },
    FREE: {
        SAME: "W_A",
        OTHER: "WID",
        "ANOK": "W_A",
        "CHCK": ("SHOW", "STKS"),
        "BET_": ("CALL", "SHOW", "STKS"),
        "CALL": "W_A",
        "FOLD": "W_A",
        "QUIT": CLOSED,
        "ERRO 05WRONG": CLOSED,
        "XXXX": "W_S",
    },
    FACING: {
        SAME: "W_A",
        OTHER: "WID",
        "ANOK": "W_A",
        "CHCK": "W_A",
        "BET_": "W_A",
        "CALL": ("SHOW", "STKS"),
        "FOLD": ("STKS",),
        "QUIT": CLOSED,
        "ERRO WID": CLOSED,
        "XXXX": "W_S",
    },
    GONE: {
        SAME: ("STKS",),
        OTHER: "WID",
        "ANOK": "N_C",
        "CHCK": "W_A",
        "BET_": "W_A",
        "CALL": "W_A",
        "FOLD": "W_A",
        "QUIT": CLOSED,
        "ERRO": CLOSED,
        "XXXX": "W_S",
    },
}
CASES = [(state, command) for state, row in TABLE.items() for command in row]


@pytest.fixture(scope="module")
def reach(
    checking: KuhnHost, betting: KuhnHost, poor: KuhnHost
) -> Callable[[str, str], tuple[KuhnHost, Caller, int]]:
    """How to get a client into a state; the house has done what it does before that."""

    def reached(state: str, spelling: str) -> tuple[KuhnHost, Caller, int]:
        host = {FACING: betting, GONE: poor}.get(state, checking)
        caller, number = Caller(host.port, spelling), fresh_id()
        if state == BEFORE:
            return host, caller, number
        caller.say(f"STRT {number}")
        caller.hears("STKS 1 1" if state == GONE else "STKS 20 20")
        if state == BETWEEN:
            return host, caller, number
        caller.say("ANOK")
        dealer = caller.next() == "DEAL 1"
        caller.next()
        if dealer:
            caller.hears("BET_" if state == FACING else "CHCK")
        if state == FREE or (state == FACING and dealer):
            return host, caller, number
        caller.say("CHCK")
        if state == FACING:
            caller.hears("BET_")
            return host, caller, number
        if not dealer:
            caller.hears("CHCK")
        shown, stakes = caller.next(), caller.next()
        assert shown in ("SHOW J", "SHOW Q", "SHOW K")
        assert stakes in ("STKS 0 2", "STKS 2 0")
        return host, caller, number

    return reached


def heads(caller: Caller, count: int) -> tuple[str, ...]:
    """Return the words of so many messages."""
    return tuple((caller.next() or "closed")[:4] for _ in range(count))


def test_the_table_has_every_command_in_every_state() -> None:
    words = ["STRT", "STRT", "ANOK", "CHCK", "BET_", "CALL", "FOLD", "QUIT", "ERRO", "XXXX"]
    assert [[command[:4] for command in row] for row in TABLE.values()] == [words] * 5


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(("state", "command"), CASES, ids=lambda text: str(text))
def test_a_command_gets_the_right_answer_or_the_right_error(
    state: str,
    command: str,
    spelling: str,
    reach: Callable[[str, str], tuple[KuhnHost, Caller, int]],
) -> None:
    host, caller, number = reach(state, spelling)
    expected = TABLE[state][command]
    said = command.replace("same", str(number)).replace("other", str(fresh_id()))
    with caller:
        caller.say(said)
        if isinstance(expected, tuple):
            answers = heads(caller, len(expected))
            if answers[0] == "CHCK":  # the house's check, when the client has acted first
                answers = answers[1:] + heads(caller, 1)
            assert answers == expected
        elif expected:
            if state == BEFORE and spelling == BINARY:
                caller.spelling = TEXT  # nobody can know it yet
            caller.hears(f"ERRO {expected}")
        if not isinstance(expected, tuple):
            caller.is_closed()
    if state == BEFORE:
        return
    result = host.result_of(number)
    if state in (FREE, FACING) and not isinstance(expected, tuple):
        assert (result["hands"], coins(result)) == (1, (19, 21)), "the hand is lost, the ante only"
    elif state == BETWEEN and command != "ANOK":
        assert (result["hands"], coins(result)) == (0, (20, 20))


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("state", [BETWEEN, FREE, FACING])
def test_a_lost_connection_costs_the_hand_and_nothing_else(
    state: str, spelling: str, reach: Callable[[str, str], tuple[KuhnHost, Caller, int]]
) -> None:
    host, caller, number = reach(state, spelling)
    caller.drop()
    result = host.result_of(number)
    lost = 0 if state == BETWEEN else 1
    assert result["hands"] == lost
    assert coins(result) == (20 - lost, 20 + lost)


def test_a_connection_that_is_reset_within_a_hand_is_a_fold(checking: KuhnHost) -> None:
    referee = started(checking)
    referee.do("ANOK")
    sock = referee.caller.socket
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()
    assert coins(checking.result_of(referee.number)) == (19, 21)


# How a command may be written.


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(
    "case", [str.lower, str.title, str.swapcase, lambda word: "sTrt"[:0] + word]
)
def test_commands_count_in_any_case(
    checking: KuhnHost, case: Callable[[str], str], spelling: str
) -> None:
    with Caller(checking.port, spelling) as caller:
        referee = Referee(caller, fresh_id())
        caller.case = case
        referee.do(f"STRT {referee.number}")
        referee.hand(checks_and_calls)
        referee.hand(bets_and_calls)
        referee.do(f"STRT {referee.number}", "QUIT")


@pytest.mark.parametrize(
    "end", [b"", b"\n", b"\r\n", b"\0", b"\n\0", b" \t \r\n\r\n\0\0", b"\0" * 59]
)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_follows_a_command_means_nothing(
    checking: KuhnHost, spelling: str, end: bytes
) -> None:
    with Caller(checking.port, spelling) as caller:
        number = fresh_id()
        caller.send(spelled(f"STRT {number}", spelling) + end)
        caller.hears("STKS 20 20")
        caller.send(b"ANOK" + end)
        dealer = caller.next() == "DEAL 1"
        caller.next()
        if dealer:
            caller.hears("CHCK")
        caller.send(b"BET_" + end)
        caller.hears("CALL")
        assert heads(caller, 2) == ("SHOW", "STKS")
        caller.send(b"QUIT" + end)
        caller.is_closed()
        assert checking.result_of(number)["hands"] == 1


TWO_HANDS = ("ANOK", "BET_", "ANOK", "BET_", "QUIT")
"""Fits whoever deals, against a house that checks and calls."""


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("between", [b"", b"\n", b"\r\n", b" ", b"\0"])
def test_commands_glued_together_are_taken_apart(
    checking: KuhnHost, spelling: str, between: bytes
) -> None:
    number = fresh_id()
    strt = spelled(f"STRT {number}", spelling)
    hand = [b"ANOK", b"BET_"]
    with Caller(checking.port, spelling) as caller:
        caller.send(between.join([strt, *hand, strt, *hand, *hand, strt, b"QUIT"]))
        caller.hears("STKS 20 20")
        caller.rest()
        assert checking.result_of(number)["hands"] == 3


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_whoever_says_no_more_is_told_all_that_follows_from_what_it_said(
    checking: KuhnHost, spelling: str
) -> None:
    number = fresh_id()
    strt = spelled(f"STRT {number}", spelling)
    with Caller(checking.port, spelling) as caller:
        caller.send(strt + b"\n" + b"ANOK\nBET_\n" * 5)
        caller.socket.shutdown(socket.SHUT_WR)
        assert caller.rest().count(b"STKS") == 1 + 5
        assert checking.result_of(number)["hands"] == 5


def test_an_action_in_the_pause_before_its_question_counts_when_the_question_comes() -> None:
    """No message asks a client to act: the card, or what the house did, does."""
    with KuhnHost("--bot", "AllinAgent", "--set", "pace_ms=100") as host:
        with Caller(host.port) as caller:
            referee = Referee(caller, 7)
            referee.do("STRT 7")
            for _ in range(4):
                referee.hand(checks_and_folds)
        assert seat_of_client(host.result_of(7))["faults"] == 0


def test_sixty_commands_ahead_are_not_too_many(checking: KuhnHost) -> None:
    with Caller(checking.port) as caller:
        number = fresh_id()
        caller.say(f"STRT {number}", *["ANOK", "BET_"] * 9, *[f"STRT {number}"] * 40, "QUIT")
        said = caller.rest()
        assert said.count(b"STKS") == 1 + 9 + 40
        assert b"ERRO" not in said


class Pacer:
    """Tells when the host has read what was sent before: it is asked something else twice."""

    def __init__(self, host: KuhnHost) -> None:
        self._caller = Caller(host.port, BINARY)
        self._number = fresh_id()
        self()

    def __call__(self) -> None:
        for _ in range(2):
            self._caller.say(f"STRT {self._number}")
            self._caller.hears("STKS 20 20")


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_conversation_is_understood_byte_by_byte(checking: KuhnHost, spelling: str) -> None:
    pause = Pacer(checking)
    with Caller(checking.port, spelling) as caller:
        for byte in b"".join(spelled(line, spelling) for line in ("STRT 3", *TWO_HANDS)):
            caller.send(bytes([byte]))
            pause()
        caller.rest()
        assert checking.result_of(3)["hands"] == 2


@pytest.mark.parametrize("strt", [b"STRT 3\n", b"STRT '3'\r\n", b"STRT \0\0\0\3"])
def test_a_conversation_is_understood_cut_at_any_byte(checking: KuhnHost, strt: bytes) -> None:
    pause = Pacer(checking)
    data = strt + b"ANOK\nBET_QUIT"
    for cut in range(1, len(data)):
        with Caller(checking.port) as caller:
            caller.send(data[:cut])
            pause()
            caller.send(data[cut:])
            caller.rest()
            assert checking.result_of(3)["hands"] == 1, cut


# Ids.


@pytest.mark.parametrize(
    ("strt", "code"),
    [
        (b"STRT 0\n", b"WID"),
        (b"STRT -1\n", b"WID"),
        (b"STRT '-77432'\n", b"WID"),
        (b"STRT 1000000000000000000\n", b"WID"),
        (b"STRT " + b"9" * 50 + b"\n", b"WID"),
        (b"STRT " + b"9" * 60 + b"\n", b"W_S"),  # more than 64 bytes without a command
        (b"STRT\n", b"W_S"),
        (b"STRT5\n", b"W_S"),
        (b"STRT\t5\n", b"W_S"),
    ],
)
def test_a_wrong_id_of_text_is_refused(checking: KuhnHost, strt: bytes, code: bytes) -> None:
    with Caller(checking.port) as caller:
        caller.send(strt)
        assert caller.rest() == b"ERRO " + code + b"\n"


@pytest.mark.parametrize("line", ["abc", "5 6", "1.5", "+5", "'5", "5'", "''", "5;", "٣"])
def test_an_id_of_text_that_is_no_number_is_wrong_syntax(doors: Doors, line: str) -> None:
    # Without a pin some of these could be four bytes of a number.
    with Caller(doors.text) as caller:
        caller.send(f"STRT {line}\n".encode())
        assert caller.rest() == b"ERRO W_S\n"


@pytest.mark.parametrize("number", [0, -1, -(2**31), 2**31 - 1, 1])
def test_a_binary_id_is_right_if_it_is_above_nought(checking: KuhnHost, number: int) -> None:
    with Caller(checking.port, BINARY) as caller:
        caller.say(f"STRT {number}", "QUIT")
        if number > 0:
            caller.hears("STKS 20 20")
        else:
            caller.hears("ERRO WID")
        caller.is_closed()
    if number > 0:
        checking.result_of(number)


def test_the_largest_id_of_text_is_played_and_reported(checking: KuhnHost) -> None:
    with Caller(checking.port) as caller:
        number = 10**18 - 1
        caller.say(f"STRT {number}", "QUIT")
        caller.hears("STKS 20 20")
        checking.result_of(number)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_id_that_is_in_a_hand_is_refused_and_the_first_plays_on(
    betting: KuhnHost, spelling: str
) -> None:
    referee = started(betting)
    referee.do("ANOK")
    with Caller(betting.port, spelling) as twin:
        twin.say(f"STRT {referee.number}")
        twin.hears("ERRO WID")
        twin.is_closed()
    while referee.phase != BETWEEN:
        referee.do(checks_and_calls(referee))
    referee.hand(checks_and_calls)
    referee.do("QUIT")
    assert betting.result_of(referee.number)["hands"] == 2


@pytest.mark.parametrize("hands", [0, 1, 3])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_new_connection_takes_the_place_of_one_between_two_hands_and_starts_afresh(
    checking: KuhnHost, spelling: str, hands: int
) -> None:
    referee = started(checking)
    for _ in range(hands):
        referee.hand(bets_and_calls)
    again = Referee(Caller(checking.port, spelling), referee.number)
    again.do(f"STRT {referee.number}")
    referee.caller.is_closed()
    result = checking.result_of(referee.number)
    assert (result["hands"], coins(result)) == (hands, (referee.client, referee.house))
    again.hand(checks_and_calls)
    again.do("QUIT")
    assert checking.result_of(again.number)["hands"] == 1


def test_a_connection_is_replaced_while_the_record_of_its_hand_is_on_its_way(
    tmp_path: Path,
) -> None:
    store = tmp_path / "croupier.db"
    with KuhnHost("--bot", "call", "--store", str(store)) as host:
        pause, referee = Pacer(host), started(host)
        referee.do("ANOK")
        with closing(sqlite3.connect(store, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")  # nothing is stored meanwhile
            referee.caller.say("BET_")
            pause()
            with Caller(host.port) as again:
                again.say(f"STRT {referee.number}")
                again.hears("STKS 20 20")
                assert referee.caller.rest() == b""
                other.execute("ROLLBACK")
                result = host.result_of(referee.number)
                assert result["hands"] == 1
                assert 18 in coins(result)
                again.say("ANOK")
                assert heads(again, 2) == ("DEAL", "CARD")
        host.end()
        verified(store, result["match"])


def test_the_website_shows_the_match_of_the_new_connection_until_it_is_over(
    tmp_path: Path,
) -> None:
    store = str(tmp_path / "croupier.db")
    with KuhnHost("--bot", "call", "--web", "0", "--store", store) as host:
        address = host.wait_for(r"^web: (\S+)").group(1)

        def live() -> dict[str, str]:
            with urlopen(f"{address}api/v1/tables", timeout=PATIENCE) as answer:
                return {one["table"]: one["match"] for one in json.load(answer)["items"]}

        def once_it_shows(referee: Referee) -> dict[str, str]:
            # The site hears of everything in order, so it knows all that was before, too.
            return awaited(live, lambda found: f"kuhn-{referee.number}" in found)

        first = started(host)
        first.hand(checks_and_calls)
        again = Referee(Caller(host.port), first.number)
        again.do(f"STRT {first.number}", "ANOK")
        old = host.result_of(first.number)["match"]
        assert once_it_shows(started(host))[f"kuhn-{first.number}"] != old
        again.do("QUIT")
        host.result_of(first.number)
        assert f"kuhn-{first.number}" not in once_it_shows(started(host))


def test_a_client_that_was_replaced_does_not_free_the_id(checking: KuhnHost) -> None:
    first = started(checking)
    with Caller(checking.port) as second, Caller(checking.port) as third:
        second.say(f"STRT {first.number}", "ANOK")
        second.hears("STKS 20 20")
        first.caller.is_closed()
        checking.result_of(first.number)
        third.say(f"STRT {first.number}")
        third.hears("ERRO WID")


@pytest.mark.parametrize("ending", ["QUIT", "XXXX", "ANOK", "drop"])
def test_an_id_is_free_again_after_its_match_and_its_stakes_are_fresh(
    checking: KuhnHost, ending: str
) -> None:
    number = fresh_id()
    for spelling in SPELLINGS:
        with Caller(checking.port, spelling) as caller:
            referee = Referee(caller, number)
            referee.do(f"STRT {number}")
            referee.hand(bets_and_calls)
            referee.do("ANOK")
            if ending == "drop":
                caller.drop()
            else:
                referee.do(ending)
            assert checking.result_of(number)["hands"] == 2


def test_who_has_no_coin_left_may_start_again_at_once_on_another_connection(
    poor: KuhnHost,
) -> None:
    referee = started(poor, chips=1)
    referee.hand(checks_and_calls)
    assert referee.phase == GONE
    poor.result_of(referee.number)
    with Caller(poor.port) as again:
        again.say(f"STRT {referee.number}", "ANOK")
        again.hears("STKS 1 1")
        assert heads(again, 2) == ("DEAL", "CARD")
        referee.caller.is_closed()


# Hands.


@pytest.mark.parametrize(
    ("bot", "chips"),
    [
        ("nash", 1),
        ("nash", 3),
        ("random", 2),
        ("call", 2),
        ("AllinAgent", 2),
        ("RuleAgent", 2),
    ],
)
def test_every_house_plays_by_the_document_until_one_side_has_no_coin(bot: str, chips: int) -> None:
    courses = [checks_and_calls, bets_and_calls, checks_and_folds]
    with KuhnHost("--bot", bot, "--set", f"chips={chips}", "--seed", f"{bot} {chips}") as host:
        ruined = 0
        for turn in range(12):
            referee = started(host, SPELLINGS[turn % 2], chips)
            while referee.phase == BETWEEN and referee.hands < 50:
                referee.hand(courses[(turn + referee.hands) % 3])
            ruined += referee.phase == GONE
            referee.do("ANOK" if referee.phase == GONE else "QUIT")
            result = host.result_of(referee.number)
            assert result["hands"] == referee.hands
            assert coins(result) == (referee.client, referee.house)
        assert ruined


@dataclass
class Heard:
    """What a client hears in a match: the bytes, its cards, and who deals."""

    data: bytes
    cards: list[str]
    deals: str
    house: str


@cache
def two_matches(seed: str, spelling: str = TEXT, *more: str) -> tuple[Heard, Heard]:
    """Return the first two matches of a host from a seed."""
    matches = []
    with KuhnHost("--seed", seed, *more) as host:
        for number in (77, 78):
            with Caller(host.port, spelling) as caller:
                referee = Referee(caller, number)
                referee.do(f"STRT {number}")
                cards = []
                for turn in range(20):
                    referee.hand((checks_and_calls, bets_and_calls, checks_and_folds)[turn % 3])
                    cards.append(referee.card)
                referee.do("QUIT")
            result = host.result_of(number)
            assert not result["secret"]
            (house,) = (seat["name"] for seat in result["seats"] if seat["dialect"] == "house")
            matches.append(Heard(caller.heard, cards, referee.deals, house))
    return matches[0], matches[1]


def test_the_same_seed_gives_the_same_bytes_and_without_a_bot_the_house_is_nash() -> None:
    first, second = two_matches("seven")
    assert (first, second) == two_matches("seven", TEXT, "--bot", "nash")
    assert first.house == "nash"
    assert first.data != second.data


def test_cards_and_dealer_are_those_of_the_seed_in_either_spelling() -> None:
    for spelling in SPELLINGS:
        for number, match in enumerate(two_matches("seven", spelling)):
            chance = SeededChance(hosted_seed(seed_from_text("seven"), number))
            left_of_button = chance.seats(2)[0]
            cards, deals = [], ""
            for hand in range(1, 21):
                client_deals = (left_of_button == HOUSE) == (hand % 2 == 1)
                cards.append(letter(chance.cards(hand, KUHN_DECK, 2)[client_deals]))
                deals += "1" if client_deals else "0"
            assert (match.cards, match.deals) == (cards, deals)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_strt_again_between_hands_tells_the_stakes_and_nothing_begins_anew(
    checking: KuhnHost, spelling: str
) -> None:
    referee = started(checking, spelling)
    for _ in range(4):
        referee.hand(bets_and_calls)
        referee.do(*[f"STRT {referee.number}"] * 2)
    assert (referee.client, referee.house) != (START, START) or referee.hands == 4
    assert referee.deals in ("0101", "1010")
    referee.do("QUIT")
    assert checking.result_of(referee.number)["hands"] == 4


def test_a_caller_without_a_coin_folds_or_calls_for_nothing_and_plays_for_the_antes() -> None:
    with KuhnHost("--bot", "AllinAgent", "--set", "chips=2", "--seed", "1") as host:
        referee = started(host, chips=2)
        referee.hand(checks_and_folds)
        referee.hand(checks_and_folds)
        assert (referee.client, referee.house, referee.phase) == (0, 4, GONE)
        referee.do("ANOK")
        outcomes: set[str | None] = set()
        while len(outcomes) < 2:
            with Caller(host.port) as caller:
                number = fresh_id()
                caller.say(f"STRT {number}", "ANOK")
                caller.hears("STKS 2 2")
                if caller.next() == "DEAL 0":
                    caller.say("CHCK")
                caller.next()
                caller.hears("BET_")
                caller.say("FOLD", "ANOK")
                caller.hears("STKS 1 3")
                if caller.next() == "DEAL 0":
                    caller.say("CHCK")
                caller.next()
                caller.hears("BET_")
                caller.say("CALL")
                assert heads(caller, 1) == ("SHOW",)
                outcomes.add(caller.next())
                caller.say("QUIT")
                host.result_of(number)
        assert outcomes == {"STKS 2 2", "STKS 0 4"}


def test_a_house_without_a_coin_calls_for_nothing_too() -> None:
    with KuhnHost("--bot", "call", "--set", "chips=2", "--seed", "1") as host:
        outcomes: set[tuple[int, int]] = set()
        while len(outcomes) < 2:
            referee = started(host, chips=2)
            referee.hand(checks_and_calls)
            if referee.house == 1:
                referee.hand(bets_and_calls)  # the referee knows what is won
                outcomes.add((referee.client, referee.house))
        assert outcomes == {(4, 0), (2, 2)}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_bet_without_a_coin_is_no_coins_and_costs_the_hand(poor: KuhnHost, spelling: str) -> None:
    referee = started(poor, spelling, chips=1)
    referee.do("ANOK")
    assert referee.fault("BET_") == "N_C"
    referee.do("BET_")
    assert coins(poor.result_of(referee.number)) == (0, 2)


@pytest.fixture(scope="module")
def rich() -> Iterator[KuhnHost]:
    """A house with more coins than four bytes hold, and two hands to play for them."""
    with KuhnHost("--bot", "call", "--hands", "2", "--set", "chips=3000000000") as host:
        yield host


def test_a_match_of_a_number_of_hands_is_over_after_them(rich: KuhnHost) -> None:
    referee = started(rich, chips=3_000_000_000)
    referee.hand(checks_and_calls)
    referee.hand(checks_and_calls)
    assert rich.result_of(referee.number)["hands"] == 2
    referee.caller.say("ANOK")
    referee.caller.hears("ERRO W_A")
    referee.caller.is_closed()


def test_more_coins_than_four_bytes_hold_are_told_as_the_most_that_they_hold(
    rich: KuhnHost,
) -> None:
    with Caller(rich.port, BINARY) as caller:
        caller.say("STRT 2")
        caller.hears(f"STKS {2**31 - 1} {2**31 - 1}")


# The end of a match.


@pytest.mark.parametrize("last", ["ANOK", "CHCK", "XXXX"])
def test_an_error_after_the_end_does_not_end_the_match_again(poor: KuhnHost, last: str) -> None:
    numbers = []
    for command in (last, "QUIT"):
        referee = started(poor, chips=1)
        referee.hand(checks_and_calls)
        referee.do(command)
        poor.result_of(referee.number)
        numbers.append(referee.number)
    results = [line for line in poor.lines if f'"name": "{numbers[0]}"' in line]
    assert len(results) == 1


def test_once_ends_with_the_first_match() -> None:
    with KuhnHost("--bot", "call", "--once") as host:
        referee = started(host)
        referee.hand(checks_and_calls)
        referee.do("QUIT")
        result = host.result()
        assert host.process.returncode == 0
        assert (result["rules"], result["hands"]) == ("kuhn", 1)
        assert coins(result) == (referee.client, referee.house)
        with pytest.raises(ConnectionError):
            Caller(host.port)


def test_once_ends_for_a_client_without_a_coin_when_it_goes() -> None:
    with KuhnHost("--bot", "call", "--once", "--set", "chips=1") as host:
        referee = started(host, chips=1)
        referee.hand(checks_and_calls)
        referee.do("ANOK")
        host.process.wait(PATIENCE)
        assert host.process.returncode == 0


def test_a_host_that_is_told_to_end_voids_hands_and_closes_all_connections() -> None:
    with KuhnHost("--bot", "call") as host:
        referees = [started(host, spelling) for spelling in (*SPELLINGS, *SPELLINGS)]
        for referee in referees[:2]:
            referee.do("ANOK")
        host.process.terminate()
        for referee in referees:
            referee.caller.is_closed()
        closed = closed_matches(host, 4)
        for referee in referees:
            result = closed[referee.number]
            assert (result["hands"], coins(result)) == (0, (20, 20))
        assert host.process.wait(PATIENCE) == 0


def test_a_host_that_is_told_twice_to_end_waits_for_nobody() -> None:
    with KuhnHost("--bot", "call", "--set", "chips=1", "--set", "closing_s=600") as host:
        referee = started(host, chips=1)
        referee.hand(checks_and_calls)
        host.result_of(referee.number)
        for number in (signal.SIGTERM, signal.SIGINT):
            host.process.send_signal(number)
        assert host.process.wait(PATIENCE) == 0
        referee.caller.is_closed()


# Silence.


@pytest.fixture(scope="module")
def impatient() -> Iterator[KuhnHost]:
    """A house that does not wait long, neither for a hand nor within it."""
    with KuhnHost("--bot", "call", "--set", "ready_ms=500", "--set", "decision_ms=100") as host:
        yield host


@pytest.mark.parametrize("said", [b"", b"STR", b"STRT ", b"\n"])
def test_who_has_not_said_strt_in_time_is_dropped_without_a_word(
    impatient: KuhnHost, said: bytes
) -> None:
    with Caller(impatient.port) as caller:
        caller.send(said)
        assert caller.rest() == b""


@pytest.mark.parametrize("said", ["", "AN"])
def test_who_is_silent_between_hands_is_dropped(impatient: KuhnHost, said: str) -> None:
    referee = started(impatient)
    referee.caller.send(said.encode())
    referee.caller.is_closed()
    result = impatient.result_of(referee.number)
    assert (result["hands"], coins(result)) == (0, (20, 20))
    with Caller(impatient.port) as again:
        again.say(f"STRT {referee.number}")
        again.hears("STKS 20 20")


@pytest.mark.parametrize("said", ["", "CHC"])
def test_who_is_silent_within_a_hand_loses_it_and_is_dropped(
    impatient: KuhnHost, said: str
) -> None:
    referee = started(impatient)
    referee.caller.say("ANOK")
    referee.caller.send(said.encode())
    assert referee.caller.rest().endswith(b"STKS 19 21\n")
    result = impatient.result_of(referee.number)
    assert (result["hands"], coins(result)) == (1, (19, 21))
    assert seat_of_client(result)["timeouts"] == 1


# Many at once.


def play_many(port: int, spelling: str, hands: int, seed: int) -> int:
    """Play as chance will have it, all by the document; return the id."""
    chance = random.Random(seed)
    courses = [checks_and_calls, bets_and_calls, checks_and_folds]
    with Caller(port, spelling) as caller:
        referee = Referee(caller, 100_000 + seed)
        referee.do(f"STRT {referee.number}")
        while referee.hands < hands and referee.phase == BETWEEN:
            referee.hand(chance.choice(courses))
        referee.do("QUIT")
    return referee.number


def send_garbage(port: int, seed: int) -> None:
    """Say things that nobody understands, in many connections."""
    chance = random.Random(seed)
    words = [b"STRT ", b"ANOK", b"QUIT", b"ERRO", b"BET_", b"\0", b"\n", b"\xff\xff", b"5", b"'"]
    for _ in range(20):
        with Caller(port) as caller, suppress(OSError):
            for _ in range(chance.randrange(1, 20)):
                caller.send(chance.choice([chance.choice(words), chance.randbytes(20)]))
            if chance.random() < 0.5:
                caller.socket.shutdown(socket.SHUT_WR)
                caller.rest()


def test_fifty_clients_play_at_once_and_garbage_harms_none(tmp_path: Path) -> None:
    store = tmp_path / "croupier.db"
    with KuhnHost("--bot", "random", "--store", str(store)) as host:
        with ThreadPoolExecutor(60) as pool:
            noise = [pool.submit(send_garbage, host.port, seed) for seed in range(10)]
            players = [
                pool.submit(play_many, host.port, SPELLINGS[seed % 2], 12, seed)
                for seed in range(50)
            ]
            numbers = {player.result(PATIENCE) for player in players}
            for sender in noise:
                sender.result(PATIENCE)
        assert len(numbers) == 50
        host.end()
        assert host.process.returncode == 0


COMMANDS = [
    "ANOK",
    "CHCK",
    "BET_",
    "CALL",
    "FOLD",
    "STRT",
    "STRT",
    "QUIT",
    "ERRO",
    "XXXX",
    "STRT 0",
]


def walk(port: int, seed: int) -> Referee:
    """Say what chance will have, right or wrong, until the connection is closed."""
    chance = random.Random(seed)
    with Caller(port, SPELLINGS[seed % 2]) as caller:
        referee = Referee(caller, 200_000 + seed, (3, 3))
        while True:
            command = chance.choice(COMMANDS)
            if command == "STRT":
                command = f"STRT {referee.number + (chance.random() < 0.1) * 1000}"
            if referee.phase == BEFORE:
                command = f"STRT {referee.number}"
            wrong = referee.fault(command) is not None or command in ("QUIT", "ERRO")
            if wrong and chance.random() < 0.98:
                continue
            referee.do(command)
            if wrong:
                return referee


def test_whatever_is_said_in_whatever_order_is_answered_as_the_document_has_it() -> None:
    with KuhnHost("--bot", "random", "--set", "chips=3") as host:
        with ThreadPoolExecutor(20) as pool:
            ends = [pool.submit(walk, host.port, seed) for seed in range(150)]
            referees = [end.result(PATIENCE) for end in ends]
        assert sum(referee.hands for referee in referees) > 300
        assert {referee.phase for referee in referees} == {BETWEEN, FREE, FACING, GONE}


def test_connections_that_are_gone_leave_nothing_behind(checking: KuhnHost) -> None:
    folder = Path(f"/proc/{checking.process.pid}/fd")
    if not folder.exists():
        pytest.skip("only where files of a process can be counted")
    with Caller(checking.port) as last:
        last.say(f"STRT {fresh_id()}")
        last.hears("STKS 20 20")
        before = len(list(folder.iterdir()))
        for seed in range(3):
            send_garbage(checking.port, seed)
            play_many(checking.port, TEXT, 3, 1000 + seed)
            checking.result_of(101_000 + seed)
        assert len(list(folder.iterdir())) <= before + 1


# Clients that overdo it.


@pytest.mark.parametrize(
    "data",
    [b"\n" * 2**20, b"\0" * 2**20, b"\xff" * 2**20, b"STRT " + b"9" * 2**20, b"ANOK\n" * 2**18],
    ids=["newlines", "NULs", "0xff", "digits", "commands"],
)
@pytest.mark.parametrize("state", [BEFORE, BETWEEN, FREE])
def test_a_megabyte_ends_the_connection_and_harms_nobody(
    checking: KuhnHost, data: bytes, state: str
) -> None:
    other = started(checking)
    with Caller(checking.port) as caller:
        referee = Referee(caller, fresh_id())
        if state != BEFORE:
            referee.do(f"STRT {referee.number}")
        if state == FREE:
            referee.do("ANOK")
        with suppress(ConnectionError):
            caller.send(data)
        # The error may be lost: the system drops it when the rest of the input is never read.
        assert b"STKS" not in caller.rest()
    if state != BEFORE:
        lost = state == FREE or data[:4] == b"ANOK"
        assert coins(checking.result_of(referee.number)) == (20 - lost, 20 + lost)
    other.hand(checks_and_calls)
    other.do("QUIT")


def test_a_megabyte_of_right_commands_is_answered_to_the_last(checking: KuhnHost) -> None:
    count = 2**20 // 8
    other = started(checking)
    with Caller(checking.port) as caller, ThreadPoolExecutor(1) as pool:
        heard = pool.submit(caller.rest)
        caller.send(b"STRT 12\n" * count + b"QUIT")
        other.hand(checks_and_calls)
        assert heard.result(PATIENCE) == b"STKS 20 20\n" * count


def test_a_client_that_never_reads_is_cut_off_and_harms_nobody(checking: KuhnHost) -> None:
    other = started(checking)
    with Caller(checking.port, buffer=4096) as caller:
        number = fresh_id()
        with suppress(ConnectionError):
            while True:  # until it is cut off
                caller.send(f"STRT {number}\n".encode() * 5000)
        other.hand(checks_and_calls)
        assert coins(checking.result_of(number)) == (20, 20)


def test_commands_without_end_while_a_hand_is_settled_are_wrong_syntax(checking: KuhnHost) -> None:
    with Caller(checking.port) as caller:
        number = fresh_id()
        caller.say(f"STRT {number}", *["ANOK", "BET_"] * 100)
        assert caller.rest().endswith(b"ERRO W_S\n")
        assert checking.result_of(number)["hands"] < 100


# The record.


def run(store: Path, *arguments: str) -> Any:
    """Return the JSON that a command about the record prints."""
    result = CliRunner().invoke(main, [*arguments, "--json", "--store", str(store)])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_every_hand_is_on_record_when_it_is_announced_and_every_match_with_one_is_verified(
    tmp_path: Path,
) -> None:
    store = tmp_path / "croupier.db"
    with KuhnHost("--store", str(store), "--bot", "random") as host:
        results = []
        for number, ending in enumerate(["QUIT", "XXXX", "drop", "STRT 0", "STRT 9"] * 2):
            referee = started(host, SPELLINGS[number % 2])
            for _ in range(number):
                referee.hand(bets_and_calls)
            if number:
                assert run(store, "show", "last")["hands"] == number
            if number % 3:
                referee.do("ANOK")
            if ending == "drop":
                referee.caller.drop()
            else:
                referee.caller.say(ending)
                referee.caller.rest()
            results.append(host.result_of(referee.number))
        host.end()
    for result in results[1:]:
        assert f"{result['hands']:,} hands" in verified(store, result["match"])
    assert results[0]["hands"] == 0
    assert results[0]["match"] not in [match["match"] for match in run(store, "matches")]


LAST_COINS = ("CHCK", "CHCK ANOK", "QUIT", "XXXX")


@pytest.fixture(scope="module")
def last_coins(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A record of matches about one coin, by what the client says in the only hand."""
    store = tmp_path_factory.mktemp("coins") / "croupier.db"
    matches = {}
    with KuhnHost("--store", str(store), "--bot", "call", "--set", "chips=1") as host:
        for last in LAST_COINS:
            with Caller(host.port) as caller:
                number = fresh_id()
                caller.say(f"STRT {number}", "ANOK", *last.split())
                result = host.result_of(number)
            assert sorted(coins(result)) == [0, 2]
            matches[last] = result["match"]
        host.end()
    return store, matches


@pytest.mark.parametrize("last", LAST_COINS)
def test_a_match_in_which_the_last_coin_is_lost_is_verified(
    last_coins: tuple[Path, dict[str, str]], last: str
) -> None:
    store, matches = last_coins
    verified(store, matches[last])


def test_after_a_crash_matches_are_closed_at_their_last_hand_and_ids_are_free(
    tmp_path: Path,
) -> None:
    store = tmp_path / "croupier.db"
    arguments = ("--store", str(store), "--bot", "random")
    with KuhnHost(*arguments) as host:
        referees = [started(host, SPELLINGS[turn % 2]) for turn in range(6)]
        ended = started(host)
        ended.hand(checks_and_calls)
        ended.do("QUIT")
        host.result_of(ended.number)
        for turn, referee in enumerate(referees):
            for _ in range(turn // 2):
                referee.hand(bets_and_calls)
        kept = [(referee.hands, (referee.client, referee.house)) for referee in referees]
        for referee in referees[::2]:
            referee.do("ANOK")
        host.kill()
        for referee in referees:
            assert referee.caller.rest() == b""
    with KuhnHost(*arguments) as host:
        closed = closed_matches(host, len(referees))
        results = [closed[referee.number] for referee in referees]
        assert [(result["hands"], coins(result)) for result in results] == kept
        for referee in referees:
            again = Referee(Caller(host.port, TEXT), referee.number)
            again.do(f"STRT {referee.number}")
            again.hand(checks_and_calls)
        host.kill()
    with KuhnHost(*arguments) as host:
        # Only what was cut off this time is closed now.
        closed = closed_matches(host, len(referees))
        assert [closed[referee.number]["hands"] for referee in referees] == [1] * len(referees)
        host.end()
    matches = run(store, "matches")
    without_a_hand = [hands for hands, _ in kept].count(0)
    assert without_a_hand == 2
    assert len(matches) == 2 * len(referees) + 1 - without_a_hand
    for match in matches:
        verified(store, match["match"])
