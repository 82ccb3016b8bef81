"""The bots of a style play soundly, and visibly differently from each other."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.bots import HOUSE_BOTS, Bot, StyleAgent, bots_for, house_bot
from croupier.bots.style import STYLES
from croupier.deals import seed_from_text
from croupier.match.chance import SeededChance
from croupier.play import Player, play
from croupier.rules.decisions import CALL_KIND, FOLD_KIND, Decision
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN, ROOM, SETS
from croupier.rules.view import View

HANDS = 1500
PAGE = (Path(__file__).parents[2] / "docs" / "first-bot.md").read_text("utf-8")


@dataclass
class Counted(Bot):
    """Plays as another bot does, and counts what it does."""

    bot: Bot
    played: set[int] = field(default_factory=set)
    """Hands into which it put chips before the flop that no blind asked for."""
    raises: int = 0
    calls: int = 0

    def decide(self, view: View) -> Decision:
        decision = self.bot.decide(view)
        assert view.options is not None
        pays = decision.kind != FOLD_KIND and (decision.kind != CALL_KIND or view.options.call > 0)
        if pays and view.street == 0:
            self.played.add(view.number)
        self.raises += pays and decision.kind != CALL_KIND
        self.calls += pays and decision.kind == CALL_KIND
        return decision

    @property
    def vpip(self) -> float:
        """The share of hands that it chose to play."""
        return len(self.played) / HANDS

    @property
    def aggression(self) -> float:
        """Bets and raises for each call."""
        return self.raises / max(1, self.calls)


def counted(names: list[str], rules: Rules) -> dict[str, Counted]:
    seed = seed_from_text("style")
    bots = {n: Counted(house_bot(n, SeededChance(seed).bot(i))) for i, n in enumerate(names)}
    outcome = play(rules, [Player(name, bot) for name, bot in bots.items()], HANDS, seed)
    assert [player.first_fault for player in outcome.players] == [""] * len(names)
    return bots


@pytest.mark.parametrize(
    ("rules", "others"), [(PLAIN, []), (ROOM, ["RuleAgent", "CallAgent"])], ids=["four", "six"]
)
def test_loose_bots_play_far_more_hands_and_aggressive_ones_raise_far_more(
    rules: Rules, others: list[str]
) -> None:
    bots = counted([*STYLES, *others], rules)
    loose = [bots[name].vpip for name in STYLES if name.startswith("Loose")]
    tight = [bots[name].vpip for name in STYLES if name.startswith("Tight")]
    assert min(loose) > 2 * max(tight)
    bold = [bots[name].aggression for name in STYLES if name.endswith("Aggressive")]
    shy = [bots[name].aggression for name in STYLES if name.endswith("Passive")]
    assert min(bold) > 5 * max(shy)
    assert min(tight) > 0.08


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("other", ["RandomAgent", "AllinAgent"])
def test_every_style_clearly_beats_a_bot_that_does_not_think(name: str, other: str) -> None:
    seed = seed_from_text("sound")
    players = [
        Player(each, house_bot(each, SeededChance(seed).bot(index)))
        for index, each in enumerate([name, other])
    ]
    play(PLAIN, players, 3000, seed)
    rate = players[0].bb_per_hand
    assert rate.ci95 is not None
    assert rate.rate - 2 * rate.ci95 > 0


@given(st.sampled_from(list(SETS.values())), st.integers(2, 8), st.text(max_size=5))
def test_every_style_decides_legally_under_every_rule_set(
    rules: Rules, seats: int, text: str
) -> None:
    seed = seed_from_text(text)
    names = [list(STYLES)[number % 4] for number in range(min(seats, rules.max_seats))]
    players = [
        Player(f"{name}{index}", house_bot(name, SeededChance(seed).bot(index)))
        for index, name in enumerate(names)
    ]
    play(rules, players, 5, seed)
    assert [player.first_fault for player in players] == [""] * len(players)


@pytest.mark.parametrize("name", STYLES)
def test_the_same_seed_gives_the_same_play(name: str) -> None:
    def chips(text: str) -> list[int]:
        seed = seed_from_text(text)
        names = [name, "RuleAgent"]
        players = [
            Player(each, house_bot(each, SeededChance(seed).bot(index)))
            for index, each in enumerate(names)
        ]
        play(PLAIN, players, 100, seed)
        return [player.chips_won for player in players]

    assert chips("one") == chips("one")
    assert chips("one") != chips("two")


def test_a_style_is_offered_by_its_name_wherever_house_bots_are() -> None:
    for rules in SETS.values():
        assert set(STYLES) <= set(bots_for(rules))
    for name in STYLES:
        bot = house_bot(name, SeededChance(bytes(32)).bot(0))
        assert isinstance(bot, StyleAgent)
        assert bot.name == name


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_the_page_tells_how_every_house_bot_plays(name: str) -> None:
    assert f"\n| `{name}` | " in PAGE
