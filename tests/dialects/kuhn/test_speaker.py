"""What the server says apart from whole hands, and what it keeps to itself."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.cards import KUHN_DECK
from croupier.dialects.kuhn import words
from croupier.dialects.kuhn.speaker import KuhnSpeaker
from croupier.dialects.kuhn.words import BINARY, TEXT
from croupier.match.events import Joined
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, FOLD, RAISE, Decision, raise_to
from croupier.rules.hand import Hand
from croupier.rules.rules import ALL, MAX_CHIPS, Rules
from croupier.rules.sets import KUHN

JACK, QUEEN, KING = KUHN_DECK


def told(client: int, decisions: list[Decision], rules: Rules = KUHN) -> list[bytes]:
    """Return what a client hears of a hand in which seat 0 is player 0 and has the jack."""
    hand = Hand(rules, [20, 20], [JACK, QUEEN])
    for decision in decisions:
        hand.act(decision)
    view = MatchView(rules)
    for player in range(2):
        view.see(Joined(player, f"player {player}"))
    speaker = KuhnSpeaker(client)
    heard: list[bytes] = []
    for event in hand.events:
        view.see(event)
        for player, message in speaker.tell(event, view):
            assert player == client
            heard.append(message)
    return heard


def test_each_client_hears_its_own_card_and_the_others_actions() -> None:
    course = [CALL, raise_to(1), CALL]
    assert told(0, course) == [
        b"DEAL '0'\n",
        b"CARD 'J'\n",
        b"BET_\n",
        b"SHOW 'Q'\n",
        b"STKS 18 22\n",
    ]
    assert told(1, course) == [
        b"DEAL '1'\n",
        b"CARD 'Q'\n",
        b"CHCK\n",
        b"CALL\n",
        b"SHOW 'J'\n",
        b"STKS 22 18\n",
    ]


def test_a_bet_is_a_bet_by_whatever_verb_it_was_made() -> None:
    assert b"BET_\n" in told(1, [raise_to(1, RAISE), CALL])


@pytest.mark.parametrize("client", [0, 1])
def test_no_card_is_shown_after_a_fold_even_if_the_rules_open_it(client: int) -> None:
    rules = KUHN.with_fields({"reveal": ALL})
    heard = told(client, [raise_to(1), FOLD], rules)
    assert not [message for message in heard if message.startswith(b"SHOW")]
    assert heard[-1] == (b"STKS 21 19\n" if client == 0 else b"STKS 19 21\n")


def test_a_spelling_that_is_learned_later_holds_from_then_on() -> None:
    speaker = KuhnSpeaker(0)
    view = MatchView(KUHN)
    event = Hand(KUHN, [20, 20], [JACK, QUEEN]).events[0]
    assert list(speaker.tell(event, view)) == [(0, b"DEAL '0'\n")]
    speaker.spelling = BINARY
    assert list(speaker.tell(event, view)) == [(0, b"DEAL 0")]


@given(st.integers(0, 2 * MAX_CHIPS), st.integers(0, 2 * MAX_CHIPS))
def test_binary_stakes_are_fourteen_bytes_whatever_the_stacks(client: int, house: int) -> None:
    message = words.stakes(BINARY, client, house)
    assert len(message) == 14
    assert message[:5] + message[9:10] == b"STKS  "
    for said, stack in ((message[5:9], client), (message[10:], house)):
        assert int.from_bytes(said, "big", signed=True) == min(stack, 2**31 - 1)


@pytest.mark.parametrize("code", ["W_A", "N_C", "W_S", "WID"])
def test_an_error_is_its_code_alone_unless_texts_are_wanted(code: str) -> None:
    assert words.error(TEXT, code, "why") == f"ERRO {code}\n".encode("ascii")
    assert words.error(BINARY, code, "why") == f"ERRO {code}".encode("ascii")


def test_an_error_with_text_counts_its_characters_in_two_digits() -> None:
    explanation = "unknown command 'XXXX'"
    wanted = b"ERRO 26W_S unknown command 'XXXX'"
    assert words.error(TEXT, "W_S", explanation, with_text=True) == wanted + b"\n"
    assert words.error(BINARY, "W_S", explanation, with_text=True) == wanted
    assert words.error(BINARY, "WID", with_text=True) == b"ERRO 03WID"


@given(st.text(max_size=300))
@example("x" * 300)
@example("\n\0é")
def test_an_error_with_text_is_one_line_of_ascii_of_the_length_it_names(explanation: str) -> None:
    message = words.error(TEXT, "W_S", explanation, with_text=True)
    assert message.endswith(b"\n")
    text = message[7:-1]
    assert int(message[5:7]) == len(text) <= words.MAX_ERROR
    assert text.startswith(b"W_S")
    assert all(32 <= byte < 127 for byte in text)
