"""The running thing: one match, its players and their connections.

Everything here runs in the event loop's thread, one callback at a time, so the table is the only
writer of its match. The way of a decision: bytes come in, the dialect makes an answer of them
(`answered`), the match turns it into events (`_play`), and the events are told to every player
(`_tell`). When a hand has ended, what it caused is told only after the record is stored.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial, wraps
from time import perf_counter
from typing import Any, Concatenate, ParamSpec

import structlog

from croupier.bots import Bot
from croupier.dialects.base import Illegal, Speaker
from croupier.match.events import (
    Faulted,
    Joined,
    Left,
    MatchStarted,
    TimedOut,
    TurnExtended,
    cause_of,
)
from croupier.match.match import INTERVAL, OVER, READY, RELOAD, RETURNING, SEATING, Match
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, FOLD, Decision
from croupier.rules.events import Asked, Event, HandEnded
from croupier.rules.view import view_of
from croupier.server.client import Client
from croupier.server.lag import LagMonitor
from croupier.server.recorder import Recorder
from croupier.server.tally import Tally
from croupier.server.turn_clock import TurnClock
from croupier.server.watching import Watching
from croupier.store.log import Writer

log = structlog.get_logger()

Acknowledge = Callable[[], None]
Args = ParamSpec("Args")


def _isolated(
    step: Callable[Concatenate["Table", Args], None],
) -> Callable[Concatenate["Table", Args], None]:
    """Let an error of our own at one table harm no other: this one is closed, the rest go on."""

    @wraps(step)
    def guarded(table: "Table", /, *args: Args.args, **kwargs: Args.kwargs) -> None:
        if table.failed:
            return
        try:
            step(table, *args, **kwargs)
        except Exception:
            table.log_error()
            table.fail()

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
        writer: Writer | None,
        wall_clock: Callable[[], float],
        on_start: Callable[[Acknowledge], None] = lambda stored: stored(),
        on_hand: Callable[["Table"], None] = lambda table: None,
        on_over: Callable[["Table"], None] = lambda table: None,
        on_failure: Callable[["Table"], None] = lambda table: None,
        tally: Tally | None = None,
    ) -> None:
        self.match = match
        self.id = match_id
        self._log = log.bind(table=name, match=match_id)
        self._names = names
        """What the players are called among others."""
        self.view = MatchView(match.rules)
        self.clients: dict[int, Client] = {}
        self.bots: dict[int, Bot] = {}
        self.speakers: list[Speaker] = []
        self.watching: Watching | None = None
        """Those who look on, if there are any."""
        self.feed: Callable[[Event], None] | None = None
        """Who tells the website."""
        self.pace = 0.0
        """Seconds between two hands, where nobody but house bots plays."""
        self._loop = loop
        self._clock = TurnClock(self, loop, lag)
        self._recorder = Recorder(match, match_id, writer, wall_clock)
        self._on_start = on_start
        self._on_hand = on_hand
        self._on_over = on_over
        self._on_failure = on_failure
        self._tally = tally or Tally()
        self.failed = False
        """An error of our own has closed the table."""
        self._asked_at = 0.0
        self._on_its_way: Event | None = None
        """The question that has not left yet."""
        self._begun = False
        """The start of the match is on record, or on its way there."""
        self._stopping = False
        self._ended = False
        self._absent: set[int] = set()
        """Players who are away, and of whose timeouts the log knows."""
        self._held: list[Event] | None = None
        """What is told when the record that it belongs to is stored."""

    # Coming and going.

    @_isolated
    def join(self, name: str, client: Client | None = None, bot: Bot | None = None) -> None:
        """Seat a new player: a client, or a bot of the house."""
        player = len(self.match.players)
        if client is not None:
            client.player = player
            self.clients[player] = client
        if bot is not None:
            self.bots[player] = bot
        self._play(self.match.join(name, self._loop.time()))

    @_isolated
    def rejoin(self, player: int, client: Client | None = None, bot: Bot | None = None) -> None:
        """Give a player his seat back."""
        if client is not None:
            client.player = player
            self.clients[player] = client
        if bot is not None:
            self.bots[player] = bot
        self._absent.discard(player)
        self._play(self.match.connected(player, self._loop.time()))

    def resume(self, events: list[Event]) -> None:
        """Go on with a match after a crash: these events say what became of the last hand."""
        view = self.view
        for player, entrant in enumerate(self.match.players):
            view.see(Joined(player, entrant.name))
            view.see(Left(player))
            view.stacks[player] = entrant.stack
            view.reloads[player] = entrant.reloads
            view.out[player] = bool(entrant.out)
        view.circle = tuple(self.match.blinds.circle)
        view.rounds = self.match.played
        self._begun = True
        self._recorder.events += events
        # Nobody waits for this record, so its acknowledgement must release nothing.
        self._recorder.store_hand(lambda: None)

    @_isolated
    def lost(self, client: Client) -> None:
        """Note that a client's connection is gone."""
        player = client.player
        if self.clients.get(player) is client:
            del self.clients[player]
            if self.match.phase != OVER:
                self._log.info("left", player=self._names[player])
                if self.question_waits and self.match.asked == player:
                    self._start_turn()  # it will never leave
                self._play(self.match.disconnected(player, self._loop.time()))

    def add_speaker(self, speaker: Speaker) -> None:
        """Speak one more dialect at this table."""
        if self.match.phase != SEATING:
            speaker.resumed(self.view)
        self.speakers.append(speaker)

    def open(self) -> None:
        """Begin to keep the time."""
        self._clock.arm()

    @_isolated
    def stop(self) -> None:
        """End the match now; a hand that is being played is void.

        A hand that is over and on its way to the store is announced first.
        """
        if self._held is not None:
            self._stopping = True
        elif self.match.phase != OVER:
            self._play(self.match.stop())

    def fold_up(self) -> None:
        """Forget a match that has not started, and its clients, who go elsewhere."""
        self.clients.clear()
        self.failed = True
        self._clock.stop()

    def log_error(self) -> None:
        """Log an error of our own that is being handled."""
        self._log.exception("internal error")

    def fail(self) -> None:
        """Play no more; what was announced is stored, so that the match can be gone on with."""
        if not self.failed:
            self.failed = True
            self._clock.stop()
            self._on_failure(self)

    # What an organiser asks for.

    @_isolated
    def start(self) -> None:
        """Start with those who are here."""
        self._play(self.match.start(self._loop.time()))

    @_isolated
    def hurry(self) -> None:
        """Let the time of the player who is asked be over."""
        self._play(self.match.expire(self._loop.time()))

    @_isolated
    def pause(self) -> None:
        """Let no hand begin after the present one."""
        self._play(self.match.pause())
        self._recorder.store_pause()

    @_isolated
    def go_on(self) -> None:
        """Go on after a pause."""
        self._play(self.match.resume(self._loop.time()))
        self._recorder.store_pause()

    @_isolated
    def withdraw(self, player: int) -> None:
        """Take a player out of the match."""
        self._play(self.match.withdraw(player, self._loop.time()))

    # Answers.

    @property
    def settling(self) -> bool:
        """A hand has ended and the next step is not taken yet."""
        return self.match.phase == INTERVAL or self._held is not None

    @property
    def awaits_ready(self) -> bool:
        """The next hand begins when those who have to are ready."""
        return self.match.phase == READY and self._held is None

    def is_ready(self, client: Client) -> bool:
        """Tell whether a client has said already that it waits for the next hand."""
        return client.player in self.match.ready_list.said

    @_isolated
    def ready(self, client: Client) -> None:
        """Note that a client waits for the next hand."""
        self._play(self.match.ready(client.player, self._loop.time()))

    @_isolated
    def exit(self, client: Client, reason: str) -> None:
        """Let a client leave who says so; a match that goes on does without him."""
        if self.match.phase == OVER:
            return
        self._play(self.match.exit(client.player, reason, self._loop.time()))
        if not self.match.rules.fault_ends:
            client.close()

    def reload(self, client: Client) -> bool:
        """Let a client buy chips; return whether this is the time for it."""
        if self.match.phase != RELOAD or self._held is not None:
            return False
        self._reload(client.player)
        return True

    @_isolated
    def _reload(self, player: int) -> None:
        self._play(self.match.reload(player, self._loop.time()))

    @_isolated
    def answered(self, client: Client, message: Any) -> None:
        """Take the answer of the client who is asked."""
        match = self.match
        options = match.options
        assert options is not None
        assert match.hand is not None
        now = self._loop.time()
        tally = self._tally
        answered_at = perf_counter()
        tally.decisions.add(answered_at - self._asked_at)
        self._recorder.times.append((client.player, int(1e6 * (answered_at - self._asked_at))))
        answer = client.decide(message, options, match.hand.high)
        if isinstance(answer, Illegal):
            self._play(match.illegal(client.player, answer.reason, now))
        else:
            if answer.correction:
                client.note(answer.correction)
            self._play(match.decide(client.player, answer.decision, now))
        tally.delays.add(perf_counter() - answered_at)

    def is_asked(self, client: Client) -> bool:
        """Tell whether an answer of this client is waited for."""
        return self.match.asked == client.player and self._held is None and not self.question_waits

    @property
    def question_waits(self) -> bool:
        """The player to act is not asked yet: the question is still on its way out."""
        return self._on_its_way is not None and self._is_open(self._on_its_way)

    def _is_open(self, question: Event) -> bool:
        """Tell whether a question is the one that the hand stands still at."""
        hand = self.match.hand
        return hand is not None and hand.events[-1] is question

    # From the match to the players.

    def _play(self, events: list[Event]) -> None:
        """Tell events, or keep them back with those that wait for their record."""
        self._recorder.events += events
        if self._held is not None:
            self._held += events
        else:
            self._go_on(events)

    def _go_on(self, events: list[Event]) -> None:
        """Tell events, and play as long as nobody has to be waited for."""
        match = self.match
        while True:
            if not self._begun and self._begins(events):
                return
            if match.phase == INTERVAL and events and self._hand_ended(events):
                self._held = events
                if not self._recorder.store_hand(self._stored):
                    self._held = None
                    self._tell(events)
                    self._tally.hands += 1
                    self._on_hand(self)
                    # Between hands everybody else gets a turn, also at a table of bots.
                    self._loop.call_later(self.pace, self._next_hand)
                return
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

    def _begins(self, events: list[Event]) -> bool:
        """Keep the start of the match back, if this is it, until it is on record."""
        for index, event in enumerate(events):
            if type(event) is MatchStarted:
                self._begun = True
                self._tell(events[:index])
                self._held = events[index:]
                self._on_start(self._start_stored)
                return True
        return False

    @_isolated
    def _start_stored(self) -> None:
        held, self._held = self._held, None
        assert held is not None
        self._go_on(held)
        if self._stopping and self._held is None:
            self._play(self.match.stop())

    def _hand_ended(self, events: list[Event]) -> bool:
        return any(type(event) is HandEnded for event in reversed(events))

    def _bot_decision(self, bot: Bot) -> Decision:
        hand = self.match.hand
        assert hand is not None
        try:
            return bot.decide(view_of(hand, hand.actor))
        except Exception:
            self._log.exception("house bot failed", bot=type(bot).__name__)
            return FOLD if hand.options is not None and hand.options.owed else CALL

    @_isolated
    def _stored(self) -> None:
        held, self._held = self._held, None
        assert held is not None
        self._tell(held)
        self._tally.hands += 1
        self._on_hand(self)
        if self._stopping:
            self._play(self.match.stop())
        elif self.pace:
            self._loop.call_later(self.pace, self._next_hand)
        else:
            self._next_hand()

    @_isolated
    def _next_hand(self) -> None:
        if self.match.phase == INTERVAL:  # it may have been stopped meanwhile
            self._play(self.match.recorded(self._loop.time()))

    def _tell(self, events: list[Event]) -> None:
        view = self.view
        clients = self.clients
        for event in events:
            view.see(event)
            kind = type(event)
            asked: Client | None = None
            question = b""
            if kind is Asked and self._is_open(event):
                asked = clients.get(self.match.asked)
            for speaker in self.speakers:
                for player, message in speaker.tell(event, view):
                    client = clients.get(player)
                    if client is None:
                        continue
                    if not message:
                        client.close()
                    elif client is asked:
                        if question:
                            client.send(question)
                        question = message  # the last one asks
                    else:
                        client.send(message)
            if asked is not None:
                self._ask(asked, event, question)
            if self.watching is not None:
                self.watching.tell(event)
            if self.feed is not None:
                self.feed(event)
            if kind in _ANNOTATED:
                self._annotate(event)

    def _ask(self, client: Client, event: Event, question: bytes) -> None:
        """Send a question; the player's time begins when it has left."""
        if question:
            self._on_its_way = event
            client.ask(question, partial(self._question_left, event))
        else:
            self._start_turn()  # his dialect has said all with an event before

    @_isolated
    def _question_left(self, event: Event) -> None:
        if self._is_open(event):  # else the match has moved on
            self._start_turn()

    def _start_turn(self) -> None:
        self._on_its_way = None
        # The loop's own clock ticks in milliseconds, which is too coarse to measure with.
        self._asked_at = perf_counter()
        self._clock.start_turn()

    def _annotate(self, event: Event) -> None:
        """Tell logs and transcripts what the server made of an answer."""
        if isinstance(event, TimedOut):
            name = self._names[event.player]
            self._tally.timeouts += 1
            if event.player not in self._absent:
                self._log.info("timeout", player=name, count=event.count, absent=event.absent)
            if event.absent:
                self._absent.add(event.player)  # one line will do until he is back
            self._note(event.player, f"timeout {event.count}: folded")
            if event.count == self.match.rules.max_timeouts:
                self._note(event.player, "out of the match")
                client = self.clients.pop(event.player, None)
                if client is not None:
                    client.close()
        elif isinstance(event, Faulted):
            name = self._names[event.player]
            self._tally.faults[cause_of(event.reason)] += 1
            self._log.info("fault", player=name, reason=event.reason)
            self._note(event.player, f"folded: {event.reason}")
        elif isinstance(event, TurnExtended):
            self._note(event.player, f"the server was late: {event.ms} ms more")

    def _note(self, player: int, text: str) -> None:
        client = self.clients.get(player)
        if client is not None:
            client.note(text)

    def _over(self) -> None:
        if self._ended:
            return
        self._ended = True
        self._clock.stop()
        self._tally.matches += 1
        self._recorder.store_the_rest()
        self._on_over(self)

    # For the clock.

    @property
    def turn(self) -> tuple[int, int, int]:
        """What tells one turn from another."""
        return self.match.number, self.match.played, len(self._recorder.events)

    @property
    def waits_for_the_store(self) -> bool:
        """What has happened is told when it is on record."""
        return self._held is not None

    def extend(self, seconds: float) -> None:
        """Give the player who is asked more time."""
        self._play(self.match.extend(seconds))

    @_isolated
    def wake(self) -> None:
        """Do what the deadline asks for, if it has come."""
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


_ANNOTATED = frozenset((TimedOut, Faulted, TurnExtended))
