"""Commitments, deal seeds and openings are what docs/deals.md says, which this file restates."""

import re
from hashlib import sha256
from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.commitments import commitment_to, deal_seed, opening_digest
from croupier.match.chance import SeededChance

PAGE = (Path(__file__).parent.parent / "docs" / "deals.md").read_text("utf-8")
SEEDS = {
    "32 zero bytes": bytes(32),
    "00 01 … 1f": bytes(range(32)),
    "SHA-256 of `croupier`": sha256(b"croupier").digest(),
}

seeds = st.binary(min_size=32, max_size=32)
nonces = st.lists(st.text(min_size=1, max_size=5), max_size=4)
texts = st.text(max_size=5)


def lengths(*parts: str) -> bytes:
    return b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]*)`", cell)


def test_the_published_deal_seeds_are_those_that_are_used() -> None:
    rows = re.findall(r"^\| ([^|]*) \| ([^|]*) \| ([^|]*) \| `([0-9a-f]{64})` \|$", PAGE, re.M)
    rows = [row for row in rows if row[0] in SEEDS and row[1] not in SEEDS]
    assert len(rows) == 16
    for seed, given_nonces, beacon, expected in rows:
        value = "".join(words(beacon))
        assert deal_seed(SEEDS[seed], words(given_nonces), value).hex() == expected, (seed, beacon)
    assert len({row[3] for row in rows}) == len(rows)


def test_the_published_commitments_are_those_that_are_made() -> None:
    rows = re.findall(r"^\| ([^|]*) \| ([^|]*) \| ([^|]*) \| `([0-9a-f]{64})` \|$", PAGE, re.M)
    rows = [row for row in rows if row[0] in SEEDS and row[1] in SEEDS]
    assert len(rows) == 4
    for seed, salt, announced, expected in rows:
        assert commitment_to(SEEDS[seed], SEEDS[salt], "".join(words(announced))) == expected


def test_the_published_openings_are_bound_to_each_other() -> None:
    rows = re.findall(
        r"^\| `([^`]*)` \| (\d+) \| ([\d.]+) \| seed (.*?), salt (.*?) \| (.*?) \| `(\w{64})` \|$",
        PAGE,
        re.M,
    )
    assert len(rows) == 2
    previous = ""
    for place, number, at, seed, salt, announced, expected in rows:
        beacon = "".join(words(announced))
        commitment = commitment_to(SEEDS[seed], SEEDS[salt], beacon)
        digest = opening_digest(previous, place, int(number), float(at), commitment, beacon)
        assert digest == expected
        previous = digest


@given(seeds, nonces, texts)
def test_the_deal_seed_is_the_digest_of_seed_nonces_and_beacon(
    seed: bytes, given_nonces: list[str], beacon: str
) -> None:
    assume(given_nonces or beacon)
    expected = sha256(b"croupier deals 2" + seed + lengths(*given_nonces, beacon)).digest()
    assert deal_seed(seed, given_nonces, beacon) == expected


@given(seeds, seeds, nonces, nonces, texts, texts)
def test_other_nonces_another_order_or_another_beacon_give_other_deals(
    seed: bytes, other_seed: bytes, one: list[str], other: list[str], beacon: str, value: str
) -> None:
    a, b = deal_seed(seed, one, beacon), deal_seed(other_seed, other, value)
    assert (a == b) == ((seed, one, beacon) == (other_seed, other, value))


@given(seeds, nonces, st.integers(0, 4))
def test_players_without_a_nonce_change_nothing(
    seed: bytes, given_nonces: list[str], place: int
) -> None:
    with_a_gap = [*given_nonces[:place], "", *given_nonces[place:]]
    assert deal_seed(seed, with_a_gap) == deal_seed(seed, given_nonces)
    assert deal_seed(seed) == seed


@given(seeds, nonces, texts)
def test_chance_deals_from_what_was_added_and_house_bots_from_the_seed(
    seed: bytes, given_nonces: list[str], beacon: str
) -> None:
    chance = SeededChance(seed)
    for nonce in given_nonces:
        chance.add_nonce(nonce)
    chance.set_beacon(beacon)
    again = SeededChance(deal_seed(seed, given_nonces, beacon))
    assert chance.cards(3, range(52), 9) == again.cards(3, range(52), 9)
    assert chance.seats(8) == again.seats(8)
    assert chance.bot(1).below(256) == SeededChance(seed).bot(1).below(256)


@given(seeds, seeds, texts, texts)
def test_an_announcement_is_part_of_the_commitment(
    seed: bytes, salt: bytes, announced: str, other: str
) -> None:
    assert commitment_to(seed, salt) == sha256(salt + seed).hexdigest()
    same = commitment_to(seed, salt, announced) == commitment_to(seed, salt, other)
    assert same == (announced == other)
