"""The running thing: one match, its players and their connections.

Everything here runs in the event loop's thread, one callback at a time, so the table is the only
writer of its match. The way of a decision: bytes come in, the dialect makes an answer of them
(`answered`), the match turns it into events (`_play`), and the events are told to every player
(`_tell`). When a hand has ended, what it caused is told only after the record is stored.
"""

import asyncio
from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import Any, Concatenate, ParamSpec

import msgspec
import structlog

from croupier.bots import Bot
from croupier.dialects.base import Illegal, Speaker
from croupier.match.events import (
    MATCH_EVENTS,
    Faulted,
    HandVoided,
    Joined,
    Left,
    MatchStarted,
    PlayerOut,
    Reloaded,
    TimedOut,
    ToppedUp,
    TurnExtended,
    cause_of,
)
from croupier.match.match import HAND, INTERVAL, OVER, READY, RELOAD, SEATING, Match
from croupier.match.view import MatchView
from croupier.rules.decisions import CALL, FOLD, Decision
from croupier.rules.events import Asked, Event, HandEnded
from croupier.rules.hand import NOBODY
from croupier.rules.view import view_of
from croupier.server.client import Client
from croupier.server.lag import LagMonitor
from croupier.server.tally import Tally
from croupier.server.watching import Watching
from croupier.store.log import HandRecord, Writer

log = structlog.get_logger()


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
            log.exception("internal error", table=table.id)
            table.fail()

    return guarded


class Table:
    """A match being played."""

    def __init__(
        self,
        match: Match,
        match_id: str,
        loop: asyncio.AbstractEventLoop,
        lag: LagMonitor,
        *,
        writer: Writer | None,
        wall_clock: Callable[[], float],
        on_start: Callable[["Table"], None] = lambda table: None,
        on_hand: Callable[["Table"], None] = lambda table: None,
        on_over: Callable[["Table"], None] = lambda table: None,
        on_failure: Callable[["Table"], None] = lambda table: None,
        tally: Tally | None = None,
    ) -> None:
        self.match = match
        self.id = match_id
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
        self._lag = lag
        self._writer = writer
        self._wall_clock = wall_clock
        self._on_start = on_start
        self._on_hand = on_hand
        self._on_over = on_over
        self._on_failure = on_failure
        self._tally = tally or Tally()
        self.failed = False
        """An error of our own has closed the table."""
        self._asked_at = 0.0
        self._times: list[tuple[int, int]] = []
        """How long the decisions since the last record took."""
        self._stopping = False
        self._ended = False
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._lag_at_start = 0.0
        self._second_look = (-1, -1, -1)
        """The turn whose deadline was put off once, for the loop to read what has arrived."""
        self._record: list[Event] = []
        """What happened since the last record."""
        self._held: list[Event] | None = None
        """What is told when the record of the hand is stored."""

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
        self._record += events
        if self._writer is not None:
            # Nobody waits for this record, so its acknowledgement must release nothing.
            self._store_hand(self._writer, lambda: None)

    @_isolated
    def lost(self, client: Client) -> None:
        """Note that a client's connection is gone."""
        player = client.player
        if self.clients.get(player) is client:
            del self.clients[player]
            if self.match.phase != OVER:
                log.info("left", table=self.id, player=self.match.players[player].name)
                self._play(self.match.disconnected(player, self._loop.time()))

    def add_speaker(self, speaker: Speaker) -> None:
        """Speak one more dialect at this table."""
        if self.match.phase != SEATING:
            speaker.resumed(self.view)
        self.speakers.append(speaker)

    def open(self) -> None:
        """Begin to keep the time."""
        self._arm()

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
        if self._timer is not None:
            self._timer.cancel()

    def fail(self) -> None:
        """Play no more; what was announced is stored, so that the match can be gone on with."""
        if not self.failed:
            self.failed = True
            if self._timer is not None:
                self._timer.cancel()
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

    @_isolated
    def go_on(self) -> None:
        """Go on after a pause."""
        self._play(self.match.resume(self._loop.time()))

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
        self._play(self.match.reload(client.player, self._loop.time()))
        return True

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
        if self._writer is not None:
            self._times.append((client.player, int(1e6 * (answered_at - self._asked_at))))
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
        return self.match.asked == client.player and self._held is None

    # From the match to the players.

    def _play(self, events: list[Event]) -> None:
        """Tell events, and go on as long as nobody has to be waited for."""
        match = self.match
        while True:
            self._record += events
            if self._held is not None:
                self._held += events
                return
            if match.phase == INTERVAL and events and self._hand_ended(events):
                if self._writer is not None:
                    self._held = events
                    self._store_hand(self._writer, self._stored)
                    return
                self._record = []
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
                self._arm()
                return
            events = match.decide(match.asked, self._bot_decision(bot), self._loop.time())

    def _hand_ended(self, events: list[Event]) -> bool:
        return any(type(event) is HandEnded for event in reversed(events))

    def _bot_decision(self, bot: Bot) -> Decision:
        hand = self.match.hand
        assert hand is not None
        try:
            return bot.decide(view_of(hand, hand.actor))
        except Exception:
            log.exception("house bot failed", table=self.id, bot=type(bot).__name__)
            return FOLD if hand.options is not None and hand.options.owed else CALL

    def _store_hand(self, writer: Writer, acknowledge: Callable[[], None]) -> None:
        state = msgspec.json.encode(self.match.state())
        record = HandRecord(
            self.id, self.match.number, self._wall_clock(), self._record, state, self._times
        )
        self._record = []
        self._times = []
        writer.write(record, acknowledge)

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
            if kind is MatchStarted:
                self._on_start(self)
            if kind is Asked:
                asked = clients.get(self.match.asked)
                if asked is not None:
                    asked.forget_input()
            for speaker in self.speakers:
                for player, message in speaker.tell(event, view):
                    client = clients.get(player)
                    if client is None:
                        continue
                    if message:
                        client.send(message)
                    else:
                        client.close()
            if self.watching is not None:
                self.watching.tell(event)
            if self.feed is not None:
                self.feed(event)
            if asked is not None:
                now = self._loop.time()
                # The loop's own clock ticks in milliseconds, which is too coarse to measure with.
                self._asked_at = perf_counter()
                self.match.start_clock(now)
                self._lag_at_start = self._lag.total(now)
            elif kind in _ANNOTATED:
                self._annotate(event)

    def _annotate(self, event: Event) -> None:
        """Tell logs and transcripts what the server made of an answer."""
        if isinstance(event, TimedOut):
            name = self.match.players[event.player].name
            self._tally.timeouts += 1
            log.info("timeout", table=self.id, player=name, count=event.count, absent=event.absent)
            self._note(event.player, f"timeout {event.count}: folded")
            if event.count == self.match.rules.max_timeouts:
                self._note(event.player, "out of the match")
                client = self.clients.pop(event.player, None)
                if client is not None:
                    client.close()
        elif isinstance(event, Faulted):
            name = self.match.players[event.player].name
            self._tally.faults[cause_of(event.reason)] += 1
            log.info("fault", table=self.id, player=name, reason=event.reason)
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
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._tally.matches += 1
        self._store_the_rest()
        self._on_over(self)

    def _store_the_rest(self) -> None:
        """Record what happened after the last hand, as far as the books depend on it."""
        rest = [event for event in self._record if type(event) in _BETWEEN_HANDS]
        self._record = []
        if self._writer is None or not any(type(event) in _IN_THE_BOOKS for event in rest):
            return
        match = self.match
        if not any(type(event) is HandVoided for event in rest):
            match.number += 1  # a hand that was never dealt: its number is that of this record
        self._record = rest
        self._store_hand(self._writer, lambda: None)

    # The clock.

    def _arm(self) -> None:
        """See that `_wake` is called at the deadline, or before."""
        deadline = self.match.deadline
        if deadline is None:
            return
        if self._timer is not None:
            if self._timer_at <= deadline:
                return  # it will find out that it is early, and arm again
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._loop.call_at(deadline, self._wake)

    @_isolated
    def _wake(self) -> None:
        self._timer = None
        match = self.match
        now = self._loop.time()
        if match.deadline is None or self._held is not None:
            return
        if now < match.deadline:
            self._arm()
            return
        if match.phase == HAND and match.asked != NOBODY:
            turn = match.number, match.played, len(self._record)
            client = self.clients.get(match.asked)
            if client is not None:
                elsewhere = client.take_waiting_input()
                if turn != (match.number, match.played, len(self._record)):
                    self._arm()
                    return
                if elsewhere and self._second_look != turn:
                    self._second_look = turn
                    self._timer_at = now
                    self._timer = self._loop.call_later(0, self._wake)
                    return
            lag = self._lag.total(now) - self._lag_at_start
            if lag > 0:
                self._lag_at_start += lag
                self._play(match.extend(lag))
                self._arm()
                return
        self._play(match.tick(now))


_ANNOTATED = frozenset((TimedOut, Faulted, TurnExtended))
_BETWEEN_HANDS = frozenset(MATCH_EVENTS)
_IN_THE_BOOKS = frozenset((PlayerOut, Reloaded, ToppedUp, HandVoided))
