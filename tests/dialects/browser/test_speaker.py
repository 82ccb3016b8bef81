"""What a table says to people: all that they may know, and nothing of the cards of others."""

import json
from collections import defaultdict
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import HIDDEN
from croupier.dialects.browser.speaker import BrowserSpeaker
from croupier.dialects.roster import HOUSE, Place, Roster
from croupier.match.chance import SeededChance
from croupier.match.match import HAND, INTERVAL, OVER, Match
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, FOLD, raise_to
from croupier.rules.events import Event, HoleDealt, redact
from croupier.rules.rules import CARRY
from croupier.rules.sets import PLAIN
from croupier.store.codec import decode, encode

RULES = PLAIN.with_fields({"stacks": CARRY, "hands": 6, "stack": 1000})
PEOPLE = (0, 2)


class Game:
    """A match of four, two of them people, and every byte that these two are sent."""

    def __init__(self, seed: int) -> None:
        self.match = Match(RULES, 4, SeededChance(seed.to_bytes(32, "big")))
        self.view = MatchView(RULES)
        self.roster = Roster(match="m1")
        self.speaker = BrowserSpeaker(self.roster, dict.fromkeys(PEOPLE))
        self.sent: dict[int, list[bytes]] = defaultdict(list)
        self.events: list[Event] = []
        self._random = Random(seed)
        for player in range(4):
            dialect = "browser" if player in PEOPLE else HOUSE
            self.roster.add(Place(f"p{player}", dialect), f"p{player}")
            self.tell(self.match.join(f"p{player}", 0.0))

    def tell(self, events: list[Event]) -> None:
        for event in events:
            self.view.see(event)
            self.events.append(event)
            for player, message in self.speaker.tell(event, self.view):
                self.sent[player].append(message)

    def step(self) -> bool:
        match = self.match
        if match.phase == INTERVAL:
            self.tell(match.recorded(0.0))
        elif match.phase == HAND:
            options = match.options
            assert options is not None
            choices = [FOLD, CALL, CALL, CALL]
            if options.can_raise:
                choices.append(raise_to(self._random.choice((options.min_to, options.max_to))))
            self.tell(match.decide(match.asked, self._random.choice(choices), 0.0))
        return match.phase != OVER


def messages(sent: list[bytes], kind: str) -> list[dict[str, Any]]:
    assert all(message.endswith(b"\n") and message.count(b"\n") == 1 for message in sent)
    found = [json.loads(message) for message in sent]
    return [message for message in found if message["type"] == kind]


@given(st.integers(0, 2**32))
def test_the_bytes_to_a_person_deal_no_card_of_another(seed: int) -> None:
    game = Game(seed)
    while game.step():
        pass
    for player in PEOPLE:
        seat = -1
        heard = messages(game.sent[player], "event")
        for message in heard:
            (event,) = decode(json.dumps([message["event"]]).encode())
            if message["event"][0] == "HandStarted":
                seat = message["event"][2].index(player) if player in message["event"][2] else -1
            if isinstance(event, HoleDealt):
                assert (event.cards == (HIDDEN, HIDDEN)) == (event.seat != seat)
    # And what is told is what happened: the codec of the record reads it.
    told = [message["event"] for message in messages(game.sent[0], "event")]
    assert encode(decode(json.dumps(told).encode())) == json.dumps(told).replace(" ", "").encode()


@given(st.integers(0, 2**32), st.integers(0, 30))
def test_who_comes_back_hears_the_present_hand_as_its_seat_knows_it(seed: int, steps: int) -> None:
    game = Game(seed)
    for _ in range(steps):
        if not game.step():
            return
    start = max(place for place, event in enumerate(game.events) if "HandStarted" in repr(event))
    hand = [event for event in game.events[start:] if type(event).__name__ != "PlayerOut"]
    game.tell(game.match.disconnected(2, 0.0))
    if len(game.match.players) > 2 and game.match.players[2].timeouts:
        return  # it was its turn; the hand has gone on
    game.tell(game.match.connected(2, 0.0))
    (situation,) = messages(game.sent[2][-1:], "table")
    seat = game.view.hand.players.index(2) if 2 in game.view.hand.players else -1
    assert situation["hand"] == json.loads(encode(redact(event, seat) for event in hand))
    assert (situation["you"], situation["match"]) == (2, "m1")
    assert situation["stacks"] == game.view.stacks
    assert situation["away"] == {"hands": 0, "before": game.view.stacks[2]}
    assert [one["dialect"] for one in situation["players"]] == [
        "browser", HOUSE, "browser", HOUSE,
    ]  # fmt: skip


def test_each_arrival_before_the_match_tells_everyone_who_is_here() -> None:
    game = Game(1)
    arrivals = messages(game.sent[0], "table")
    assert [len(message["players"]) for message in arrivals] == [1, 2, 3, 4]
