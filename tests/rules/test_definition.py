"""Game definitions: what they say, and what cannot be said in one."""

import pytest

from croupier.rules.definition import definition, definition_problem, read_definition
from croupier.rules.rules import RulesError
from croupier.rules.sets import ACPC_KUHN3, ACPC_LEDUC, ACPC_LIMIT, ACPC_NOLIMIT, SETS

NO_LIMIT = """\
# a comment
GAMEDEF
nolimit
numPlayers = 2
numRounds 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


@pytest.mark.parametrize("name", [name for name in SETS if name.startswith("acpc-")])
def test_every_game_of_the_competition_comes_back_from_its_definition(name: str) -> None:
    rules = SETS[name]
    for seats in range(2, rules.max_seats + 1):
        back = read_definition(definition(rules, seats), name)
        assert back == rules.with_fields({"max_seats": seats})


def test_the_definitions_are_those_that_programs_have() -> None:
    assert read_definition(NO_LIMIT, "x").with_fields({"name": ACPC_NOLIMIT.name}) == (
        ACPC_NOLIMIT.with_fields({"max_seats": 2})
    )
    three = definition(ACPC_LIMIT, 3).splitlines()
    assert "blind = 5 10 0" in three
    assert "firstPlayer = 3 1 1 1" in three
    assert "maxRaises = 3 4 4 4" in three
    assert "blind = 1 1 1" in definition(ACPC_KUHN3, 3)
    assert "firstPlayer = 1 1" in definition(ACPC_LEDUC, 2)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("nolimit\n", "", "one line limit or nolimit"),
        ("END GAMEDEF", "", "ends with END GAMEDEF"),
        ("numPlayers = 2", "numPlayers = 11", "numplayers is one number from 2 to 10"),
        ("numPlayers = 2\n", "", "numplayers is one number"),
        ("20000 20000", "20000 100", "all players have the same"),
        ("blind = 100 50", "blind = 100", "blind has 2 numbers"),
        ("blind = 100 50", "blind = 50 100", "a small and a big blind"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 1 1 1 1", "who starts each round is fixed"),
        ("numSuits = 4", "numSuits = 4\nante = 5", "no line 'ante = 5'"),
        ("numSuits = 4", "numSuits = 4\nnumSuits = 4", "numsuits is there twice"),
        ("numRanks = 13", "numRanks = 1", "2 seats need 9 cards, and the deck has 4"),
    ],
)
def test_a_wrong_definition_is_refused_with_its_reason(old: str, new: str, problem: str) -> None:
    assert old in NO_LIMIT
    with pytest.raises(RulesError, match=problem):
        read_definition(NO_LIMIT.replace(old, new), "x")


def test_rules_without_a_definition_are_refused_with_their_reason() -> None:
    for name in ("plain", "huawei", "trend", "room", "room2", "kuhn"):
        assert definition_problem(SETS[name])
        with pytest.raises(RulesError, match=f"{name} has no game definition"):
            definition(SETS[name], 2)
    with pytest.raises(RulesError, match="seats 2 to 3 players, not 4"):
        definition(ACPC_KUHN3, 4)
