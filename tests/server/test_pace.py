"""The pause before each question, at a table whose time passes only when the test says so."""

import asyncio
import json
from collections.abc import Callable, Iterator

import pytest

from croupier.bots import house_bot
from croupier.dialects.base import Answer
from croupier.dialects.session import Expected
from croupier.dialects.tokens import token_of
from croupier.dialects.trend.speaker import TrendSpeaker
from croupier.match.chance import SeededChance
from croupier.match.events import (
    HandVoided,
    Left,
    MatchEnded,
    Paused,
    Returned,
    Stopped,
    TimedOut,
)
from croupier.match.match import OVER, Match
from croupier.rules.decisions import CALL, FOLD, Decision
from croupier.rules.events import Acted, Asked, Event, HandEnded
from croupier.rules.rules import Rules
from croupier.rules.sets import TREND
from croupier.server.table.connected import ConnectedPlayer
from croupier.server.table.lag import LagMonitor
from croupier.server.table.table import Table

PACE = 1.0
PACED = TREND.with_fields({"countdown_s": 0, "reloads": 0, "pace_ms": int(1000 * PACE)})


class Loop(asyncio.SelectorEventLoop):
    """A loop whose clock the test turns."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def time(self) -> float:
        return self.now

    def spend(self, seconds: float) -> None:
        """Let time pass, in steps too small for the server to seem late."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 0.004)
            self.call_soon(self.stop)
            self.run_forever()


class Player(ConnectedPlayer):
    """A player of `trend` without a socket."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []
        self.forgotten = 0

    @property
    def closed(self) -> bool:
        return False

    def send(self, message: bytes) -> None:
        self.heard.append(json.loads(message)["eventName"])

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        self.forgotten += 1
        self.send(question)
        left()

    def take_waiting_input(self) -> bool:
        return False

    def note(self, text: str) -> None:
        pass

    def flush_transcript(self) -> None:
        pass

    def close(self) -> None:
        pass

    @property
    def requests(self) -> int:
        return self.heard.count("__action") + self.heard.count("__bet")


class Place:
    """A table of three players, small blind first, and everything that it tells."""

    def __init__(
        self,
        loop: Loop,
        rules: Rules = PACED,
        bots: int = 0,
        on_start: Callable[[Callable[[], None]], None] = lambda stored: stored(),
    ) -> None:
        self.loop = loop
        self.told: list[Event] = []
        chance = SeededChance(bytes(32))
        self.match = Match(rules, 3, chance, loop.time())
        names = {player: f"n{player}" for player in range(3)}
        self.table = Table(
            *(self.match, "m", "t", names, loop, LagMonitor(loop)),
            writer=None,
            wall_clock=lambda: 0.0,
            on_start=on_start,
        )
        self.table.feed = self.told.append
        listeners = range(bots, 3)
        tokens = {player: token_of(name) for player, name in names.items()}
        self.table.add_speaker(TrendSpeaker("1", tokens, listeners))
        self.players = {player: Player() for player in listeners}
        for player, name in names.items():
            bot = house_bot("RandomAgent", chance.bot(player)) if player < bots else None
            self.table.join(name, self.players.get(player), bot)

    @property
    def asked(self) -> Player:
        return self.players[self.match.asked]

    @property
    def questions(self) -> int:
        return sum(isinstance(event, Asked) for event in self.told)

    def kinds(self) -> list[type[Event]]:
        return [type(event) for event in self.told]

    def answer(self, decision: Decision = CALL) -> None:
        self.table.answered(self.asked, Answer(decision))


def is_asked(place: Place, player: Player) -> bool:
    return place.table.expected_of(player) is Expected.ANSWER


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


def test_what_led_to_a_question_is_told_at_once_and_the_question_after_the_pause(
    loop: Loop,
) -> None:
    place = Place(loop)
    player = place.asked
    assert player.heard[-1] == "__new_round"
    loop.spend(PACE - 0.1)
    assert (player.requests, place.questions) == (0, 0)
    loop.spend(0.2)
    assert (player.requests, place.questions) == (1, 1)
    place.answer()
    other = place.asked
    assert player.heard[-1] == other.heard[-1] == "__show_action"
    loop.spend(PACE + 0.1)
    assert (other.requests, place.questions) == (1, 2)


def test_nobody_is_asked_in_the_pause_and_what_is_said_in_it_is_dropped(loop: Loop) -> None:
    place = Place(loop)
    player = place.asked
    assert not is_asked(place, player)
    loop.spend(PACE + 0.1)
    assert is_asked(place, player)
    assert player.forgotten == 1


def test_the_clock_begins_after_the_pause(loop: Loop) -> None:
    place = Place(loop, PACED.with_fields({"pace_ms": 4000, "decision_ms": 1000}))
    loop.spend(4.9)
    assert TimedOut not in place.kinds()
    loop.spend(0.2)
    assert place.kinds()[-2:] == [TimedOut, Acted]


def test_house_bots_are_paced_too(loop: Loop) -> None:
    place = Place(loop, bots=3)
    for count in range(1, 4):
        assert sum(isinstance(event, Acted) for event in place.told) == count - 1
        loop.spend(PACE + 0.02)
        assert place.questions == count


def test_a_paced_match_tells_what_the_same_match_without_a_pause_does(loop: Loop) -> None:
    rules = PACED.with_fields({"hands": 3, "pace_ms": 20})
    matches = []
    for pace_ms in (0, 20):
        place = Place(loop, rules.with_fields({"pace_ms": pace_ms}), bots=3)
        while place.match.phase != OVER:
            loop.spend(0.1)
        matches.append(place.told)
    assert matches[0] == matches[1]


def test_who_drops_in_the_pause_was_not_asked_and_has_the_time_to_come_back_from_its_end(
    loop: Loop,
) -> None:
    place = Place(loop, PACED.with_fields({"decision_ms": 1000, "absence_ms": 5000}))
    gone = place.asked
    loop.spend(0.5)
    place.table.lost(gone)
    assert place.kinds()[-1] is Left
    loop.spend(0.6)
    assert place.kinds()[-2:] == [Left, Asked]
    loop.spend(4.8)
    assert TimedOut not in place.kinds()
    loop.spend(0.2)
    assert TimedOut in place.kinds()


def test_who_comes_back_in_the_pause_is_asked_once(loop: Loop) -> None:
    place = Place(loop)
    player, again = place.asked, Player()
    place.table.lost(player)
    place.table.rejoin(player.player, again)
    assert place.kinds()[-2:] == [Left, Returned]
    assert again.heard[-1] == "_join"
    loop.spend(PACE + 0.1)
    assert (player.requests, again.requests) == (0, 1)
    assert is_asked(place, again)


def test_who_comes_back_after_the_pause_is_asked_then_and_has_all_its_time(loop: Loop) -> None:
    place = Place(loop)
    player, again = place.asked, Player()
    place.table.lost(player)
    loop.spend(PACE + 0.1)
    place.table.rejoin(player.player, again)
    assert (place.questions, again.requests) == (1, 1)
    assert place.match.deadline == loop.time() + 5


def test_where_who_is_gone_folds_at_once_the_pause_does_not_keep_the_table(loop: Loop) -> None:
    place = Place(loop, PACED.with_fields({"absence_ms": 0}))
    place.table.lost(place.asked)
    assert place.kinds()[-4:] == [Asked, Left, TimedOut, Acted]
    other = place.asked
    loop.spend(PACE + 0.1)
    assert other.requests == 1


def test_who_is_withdrawn_in_the_pause_folds_and_the_hand_goes_on(loop: Loop) -> None:
    place = Place(loop)
    place.table.withdraw(place.match.asked)
    assert place.kinds()[-2:] == [Asked, Acted]
    loop.spend(PACE + 0.1)
    assert place.asked.requests == 1


def test_another_who_is_withdrawn_in_the_pause_changes_nothing_before_its_turn(loop: Loop) -> None:
    place = Place(loop)
    player = place.asked
    place.table.withdraw((place.match.asked + 1) % 3)
    loop.spend(PACE + 0.1)
    assert (place.questions, player.requests) == (1, 1)


def test_a_match_that_is_stopped_in_the_pause_asks_nobody_any_more(loop: Loop) -> None:
    place = Place(loop)
    place.table.stop()
    assert place.kinds()[-3:] == [HandVoided, Stopped, MatchEnded]
    told = len(place.told)
    loop.spend(2 * PACE)
    assert len(place.told) == told
    assert place.questions == 0


def test_a_match_that_is_stopped_while_its_start_is_stored_stops_before_the_first_question(
    loop: Loop,
) -> None:
    stored: list[Callable[[], None]] = []
    place = Place(loop, on_start=stored.append)
    place.table.stop()
    assert MatchEnded not in place.kinds()
    stored[0]()
    assert place.kinds()[-3:] == [HandVoided, Stopped, MatchEnded]
    assert place.questions == 0


def test_who_drops_while_the_start_is_stored_does_not_shorten_the_first_pause(loop: Loop) -> None:
    stored: list[Callable[[], None]] = []
    place = Place(loop, on_start=stored.append)
    place.table.lost(place.players[(place.match.asked + 1) % 3])
    stored[0]()
    assert place.kinds()[-1] is Left
    assert place.questions == 0
    loop.spend(PACE + 0.1)
    assert place.kinds()[-1] is Asked


def test_an_organiser_may_pause_the_match_in_the_pause(loop: Loop) -> None:
    place = Place(loop)
    place.table.pause()
    for _ in range(2):
        loop.spend(PACE + 0.1)
        place.answer(FOLD)
    loop.spend(0.1)
    assert place.kinds()[-1] is Paused
    assert HandEnded in place.kinds()
    place.table.resume()
    loop.spend(PACE + 0.1)
    assert place.kinds()[-1] is Asked
