"""Pairs and tables of a round, compared with all possible ones."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.pairing import Meetings, meetings_of, paired, seated, table_sizes
from tests.support.stages import names

Pairs = list[tuple[str, str]]


def all_pairings(teams: Sequence[str]) -> Iterator[Pairs]:
    if not teams:
        yield []
    for other in teams[1:]:
        for rest in all_pairings([team for team in teams[1:] if team != other]):
            yield [(teams[0], other), *rest]


def repeated(pairs: Pairs, met: Meetings, least: int = 0) -> int:
    return sum(met.get(pair, 0) > least for pair in pairs)


@st.composite
def fields(draw: st.DrawFn, odd: bool) -> tuple[list[str], Meetings]:
    teams = names(draw(st.sampled_from((3, 5, 7) if odd else (2, 4, 6, 8))))
    before = draw(st.lists(st.sampled_from(list(combinations(teams, 2))), max_size=30))
    return draw(st.permutations(teams)), meetings_of(before)


@given(fields(odd=False))
def test_there_are_as_few_repeated_meetings_as_possible(field: tuple[list[str], Meetings]) -> None:
    order, met = field
    least = min(met.get(pair, 0) for pair in combinations(order, 2))
    pairs, resting = paired(order, met)
    assert sorted(team for pair in pairs for team in pair) == sorted(order)
    assert resting is None
    best = min(repeated(other, met, least) for other in all_pairings(order))
    assert repeated(pairs, met, least) == best


@given(fields(odd=False))
def test_the_first_has_the_nearest_opponent_that_allows_it(
    field: tuple[list[str], Meetings],
) -> None:
    order, met = field
    least = min(met.get(pair, 0) for pair in combinations(order, 2))
    best = min(repeated(other, met, least) for other in all_pairings(order))
    ideal = [other for other in all_pairings(order) if repeated(other, met, least) == best]
    fresh = [other[0][1] for other in ideal if not repeated(other[:1], met, least)]
    if fresh:
        pairs, _ = paired(order, met)
        assert pairs[0] == (order[0], min(fresh, key=order.index))


@given(fields(odd=True), st.data())
def test_who_rests_causes_no_repeated_meeting_that_another_would_not(
    field: tuple[list[str], Meetings], data: st.DataObject
) -> None:
    order, met = field
    may_rest = data.draw(st.permutations(order))[: data.draw(st.integers(1, len(order)))]
    pairs, resting = paired(order, met, may_rest)
    assert resting in may_rest
    assert sorted([*(team for pair in pairs for team in pair), resting]) == sorted(order)
    least = min(met.get(pair, 0) for pair in combinations(order, 2))

    def fewest(without: str) -> int:
        rest = [team for team in order if team != without]
        return min(repeated(other, met, least) for other in all_pairings(rest))

    best = min(map(fewest, may_rest))
    assert resting == next(team for team in may_rest if fewest(team) == best)
    assert repeated(pairs, met, least) == best


@given(st.integers(2, 500), st.integers(2, 22))
def test_tables_differ_by_one_seat_at_most_and_nobody_sits_alone(teams: int, seats: int) -> None:
    sizes = table_sizes(teams, seats)
    assert sum(sizes) == teams
    assert max(sizes) <= seats
    assert max(sizes) - min(sizes) <= 1
    if seats > 2 or teams % 2 == 0:
        assert min(sizes) >= 2


def test_a_table_is_filled_with_those_who_have_not_met() -> None:
    met = meetings_of(["ABC", "DEF"])
    assert seated("ABCDEF", 3, met) == [("A", "D", "B"), ("C", "E", "F")]
    assert seated("ABCDEFGHI", 3, meetings_of(["ABC", "DEF", "GHI"])) == [
        ("A", "D", "G"),
        ("B", "E", "H"),
        ("C", "F", "I"),
    ]
