"""The protocol's own arithmetic, from frames alone, and random matches to try it on.

Nothing in `Betting` looks at the rules or the hand: it is the written protocol, computed a second
time from an `action_history`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from croupier.cards import parse, short
from croupier.dialects.room.reader import V1, V2
from croupier.match.audience import Policy
from croupier.match.chance import SeededChance
from croupier.match.match import READY
from croupier.ranking import rank
from croupier.rules.events import HandStarted, HoleDealt
from croupier.rules.rules import Rules
from croupier.rules.sets import ROOM, ROOM2
from tests.wire.room_game import BOT, Game, Place

STACK = 20_000
SMALL, BIG = 50, 100
MAX_RAISES = 4

STATE_KEYS = {
    V1: "position action_position legal_actions raise_range private_card public_card"
    " action_history info",
    V2: "position action_position legal_actions raise_range private_card public_card players"
    " action_history info",
}
RESULT_KEYS = {
    V1: "win_money player_card private_card public_card info",
    V2: "player_card public_card action_history players info",
}


def words(frame: dict[str, Any]) -> list[list[tuple[int, str]]]:
    """Return the history of a frame of either version as (position, action) per street."""
    return [
        [
            (item["position"], item["action"])
            if isinstance(item, dict)
            else (int(item.split(":")[0]), item.split(":")[1])
            for item in street
        ]
        for street in frame["action_history"]
    ]


class Betting:
    """Who has put in what, after a history; lists go by position."""

    def __init__(self, size: int, rounds: Sequence[Sequence[tuple[int, str]]]) -> None:
        self.size = size
        self.rest = [STACK] * size
        self.have = [0] * size
        """Chips on this street."""
        self.folded = [False] * size
        self.high = 0
        self.raises = 0
        self.largest = BIG
        self.last = 1
        """Who acted last, or posted the big blind."""
        self._put(0, SMALL)
        self._put(1, BIG)
        for street, actions in enumerate(rounds):
            if street:
                self.have = [0] * size
                self.high = self.raises = 0
                self.largest = BIG
                self.last = 0  # so that seat 1 starts
            for position, word in actions:
                self._do(position, word)

    def _put(self, position: int, total: int) -> None:
        self.rest[position] -= total - self.have[position]
        self.have[position] = total
        self.high = max(self.high, total)

    def _do(self, position: int, word: str) -> None:
        self.last = position
        if word == "fold":
            self.folded[position] = True
        elif word == "call":
            self._put(position, min(self.high, self.have[position] + self.rest[position]))
        elif word != "check":
            total = int(word[1:])
            self.raises += 1
            self.largest = max(self.largest, total - self.high)
            self._put(position, total)

    @property
    def put(self) -> list[int]:
        """What each has put in altogether."""
        return [STACK - rest for rest in self.rest]

    @property
    def live(self) -> list[int]:
        """Who has not folded."""
        return [position for position in range(self.size) if not self.folded[position]]

    def next_in_turn(self, with_chips: bool) -> int:
        """Return who comes after the last actor and has not folded, or also has chips left."""
        for step in range(1, self.size + 1):
            position = (self.last + step) % self.size
            if not self.folded[position] and (self.rest[position] or not with_chips):
                return position
        raise AssertionError("everyone has folded")

    def legal(self, position: int, version: int) -> tuple[list[str], list[int]]:
        """Return `legal_actions` and `raise_range` under the rules of a version."""
        have, rest = self.have[position], self.rest[position]
        diff = self.high - have
        actions = ["fold", "call" if diff else "check"]
        if rest <= diff or (version == V2 and self.raises >= MAX_RAISES):
            return actions, []
        step = max(BIG, diff) if version == V1 else max(BIG, self.largest)
        return [*actions, "raise"], [min(self.high + step, have + rest), have + rest]

    def winnings(self, hole: Sequence[Sequence[str]], board: Sequence[str]) -> list[int]:
        """Return `win_money`: as all have the same stack, there is never a side pot."""
        winners = self.live
        if len(winners) > 1:
            ranks = {p: rank([parse(card) for card in (*hole[p], *board)]) for p in winners}
            winners = [p for p in winners if ranks[p] == max(ranks.values())]
        share, odd = divmod(sum(self.put), len(winners))
        won = [-put for put in self.put]
        for index, position in enumerate(winners):
            won[position] += share + (index < odd)
        return won


# Random matches.


@dataclass
class Hand:
    """What one player saw of one hand, and what was dealt."""

    states: list[dict[str, Any]]
    result: dict[str, Any]
    hole: list[list[str]]
    """By position."""
    position: int
    """The player's own."""

    @property
    def before_the_end(self) -> list[dict[str, Any]]:
        return self.states[:-1]

    @property
    def by_folds(self) -> bool:
        """Only one player was left."""
        return len(Betting(len(self.hole), words(self.states[-1])).live) == 1


@lru_cache(maxsize=2)
def deals(game: Game) -> list[tuple[list[int], list[list[str]]]]:
    """Return the players of each hand and their cards, by position."""
    hands: list[tuple[list[int], list[list[str]]]] = []
    for event in game.events:
        if isinstance(event, HandStarted):
            hands.append((list(event.players), []))
        elif isinstance(event, HoleDealt):
            hands[-1][1].append([short(card) for card in event.cards])
    # With two players the small blind has the button, the last seat.
    return [(p[::-1], c[::-1]) if len(p) == 2 else (p, c) for p, c in hands]


def small_blind_first(game: Game, number: int) -> list[int]:
    """Return the players of a hand by position."""
    return deals(game)[number][0]


def hole_cards(game: Game, number: int) -> list[list[str]]:
    """Return what was dealt in a hand, by position."""
    return deals(game)[number][1]


def hands_of(game: Game, player: int) -> list[Hand]:
    """Return the hands that a player saw to their end."""
    hands: list[Hand] = []
    states: list[dict[str, Any]] = []
    for frame in game.frames(player):
        if frame["info"] == "state":
            states.append(frame)
        elif frame["info"] == "result":
            number = len(hands)
            position = small_blind_first(game, number).index(player)
            hands.append(Hand(states, frame, hole_cards(game, number), position))
            states = []
    return hands


NAMES = ["Zoë", 'quo"te', "back\\slash", "a", "b", "c", "a b", "日本", "😀", "j"]


def random_game(
    size: int, version: int, spoken: Sequence[int], seed: int, hands: int, policy: Policy | None
) -> Game:
    """Play a match under the rules of a version, with random legal decisions."""
    rules = ROOM if version == V1 else ROOM2
    return random_match(rules.with_fields({"hands": hands}), size, spoken, seed, policy)


def random_match(
    rules: Rules, size: int, spoken: Sequence[int], seed: int, policy: Policy | None = None
) -> Game:
    """Play a match with random legal decisions."""
    chooser = random.Random(seed)
    places = [Place(NAMES[player], spoken[player]) for player in range(size)]
    chance = SeededChance(seed.to_bytes(32, "little"))
    game = Game(rules, places, chance, policy)
    fold, call, shove = chooser.choice([(0.1, 0.6, 0.1), (0.3, 0.3, 0.3), (0.02, 0.5, 0.0)])
    game.start()
    while not game.over:
        if game.match.phase == READY:
            game.start_all()
            continue
        options = game.match.options
        assert options is not None
        luck = chooser.random()
        word = "call" if options.owed else "check"
        if luck < fold:
            word = "fold"
        elif luck > fold + call and options.can_raise:
            small = min(options.max_to, options.min_to + chooser.choice([0, 0, 1, 50, 777]))
            word = f"r{options.max_to if chooser.random() < shove else small}"
        if game.places[game.match.asked].version == BOT:
            game.act(word)
        else:
            game.say(word)
    return game


@st.composite
def games(
    draw: st.DrawFn, policies: st.SearchStrategy[Policy | None] | None = None, bots: bool = True
) -> tuple[Game, int]:
    """Return a match that was played to its end, and the version whose rules it had."""
    size = draw(st.integers(2, 10))
    version = draw(st.sampled_from([V1, V2]))
    kinds = [V1, V2, BOT] if bots else [V1, V2]
    spoken = draw(
        st.just([version] * size) | st.lists(st.sampled_from(kinds), min_size=size, max_size=size)
    )
    policy = draw(policies) if policies is not None else None
    seed = draw(st.integers(0, 2**32))
    return random_game(size, version, spoken, seed, draw(st.integers(1, 4)), policy), version


def programs(game: Game) -> list[int]:
    """Return the players who are no house bots."""
    return [player for player, place in enumerate(game.places) if place.version != BOT]
