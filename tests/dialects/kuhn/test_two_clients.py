"""Two clients at one table: each takes the other for the house, byte for byte."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import pytest

from croupier.cards import parse
from croupier.dialects.base import CLOSE
from croupier.dialects.kuhn.words import BINARY, NAME, TEXT
from croupier.rules.rules import Rules
from croupier.rules.sets import KUHN
from tests.dialects.kuhn.conversation import spell
from tests.support.referee import Referee

PAIRS = list(product((TEXT, BINARY), repeat=2))
CLOSED = "closed"


@dataclass
class ScriptedChance:
    """Deals as (first client's card, second client's card); the second client deals first."""

    deals: Sequence[str]

    def cards(self, hand: int, deck: Sequence[int], count: int) -> list[int]:
        cards = [parse(card) for card in self.deals[hand - 1]]
        return cards if hand % 2 else cards[::-1]

    def seats(self, players: int) -> list[int]:
        return [0, 1]


def converse(
    script: str, spellings: tuple[str, str], deals: Sequence[str], rules: Rules = KUHN
) -> Referee:
    """Let two clients follow a script, and compare everything that both hear.

    `1> ANOK` is what the first client says, `2< DEAL '1'` what the second hears because of it.
    """
    table = Referee(rules, 2, ScriptedChance(deals))
    clients = [table.connect(NAME) for _ in range(2)]
    lines = [line.strip() for line in script.splitlines() if line.strip()]
    while lines:
        who, text = int(lines[0][0]) - 1, lines.pop(0)[3:]
        if text == "(gone)":
            table.leave(who)
        elif text == "(late)":
            table.tick()
        else:
            clients[who].receive(spell(text, spellings[who]))
            clients[who].quiet()
        expected: list[list[bytes]] = [[], []]
        while lines and lines[0][1] == "<":
            heard = lines[0][3:]
            other = int(lines.pop(0)[0]) - 1
            expected[other].append(CLOSE if heard == CLOSED else spell(heard, spellings[other]))
        told = [table.sent[0], table.sent[1]]
        table.sent.clear()
        assert told == expected, text
    return table


BOTH_SIT_DOWN = """
1> STRT 77432
2> STRT 5
1< STKS 20 20
2< STKS 20 20
"""

TO_A_SHOWDOWN_AND_A_FOLD = (
    BOTH_SIT_DOWN
    + """
1> ANOK
2> ANOK
1< DEAL '0'
1< CARD 'J'
2< DEAL '1'
2< CARD 'Q'
1> CHCK
2< CHCK
2> BET_
1< BET_
1> CALL
2< CALL
1< SHOW 'Q'
1< STKS 18 22
2< SHOW 'J'
2< STKS 22 18
2> ANOK
1> ANOK
1< DEAL '1'
1< CARD 'K'
2< DEAL '0'
2< CARD 'J'
2> BET_
1< BET_
1> FOLD
2< FOLD
1< STKS 17 23
2< STKS 23 17
"""
)


@pytest.mark.parametrize("spellings", PAIRS)
def test_each_hears_its_own_side_and_the_other_as_the_house(spellings: tuple[str, str]) -> None:
    converse(TO_A_SHOWDOWN_AND_A_FOLD, spellings, ["JQ", "KJ"])


@pytest.mark.parametrize("spellings", PAIRS)
def test_when_the_hands_are_played_the_next_ante_is_answered_with_no_coins(
    spellings: tuple[str, str],
) -> None:
    script = """
    2> ANOK
    2< ERRO N_C
    2< closed
    1> ANOK
    1< ERRO N_C
    1< closed
    """
    rules = KUHN.with_fields({"hands": 2})
    table = converse(TO_A_SHOWDOWN_AND_A_FOLD + script, spellings, ["JQ", "KJ"], rules)
    assert table.match.broken is None
    assert table.match.deserters == []


@pytest.mark.parametrize("spellings", PAIRS)
def test_when_one_has_no_coin_the_next_ante_of_either_is_answered_with_no_coins(
    spellings: tuple[str, str],
) -> None:
    script = """
    1> STRT 77432
    2> STRT 5
    1< STKS 1 1
    2< STKS 1 1
    1> ANOK
    2> ANOK
    1< DEAL '0'
    1< CARD 'J'
    2< DEAL '1'
    2< CARD 'Q'
    1> CHCK
    2< CHCK
    2> CHCK
    1< CHCK
    1< SHOW 'Q'
    1< STKS 0 2
    2< SHOW 'J'
    2< STKS 2 0
    1> ANOK
    1< ERRO N_C
    1< closed
    2> ANOK
    2< ERRO N_C
    2< closed
    """
    converse(script, spellings, ["JQ"], KUHN.with_fields({"stack": 1}))


IN_A_HAND = (
    BOTH_SIT_DOWN
    + """
1> ANOK
2> ANOK
1< DEAL '0'
1< CARD 'J'
2< DEAL '1'
2< CARD 'Q'
"""
)


@pytest.mark.parametrize("spellings", PAIRS)
@pytest.mark.parametrize("leaves", ["(gone)", "QUIT", "(late)"])
def test_who_leaves_on_its_turn_folds_and_the_other_hears_that_there_is_no_next_hand(
    spellings: tuple[str, str], leaves: str
) -> None:
    end = "1< closed\n" if leaves == "(late)" else ""
    stakes = "1< STKS 19 21\n" if leaves == "(late)" else ""
    script = f"1> {leaves}\n{stakes}{end}2< FOLD\n2< STKS 21 19\n2< ERRO N_C\n2< closed\n"
    table = converse(IN_A_HAND + script, spellings, ["JQ"])
    broken = table.match.broken
    assert broken is not None
    assert broken.player == 0


@pytest.mark.parametrize("spellings", PAIRS)
def test_a_wrong_command_costs_the_hand_and_ends_the_match_for_both(
    spellings: tuple[str, str],
) -> None:
    script = """
    2> ANOK
    2< ERRO W_A
    2< closed
    1> CHCK
    1< FOLD
    1< STKS 21 19
    1< ERRO N_C
    1< closed
    """
    converse(IN_A_HAND + script, spellings, ["JQ"])


@pytest.mark.parametrize("spellings", PAIRS)
@pytest.mark.parametrize("leaves", ["(gone)", "QUIT", "(late)"])
def test_who_waits_for_the_other_between_hands_hears_that_there_is_none(
    spellings: tuple[str, str], leaves: str
) -> None:
    end = "2< closed\n" if leaves == "(late)" else ""
    script = f"1> ANOK\n2> {leaves}\n1< ERRO N_C\n1< closed\n{end}"
    converse(BOTH_SIT_DOWN + script, spellings, ["JQ"])


def test_where_a_fault_does_not_end_the_match_the_absent_folds_and_the_other_plays_on() -> None:
    script = """
    1> (gone)
    2< FOLD
    2< STKS 21 19
    2> ANOK
    2< DEAL '0'
    2< CARD 'J'
    2> CHCK
    2< FOLD
    2< STKS 22 18
    2> ANOK
    2< ERRO N_C
    2< closed
    """
    rules = KUHN.with_fields({"fault_ends": False, "hands": 2})
    table = converse(IN_A_HAND + script, (TEXT, TEXT), ["JQ", "KJ"], rules)
    assert table.match.deserters == [0]
