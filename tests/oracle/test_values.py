"""The values of Kuhn and Leduc poker on our own state machine are the published ones.

A small counterfactual regret minimisation plays each game against itself. The average strategy's
value has to be the known one: −1/18 for the first player of Kuhn poker, −0.0856 in Leduc.
"""

from dataclasses import dataclass, field

import pytest

from croupier.cards import join
from croupier.rules.rules import Rules
from croupier.rules.sets import ACPC_KUHN2, ACPC_LEDUC
from tests.oracle.trees import deals, decisions_of, played


@dataclass
class Node:
    """A position of one deal: an ending with its payoff, or a choice at an information set."""

    payoff: float = 0.0
    seat: int = -1
    choice: "Choice | None" = None
    after: list["Node"] = field(default_factory=list)


@dataclass
class Choice:
    """An information set: the regrets of its actions, and how often each was played."""

    regrets: list[float]
    total: list[float]
    strategy: list[float]

    def match_regrets(self) -> None:
        """Play in proportion to positive regrets, and forget negative ones."""
        self.regrets = [max(0.0, regret) for regret in self.regrets]
        norm = sum(self.regrets)
        size = len(self.regrets)
        self.strategy = [r / norm if norm else 1 / size for r in self.regrets]

    @property
    def average(self) -> list[float]:
        norm = sum(self.total)
        return [part / norm for part in self.total]


def tree(
    rules: Rules, cards: tuple[int, ...], line: str, known: dict[tuple[str, str], Choice]
) -> Node:
    """Return the tree of one deal; suits do not matter to what a player knows."""
    hand = played(rules, cards, 2, line)
    if hand.over:
        return Node(payoff=hand.stacks[0] - rules.stack)
    seen = "".join(join(part)[::2] + "/" for part in (hand.hole[hand.actor], hand.board))
    actions = decisions_of(hand)
    size = len(actions)
    choice = known.setdefault((seen, line), Choice([0.0] * size, [0.0] * size, [1 / size] * size))
    after = [tree(rules, cards, line + letter, known) for letter, _ in actions]
    return Node(seat=hand.actor, choice=choice, after=after)


def step(node: Node, reach: tuple[float, float], weight: float) -> float:
    """Update the regrets of a tree; return its value for the first player."""
    choice = node.choice
    if choice is None:
        return node.payoff
    seat = node.seat
    sign = 1 if seat == 0 else -1
    values = []
    for probability, after in zip(choice.strategy, node.after, strict=True):
        one, other = reach
        further = (one * probability, other) if seat == 0 else (one, other * probability)
        values.append(step(after, further, weight))
    value = sum(p * v for p, v in zip(choice.strategy, values, strict=True))
    for place, action in enumerate(values):
        choice.regrets[place] += reach[1 - seat] * sign * (action - value)
        choice.total[place] += weight * reach[seat] * choice.strategy[place]
    return value


def value_of(node: Node) -> float:
    """Return the value of a tree under the average strategies."""
    if node.choice is None:
        return node.payoff
    values = map(value_of, node.after)
    return sum(p * v for p, v in zip(node.choice.average, values, strict=True))


@pytest.mark.parametrize(
    ("rules", "rounds", "information_sets", "expected", "tolerance"),
    [(ACPC_KUHN2, 1500, 12, -1 / 18, 0.001), (ACPC_LEDUC, 60, 288, -0.0856, 0.005)],
    ids=["kuhn", "leduc"],
)
def test_the_value_for_the_first_player_is_the_published_one(
    rules: Rules, rounds: int, information_sets: int, expected: float, tolerance: float
) -> None:
    known: dict[tuple[str, str], Choice] = {}
    trees = [tree(rules, cards, "", known) for cards in deals(rules, 2)]
    assert len(known) == information_sets
    for number in range(1, rounds + 1):
        for one in trees:
            step(one, (1.0, 1.0), number)
        for choice in known.values():
            choice.match_regrets()
    value = sum(map(value_of, trees)) / len(trees)
    assert value == pytest.approx(expected, abs=tolerance)
