"""Maximum matchings, compared with all that there are."""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from croupier.contest.matching import Matching

Graph = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn, most: int = 9) -> Graph:
    size = draw(st.integers(1, most))
    pairs = [(one, other) for other in range(size) for one in range(other)]
    edges = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    return [
        [other for other in range(size) if (one, other) in edges or (other, one) in edges]
        for one in range(size)
    ]


def most_pairs(graph: Graph, without: frozenset[int] = frozenset()) -> int:
    """Return the size of a maximum matching, by trying all."""

    @cache
    def most(left: frozenset[int]) -> int:
        if not left:
            return 0
        one, rest = min(left), left - {min(left)}
        return max([most(rest), *(1 + most(rest - {o}) for o in graph[one] if o in rest)])

    return most(frozenset(range(len(graph))) - without)


def pairs(matching: Matching, graph: Graph) -> int:
    for vertex, mate in enumerate(matching.mate):
        if mate >= 0:
            assert mate in graph[vertex]
            assert matching.mate[mate] == vertex
    return sum(mate >= 0 for mate in matching.mate) // 2


@given(graphs())
def test_a_matching_has_as_many_pairs_as_possible(graph: Graph) -> None:
    assert pairs(Matching(graph), graph) == most_pairs(graph)


def test_two_triangles_that_are_joined_are_matched_through_their_odd_cycles() -> None:
    graph = [[1, 2], [0, 2], [0, 1, 3], [2, 4, 5], [3, 5], [3, 4]]
    assert Matching(graph).mate == [1, 0, 3, 2, 5, 4]


@given(graphs(), st.data())
def test_two_neighbours_are_taken_out_if_that_costs_one_pair(
    graph: Graph, data: st.DataObject
) -> None:
    edges = [(one, other) for one in range(len(graph)) for other in graph[one]]
    if edges:
        one, other = data.draw(st.sampled_from(edges))
        matching = Matching(graph)
        most = most_pairs(graph)
        possible = most_pairs(graph, frozenset({one, other})) == most - 1
        assert matching.take_pair(one, other) == possible
        assert pairs(matching, graph) == (most - 1 if possible else most)


@given(graphs(), st.data())
def test_vertices_are_spare_if_as_many_pairs_remain(graph: Graph, data: st.DataObject) -> None:
    some = data.draw(st.sets(st.integers(0, len(graph) - 1), min_size=1, max_size=2))
    matching = Matching(graph)
    rest = most_pairs(graph, frozenset(some))
    assert matching.take_spare(*some) == (rest == most_pairs(graph))
    assert pairs(matching, graph) == most_pairs(graph)
