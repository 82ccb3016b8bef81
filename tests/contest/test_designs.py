"""Tables of more than two at which everybody meets everybody."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.designs import Design, design


def meetings(tables: Design) -> Counter[tuple[int, ...]]:
    return Counter(
        pair for tables in tables.rounds for table in tables for pair in combinations(table, 2)
    )


def check(teams: int, seats: int) -> Design:
    found = design(teams, seats)
    met = meetings(found)
    assert len(met) == teams * (teams - 1) // 2
    assert (min(met.values()), max(met.values())) == (found.least, found.most)
    played = Counter(team for tables in found.rounds for table in tables for team in table)
    assert len(set(played.values())) == 1
    for tables in found.rounds:
        sitting = [team for table in tables for team in table]
        assert len(sitting) == len(set(sitting))
        assert all(len(table) == seats for table in tables)
    return found


@given(st.integers(3, 10).flatmap(lambda k: st.tuples(st.integers(k + 1, 40), st.just(k))))
def test_all_meet_as_often_as_is_said_and_play_equally_often(field: tuple[int, int]) -> None:
    found = check(*field)
    assert found.most - found.least <= 3


@pytest.mark.parametrize("seats", [3, 6, 8, 10, 22])
def test_200_teams_meet_almost_evenly_and_at_few_tables(seats: int) -> None:
    found = check(200, seats)
    assert found.most <= 4
    assert sum(map(len, found.rounds)) <= 1.5 * 200 * 199 / (seats * (seats - 1)) + 200


@pytest.mark.parametrize(
    ("teams", "seats", "times"), [(7, 3, 1), (13, 4, 1), (31, 6, 1), (4, 3, 2), (9, 8, 7)]
)
def test_where_it_can_be_perfect_it_is(teams: int, seats: int, times: int) -> None:
    found = check(teams, seats)
    assert found.least == found.most == times
