"""What a client may send, in which pieces, and what it means."""

from collections.abc import Iterable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.dialects.kuhn.messages import (
    Action,
    Anok,
    ClientError,
    Message,
    Quit,
    Start,
    Wrong,
)
from croupier.dialects.kuhn.reader import MAX_FILLER, MAX_UNREAD, KuhnReader
from croupier.dialects.kuhn.words import BINARY, TEXT

ACTIONS = [Action(word) for word in ("CHCK", "BET_", "CALL", "FOLD")]
COMMANDS: dict[bytes, Message] = {action.word.encode("ascii"): action for action in ACTIONS}
COMMANDS |= {b"ANOK": Anok(), b"QUIT": Quit()}
GOING_ON = [command for command in COMMANDS if command != b"QUIT"]

# An id up to here never looks like text in four bytes: its first byte is below any blank.
SAFE_ID = 2**29 - 1


def read(*pieces: bytes, spelling: str | None = None) -> list[Message]:
    """Return what a new reader makes of pieces that come without a pause."""
    reader = KuhnReader(spelling)
    return [message for piece in pieces for message in reader.receive(piece)]


def read_slowly(*pieces: bytes, spelling: str | None = None) -> list[Message]:
    """Return what a new reader makes of pieces with a silence after each."""
    reader = KuhnReader(spelling)
    return [m for piece in pieces for m in (*reader.receive(piece), *reader.flush())]


def binary_id(number: int) -> bytes:
    return number.to_bytes(4, "big", signed=True)


def codes(messages: Iterable[Message]) -> list[str]:
    """Return the codes of the errors among messages."""
    return [message.code for message in messages if isinstance(message, Wrong)]


# Commands.


@pytest.mark.parametrize(("command", "message"), COMMANDS.items())
@pytest.mark.parametrize("spelling", [None, TEXT, BINARY])
def test_a_command_acts_at_once_in_any_case_and_without_a_newline(
    command: bytes, message: Message, spelling: str | None
) -> None:
    for spelled in (command, command.lower(), command.capitalize(), command.swapcase()):
        assert read(spelled, spelling=spelling) == [message]


@pytest.mark.parametrize("around", [b"\n", b"\r\n", b" \n", b"  \t ", b"\0", b"\n\0\0\0", b"\n\n"])
def test_blanks_newlines_and_nuls_around_a_command_mean_nothing(around: bytes) -> None:
    assert read(around + b"ANOK" + around + b"CHCK" + around) == [Anok(), Action("CHCK")]


def test_glued_commands_are_taken_apart() -> None:
    assert read(b"STRT 5\nANOKCHCKfoldQUIT") == [
        Start(5),
        Anok(),
        Action("CHCK"),
        Action("FOLD"),
        Quit(),
    ]
    assert read(b"STRT \0\0\0\5ANOKBET_") == [Start(5), Anok(), Action("BET_")]


WHOLE = [
    (b"STRT 77432\n", [Start(77432)], TEXT),
    (b"strt '77432'\r\n", [Start(77432)], TEXT),
    (b'Strt   "77432"  \n', [Start(77432)], TEXT),
    (b"STRT 5\n", [Start(5)], TEXT),
    (b"STRT 77432\0", [Start(77432)], TEXT),
    (b"STRT 123\n", [Start(123)], TEXT),
    (b"STRT 1234\nANOK\n", [Start(1234), Anok()], TEXT),
    (b"STRT 77432\nSTRT 77432\nbet_", [Start(77432), Start(77432), Action("BET_")], TEXT),
    (b"STRT \0\0\0\5", [Start(5)], BINARY),
    (b"strt \0\1\x2e\x78ANOK", [Start(77432), Anok()], BINARY),
    (b"STRT \n\n\n\nANOK", [Start(0x0A0A0A0A), Anok()], BINARY),
    (b"STRT \0   ANOK", [Start(0x202020), Anok()], BINARY),
    (b"STRT \x0012\n\nANOK\n", [Start(0x31320A), Anok()], BINARY),
    (b"STRT \t123", [Start(0x09313233)], BINARY),
    (b"STRT STRTANOK", [Start(0x53545254), Anok()], BINARY),
    (b"STRT 1x\n\0ANOK", [Start(0x31780A00), Anok()], BINARY),
    (b"STRT 1234ANOK", [Start(0x31323334), Anok()], BINARY),
    (b"STRT     ANOK", [Start(0x20202020), Anok()], BINARY),
    (b"STRT '1\n'ANOK", [Start(0x27310A27), Anok()], BINARY),
]


@pytest.mark.parametrize(("data", "messages", "spelling"), WHOLE)
def test_a_message_means_the_same_wherever_it_is_split(
    data: bytes, messages: list[Message], spelling: str
) -> None:
    for place in range(len(data) + 1):
        reader = KuhnReader()
        assert reader.receive(data[:place]) + reader.receive(data[place:]) == messages
        assert reader.spelling == spelling
    assert read(*(data[place : place + 1] for place in range(len(data)))) == messages


@pytest.mark.parametrize(("data", "messages", "spelling"), WHOLE)
def test_a_pinned_reader_splits_anywhere_too(
    data: bytes, messages: list[Message], spelling: str
) -> None:
    for place in range(len(data) + 1):
        assert read(data[:place], data[place:], spelling=spelling) == messages


# The spelling.


@given(st.integers(1, SAFE_ID))
@example(0x0A0A0A0A)
@example(0x0D0A2020)
@example(0x00313233)
def test_every_id_below_500_million_is_known_as_binary_at_once(number: int) -> None:
    reader = KuhnReader()
    assert reader.receive(b"STRT " + binary_id(number)) == [Start(number)]
    assert reader.spelling == BINARY


@given(st.integers(1, 2**31 - 1))
@example(0x31323334)
@example(0x20202020)
@example(0x3132330A)
def test_pinned_to_binary_every_id_is_read(number: int) -> None:
    assert read(b"STRT " + binary_id(number), spelling=BINARY) == [Start(number)]


@given(st.integers(1, 10**18 - 1), st.sampled_from([b"", b"'", b'"']), st.integers(1, 8))
def test_every_number_as_text_is_read(number: int, quote: bytes, blanks: int) -> None:
    data = b"STRT" + b" " * blanks + quote + str(number).encode("ascii") + quote
    for spelling in (None, TEXT):
        for end in (b"\n", b"\r\n", b" \n", b"\0"):
            reader = KuhnReader(spelling)
            assert reader.receive(data + end) == [Start(number)]
            assert reader.spelling == TEXT
        assert read(data, spelling=spelling) == []
        assert read_slowly(data, spelling=spelling) == [Start(number)]


def test_an_id_as_text_without_a_newline_counts_after_a_silence() -> None:
    reader = KuhnReader()
    assert reader.receive(b"STRT 77") == []
    assert reader.pending
    assert reader.receive(b"432") == []
    assert reader.pending
    assert reader.flush() == [Start(77432)]
    assert not reader.pending
    assert reader.spelling == TEXT
    assert reader.receive(b"\r\nANOK") == [Anok()]


def test_the_rest_of_an_id_may_come_with_its_newline() -> None:
    assert read(b"STRT 77", b"432\n") == [Start(77432)]


def test_a_binary_id_in_pieces_outlasts_any_silence() -> None:
    reader = KuhnReader()
    for piece in (b"ST", b"RT", b" ", b"\0", b"\0\0"):
        assert reader.receive(piece) == []
        assert not reader.pending
        assert reader.flush() == []
    assert reader.receive(b"\5") == [Start(5)]


def test_an_id_as_text_that_has_not_begun_outlasts_any_silence() -> None:
    reader = KuhnReader(TEXT)
    for piece in (b"STRT", b" ", b" "):
        assert reader.receive(piece) == []
        assert not reader.pending
        assert reader.flush() == []
    assert reader.receive(b"5\n") == [Start(5)]


def test_what_is_no_number_after_a_silence_is_binary() -> None:
    for four in (b"    ", b"'123", b"   -", b" '12"):
        reader = KuhnReader()
        assert reader.receive(b"STRT " + four) == []
        assert reader.pending
        assert reader.flush() == [Start(int.from_bytes(four, "big"))]
        assert reader.spelling == BINARY
    assert read_slowly(b"STRT ", b" ", b"'", b"12") == [Start(int.from_bytes(b" '12", "big"))]


def test_a_line_too_short_for_a_binary_id_that_is_no_number_is_wrong_syntax_after_a_silence() -> (
    None
):
    for line in (b"x\n", b"'9\n", b"x\r\n", b" \n"):
        reader = KuhnReader()
        assert reader.receive(b"STRT " + line) == []
        assert reader.pending
        assert codes(reader.flush()) == ["W_S"]
        assert reader.spelling == TEXT
    assert read(b"STRT x\n", b"yz") == [Start(int.from_bytes(b"x\nyz", "big"))]


def test_a_number_of_more_than_four_bytes_is_text_whatever_follows() -> None:
    assert codes(read(b"STRT 77432 x\n")) == ["W_S"]
    assert codes(read_slowly(b"STRT 77432ANOK")) == ["W_S"]
    assert len(read(b"STRT 77432 x\n")) == 1


def test_the_spelling_once_learned_stays() -> None:
    assert codes(read(b"STRT 5\n", b"STRT \0\0\0\5\n")) == ["W_S"]
    assert read(b"STRT \0\0\0\5", b"STRT 1234") == [Start(5), Start(0x31323334)]


def test_commands_before_the_first_strt_leave_the_spelling_open() -> None:
    reader = KuhnReader()
    assert reader.receive(b"ANOK\n") == [Anok()]
    assert reader.spelling is None
    assert reader.receive(b"STRT \0\0\0\5") == [Start(5)]


def test_pinned_to_text_a_binary_id_is_wrong_syntax() -> None:
    assert codes(read(b"STRT \0\0\0\5", spelling=TEXT)) == ["W_S"]


# Errors.


@pytest.mark.parametrize(
    "line",
    [b"abc", b"7x", b"'7", b"7'", b"'7\"", b"", b"  ", b"--7", b"+7", b"7 7", b"0x7", b"7.0"],
)
def test_an_id_as_text_that_is_no_number_is_wrong_syntax(line: bytes) -> None:
    assert codes(read(b"STRT " + line + b"\n", spelling=TEXT)) == ["W_S"]
    assert codes(read(b"STRT 5\nSTRT " + line + b"\r\n")) == ["W_S"]


@pytest.mark.parametrize("data", [b"STRT\n", b"STRT\r\n", b"STRT\0", b"STRT5\n", b"STRTSTRT"])
@pytest.mark.parametrize("spelling", [None, TEXT, BINARY])
def test_strt_without_an_id_is_wrong_syntax(data: bytes, spelling: str | None) -> None:
    assert codes(read(data, spelling=spelling)) == ["W_S"]


@pytest.mark.parametrize("number", [b"0", b"-1", b"'-77432'", b"000", b"-0", b"-77432", b"9" * 19])
def test_an_id_as_text_of_zero_or_less_or_beyond_18_digits_is_a_wrong_id(number: bytes) -> None:
    for spelling in (None, TEXT):
        reader = KuhnReader(spelling)
        assert codes(reader.receive(b"STRT " + number + b"\n")) == ["WID"]
        assert reader.spelling == TEXT


@given(st.integers(-(2**31), 0))
def test_a_binary_id_of_zero_or_less_is_a_wrong_id(number: int) -> None:
    reader = KuhnReader()
    assert codes(reader.receive(b"STRT " + binary_id(number))) == ["WID"]
    assert reader.spelling == BINARY


def test_an_id_without_an_end_is_wrong_syntax_after_64_bytes() -> None:
    assert read(b"STRT " + b"9" * 59) == []
    assert codes(read(b"STRT " + b"9" * 60)) == ["W_S"]
    assert codes(read(b"STRT " + b"9" * 58 + b"\n")) == ["WID"]
    assert codes(read(b"STRT " + b"9" * 10**6)) == ["W_S"]


def test_an_unknown_command_is_wrong_syntax_and_named() -> None:
    assert read(b"XXXX\n") == [Wrong("W_S", "unknown command 'XXXX'")]
    assert read(b"hello\n") == [Wrong("W_S", "unknown command 'hell'")]
    assert read(b"BET\n") == [Wrong("W_S", "unknown command 'BET'")]
    assert read(b"\x16\x03\x01\x02") == [Wrong("W_S", "unknown command '\\x16\\x03\\x01\\x02'")]


def test_a_short_unknown_word_is_wrong_syntax_once_nothing_follows() -> None:
    reader = KuhnReader()
    assert reader.receive(b"XX") == []
    assert reader.pending
    assert reader.flush() == [Wrong("W_S", "unknown command 'XX'")]


def test_half_a_command_outlasts_any_silence() -> None:
    reader = KuhnReader()
    for piece in (b"\n", b"C", b"H", b"C"):
        assert reader.receive(piece) == []
        assert not reader.pending
        assert reader.flush() == []
    assert reader.receive(b"K") == [Action("CHCK")]


@pytest.mark.parametrize("junk", [b"A", b"\xff", b"'"])
def test_65_bytes_without_a_command_are_wrong_syntax(junk: bytes) -> None:
    assert codes(read(junk * (MAX_UNREAD + 1))) == ["W_S"]
    assert codes(read(*[junk] * (MAX_UNREAD + 1))) == ["W_S"]


@pytest.mark.parametrize("filler", [b" ", b"\0", b"\n"])
def test_a_command_counts_within_16_kilobytes_of_blanks_newlines_and_nuls(filler: bytes) -> None:
    assert read(filler * MAX_FILLER + b"ANOK") == [Anok()]
    assert codes(read(filler * (MAX_FILLER + 1) + b"ANOK")) == ["W_S"]
    assert codes(read(*[filler] * (MAX_FILLER + 1))) == ["W_S"]


@pytest.mark.parametrize("strt", [b"STRT 77432\n", b"STRT 77432", b"STRT " + binary_id(77432)])
def test_each_command_may_come_in_a_buffer_filled_with_nuls(strt: bytes) -> None:
    pieces = [part.ljust(4096, b"\0") for part in (strt, b"ANOK\n", b"BET_", b"ANOK")]
    assert read(*pieces) == [Start(77432), Anok(), Action("BET_"), Anok()]


@pytest.mark.parametrize(
    "said",
    [b"ERRO W_S", b"ERRO W_A\n", b"erro WID\r\n", b"ERRO 00", b"ERRO 26W_S unknown command 'XXXX'"],
)
@pytest.mark.parametrize("spelling", [None, TEXT, BINARY])
def test_an_error_of_the_client_is_heard_in_any_form_and_once(
    said: bytes, spelling: str | None
) -> None:
    for place in range(len(said)):
        assert read(said[:place], said[place:], spelling=spelling) == [ClientError()]


@pytest.mark.parametrize("last", [b"QUIT", b"XXXX", b"ERRO 00", b"STRT 0\n"])
def test_nothing_counts_after_the_last_message(last: bytes) -> None:
    reader = KuhnReader()
    assert len(reader.receive(last + b"ANOK")) == 1
    assert reader.closed
    assert reader.receive(b"ANOK") == []
    assert reader.flush() == []
    assert not reader.pending
    assert reader.unread == b""


# Anything.

PIECES = st.sampled_from(
    [
        *GOING_ON,
        b"STRT",
        b" ",
        b"\n",
        b"\0",
        b"'",
        b"-",
        b"7",
        b"12",
        b"bet_",
        b"\xff",
        b"STRT 5\n",
        b"STRT \0\0\0\5",
    ]
)


@given(
    st.lists(st.binary(max_size=200) | PIECES, max_size=40), st.sampled_from([None, TEXT, BINARY])
)
def test_no_input_raises_or_piles_up_and_the_pieces_make_no_difference(
    pieces: list[bytes], spelling: str | None
) -> None:
    reader = KuhnReader(spelling)
    messages: list[Message] = []
    for piece in pieces:
        messages += reader.receive(piece)
        assert len(reader.unread) <= MAX_UNREAD
    assert read(b"".join(pieces), spelling=spelling) == messages
    single = (piece[place : place + 1] for piece in pieces for place in range(len(piece)))
    assert read(*single, spelling=spelling) == messages
    assert sum(isinstance(message, Wrong) for message in messages) <= 1


@given(
    st.lists(st.binary(max_size=100) | PIECES, max_size=40), st.sampled_from([None, TEXT, BINARY])
)
def test_a_reader_is_pending_exactly_when_silence_completes_something(
    pieces: list[bytes], spelling: str | None
) -> None:
    reader = KuhnReader(spelling)
    for piece in pieces:
        reader.receive(piece)
        pending = reader.pending
        assert pending == bool(reader.flush())
        assert not reader.pending
        assert len(reader.unread) <= MAX_UNREAD


@given(
    st.lists(st.sampled_from(GOING_ON) | st.integers(1, SAFE_ID), max_size=20),
    st.sampled_from([TEXT, BINARY]),
    st.sampled_from([b"\n", b"\r\n", b" \n", b"\n\0"]),
    st.data(),
)
def test_whole_conversations_are_read_in_any_pieces(
    said: list[bytes | int], spelling: str, end: bytes, data: st.DataObject
) -> None:
    said = [5, *said]
    sent = b""
    for each in said:
        if isinstance(each, bytes):
            sent += data.draw(st.sampled_from([each, each.lower()]))
        elif spelling == TEXT:
            sent += f"STRT {each}".encode("ascii")
        else:
            sent += b"STRT " + binary_id(each)
        sent += end if spelling == TEXT else b""
    expected = [COMMANDS[each] if isinstance(each, bytes) else Start(each) for each in said]
    cuts = sorted(data.draw(st.sets(st.integers(0, len(sent)), max_size=10)))
    pieces = [sent[a:b] for a, b in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert read(*pieces) == expected
