"""People at a table are said to be people."""

from croupier.dialects.trend.words import ending
from croupier.match.events import Joined
from croupier.match.view import MatchView
from croupier.rules.sets import TREND


def test_a_person_is_human_and_a_program_is_not() -> None:
    view = MatchView(TREND)
    for player in range(2):
        view.see(Joined(player, f"p{player}"))
    assert ending(0, view, {0}) == '"isOnline":true,"isHuman":true}'
    assert ending(1, view, {0}) == '"isOnline":true,"isHuman":false}'
