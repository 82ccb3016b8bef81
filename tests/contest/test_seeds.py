"""The seeds and the digest of a contest are what docs/deals.md says."""

import re
from hashlib import sha256
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from croupier.commitments import deal_seed
from croupier.contest.digest import digest
from croupier.contest.fixtures import MatchName, MatchResult, SeatResult, seats_of, unrotated
from croupier.contest.seeds import draw_seed, friendly_seed, set_seed

PAGE = (Path(__file__).parents[2] / "docs" / "deals.md").read_text("utf-8").split("## Contests")[1]
SEEDS = {
    "32 zero bytes": bytes(32),
    "00 01 … 1f": bytes(range(32)),
    "SHA-256 of `croupier`": sha256(b"croupier").digest(),
}

seeds = st.binary(min_size=32, max_size=32)
texts = st.text(max_size=5)


def published(seed: bytes, kind: str, given: str) -> bytes:
    """Return the seed that the page says belongs to these parts, by this program."""
    parts = [part.strip().strip("`") for part in re.split("[,;]", given)]
    parts = ["" if part == "nothing" else part for part in parts]
    if kind == "set":
        stage, fixture, number = parts
        return set_seed(seed, MatchName(stage, fixture, int(number), 1))
    if kind == "draw":
        return draw_seed(seed, *parts)
    if kind == "friendly":
        return friendly_seed(seed, int(parts[0]))
    return deal_seed(seed, parts[:-1], parts[-1])


def test_the_published_vectors_are_the_seeds_that_are_used() -> None:
    rows = re.findall(r"^\| (.*?) \| `(\w+)`: (.*?) \| `([0-9a-f]{64})` \|$", PAGE, re.M)
    assert len(rows) == 21
    for seed, kind, parts, expected in rows:
        assert published(SEEDS[seed], kind, parts).hex() == expected, (seed, kind, parts)


def lengths(*parts: str) -> bytes:
    return b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)


@given(seeds, texts, texts, st.integers(1, 1000), st.integers(1, 10))
def test_the_seed_of_a_match_follows_from_stage_fixture_and_set_alone(
    seed: bytes, stage: str, fixture: str, number: int, match: int
) -> None:
    expected = sha256(seed + b"set " + lengths(stage, fixture, str(number))).digest()
    assert set_seed(seed, MatchName(stage, fixture, number, match)) == expected


@given(seeds, st.integers(1, 10**6))
def test_the_seed_of_a_friendly_match_follows_from_its_number_under_a_label_of_its_own(
    seed: bytes, number: int
) -> None:
    expected = sha256(seed + b"friendly " + lengths(str(number))).digest()
    assert friendly_seed(seed, number) == expected


def result(name: str, *seats: SeatResult, hands: int = 10) -> MatchResult:
    return MatchResult(MatchName.read(name), seats, hands)


def test_the_published_digest_is_that_of_the_published_results() -> None:
    lines = re.findall(r"^    (final/\S+)   (\d+)   (.*)$", PAGE, re.M)
    assert len(lines) == 2
    results = []
    for name, hands, rest in lines:
        seats = [
            SeatResult(team, int(chips), 0.0, 0.0, 1, 10, int(faults), forfeit)
            for team, chips, faults, forfeit in re.findall(
                r"(\w+)   (-?\d+)   (\d+)(?:   (forfeit))?", rest
            )
        ]
        results.append(result(name, *seats, hands=int(hands)))
    (expected,) = re.findall(r"have the digest `([0-9a-f]{64})`", PAGE)
    assert digest(results) == digest(reversed(results)) == expected


BASE = result("a/b/1.1", SeatResult("Ada", 5, 0.05, 1.0, 1, 10), SeatResult("Bob", -5, 0, 1, 2, 10))


def test_every_figure_that_counts_is_in_the_digest() -> None:
    ada, bob = BASE.seats
    others = [
        result("a/b/1.2", ada, bob),
        result("a/c/1.1", ada, bob),
        result("x/b/1.1", ada, bob),
        result("a/b/1.1", bob, ada),
        result("a/b/1.1", ada, bob, hands=11),
        result("a/b/1.1", SeatResult("Ada", 6, 0.05, 1.0, 1, 10), bob),
        result("a/b/1.1", SeatResult("Eve", 5, 0.05, 1.0, 1, 10), bob),
        result("a/b/1.1", SeatResult("Ada", 5, 0.05, 1.0, 1, 10, faults=1), bob),
        result("a/b/1.1", SeatResult("Ada", 5, 0.05, 1.0, 1, 10, forfeit="late"), bob),
    ]
    assert len({digest([one]) for one in [BASE, *others]}) == len(others) + 1


@given(st.lists(texts, min_size=2, max_size=9, unique=True), st.integers(1, 30))
def test_seats_are_rotated_from_match_to_match_and_back(teams: list[str], match: int) -> None:
    name = MatchName("a", "b", 1, match)
    seats = seats_of(teams, name)
    assert unrotated(seats, name) == tuple(teams)
    assert seats[0] == teams[(match - 1) % len(teams)]


@given(
    st.builds(
        MatchName,
        st.from_regex(r"[\w.-]{1,9}", fullmatch=True),
        st.from_regex(r"[\w.-]{1,9}", fullmatch=True),
        st.integers(1),
        st.integers(1),
    )
)
def test_a_name_is_read_as_it_is_written(name: MatchName) -> None:
    assert MatchName.read(str(name)) == name
