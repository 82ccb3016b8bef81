"""Whole hands come out to the byte, in both spellings."""

from itertools import product
from pathlib import Path

import pytest

from croupier.dialects.kuhn.reader import KuhnReader
from croupier.dialects.kuhn.speaker import KuhnSpeaker
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.rules.sets import KUHN
from tests.dialects.kuhn.conversation import Conversation, spell, steps

SPELLINGS = (TEXT, BINARY)

# The examples of the document, its chapter 5, to the letter.

CLIENT_BETS = """
C: STRT 77432
S: STKS 20 20
C: ANOK
S: DEAL '0'
S: CARD 'J'
C: BET_
S: CALL
S: SHOW 'Q'
S: STKS 18 22
C: QUIT
"""
CLIENT_CHECKS = """
C: STRT 77432
S: STKS 20 20
C: ANOK
S: DEAL '0'
S: CARD 'J'
C: CHCK
S: BET_
C: CALL
S: SHOW 'Q'
S: STKS 18 22
C: QUIT
"""
HOUSE_STARTS = """
C: STRT 77432
S: STKS 20 20
C: ANOK
S: DEAL '1'
S: CARD 'J'
S: CHCK
C: BET_
S: CALL
S: SHOW 'Q'
S: STKS 18 22
C: ANOK
S: DEAL '0'
S: CARD 'Q'
C: BET_
S: FOLD
S: STKS 19 21
C: QUIT
"""
EXAMPLES = [
    (CLIENT_BETS, ["JQ"], "CALL", False),
    (CLIENT_CHECKS, ["JQ"], "BET_", False),
    (HOUSE_STARTS, ["JQ", "QJ"], "CHCK CALL FOLD", True),
]


def follow(conversation: Conversation, script: str, spelling: str) -> None:
    """Have a conversation and compare every answer with the script."""
    for said, answers in steps(script):
        heard = conversation.hear(spell(said, spelling))
        assert heard == [spell(answer, spelling) for answer in answers], said


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(("script", "deals", "house", "client_deals"), EXAMPLES)
def test_the_examples_of_the_document_come_out_to_the_letter(
    script: str, deals: list[str], house: str, client_deals: bool, spelling: str
) -> None:
    conversation = Conversation(deals, house.split(), client_deals=client_deals)
    follow(conversation, script, spelling)
    assert conversation.client.closed


@pytest.mark.parametrize(("script", "deals", "house", "client_deals"), EXAMPLES)
def test_the_examples_come_out_without_a_single_newline_of_the_client(
    script: str, deals: list[str], house: str, client_deals: bool
) -> None:
    conversation = Conversation(deals, house.split(), client_deals=client_deals)
    for said, answers in steps(script):
        heard = conversation.hear(said.encode("ascii"))
        heard += conversation.silence()
        assert heard == [f"{answer}\n".encode("ascii") for answer in answers]


def test_text_is_spoken_exactly_as_the_document_has_it() -> None:
    conversation = Conversation(["JQ"], ["CALL"])
    assert conversation.hear(b"STRT 77432\n") == [b"STKS 20 20\n"]
    assert conversation.hear(b"ANOK\n") == [b"DEAL '0'\n", b"CARD 'J'\n"]
    assert conversation.hear(b"BET_\n") == [b"CALL\n", b"SHOW 'Q'\n", b"STKS 18 22\n"]


def test_binary_has_numbers_of_four_bytes_and_nothing_between_messages() -> None:
    conversation = Conversation(["JQ"], ["CALL"])
    assert conversation.hear(b"STRT \0\1\x2e\x78") == [b"STKS \0\0\0\x14 \0\0\0\x14"]
    assert conversation.hear(b"ANOK") == [b"DEAL 0", b"CARD J"]
    assert conversation.hear(b"BET_") == [b"CALL", b"SHOW Q", b"STKS \0\0\0\x12 \0\0\0\x16"]


# Every deal and every course of a hand. What the first player wins, by hand:

COURSES = ("CHCK CHCK", "BET_ CALL", "BET_ FOLD", "CHCK BET_ CALL", "CHCK BET_ FOLD")
WON_BY_FIRST = {
    "JQ": (-1, -2, +1, -2, -1),
    "JK": (-1, -2, +1, -2, -1),
    "QJ": (+1, +2, +1, +2, -1),
    "QK": (-1, -2, +1, -2, -1),
    "KJ": (+1, +2, +1, +2, -1),
    "KQ": (+1, +2, +1, +2, -1),
}
# How such a hand goes, with the client first, and with the client as dealer.
CLIENT_FIRST = {
    "CHCK CHCK": "C: CHCK\nS: CHCK\nS: SHOW '{house}'\n",
    "BET_ CALL": "C: BET_\nS: CALL\nS: SHOW '{house}'\n",
    "BET_ FOLD": "C: BET_\nS: FOLD\n",
    "CHCK BET_ CALL": "C: CHCK\nS: BET_\nC: CALL\nS: SHOW '{house}'\n",
    "CHCK BET_ FOLD": "C: CHCK\nS: BET_\nC: FOLD\n",
}
HOUSE_FIRST = {
    "CHCK CHCK": "S: CHCK\nC: CHCK\nS: SHOW '{house}'\n",
    "BET_ CALL": "S: BET_\nC: CALL\nS: SHOW '{house}'\n",
    "BET_ FOLD": "S: BET_\nC: FOLD\n",
    "CHCK BET_ CALL": "S: CHCK\nC: BET_\nS: CALL\nS: SHOW '{house}'\n",
    "CHCK BET_ FOLD": "S: CHCK\nC: BET_\nS: FOLD\n",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("client_deals", [False, True])
@pytest.mark.parametrize(("deal", "course"), list(product(WON_BY_FIRST, COURSES)))
def test_every_hand_goes_and_pays_as_the_rules_say(
    deal: str, course: str, client_deals: bool, spelling: str
) -> None:
    won = WON_BY_FIRST[deal][COURSES.index(course)]
    client, house = deal[0], deal[1]
    if client_deals:
        client, house, won = house, client, -won
    middle = (HOUSE_FIRST if client_deals else CLIENT_FIRST)[course].format(house=house)
    script = (
        "C: STRT 5\nS: STKS 20 20\n"
        f"C: ANOK\nS: DEAL '{int(client_deals)}'\nS: CARD '{client}'\n"
        f"{middle}S: STKS {20 + won} {20 - won}\n"
    )
    actions = course.split()[0 if client_deals else 1 :: 2]
    conversation = Conversation([client + house], actions, client_deals=client_deals)
    follow(conversation, script, spelling)


def test_a_new_strt_between_hands_gets_the_stakes_again_and_the_dealer_turns() -> None:
    conversation = Conversation(["JQ", "KQ", "QK"], ["CALL", "CHCK"])
    follow(
        conversation,
        """
        C: STRT 5
        S: STKS 20 20
        C: ANOK
        S: DEAL '0'
        S: CARD 'J'
        C: BET_
        S: CALL
        S: SHOW 'Q'
        S: STKS 18 22
        C: STRT 5
        S: STKS 18 22
        C: ANOK
        S: DEAL '1'
        S: CARD 'K'
        S: CHCK
        C: CHCK
        S: SHOW 'Q'
        S: STKS 19 21
        C: STRT 5
        S: STKS 19 21
        C: ANOK
        S: DEAL '0'
        S: CARD 'Q'
        """,
        TEXT,
    )


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_caller_without_a_coin_calls_for_nothing_and_only_the_antes_are_played_for(
    spelling: str,
) -> None:
    rules = KUHN.with_fields({"stack": 1})
    conversation = Conversation(["KQ"], ["BET_"], rules=rules, client_deals=True, house_stack=20)
    follow(
        conversation,
        """
        C: STRT 5
        S: STKS 1 20
        C: ANOK
        S: DEAL '1'
        S: CARD 'K'
        S: BET_
        C: CALL
        S: SHOW 'Q'
        S: STKS 2 19
        """,
        spelling,
    )


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_house_without_a_coin_calls_for_nothing_too(spelling: str) -> None:
    follow(
        Conversation(["JQ"], ["CALL"], house_stack=1),
        """
        C: STRT 5
        S: STKS 20 1
        C: ANOK
        S: DEAL '0'
        S: CARD 'J'
        C: BET_
        S: CALL
        S: SHOW 'Q'
        S: STKS 19 2
        """,
        spelling,
    )


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_bet_without_a_coin_is_an_error(spelling: str) -> None:
    follow(
        Conversation(["KQ"], [], rules=KUHN.with_fields({"stack": 1}), house_stack=20),
        """
        C: STRT 5
        S: STKS 1 20
        C: ANOK
        S: DEAL '0'
        S: CARD 'K'
        C: BET_
        S: ERRO N_C
        """,
        spelling,
    )


def test_an_empty_stack_is_told_as_nought() -> None:
    rules = KUHN.with_fields({"stack": 1})
    conversation = Conversation(["JQ"], ["CHCK"], rules=rules)
    conversation.hear(b"STRT 5\nANOK\n")
    assert conversation.hear(b"CHCK\n") == [b"CHCK\n", b"SHOW 'Q'\n", b"STKS 0 2\n"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (b"CALL\n", "W_A"),
        (b"FOLD\n", "W_A"),
        (b"XXXX\n", "W_S"),
        (b"STRT no\n", "W_S"),
        (b"STRT 0\n", "WID"),
    ],
)
def test_errors_are_told_in_the_form_of_the_documents_example(said: bytes, code: str) -> None:
    conversation = Conversation(["JQ"], [])
    conversation.hear(b"STRT 5\nANOK\n")
    assert conversation.hear(said) == [f"ERRO {code}\n".encode("ascii")]


@pytest.mark.parametrize("action", [b"CHCK", b"BET_", b"CALL", b"FOLD"])
def test_an_action_out_of_turn_is_a_wrong_action(action: bytes) -> None:
    conversation = Conversation(["JQ"], [])
    assert conversation.hear(b"STRT 5\n" + action) == [b"STKS 20 20\n", b"ERRO W_A\n"]


# Recorded traffic.

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "captures" / "kuhn"
NOT_HERE = "the recorded traffic of an existing program is not here"
CONVERSATIONS = sorted(RECORDED.glob("*.raw.log"))
TRANSCRIPTS = sorted(RECORDED.glob("transcript_*.log"))
SIZES = {b"STKS": 14, b"DEAL": 6, b"CARD": 6, b"SHOW": 6}


def recorded(path: Path) -> list[tuple[str, bytes]]:
    """Return the segments of a recording, as (direction, bytes)."""
    segments: list[tuple[str, bytes]] = []
    for line in path.read_text("ascii").splitlines():
        _, _, direction, data = line.split(maxsplit=3)
        if data != "EOF":
            segments.append((direction, bytes.fromhex(data.split("|")[0])))
    return segments


def cut(data: bytes) -> list[bytes]:
    """Cut what a server sent into messages, by count."""
    found: list[bytes] = []
    while data:
        size = SIZES.get(data[:4], 4)
        found.append(data[:size])
        data = data[size:]
    return found


def script_of(messages: list[bytes]) -> tuple[list[str], list[str], bool, int]:
    """Return the deals, the house's actions, the first dealer and the house's first stack."""
    deals: list[str] = []
    house: list[str] = []
    for message in messages:
        command = message[:4].decode("ascii")
        if command == "CARD":
            client = message[-1:].decode("ascii")
            # A card that was never shown is any of the others.
            deals.append(client + ("Q" if client != "Q" else "J"))
        elif command == "SHOW":
            deals[-1] = deals[-1][0] + message[-1:].decode("ascii")
        elif len(message) == 4:
            house.append(command)
    dealers = [message[-1:] for message in messages if message.startswith(b"DEAL")]
    stack = int.from_bytes(messages[0][-4:], "big")
    return deals, house, dealers[0] == b"1", stack


@pytest.mark.skipif(not CONVERSATIONS, reason=NOT_HERE)
@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.name)
def test_recorded_conversations_come_out_byte_for_byte(path: Path) -> None:
    segments = recorded(path)
    sent = cut(b"".join(data for direction, data in segments if direction == "S->C"))
    deals, house, client_deals, stack = script_of(sent)
    conversation = Conversation(deals, house, client_deals=client_deals, house_stack=stack)
    answers: list[bytes] = []
    expected = b""
    for direction, data in segments:
        if direction == "S->C":
            expected += data
            continue
        # What the server had said before the client went on is what we have said by then.
        assert b"".join(answers) == expected
        answers += conversation.hear(data)
    assert answers == sent
    (speaker,) = conversation.speakers
    assert isinstance(speaker, KuhnSpeaker)
    assert speaker.spelling == BINARY
    assert len(deals) >= 3
    assert conversation.match.played == len(deals)


@pytest.mark.skipif(not TRANSCRIPTS, reason=NOT_HERE)
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.name)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_whatever_a_recorded_client_said_is_understood(path: Path, spelling: str) -> None:
    lines = [line[3:] for line in path.read_text("ascii").splitlines() if line.startswith("C: ")]
    reader = KuhnReader()
    read = [message for line in lines for message in reader.receive(spell(line, spelling))]
    assert [type(message).__name__ for message in read] == [
        {"STRT": "Start", "ANOK": "Anok", "QUIT": "Quit"}.get(line[:4], "Action") for line in lines
    ]
