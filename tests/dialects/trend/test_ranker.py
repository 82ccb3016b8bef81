"""The numbers that the protocol gives hands."""

import random
import re

import pytest

from croupier.cards import DECK, parse, upper
from croupier.dialects.trend.ranker import hand_number
from croupier.match.chance import SeededChance
from croupier.ranking import rank
from croupier.rules.sets import TREND
from tests.wire.trend_game import Game, message
from tests.wire.trend_hands import KICK, RANKS, number_of


def number(text: str) -> tuple[float, str]:
    return hand_number([parse(card) for card in text.split()])


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("AD 3D 9S 9D 2H AC 9C", (219, "Full House")),
        ("8H KS 8S QC QS QD 2S", (250, "Full House")),
        ("AD QH 8S QC QS QD 2S", (290.2048, "Four of a kind")),
        ("9D JD 8S QC QS QD 2S", (110.032, "Three of a Kind")),
    ],
)
def test_the_examples_of_the_document(cards: str, expected: tuple[float, str]) -> None:
    assert number(cards) == expected


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("7S 5H 4D 3C 2S 9H 8D", (3 + (0.0032 + 0.0016 + 0.0004 + 0.0002), "High Card")),
        ("AS QH TD 8C 6S 4H 2D", (8 + (0.0512 + 0.0128 + 0.0032 + 0.0008), "High Card")),
        ("2S 2H AD KC QS 7H 5D", (9 + 0 + (0.2048 + 0.1024 + 0.0512), "Pair")),
        ("AS AH KD QC JS 7H 5D", (9 + 12 + (0.1024 + 0.0512 + 0.0256), "Pair")),
        ("3S 3H 2D 2C AS 9H 7D", (22 + 0 + 0 + 0.2048, "Two Pair")),
        ("AS AH KD KC QS 9H 7D", (22 + 66 + 11 + 0.0512, "Two Pair")),
        ("AS AH KD KC QS QH 7D", (22 + 66 + 11 + 0.0512, "Two Pair")),
        ("2S 2H 2D AC KS 9H 7D", (100 + 0 + (0.2048 + 0.1024), "Three of a Kind")),
        ("AS 2H 3D 4C 5S 9H 9D", (113, "Straight")),
        ("TS JH QD KC AS 9H 8D", (122, "Straight")),
        ("2S 4S 6S 8S TS AH AD", (123 + (0.0128 + 0.0032 + 0.0008 + 0.0002 + 0.0), "Flush")),
        ("2S 2H 2D 3C 3S 9H 7D", (124 + 0 + 0, "Full House")),
        ("AS AH AD KC KS KH 7D", (124 + 144 + 11, "Full House")),
        ("2S 2H 2D 2C 3S 9H 7D", (280 + 0.0064, "Four of a kind")),
        ("AS 2S 3S 4S 5S 9H 9D", (293, "Straight Flush")),
        ("9S TS JS QS KS AH AD", (301, "Straight Flush")),
        ("TS JS QS KS AS AH AD", (302, "Royal Flush")),
        ("TS JS QS KS AS 9S 8S", (302, "Royal Flush")),
    ],
)
def test_each_row_of_the_table(cards: str, expected: tuple[float, str]) -> None:
    assert number(cards) == expected


def test_random_hands_have_the_numbers_of_the_table_to_the_last_bit() -> None:
    dice = random.Random(20171018)
    messages = set()
    for _ in range(20_000):
        seven = dice.sample(DECK, 7)
        made = hand_number(seven)
        assert made == number_of([upper(card) for card in seven])
        messages.add(made[1])
    assert len(messages) >= 8


def test_rare_hands_have_the_numbers_of_the_table_too() -> None:
    """Cards of one suit, or of few ranks, make every rare kind of hand."""
    dice = random.Random(1)
    suited = [card for card in DECK if card & 3 == 2]
    high = [card for card in DECK if card >> 2 > 8]
    messages = set()
    for _ in range(3000):
        for seven in (dice.sample(suited, 5) + dice.sample(high, 4), dice.sample(high, 7)):
            seven = list(dict.fromkeys(seven))[:7]
            if len(seven) == 7:
                made = hand_number(seven)
                assert made == number_of([upper(card) for card in seven])
                messages.add(made[1])
    assert {"Royal Flush", "Straight Flush", "Four of a kind", "Full House", "Flush"} <= messages


def test_the_order_of_cards_makes_no_difference() -> None:
    dice = random.Random(2)
    for _ in range(500):
        seven = dice.sample(DECK, 7)
        first = hand_number(seven)
        dice.shuffle(seven)
        assert hand_number(seven) == first


def test_between_kinds_a_higher_number_is_a_better_hand() -> None:
    """Programs compare the numbers; within a kind they are as coarse as the table makes them."""
    dice = random.Random(3)
    hands = [dice.sample(DECK, 7) for _ in range(2000)]
    for one, two in zip(hands, reversed(hands), strict=True):
        if hand_number(one)[1] != hand_number(two)[1]:
            assert (hand_number(one) > hand_number(two)) == (rank(one) > rank(two))


def test_a_whole_number_is_written_without_a_fraction() -> None:
    game = Game(TREND, ["a", "b", "c"], SeededChance(bytes(32)))
    game.start()
    game.run(lambda _, __: message("check"))
    text = b"".join(row for row in game.sent[0] if b"__round_end" in row).decode()
    numbers = re.findall(r'"rank":([^,]*),"message":"([^"]*)"', text)
    assert len(numbers) > 50
    for written, kind in numbers:
        whole = kind in ("Straight", "Full House", "Straight Flush", "Royal Flush")
        assert re.fullmatch(r"-?\d+" if whole else r"-?\d+(\.\d+)?", written)
        assert not written.endswith(".0")


def test_the_kickers_of_the_reference_are_powers_of_two_of_the_lowest() -> None:
    assert [KICK[r] for r in RANKS[1:]] == [round(0.0001 * 2**i, 4) for i in range(12)]
