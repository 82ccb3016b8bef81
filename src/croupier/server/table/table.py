"""A running match: its players, their connections, and the way from an input to what is told.

Everything here runs in the event loop's thread, one callback at a time, so the table is the only
writer of its match. The path of a decision: bytes come in, the dialect turns them into an answer
(`answered`), the match turns the answer into events (`_play`), and the events are told to every
player (`_tell`), unless the gate holds them back.

State owned here: who is connected and who listens (clients, bots, speakers, spectators, feed),
whether the table has failed, is about to stop or has ended, and the callbacks for when it has
settled. The match owns the game; `gate.py` owns what is held back, `turn_clock.py` the present turn
and its timer, `recorder.py` what has to be stored, `annotations.py` what the log has mentioned.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import wraps
from time import perf_counter
from typing import Concatenate, Final, ParamSpec

import structlog

from croupier.bots import Bot
from croupier.dialects.base import Answer, Illegal, Speaker
from croupier.dialects.session import Expected
from croupier.match.events import LEFT_BETWEEN, Joined, Left, TimedOut
from croupier.match.match import (
    HAND,
    INTERVAL,
    OVER,
    PAUSED,
    READY,
    RELOAD,
    RETURNING,
    SEATING,
    Match,
)
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, FOLD, Decision
from croupier.rules.events import Asked, Event
from croupier.rules.hand import NOBODY
from croupier.rules.view import view_of
from croupier.server.table.annotations import Annotations
from croupier.server.table.connected import ConnectedPlayer
from croupier.server.table.counters import Counters
from croupier.server.table.gate import Gate, ends_hand, question_among, start_among
from croupier.server.table.lag import LagMonitor
from croupier.server.table.recorder import Recorder
from croupier.server.table.spectators import Spectators
from croupier.server.table.turn_clock import TurnClock
from croupier.store.records import Records

log = structlog.get_logger()

_WAITS_FOR_PLAYERS: Final = frozenset((READY, RETURNING, PAUSED))
"""Phases in which a player may say that it is ready, whoever else is still awaited."""

Acknowledge = Callable[[], None]
Args = ParamSpec("Args")


def _fail_table_on_error(
    step: Callable[Concatenate["Table", Args], None],
) -> Callable[Concatenate["Table", Args], None]:
    """Close the table after an internal error, so that no other table is affected.

    What every decision goes through does the same by hand: compiled, the wrapper would cost more
    than the step.
    """

    @wraps(step)
    def guarded(table: "Table", /, *args: Args.args, **kwargs: Args.kwargs) -> None:
        if table.failed:
            return
        try:
            step(table, *args, **kwargs)
        except Exception:
            table.fail_on_error()

    return guarded


class Table:
    """A match being played."""

    def __init__(
        self,
        match: Match,
        match_id: str,
        name: str,
        names: Mapping[int, str],
        loop: asyncio.AbstractEventLoop,
        lag: LagMonitor,
        *,
        writer: Records | None,
        wall_clock: Callable[[], float],
        on_start: Callable[[Acknowledge], None] = lambda stored: stored(),
        on_hand: Callable[["Table"], None] = lambda table: None,
        on_over: Callable[["Table"], None] = lambda table: None,
        on_failure: Callable[["Table"], None] = lambda table: None,
        counters: Counters | None = None,
        bot_time: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        """`names` are what players are called among others; `on_start` stores the header.

        `bot_time` runs the next hand, when no connected player takes part in it, in its turn.
        """
        self.match = match
        self.id = match_id
        self.view = MatchView(match.rules)
        self.clients: dict[int, ConnectedPlayer] = {}
        self.bots: dict[int, Bot] = {}
        self.speakers: list[Speaker] = []
        self.spectators: Spectators | None = None
        """Created with the first spectator."""
        self.feed: Callable[[Event], None] | None = None
        """Takes events for the website."""
        self.pace = 0.0
        """Seconds between two hands, where only house bots play."""
        self.failed = False
        """An internal error has closed the table."""
        self._stopping = False
        """The match is to stop as soon as the gate opens."""
        self._ended = False
        self._when_settled: list[Callable[[], None]] = []
        self._names = names
        self._loop = loop
        self._bot_time = bot_time or loop.call_soon
        self._log = log.bind(table=name, match=match_id)
        self._counters = counters or Counters()
        self._gate = Gate()
        self._pause: float = match.rules.pace_ms / 1000
        """Seconds before each question."""
        self._clock = TurnClock(self, loop, lag)
        self._left = self._question_left
        self._recorder = Recorder(match, match_id, writer, wall_clock)
        self._annotations = Annotations(self._log, names, self.clients, self._counters)
        self._on_start = on_start
        self._on_hand = on_hand
        self._on_over = on_over
        self._on_failure = on_failure

    # Joining and leaving.

    @_fail_table_on_error
    def join(
        self, name: str, client: ConnectedPlayer | None = None, bot: Bot | None = None
    ) -> None:
        """Seat a new player: a client or a house bot."""
        self._connect(len(self.match.players), client, bot)
        self._play(self.match.join(name, self._loop.time()))

    @_fail_table_on_error
    def rejoin(
        self, player: int, client: ConnectedPlayer | None = None, bot: Bot | None = None
    ) -> None:
        """Give a player its seat back."""
        self._connect(player, client, bot)
        self._annotations.returned(player)
        self._play(self.match.connected(player, self._loop.time()))

    def _connect(self, player: int, client: ConnectedPlayer | None, bot: Bot | None) -> None:
        if client is not None:
            client.player = player
            self.clients[player] = client
        if bot is not None:
            self.bots[player] = bot

    def restore(self, events: list[Event]) -> None:
        """Take up a match that a crash interrupted; the events tell what became of its last hand.

        To be called before anyone joins.
        """
        view = self.view
        for player, entrant in enumerate(self.match.players):
            view.see(Joined(player, entrant.name))
            view.see(Left(player))
            view.stacks[player] = entrant.stack
            view.reloads[player] = entrant.reloads
            view.out[player] = bool(entrant.out)
        view.circle = tuple(self.match.blinds.circle)
        view.order = tuple(self.match.order)
        view.rounds = self.match.played
        self._gate.start_handed_over = True
        self._recorder.events += events
        # Nothing is held back for this record, so its acknowledgement must release nothing.
        self._recorder.store_hand(lambda: None)

    @_fail_table_on_error
    def lost(self, client: ConnectedPlayer) -> None:
        """Handle the loss of a client's connection."""
        player = client.player
        if self.clients.get(player) is client:
            del self.clients[player]
            if self.match.phase != OVER:
                self._log.info("left", player=self._names[player])
                if self._clock.question_pending and self.match.asked == player:
                    self._clock.start_turn()  # the question will never leave
                self._play(self.match.disconnected(player, self._loop.time()))

    def add_speaker(self, speaker: Speaker) -> None:
        """Speak one more dialect at this table."""
        if self.match.phase != SEATING:
            speaker.resumed(self.view)
        self.speakers.append(speaker)

    def open(self) -> None:
        """Start the clock."""
        self._clock.arm()

    @_fail_table_on_error
    def stop(self) -> None:
        """End the match now; a hand in progress is void.

        A hand that is over and on its way to the store is announced first.
        """
        if self._gate.awaits_record:
            self._stopping = True
        elif self.match.phase != OVER:
            self._play(self.match.stop())

    def discard(self) -> None:
        """Abandon a match that has not started; its clients move to another table."""
        self.clients.clear()
        self.failed = True
        self._clock.stop()

    def log_error(self) -> None:
        """Log the internal error that is being handled."""
        self._log.exception("internal error")

    def fail_on_error(self) -> None:
        """Log the internal error that is being handled, and stop playing."""
        self.log_error()
        self.fail()

    def fail(self) -> None:
        """Stop playing; whatever was announced is stored, so the match can be resumed."""
        if not self.failed:
            self.failed = True
            self._clock.stop()
            self._on_failure(self)

    # Commands of an organiser.

    @_fail_table_on_error
    def start(self) -> None:
        """Start with the players who are seated."""
        self._play(self.match.start(self._loop.time()))

    @_fail_table_on_error
    def expire_turn(self) -> None:
        """Let the turn of the player who is asked time out now."""
        self._play(self.match.expire(self._loop.time()))

    @_fail_table_on_error
    def pause(self) -> None:
        """Start no further hand after the present one."""
        self._play(self.match.pause())
        self._recorder.store_pause()

    @_fail_table_on_error
    def resume(self) -> None:
        """Continue after a pause."""
        self._play(self.match.resume(self._loop.time()))
        self._recorder.store_pause()

    @_fail_table_on_error
    def withdraw(self, player: int) -> None:
        """Take a player out of the match."""
        self._play(self.match.withdraw(player, self._loop.time()))

    # Input of clients.

    def expected_of(self, client: ConnectedPlayer) -> Expected:
        """Tell what the table waits for from a client."""
        match = self.match
        if self._is_settling:
            return Expected.SETTLING
        if match.asked == client.player:
            return Expected.NOTHING if self._clock.question_pending else Expected.ANSWER
        phase = match.phase
        if phase in _WAITS_FOR_PLAYERS and client.player not in match.ready_list.said:
            return Expected.READY
        if phase == RELOAD:
            return Expected.RELOAD
        return Expected.OVER if phase == OVER else Expected.NOTHING

    @property
    def in_hand(self) -> bool:
        """A hand is being played."""
        return self.match.phase == HAND

    @property
    def between_hands(self) -> bool:
        """The players are waited for before a hand, and have been told how the last one ended."""
        return self.match.phase in (READY, RETURNING) and not self._is_settling

    @property
    def _is_settling(self) -> bool:
        """A hand has ended and the next step is not taken yet."""
        return self.match.phase == INTERVAL or self._gate.held is not None

    def when_settled(self, callback: Callable[[], None]) -> None:
        """Call back once the table waits for players again."""
        self._when_settled.append(callback)

    def _settle(self) -> None:
        if self._when_settled and not self._is_settling:
            callbacks, self._when_settled = self._when_settled, []
            for callback in callbacks:
                callback()

    def ready(self, client: ConnectedPlayer) -> None:
        """Take a client's word that it is ready for the next hand."""
        if self.failed:
            return
        try:
            self._play(self.match.ready(client.player, self._loop.time()))
        except Exception:
            self.fail_on_error()

    @_fail_table_on_error
    def exit(self, client: ConnectedPlayer, reason: str) -> None:
        """Let a client leave the match, which ends or continues without it, as the rules say."""
        if self.match.phase == OVER:
            return
        self._play(self.match.exit(client.player, reason, self._loop.time()))
        if not self.match.rules.fault_ends:
            client.close()

    @_fail_table_on_error
    def give_up(self, player: int) -> None:
        """Wait no longer for a player that has disconnected and will not return."""
        if self.match.awaits(player):
            self._play(self.match.exit(player, LEFT_BETWEEN, self._loop.time()))

    @_fail_table_on_error
    def reload(self, client: ConnectedPlayer) -> None:
        """Let a client buy chips."""
        self._play(self.match.reload(client.player, self._loop.time()))

    @_fail_table_on_error
    def tell_state(self, client: ConnectedPlayer) -> None:
        """Repeat the present state to a client."""
        for speaker in self.speakers:
            for player, message in speaker.state_for(client.player, self.view):
                if player == client.player:
                    client.send(message)

    def answered(self, client: ConnectedPlayer, answer: Answer | Illegal) -> None:
        """Take the answer of the client who is asked."""
        if self.failed:
            return
        try:
            self._take_answer(client, answer)
        except Exception:
            self.fail_on_error()

    def _take_answer(self, client: ConnectedPlayer, answer: Answer | Illegal) -> None:
        match = self.match
        now = self._loop.time()
        counters = self._counters
        answered_at = perf_counter()
        taken = answered_at - self._clock.asked_at
        counters.decisions.add(taken)
        counters.answers += 1
        self._recorder.times.append((client.player, int(1e6 * taken)))
        if isinstance(answer, Illegal):
            self._play(match.illegal(client.player, answer.reason, now))
        else:
            if answer.correction:
                client.note(answer.correction)
            self._play(match.decide(client.player, answer.decision, now))
        counters.delays.add(perf_counter() - answered_at)

    # From the match to the players.

    def _play(self, events: list[Event]) -> None:
        """Tell events, or add them to those that the gate holds back."""
        gate = self._gate
        if gate.pause is not None:
            if self.match.options is gate.question.options:
                # The question still stands, so what happened meanwhile, such as the loss of a
                # connection, is told before it.
                self._recorder.events += events
                self._tell(events)
                return
            question = gate.release_question()
            if self.match.phase != OVER:  # in a void hand nobody is asked any more
                events = [question, *events]
        self._recorder.events += events
        if gate.held is not None:
            gate.held += events
        else:
            self._advance(events)

    def _advance(self, events: list[Event], pause_over: bool = False) -> None:
        """Tell events, and let house bots decide until a player or the gate has to be waited for.

        `pause_over` says that the question among these events has had its pause.
        """
        match = self.match
        while True:
            if not self._gate.start_handed_over and self._hold_start(events):
                return
            if match.phase == INTERVAL and events and ends_hand(events):
                self._store_hand(events)
                return
            if not pause_over and self._hold_question(events):
                return
            pause_over = False
            self._tell(events)
            if match.phase == OVER:
                self._over()
                return
            bot = self.bots.get(match.asked)
            if bot is None:
                self._clock.arm()
                return
            events = match.decide(match.asked, self._bot_decision(bot), self._loop.time())
            self._recorder.events += events

    def _hold_start(self, events: list[Event]) -> bool:
        """Hold the start of the match back, if it is among these events, until it is stored."""
        index = start_among(events)
        if index is None:
            return False
        self._gate.start_handed_over = True
        self._tell(events[:index])
        self._gate.hold(events[index:])
        self._on_start(self._start_stored)
        return True

    def _start_stored(self) -> None:
        if self.clients:
            self._begin()
        else:
            self._bot_time(self._begin)

    @_fail_table_on_error
    def _begin(self) -> None:
        self._advance(self._gate.release())
        if self._stopping:
            self.stop()
        self._settle()

    def _store_hand(self, events: list[Event]) -> None:
        """Hold the end of a hand back until its record is stored; without a store, tell it."""
        self._gate.hold(events)
        if not self._recorder.store_hand(self._hand_stored):
            self._tell_hand()
            # Other tables get a turn between two hands, even if only house bots play here.
            self._loop.call_later(self.pace, self._deal)

    @_fail_table_on_error
    def _hand_stored(self) -> None:
        self._tell_hand()
        if self._stopping:
            self._play(self.match.stop())
        elif self.pace:
            self._loop.call_later(self.pace, self._deal)
        else:
            self._deal()
        self._settle()

    def _tell_hand(self) -> None:
        self._tell(self._gate.release())
        self._counters.hands += 1
        self._on_hand(self)

    def _deal(self) -> None:
        """Start the next hand; where only house bots play, players elsewhere come first."""
        if self.clients:
            self._next_hand()
        else:
            self._bot_time(self._next_hand)

    @_fail_table_on_error
    def _next_hand(self) -> None:
        if self.match.phase == INTERVAL:  # the match may have been stopped meanwhile
            self._play(self.match.recorded(self._loop.time()))
        self._settle()

    def _hold_question(self, events: list[Event]) -> bool:
        """Hold the question among these events back, if any, for the pause; tell the others."""
        match = self.match
        if not self._pause or match.asked == NOBODY:
            return False
        question = question_among(events, match.options)
        if question is None:
            return False
        # Nobody is asked before the pause is over, so the record does not have the question yet.
        self._recorder.take_back(question)
        pause = self._loop.call_later(self._pause, self._put_question)
        self._gate.hold_question(question, pause)
        self._tell([event for event in events if event is not question])
        return True

    @_fail_table_on_error
    def _put_question(self) -> None:
        """Ask after the pause; the time of the player who is asked begins now."""
        question = self._gate.release_question()
        self._recorder.events.append(question)
        self.match.ask(self._loop.time())
        self._advance([question], pause_over=True)
        self._settle()

    def _bot_decision(self, bot: Bot) -> Decision:
        hand = self.match.hand
        assert hand is not None
        try:
            return bot.decide(view_of(hand, hand.actor))
        except Exception:
            self._log.exception("house bot failed", bot=type(bot).__name__)
            return FOLD if hand.options is not None and hand.options.owed else CALL

    def _tell(self, events: list[Event]) -> None:
        """Tell events to players, spectators, the website and the annotations."""
        view = self.view
        clients = self.clients
        for event in events:
            view.see(event)
            asked: ConnectedPlayer | None = None
            question = b""
            if isinstance(event, Asked) and view.hand.players[view.hand.actor] == self.match.asked:
                asked = clients.get(self.match.asked)
            for speaker in self.speakers:
                for player, message in speaker.tell(event, view):
                    client = clients.get(player)
                    if client is None:
                        continue
                    if client is asked:
                        question = message  # a dialect asks with a single message
                    elif message:
                        client.send(message)
                    else:
                        client.close()
            if asked is not None:
                self._ask(asked, question)
            if self.spectators is not None:
                self.spectators.tell(event)
            if self.feed is not None:
                self.feed(event)
            self._annotations.add(event)
            if isinstance(event, TimedOut) and event.count == self.match.rules.max_timeouts:
                self._take_out(event.player)

    def _ask(self, client: ConnectedPlayer, question: bytes) -> None:
        """Send a question; the player's time begins when it has left."""
        if question:
            self._clock.await_question()
            client.ask(question, self._left)
        else:
            self._clock.start_turn()  # its dialect has asked with an earlier event

    def _question_left(self) -> None:
        if self.failed:
            return
        try:
            self._clock.question_left()
        except Exception:
            self.fail_on_error()

    def _take_out(self, player: int) -> None:
        """Part with a player whose timeouts have taken it out of the match."""
        self._annotations.note(player, "out of the match")
        client = self.clients.pop(player, None)
        if client is not None:
            client.close()

    def _over(self) -> None:
        if self._ended:
            return
        self._ended = True
        self._clock.stop()
        self._counters.matches += 1
        self._recorder.store_the_rest()
        self._on_over(self)

    # For the clock.

    @property
    def turn(self) -> tuple[int, int, int]:
        """A value that differs between any two turns."""
        return self.match.number, self.match.played, len(self._recorder.events)

    @property
    def holds_back(self) -> bool:
        """The gate is closed, so nobody's time runs."""
        return self._gate.held is not None

    def extend(self, seconds: float) -> None:
        """Give the player who is asked more time."""
        self._play(self.match.extend(seconds))

    @_fail_table_on_error
    def wake(self) -> None:
        """Act on the deadline of the match, if it has passed."""
        if not self._clock.is_time():
            return
        if self.match.phase == RETURNING and self._nobody_is_back():
            self._log.info("nobody has come back; the match goes on with the first who does")
            self.match.wait_for_anyone()
        else:
            self._play(self.match.tick(self._loop.time()))

    def _nobody_is_back(self) -> bool:
        away = (player for player in self.match.players if not player.online and not player.out)
        return not self.clients and any(away)
