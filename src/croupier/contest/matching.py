"""Maximum matchings in a graph: as many pairs of neighbours as possible, no vertex in two of them.

Edmonds' algorithm: a search from an unmatched vertex grows a tree of alternating paths, and shrinks
each odd cycle (blossom) that it finds to its base, until it reaches another unmatched vertex.
"""

from collections.abc import Sequence


class Matching:
    """A maximum matching, and how it changes when vertices are taken out of the graph."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        """`neighbours` has those of each vertex; the first ones are preferred to begin with."""
        self._neighbours = neighbours
        self._gone = [False] * len(neighbours)
        self.mate = [-1] * len(neighbours)
        """By vertex, the other one of its pair, or -1."""
        for vertex, near in enumerate(neighbours):
            if self.mate[vertex] < 0:
                other = next((other for other in near if self.mate[other] < 0), -1)
                if other >= 0:
                    self.mate[vertex], self.mate[other] = other, vertex
        for vertex in range(len(neighbours)):
            if self.mate[vertex] < 0:
                self._augment(vertex)

    def take_pair(self, one: int, other: int) -> bool:
        """Take out two neighbours, unless the rest would then have to lose a pair more than theirs.

        Return whether they were taken out.
        """
        if self.mate[one] == other:
            self._take_out(one, other)
            return True
        before = self.mate.copy()
        alone = [self.mate[vertex] for vertex in (one, other) if self.mate[vertex] >= 0]
        self._take_out(one, other)
        # Both lost a partner, and theirs is only one pair: the partners have to be matched again. A
        # path between two others would have made the matching larger before.
        if len(alone) < 2 or self._augment(alone[0]) or self._augment(alone[1]):
            return True
        self._put_back(before, one, other)
        return False

    def take_spare(self, *vertices: int) -> bool:
        """Take out vertices without which as many pairs remain; return whether they are such."""
        before = self.mate.copy()
        for number, vertex in enumerate(vertices, 1):
            alone = self.mate[vertex]
            self._take_out(vertex)
            if alone >= 0 and not self._augment(alone):
                self._put_back(before, *vertices[:number])
                return False
        return True

    def take(self, vertex: int) -> None:
        """Take out a vertex that is not spare: the rest has a pair less."""
        self._take_out(vertex)

    def _take_out(self, *vertices: int) -> None:
        for vertex in vertices:
            if self.mate[vertex] >= 0:
                self.mate[self.mate[vertex]] = -1
                self.mate[vertex] = -1
            self._gone[vertex] = True

    def _put_back(self, mate: list[int], *vertices: int) -> None:
        self.mate = mate
        for vertex in vertices:
            self._gone[vertex] = False

    def _augment(self, root: int) -> bool:
        """Look for an alternating path from an unmatched vertex to another, and flip it."""
        mate, size = self.mate, len(self.mate)
        parent = [-1] * size
        base = list(range(size))
        outer = [False] * size
        outer[root] = True
        queue = [root]
        for vertex in queue:
            for other in self._neighbours[vertex]:
                if self._gone[other] or base[vertex] == base[other] or mate[vertex] == other:
                    continue
                if other == root or (mate[other] >= 0 and parent[mate[other]] >= 0):
                    top = _common_base(vertex, other, base, parent, mate)
                    blossom: set[int] = set()
                    _mark(vertex, top, other, base, parent, mate, blossom)
                    _mark(other, top, vertex, base, parent, mate, blossom)
                    for inside in range(size):
                        if base[inside] in blossom:
                            base[inside] = top
                            if not outer[inside]:
                                outer[inside] = True
                                queue.append(inside)
                elif parent[other] < 0:
                    parent[other] = vertex
                    if mate[other] < 0:
                        self._flip(other, parent)
                        return True
                    outer[mate[other]] = True
                    queue.append(mate[other])
        return False

    def _flip(self, end: int, parent: list[int]) -> None:
        while end >= 0:
            before = parent[end]
            after = self.mate[before]
            self.mate[end], self.mate[before] = before, end
            end = after


def _common_base(one: int, other: int, base: list[int], parent: list[int], mate: list[int]) -> int:
    """Return the base nearest to both vertices on their ways to the root."""
    passed = set()
    while True:
        one = base[one]
        passed.add(one)
        if mate[one] < 0:
            break
        one = parent[mate[one]]
    while base[other] not in passed:
        other = parent[mate[base[other]]]
    return base[other]


def _mark(
    vertex: int,
    top: int,
    child: int,
    base: list[int],
    parent: list[int],
    mate: list[int],
    blossom: set[int],
) -> None:
    """Collect one side of a blossom, and let its vertices be passed in both directions."""
    while base[vertex] != top:
        blossom |= {base[vertex], base[mate[vertex]]}
        parent[vertex] = child
        child = mate[vertex]
        vertex = parent[mate[vertex]]
