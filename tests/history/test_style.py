"""The figures of a player's style, on hands worked by hand."""

from collections.abc import Sequence

from croupier.history.style import Share, Style, count_hand
from croupier.rules import events as e
from croupier.rules.events import Event

FLOP, TURN, RIVER = 1, 2, 3


def started(*players: int) -> Event:
    return e.HandStarted(1, players, (1000,) * len(players), (0,) * len(players), 5, 10, 0)


def acted(seat: int, action: str, to: int = 0) -> Event:
    return e.Acted(seat, action, to, to, False)


def dealt(street: int) -> Event:
    return e.BoardDealt(street, (0, 1, 2) if street == FLOP else (street + 1,))


def ended(seats: int) -> Event:
    return e.HandEnded((1000,) * seats)


def styles(*hands: Sequence[Event]) -> dict[int, Style]:
    found: dict[int, Style] = {}
    for hand in hands:
        count_hand(hand, found)
    return found


THREE_BET_POT = [
    started(7, 8, 9),
    acted(2, "raise", 30),
    acted(0, "raise", 90),
    acted(1, "fold"),
    acted(2, "call", 90),
    dealt(FLOP),
    acted(0, "bet", 100),
    acted(2, "call", 100),
    dealt(TURN),
    acted(0, "check"),
    acted(2, "check"),
    dealt(RIVER),
    acted(0, "check"),
    acted(2, "check"),
    e.PotWon(0, 390, ((2, 390),)),
    ended(3),
]


def test_a_pot_with_two_raises_before_the_flop() -> None:
    found = styles(THREE_BET_POT)
    assert found[7].three_bet == Share(1, 1)
    assert found[8].three_bet == Share(0, 0), "it faced two raises"
    assert found[9].three_bet == Share(0, 0), "the single raise was its own"
    assert [found[player].vpip for player in (7, 8, 9)] == [Share(1, 1), Share(0, 1), Share(1, 1)]
    assert [found[player].pfr for player in (7, 8, 9)] == [Share(1, 1), Share(0, 1), Share(1, 1)]


def test_checks_are_no_chance_for_aggression() -> None:
    found = styles(THREE_BET_POT)
    assert found[7].aggression == Share(1, 1)
    assert found[9].aggression == Share(0, 1)


def test_who_sees_the_flop_has_a_chance_to_reach_the_showdown() -> None:
    found = styles(THREE_BET_POT)
    assert [found[player].to_showdown for player in (7, 8, 9)] == [
        Share(1, 1),
        Share(0, 0),
        Share(1, 1),
    ]
    assert found[7].won_showdown == Share(0, 1)
    assert found[9].won_showdown == Share(1, 1)


def test_a_walk_is_no_chance_for_the_big_blind() -> None:
    walk = [started(0, 1), acted(0, "fold"), e.PotWon(0, 10, ((1, 10),)), ended(2)]
    found = styles(walk)
    assert found[1] == Style()
    assert found[0].vpip == Share(0, 1)


def test_a_hand_that_was_cut_off_counts_for_nothing() -> None:
    assert styles(THREE_BET_POT[:-1]) == {}


def test_figures_of_several_matches_add_up() -> None:
    twice = styles(THREE_BET_POT, THREE_BET_POT)
    once = styles(THREE_BET_POT)
    once[7].merge(styles(THREE_BET_POT)[7])
    assert once[7] == twice[7]
