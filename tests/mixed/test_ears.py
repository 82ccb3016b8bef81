"""Whole matches of any mixture, under any rules, as the strictest of players hears them.

Decisions are drawn, spoken in each player's own dialect, and read by its reader.
"""

from random import Random

import pytest

from croupier.dialects.huawei.words import NAME as HUAWEI_DIALECT
from croupier.dialects.room.reader import V1, V2
from croupier.dialects.room.words import NAME as ROOM_DIALECT
from croupier.dialects.roster import HOUSE
from croupier.dialects.trend.words import NAME as TREND_DIALECT
from croupier.match.events import PlayerOut, Reloaded
from croupier.match.match import OVER
from croupier.rules.decisions import Options
from croupier.rules.events import HandEnded, PotDiscarded
from croupier.rules.rules import CARRY, Rules
from croupier.rules.sets import HUAWEI, PLAIN, ROOM, ROOM2, TREND
from tests.mixed.ears import HuaweiEar, RoomEar, TrendEar
from tests.mixed.table import CLOSED, Guest, MixedTable, house, huawei, room, trend

KINDS = ("huawei", "trend", "room1", "room2", "house")
SEEDS = 6
RULES = [rules.with_fields({"hands": 12}) for rules in (PLAIN, HUAWEI, TREND, ROOM, ROOM2)]


def guest(kind: str, index: int) -> Guest:
    if kind == "huawei":
        return huawei(1001 + index, "ann", notify=True, bets=True)
    if kind == "trend":
        return trend(f"secret {index}")
    if kind == "house":
        return house(f"CallAgent{index}")
    return room("bob", V1 if kind == "room1" else V2)


class Listening:
    """A table where everyone has an ear."""

    def __init__(self, rules: Rules, kinds: list[str], chance: Random) -> None:
        self.rules = rules
        self.chance = chance
        order = list(range(len(kinds)))
        chance.shuffle(order)
        guests = [guest(kind, index) for index, kind in enumerate(kinds)]
        self.table = MixedTable(rules, *guests, order=order)
        self.ears: dict[int, HuaweiEar | TrendEar | RoomEar] = {}
        self.heard = [0] * len(kinds)

    def play(self) -> None:
        table = self.table
        table.sit_down()
        seating = table.seating
        for player, place in enumerate(seating.places):
            if place.dialect == HUAWEI_DIALECT:
                self.ears[player] = HuaweiEar(seating.pids[player], self.rules)
            elif place.dialect == TREND_DIALECT:
                tokens = list(seating.tokens.values())
                self.ears[player] = TrendEar(seating.tokens[player], tokens, self.rules)
            elif place.dialect == ROOM_DIALECT:
                self.ears[player] = RoomEar(table.seating.listeners["room"][player], self.rules)
        while table.match.phase != OVER:
            table.go_on()
            self.listen()
            if table.match.phase != OVER:
                self.decide()
                self.listen()

    def listen(self) -> None:
        for player, ear in self.ears.items():
            for message in self.table.sent[player][self.heard[player] :]:
                if message != CLOSED:
                    ear.hear(message)
                else:
                    assert isinstance(ear, RoomEar)
                    ear.closed()
            self.heard[player] = len(self.table.sent[player])

    def decide(self) -> None:
        """Let whoever is asked say something that is legal in his dialect."""
        table = self.table
        player, options, hand = table.asked, table.match.options, table.match.hand
        assert options is not None
        assert hand is not None
        dialect = table.seating.places[player].dialect
        wish = self.chance.random()
        if wish < 0.12:
            table.say("fold")
        elif wish < 0.6 or not options.max_to:
            exact = dialect == ROOM_DIALECT or self.chance.random() < 0.9
            table.say("check" if (not options.owed) == exact else "call")
        elif dialect in (HOUSE, HUAWEI_DIALECT):
            self._huawei_raise(options, hand.high)
        elif dialect == TREND_DIALECT:
            word = self.chance.choice(
                ["bet", "raise", "allin"] if wish > 0.95 else ["bet", "raise"]
            )
            table.say(word, self._amount(options) - hand.bets[hand.actor])
        elif options.can_raise:
            table.say(f"r{self._amount(options)}")
        else:
            table.say("call" if options.owed else "check")

    def _huawei_raise(self, options: Options, high: int) -> None:
        if self.chance.random() < 0.1:
            self.table.say("all_in")
        else:
            self.table.say("raise", max(0, self._amount(options) - high))

    def _amount(self, options: Options) -> int:
        if self.chance.random() < 0.1:
            return options.max_to
        return min(options.max_to, options.min_to + self.chance.randrange(1 + options.min_to))


@pytest.mark.parametrize("number", range(SEEDS))
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_every_player_hears_a_correct_game_in_his_own_language(rules: Rules, number: int) -> None:
    chance = Random(f"{rules.name} {number}")
    seats = (2, 2, 3, 4, 6, 8)[number % 6]
    kinds = [
        KINDS[(number + index) % 4] if index < 4 else chance.choice(KINDS) for index in range(seats)
    ]
    listening = Listening(rules, kinds, chance)
    listening.play()
    table = listening.table
    events = table.events
    played = sum(isinstance(event, HandEnded) for event in events)
    assert played == 12 or sum(not player.out for player in table.match.players) < 2
    bought = sum(event.amount for event in events if isinstance(event, Reloaded))
    lost = sum(event.amount for event in events if isinstance(event, PotDiscarded))
    lost += sum(event.discarded for event in events if isinstance(event, PlayerOut))
    chips = sum(player.chips for player in table.match.players)
    assert chips == seats * (rules.stack + rules.reserve) + bought - lost
    for player, ear in listening.ears.items():
        assert ear.over, f"{table.seating.places[player]} was not told of the end"
        if rules.stacks == CARRY and table.match.players[player].out:
            continue
        assert ear.hands == played
