"""Deals are what the published algorithm says; this file is its second implementation."""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, KUHN_DECK, join
from croupier.deals import (
    Stream,
    deal,
    draw,
    hosted_seed,
    seed_from_text,
    series_seed,
    twin_order,
    twin_suits,
)
from croupier.match.chance import SeededChance, TwinChance, chance_of
from croupier.seeds import fresh_seed

PAGE = Path(__file__).parent.parent / "docs" / "deals.md"
SEEDS = {
    "32 zero bytes": bytes(32),
    "00 01 … 1f": bytes(range(32)),
    "SHA-256 of `croupier`": sha256(b"croupier").digest(),
}

seeds = st.binary(min_size=32, max_size=32)


def published_cards(seed: bytes, hand: int, count: int) -> str:
    """Run the program printed on the page."""
    program = PAGE.read_text("utf-8").split("```python\n")[1].split("```")[0]
    printed: list[str] = []
    scope: dict[str, object] = {"print": printed.append}
    exec(program, scope)
    assert printed == [re.findall(r"# (\w+)$", program, re.M)[-1]]
    result: list[str] = scope["cards"](seed, hand, count)  # type: ignore[operator]
    return "".join(result)


def test_the_published_vectors_are_what_is_dealt() -> None:
    rows = re.findall(
        r"^\| (.*?) \| (\d+) \| `(\w+)` \| `(\w+)` \|$", PAGE.read_text("utf-8"), re.M
    )
    assert len(rows) == 9
    for seed, hand, holdem, kuhn in rows:
        assert join(deal(SEEDS[seed], int(hand), DECK, 25)) == holdem
        assert join(deal(SEEDS[seed], int(hand), KUHN_DECK, 2)) == kuhn


@given(seeds, st.integers(1, 10**9), st.integers(0, 25))
def test_the_published_program_deals_the_same_cards(seed: bytes, hand: int, count: int) -> None:
    assert published_cards(seed, hand, count) == join(deal(seed, hand, DECK, count))


@given(seeds, st.integers(1, 10**6), st.integers(0, 52))
def test_no_card_is_dealt_twice(seed: bytes, hand: int, count: int) -> None:
    cards = deal(seed, hand, DECK, count)
    assert len(set(cards)) == count
    assert set(cards) <= set(DECK)


@given(seeds, st.integers(1, 10**6))
def test_more_players_do_not_change_the_cards_already_dealt(seed: bytes, hand: int) -> None:
    assert deal(seed, hand, DECK, 25)[:9] == deal(seed, hand, DECK, 9)


def blocks(seed: bytes, label: str) -> Iterator[int]:
    for block in range(10):
        yield from sha256(seed + label.encode() + block.to_bytes(8, "big")).digest()


@given(seeds)
def test_labels_give_streams_of_their_own(seed: bytes) -> None:
    for label in ("cards 1", "bot 0"):
        stream = Stream(seed, label)
        source = blocks(seed, label)
        assert [stream.below(256) for _ in range(100)] == [next(source) for _ in range(100)]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 52, 200, 256])
def test_every_number_below_the_bound_is_equally_likely(bound: int) -> None:
    stream = Stream(bytes(32), f"bound {bound}")
    draws = 400 * bound
    counts = Counter(stream.below(bound) for _ in range(draws))
    assert set(counts) == set(range(bound))
    chi2 = sum((count - 400) ** 2 / 400 for count in counts.values())
    assert chi2 < bound + 5 * (2 * bound) ** 0.5 + 5


def test_each_place_of_the_deck_is_equally_likely_to_come_first() -> None:
    counts = Counter(deal(bytes(32), hand, DECK, 1)[0] for hand in range(1, 5201))
    chi2 = sum((counts[card] - 100) ** 2 / 100 for card in DECK)
    assert chi2 < 51 + 5 * 102**0.5


def test_seeds_have_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        Stream(bytes(31), "cards 1")
    assert len(fresh_seed()) == 32
    assert fresh_seed() != fresh_seed()


@pytest.mark.parametrize("bound", [0, -1, 257])
def test_bounds_outside_one_byte_are_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 256"):
        Stream(bytes(32), "x").below(bound)


def test_a_deck_cannot_give_more_cards_than_it_has() -> None:
    with pytest.raises(ValueError, match="cannot draw 4 cards from a deck of 3"):
        draw(Stream(bytes(32), "x"), KUHN_DECK, 4)


def test_a_text_of_64_hex_digits_is_the_seed_itself_and_any_other_its_hash() -> None:
    seed = fresh_seed()
    assert seed_from_text(seed.hex()) == seed
    assert seed_from_text("7") == sha256(b"7").digest()
    assert seed_from_text("z" * 64) == sha256(b"z" * 64).digest()


def test_the_published_seeds_of_hosted_matches_come_out() -> None:
    rows = re.findall(r"^\| (.*?) \| (\d+) \| `([0-9a-f]{64})` \|$", PAGE.read_text("utf-8"), re.M)
    assert len(rows) == 9
    for seed, number, digest in rows:
        assert hosted_seed(SEEDS[seed], int(number)).hex() == digest


def test_no_hosted_match_has_the_seed_that_was_given() -> None:
    seed = fresh_seed()
    hosted = [hosted_seed(seed, number) for number in range(100)]
    assert len({seed, *hosted}) == 101
    # Whoever takes a published seed for the given one computes no other match.
    assert not {hosted_seed(hosted[0], number) for number in range(100)} & set(hosted)


def test_a_series_of_one_process_begins_with_the_seed_itself() -> None:
    seed = fresh_seed()
    assert series_seed(seed, 0) == seed
    assert series_seed(seed, 1) == hosted_seed(seed, 1)


def test_the_published_twins_are_what_is_dealt() -> None:
    rows = re.findall(
        r"^\| (.*?) \| (\d) \| `([cdhs ]+)` \| `([\d ]+)` \| `([\d ]+)` \|$",
        PAGE.read_text("utf-8"),
        re.M,
    )
    assert len(rows) == 6
    for name, twin, suits, pairs, threes in rows:
        seed = SEEDS[name]
        assert " ".join("cdhs"[suit] for suit in twin_suits(seed, int(twin))) == suits
        assert " ".join(map(str, twin_order(seed, int(twin), 12, 2))) == pairs
        assert " ".join(map(str, twin_order(seed, int(twin), 12, 3))) == threes


@given(seeds, st.integers(0, 9), st.integers(1, 60), st.integers(2, 10))
def test_twins_have_every_deal_once_where_the_button_is_in_the_same_place(
    seed: bytes, twin: int, hands: int, seats: int
) -> None:
    order = twin_order(seed, twin, hands, seats)
    assert sorted(order) == list(range(1, hands + 1))
    assert all(deal % seats == hand % seats for hand, deal in enumerate(order, 1))


def test_a_twin_deals_the_same_ranks_under_other_suits_in_another_order() -> None:
    seed = bytes(32)
    plain, twin = SeededChance(seed), TwinChance(seed, 1, 100, 2)
    moved = changed = 0
    for hand in range(1, 101):
        cards = plain.cards(twin.deal_of(hand), DECK, 9)
        again = twin.cards(hand, DECK, 9)
        assert [card // 4 for card in cards] == [card // 4 for card in again]
        assert len({(one % 4, other % 4) for one, other in zip(cards, again, strict=True)}) <= 4
        moved += twin.deal_of(hand) != hand
        changed += cards != again
    assert moved > 80
    assert changed > 80
    assert twin.cards(1, KUHN_DECK, 2) == plain.cards(twin.deal_of(1), KUHN_DECK, 2)


def test_a_twin_deals_hands_after_its_last_by_their_own_numbers() -> None:
    # Hands that were voided are replaced by hands with further numbers.
    chance = TwinChance(bytes(32), 1, 4, 2)
    assert [chance.deal_of(hand) for hand in (5, 6)] == [5, 6]
    assert len(set(chance.cards(5, DECK, 9))) == 9


def test_bots_that_draw_lots_draw_others_in_every_twin() -> None:
    twins = [chance_of(bytes(32), twin, 4, 3) for twin in range(3)]
    assert len({chance.module_seed for chance in twins}) == 3
    streams = [chance.bot(0) for chance in twins]
    assert len({tuple(stream.below(256) for _ in range(8)) for stream in streams}) == 3
