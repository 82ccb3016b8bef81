"""`croupier host --rules kuhn` over real sockets: a match of its own for every client."""

import random
import resource
import signal
import socket
import struct
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cards import KUHN_DECK, letter
from croupier.cli.main import main
from croupier.deals import seed_from_text, series_seed
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.match.chance import SeededChance
from tests.server.hosting import PATIENCE
from tests.server.kuhning import (
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
    seat_of_client,
    spelled,
)

HOUSE, CLIENT = 0, 1
"""Player numbers: the house sits down first."""


@pytest.fixture(scope="module")
def checking() -> Iterator[KuhnHost]:
    """A house that never bets and never folds."""
    with KuhnHost("--bot", "call") as host:
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


@pytest.fixture(scope="module")
def explaining() -> Iterator[KuhnHost]:
    """A house that explains its errors."""
    with KuhnHost("--bot", "call", listen="kuhn:0,error_text=true") as host:
        yield host


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


def test_a_listener_pinned_to_binary_takes_an_id_that_looks_like_text() -> None:
    with KuhnHost(listen="kuhn:0,spelling=binary") as host:
        with Caller(host.port, BINARY) as caller:
            caller.say(f"STRT {LIKE_TEXT}", "QUIT")
            caller.hears("STKS 20 20")
            caller.is_closed()
            host.result_of(LIKE_TEXT)
        with Caller(host.port, BINARY) as caller:
            caller.send(b"STRT 5\n\n\nQUIT")  # an id of four bytes, whatever they are
            caller.hears("STKS 20 20")
            host.result_of(int.from_bytes(b"5\n\n\n", "big"))


def test_without_a_pin_an_id_that_looks_like_text_is_text(checking: KuhnHost) -> None:
    with Caller(checking.port) as caller:
        caller.send(spelled(f"STRT {LIKE_TEXT}", BINARY) + b"\n")
        caller.hears("STKS 20 20")
        caller.say("QUIT")
        checking.result_of(1234)


def test_a_listener_pinned_to_text_takes_no_binary_id() -> None:
    with KuhnHost(listen="kuhn:0,spelling=text") as host:
        with Caller(host.port) as caller:
            caller.send(spelled("STRT 77432", BINARY) + b"\n")
            caller.hears("ERRO W_S")
            caller.is_closed()
        with Caller(host.port) as caller:
            caller.send(b"XXXX")  # known to be text before any STRT
            assert caller.rest() == b"ERRO W_S\n"


@pytest.mark.xfail(
    strict=True, reason="cli/host.py: the settings of the first --listen are those of all listeners"
)
def test_each_listener_has_settings_of_its_own() -> None:
    with KuhnHost(
        "--listen", "kuhn:0,error_text=true,spelling=binary", listen="kuhn:0,spelling=text"
    ) as host:
        second = host.next_port()
        with Caller(host.port) as caller:
            caller.send(b"XXXX")
            assert caller.rest() == b"ERRO W_S\n"
        with Caller(second) as caller:
            caller.send(b"XXXX")
            assert caller.rest() == b"ERRO 26W_S unknown command 'XXXX'"


def test_an_id_is_taken_on_every_listener_of_a_host() -> None:
    with KuhnHost("--listen", "kuhn:0") as host:
        second = host.next_port()
        with Caller(host.port) as first, Caller(second, BINARY) as other:
            first.say("STRT 5")
            first.hears("STKS 20 20")
            other.say("STRT 5")
            other.hears("ERRO WID")
            other.is_closed()


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
    explaining: KuhnHost, said: str, text: bytes
) -> None:
    for spelling in SPELLINGS:
        with Caller(explaining.port, spelling) as caller:
            caller.say(said)
            end = b"" if spelling == BINARY and said.startswith("STRT") else b"\n"
            assert caller.rest() == b"ERRO %02d%s%s" % (len(text), text, end)


def test_an_error_with_a_text_is_printable_whatever_was_said(explaining: KuhnHost) -> None:
    with Caller(explaining.port) as caller:
        caller.send(b"\xff\x1b\x07\x80\n")
        heard = caller.rest()
    assert heard.startswith(b"ERRO ")
    assert heard.endswith(b"\n")
    text = heard[5:-1]
    assert int(text[:2]) == len(text) - 2
    assert text.isascii()
    assert text.decode("ascii").isprintable()


def test_in_a_hand_an_error_with_a_text_says_what_would_fit(explaining: KuhnHost) -> None:
    with Caller(explaining.port) as caller:
        caller.say(f"STRT {fresh_id()}", "ANOK", "FOLD")
        assert caller.rest().endswith(b"ERRO 38W_A FOLD without a bet; CHCK or BET_\n")


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
@pytest.mark.parametrize("case", [str.upper, str.lower, str.title, str.swapcase])
def test_commands_count_in_any_case(
    checking: KuhnHost, case: Callable[[str], str], spelling: str
) -> None:
    with Caller(checking.port, spelling) as caller:
        number = fresh_id()
        caller.send(case("sTRT").encode() + spelled(f"STRT {number}", spelling)[4:])
        caller.hears("STKS 20 20")
        for command in ("aNOK", "cHCK", "aNOK", "bET_"):
            caller.say(case(command))
            while (answer := caller.next()) is not None and answer != "CHCK":
                if answer.startswith(("CARD K", "CARD Q", "CARD J")) or answer[:4] == "STKS":
                    break
            assert answer is not None
        caller.say(case("qUIT"))
        caller.rest()
        assert checking.result_of(number)["hands"] in (1, 2)


