"""Recorded hands, to the chip: our own in `hands.phhs`, and 5,000 between people and a program."""

import gzip
import warnings
from pathlib import Path

import pytest
from pokerkit import HandHistory

from croupier.rules.events import Asked
from tests.oracle import phh
from tests.oracle.differential import EXCEPTIONS

OWN = (Path(__file__).parent / "hands.phhs").read_text(encoding="utf-8")
OWN_HANDS = phh.read(OWN)
RECORDED = Path(__file__).parents[3] / "shared" / "data" / "pluribus_5000.phhs.gz"
"""Hands on record that are not part of the project; where it is absent they are not played."""


@pytest.mark.parametrize("hand", OWN_HANDS, ids=lambda hand: hand.notes["_rule"])
def test_composed_hand_ends_with_the_stacks_reasoned_for_it(hand: phh.Recorded) -> None:
    played = phh.play(hand)
    assert tuple(played.stacks) == hand.finishing_stacks
    asked = [event.options for event in played.events if isinstance(event, Asked)]
    for place in hand.notes.get("_open", []):
        assert asked[place - 1].can_raise, f"decision {place}"
    for place in hand.notes.get("_closed", []):
        assert not asked[place - 1].can_raise, f"decision {place}"


def test_pokerkit_agrees_on_the_composed_hands_but_for_documented_differences() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of cards that were not dealt from its deck
        histories = list(HandHistory.loads_all(OWN))
    assert len(histories) == len(OWN_HANDS)
    differences = set()
    for hand, history in zip(OWN_HANDS, histories, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, last = history
        expected = hand.notes.get("_pokerkit_stacks", list(hand.finishing_stacks))
        assert list(last.stacks) == expected, hand.notes["_rule"]
        if "_difference" in hand.notes:
            differences.add(hand.notes["_difference"])
            assert expected != list(hand.finishing_stacks)
    assert differences <= set(EXCEPTIONS)


def test_cards_that_a_file_does_not_tell_are_distinct_unused_ones() -> None:
    for hand in OWN_HANDS:
        assert len(hand.cards) == 2 * len(hand.stacks) + phh.BOARD_CARDS
        assert len(set(hand.cards)) == len(hand.cards)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("variant = 'NT'", "variant = 'FT'"),
        ("antes = [0, 0, 0]", "antes = [0, 100, 0]"),
        ("blinds_or_straddles = [50, 100, 0]", "blinds_or_straddles = [50, 100, 200]"),
        ("'p3 f'", "'p3 sd'"),
    ],
)
def test_hand_that_the_plain_rules_cannot_play_is_not_read(field: str, value: str) -> None:
    first = OWN[: OWN.index("\n[2]")]
    assert field in first
    with pytest.raises(ValueError, match="hand 1"):
        phh.read(first.replace(field, value))


def test_five_thousand_recorded_hands_are_legal_and_end_to_the_chip() -> None:
    if not RECORDED.exists():
        pytest.skip("the recorded hands (shared/data/pluribus_5000.phhs.gz) are not here")
    with gzip.open(RECORDED, "rt", encoding="utf-8") as file:
        hands = phh.read(file.read())
    assert len(hands) == 5000
    for hand in hands:
        played = phh.play(hand)
        assert tuple(played.stacks) == hand.finishing_stacks, f"hand {hand.name}"
