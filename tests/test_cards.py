import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import cards
from croupier.cards import DECK, HIDDEN, KUHN_DECK


@pytest.mark.parametrize("spelling", [cards.short, cards.upper, cards.long])
def test_every_card_reads_back_from_every_full_spelling(spelling: object) -> None:
    texts = [spelling(card) for card in DECK]  # type: ignore[operator]
    assert len(set(texts)) == 52
    assert [cards.parse(text) for text in texts] == list(DECK)


def test_the_ten_of_spades_in_all_spellings() -> None:
    card = cards.parse("Ts")
    assert cards.short(card) == "Ts"
    assert cards.upper(card) == "TS"
    assert cards.long(card) == "SPADES 10"
    assert cards.letter(card) == "T"


def test_the_kuhn_cards_are_jack_queen_and_king() -> None:
    assert [cards.letter(card) for card in KUHN_DECK] == ["J", "Q", "K"]
    assert [cards.parse(text) for text in "JQK"] == list(KUHN_DECK)


def test_a_hidden_card_is_written_with_question_marks() -> None:
    assert cards.join([HIDDEN, HIDDEN]) == "????"
    assert cards.letter(HIDDEN) == "?"
    with pytest.raises(ValueError, match="not a card"):
        cards.parse("??")


@given(st.lists(st.sampled_from(DECK)))
def test_a_row_of_cards_reads_back(row: list[int]) -> None:
    assert cards.parse_many(cards.join(row)) == row
    assert cards.parse_many(" ".join(cards.upper(card) for card in row)) == row


@given(st.text())
def test_any_other_text_is_refused_with_a_sentence(text: str) -> None:
    try:
        card = cards.parse(text)
    except ValueError as error:
        assert "is not a card" in str(error)
    else:
        assert text in (
            cards.short(card),
            cards.upper(card),
            cards.long(card),
            cards.letter(card),
        )


def test_half_a_card_is_refused() -> None:
    with pytest.raises(ValueError, match="not a row of cards"):
        cards.parse_many("Ts9")
