"""A table without sockets: a match, its seating, and the sessions and speakers of its players.

They are joined as the server joins them (`server/net/client.py` and `server/table/table.py`), but
everything happens at once: a hand counts as stored when it ends, a message has left when it is
written, and time passes only when a test says so. What a test wants to know more than `sent` and
`events` tell, it learns by overriding one of the methods under "For tests".
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from croupier.dialects.base import CLOSE, Answer, Illegal, Speaker
from croupier.dialects.registry import DIALECTS
from croupier.dialects.roster import Place
from croupier.dialects.session import (
    Answered,
    Exit,
    Expected,
    Flood,
    Goodbye,
    Hello,
    Ready,
    Reload,
    Said,
    StateRequested,
    Stray,
    Wrong,
)
from croupier.match.chance import Chance
from croupier.match.events import MatchStarted, TimedOut
from croupier.match.match import HAND, INTERVAL, OVER, READY, RELOAD, SEATING, Match
from croupier.match.view import MatchView
from croupier.rules.decisions import Decision
from croupier.rules.events import Asked, Event
from croupier.rules.hand import NOBODY
from croupier.rules.rules import Rules
from croupier.rules.view import View, view_of
from croupier.server.table.seating import Seating

STAMP = "2000-01-01 00:00:00.000"
"""The time of day in messages that show it."""


class Connection:
    """One connection of a player, and what its session may know of the table."""

    def __init__(self, referee: "Referee", dialect: str) -> None:
        self.referee = referee
        self.session = DIALECTS[dialect].session()
        self.player = NOBODY
        self.closed = False
        self.quiet_at: float | None = None
        """When buffered input counts as complete."""

    @property
    def seated(self) -> bool:
        return self.player != NOBODY

    @property
    def expected(self) -> Expected:
        match = self.referee.match
        if not self.seated:
            return Expected.NOTHING
        if match.asked == self.player:
            return Expected.ANSWER
        if match.phase == READY and self.player not in match.ready_list.said:
            return Expected.READY
        return {RELOAD: Expected.RELOAD, OVER: Expected.OVER}.get(match.phase, Expected.NOTHING)

    @property
    def in_hand(self) -> bool:
        return self.seated and self.referee.match.phase == HAND

    @property
    def view(self) -> View:
        return self.referee.view.hand

    @property
    def question(self) -> bytes:
        return self.referee.sent[self.player][-1]

    @property
    def someone_broke(self) -> bool:
        return self.seated and not all(self.referee.view.stacks)

    @property
    def hands_played(self) -> bool:
        return self.seated and self.referee.match.hands_played

    def receive(self, data: bytes) -> None:
        """Take bytes, or one WebSocket message."""
        if not self.closed:
            self._act_on(self.session.receive(data, self))

    def quiet(self) -> None:
        """Let the silence pass after which buffered input counts as complete."""
        if not self.closed:
            self._act_on(self.session.quiet(self))

    def _act_on(self, said: Iterable[Said]) -> None:
        self.quiet_at = None
        for item in said:
            self.referee.said(self, item)
            if self.closed:
                return
        if self.session.quiet_after is not None:
            self.quiet_at = self.referee.now + self.session.quiet_after

    def drop_stale_input(self) -> None:
        """Drop what came before a question, where the dialect asks for it."""
        if self.session.drops_stale_input:
            self.session.discard()
            self.quiet_at = None


class Referee:
    """A table that is played in no time; players are numbered as they sat down."""

    def __init__(self, rules: Rules, seats: int, chance: Chance, table_number: str = "1") -> None:
        self.now = 0.0
        self.match = Match(rules, seats, chance, self.now)
        self.view = MatchView(rules)
        self.seating = Seating(table_number)
        self.speakers: list[Speaker] = []
        self.bots: dict[int, Callable[[View], Decision]] = {}
        """House bots that decide at once; for the others the test decides."""
        self.connections: dict[int, Connection] = {}
        """Of the players who are connected."""
        self.events: list[Event] = []
        self.sent: dict[int, list[bytes]] = defaultdict(list)
        """What each player was sent, over all its connections; CLOSE where one was closed."""
        self.corrections: list[str] = []
        self._opened: list[Connection] = []
        self._lost: list[Connection] = []

    # Joining and leaving.

    def connect(self, dialect: str) -> Connection:
        """Connect someone who has yet to ask for a seat."""
        connection = Connection(self, dialect)
        self._opened.append(connection)
        return connection

    def seat_bot(self, place: Place, bot: Callable[[View], Decision] | None = None) -> int:
        """Seat a house bot, which needs no connection; without `bot` the test decides for it."""
        player = self.seating.give(place)
        if bot is not None:
            self.bots[player] = bot
        self.match.never_reloads(player)
        self.play(self.match.join(place.name, self.now))
        return player

    def place_of(self, hello: Hello) -> Place:
        """Return the place of a newcomer; the organiser may know it by another name."""
        return hello.place

    def _enter(self, connection: Connection, hello: Hello) -> None:
        place = self.place_of(hello)
        dialect = DIALECTS[place.dialect]
        away = set(range(len(self.seating.places))) - set(self.connections)
        player = self.seating.find_away(place, away)
        if player is not None:
            self.connections[player] = connection
            connection.player = player
            self.seating.listen(player, place.dialect, hello.listener)
            self.play(self.match.connected(player, self.now))
            return
        player = connection.player = self.seating.give(place)
        self.connections[player] = connection
        if hello.handshake is not None:
            self.match.expect_ready(player, hello.handshake)
        if not dialect.reloads:
            self.match.never_reloads(player)
        if self.seating.listen(player, place.dialect, hello.listener) is not None:
            listeners = self.seating.listeners[place.dialect]
            speaker = dialect.speaker(self.seating, listeners, lambda: STAMP)
            if self.match.phase != SEATING:
                speaker.resumed(self.view)
            self.speakers.append(speaker)
        self.play(self.match.join(place.name, self.now))

    def leave(self, player: int) -> None:
        """Take a player's connection away, if it still has one."""
        connection = self.connections.get(player)
        if connection is not None:
            connection.closed = True
            self._lose(connection)

    def _lose(self, connection: Connection) -> None:
        player = connection.player
        if self.connections.get(player) is connection:
            del self.connections[player]
            if self.match.phase != OVER:
                self.play(self.match.disconnected(player, self.now))

    def _close(self, player: int) -> None:
        """Close a connection; the match learns of the loss after what is being told."""
        connection = self.connections.get(player)
        if connection is not None and not connection.closed:
            connection.closed = True
            self._lost.append(connection)

    def _hang_up(self) -> None:
        while self._lost:
            self._lose(self._lost.pop())

    # What players say.

    def said(self, connection: Connection, item: Said) -> None:
        """Act on one message."""
        player, match, now = connection.player, self.match, self.now
        if isinstance(item, Hello):
            self._enter(connection, item)
        elif isinstance(item, Answered):
            self.answered(player, item.answer)
        elif isinstance(item, Ready):
            self.play(match.ready(player, now))
        elif isinstance(item, Reload):
            self.play(match.reload(player, now))
        elif isinstance(item, StateRequested):
            for speaker in self.speakers:
                self.sent[player] += [
                    message for to, message in speaker.state_for(player, self.view) if to == player
                ]
        elif isinstance(item, Exit):
            self._exit(player, item.reason)
        elif isinstance(item, Wrong):
            connection.closed = True
            if connection.seated:
                self.sent[player] += [item.farewell.message, CLOSE]
                if item.fault:
                    self._exit(player, item.fault)
                self._lose(connection)
        elif isinstance(item, Goodbye | Flood):
            connection.closed = True
            self._lose(connection)
        else:
            assert isinstance(item, Stray), item

    def answered(self, player: int, answer: Answer | Illegal) -> None:
        """Take the answer of the player who is asked."""
        if isinstance(answer, Illegal):
            self.play(self.match.illegal(player, answer.reason, self.now))
            return
        if answer.correction:
            self.corrections.append(answer.correction)
        self.play(self.match.decide(player, answer.decision, self.now))

    def _exit(self, player: int, reason: str) -> None:
        if self.match.phase == OVER:
            return
        self.play(self.match.exit(player, reason, self.now))
        if not self.match.rules.fault_ends:
            self._close(player)
            self._hang_up()

    # What time does.

    def tick(self) -> None:
        """Let the time pass up to the deadline of the match."""
        assert self.match.deadline is not None
        self.now = max(self.now, self.match.deadline)
        asked = self.connections.get(self.match.asked)
        if asked is not None and asked.session.quiet_after is not None:
            asked.quiet()  # what has arrived in time is taken
        else:
            self.play(self.match.tick(self.now))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        until = round(self.now + seconds, 6)
        while True:
            due: list[tuple[float, Callable[[], None]]] = [
                (connection.quiet_at, connection.quiet)
                for connection in self._opened
                if connection.quiet_at is not None and not connection.closed
            ]
            if self.match.deadline is not None:
                due.append((self.match.deadline, self.tick))
            when, step = min(due, key=lambda step: step[0], default=(until + 1, self.tick))
            if when > until + 1e-9:
                break
            self.now = max(self.now, when)
            step()
        self.now = until

    # From the match to the players.

    def play(self, events: Sequence[Event]) -> None:
        """Tell events, and go on until a player or the time has to be waited for."""
        match = self.match
        while events:
            for event in events:
                self._tell(event)
            if match.phase == INTERVAL:
                events = match.recorded(self.now)
            elif (bot := self.bots.get(match.asked)) is not None:
                assert match.hand is not None
                decision = bot(view_of(match.hand, match.hand.actor))
                events = match.decide(match.asked, decision, self.now)
            else:
                events = []
        self._hang_up()

    def _tell(self, event: Event) -> None:
        self.events.append(event)
        self.view.see(event)
        if isinstance(event, MatchStarted):
            self.seating.assign_missing_pids()
        if isinstance(event, Asked) and self.match.asked in self.connections:
            self.connections[self.match.asked].drop_stale_input()
        messages: list[tuple[int, bytes]] = []
        for speaker in self.speakers:
            for player, message in speaker.tell(event, self.view):
                connection = self.connections.get(player)
                if connection is not None and not connection.closed:
                    messages.append((player, message))
                    if message == CLOSE:
                        self._close(player)
        self.told(event, messages)
        if isinstance(event, Asked):
            self.match.start_clock(self.now)
        if isinstance(event, TimedOut) and event.count == self.match.rules.max_timeouts:
            out = self.connections.pop(event.player, None)
            if out is not None:
                out.closed = True

    # For tests.

    def told(self, event: Event, messages: list[tuple[int, bytes]]) -> None:
        """Keep what those who are connected are sent because of an event."""
        for player, message in messages:
            self.sent[player].append(message)
