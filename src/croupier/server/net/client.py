"""One connection and the player or spectator behind it, whatever it speaks.

A client owns what lies between the socket (its link) and the table: the session that reads what
comes in, the timer for a player that is quiet, and the count of input that nobody asked for.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

import structlog

from croupier.dialects.dialect import Dialect
from croupier.dialects.roster import Place
from croupier.dialects.session import (
    Answered,
    Exit,
    Expected,
    Farewell,
    Flood,
    Goodbye,
    Hello,
    Ready,
    Refusal,
    Reload,
    Said,
    StateWanted,
    Stray,
    Watch,
    WatchBots,
    Wrong,
)
from croupier.rules.view import View
from croupier.server.net.transcript import Transcript

if TYPE_CHECKING:
    from croupier.server.table.table import Table

log = structlog.get_logger()

MAX_STRAY = 1000
"""Messages that nobody asked for before a player is cut off. A security limit."""


class Link(Protocol):
    """The socket of a client."""

    transcript: Transcript
    address: str
    closed: bool

    @property
    def hung_up(self) -> bool:
        """The other side has closed, as far as the kernel knows."""

    def send(self, message: bytes) -> None:
        """Write one message."""

    def ask(self, question: bytes, before: Callable[[], None], after: Callable[[], None]) -> None:
        """Write a question: `before` is called just before it leaves, `after` when it has left."""

    def flush_transcript(self) -> None:
        """Write the transcript to disk."""

    def poll(self) -> bytes:
        """Return what has arrived but was not read yet, where that can be had."""

    def acknowledge(self) -> None:
        """Acknowledge at once what has come: it ends in the middle of a message."""

    @property
    def has_unread_input(self) -> bool:
        """Something is waiting that only the event loop can read."""

    def close(self, farewell: Farewell | None = None) -> None:
        """Close after everything is sent, with these last words."""

    def drop(self, reason: str) -> None:
        """Cut the connection."""


class Lobby(Protocol):
    """Who leads newcomers to a table."""

    def enter(self, client: "Client", hello: Hello) -> Refusal | None:
        """Give a player a seat, now or when its room is full, or say why not."""

    def watch(self, client: "Client", wish: Watch) -> Refusal | None:
        """Let a spectator watch a room, or say why not."""

    def watch_bots(self, client: "Client", wish: WatchBots) -> Refusal | None:
        """Let house bots play for a spectator, or say why not."""


class Reception(Protocol):
    """The door by which a client comes in."""

    dialect: Dialect
    loop: asyncio.AbstractEventLoop
    lobby: Lobby

    def admitted(self, client: "Client") -> None:
        """Note that a newcomer has said what it wants, and got it."""

    def refuse(self, client: "Client", farewell: Farewell) -> None:
        """Send a newcomer away."""

    def lost(self, client: "Client") -> None:
        """Note that the connection of a client is gone."""


class Client:
    """A connection from its first byte on; the session's view of the table is this object."""

    __slots__ = (
        "_door",
        "_link",
        "_quiet_timer",
        "_ready_early",
        "_refused",
        "_session",
        "_stray",
        "hello",
        "on_lost",
        "player",
        "table",
    )

    def __init__(self, link: Link, door: Reception, options: dict[str, Any]) -> None:
        """`options` are those of the listener."""
        self.player = -1
        """The number at the table; of a spectator, among those who watch."""
        self.table: Table | None = None
        self.hello: Hello | None = None
        """What the player asked for when it came."""
        self.on_lost: Callable[[], None] = lambda: None
        self._link = link
        self._door = door
        self._session = door.dialect.session(**options)
        self._quiet_timer: asyncio.TimerHandle | None = None
        self._ready_early = False
        """The player said that it is ready before it had a seat."""
        self._refused = False
        self._stray = 0

    @property
    def dialect(self) -> Dialect:
        """The protocol that is spoken here."""
        return self._door.dialect

    @property
    def address(self) -> str:
        """Where the connection comes from."""
        return self._link.address

    # How things stand, for the session.

    @property
    def seated(self) -> bool:
        return self.table is not None

    @property
    def expected(self) -> Expected:
        return Expected.NOTHING if self.table is None else self.table.expected_of(self)

    @property
    def in_hand(self) -> bool:
        return self.table is not None and self.table.in_hand

    @property
    def view(self) -> View:
        assert self.table is not None
        return self.table.view.hand

    @property
    def someone_broke(self) -> bool:
        return self.table is not None and not all(self.table.view.stacks)

    # From the link.

    def received(self, data: bytes) -> None:
        """Take bytes, over WebSocket one message."""
        self.note_input(data)
        self.take(data)

    def take(self, data: bytes) -> None:
        """Act on bytes that are in the transcript already."""
        if self._refused:
            return
        if self._quiet_timer is not None:
            self._quiet_timer.cancel()
            self._quiet_timer = None
        self._act_on(self._session.receive(data, self))

    def lost(self) -> None:
        """Tell door and table that the connection is gone."""
        if self._quiet_timer is not None:
            self._quiet_timer.cancel()
        self._door.lost(self)
        if self.table is not None:
            self.table.lost(self)
        self.on_lost()

    def note_input(self, data: bytes) -> None:
        """Write what came into the transcript, without secrets."""
        shown = self._session.loggable(data)
        if shown:
            self._link.transcript.add(">", shown)

    def _quiet(self) -> None:
        self._quiet_timer = None
        self._act_on(self._session.quiet(self))

    def _resume(self) -> None:
        self._act_on(self._session.resume(self))

    def _act_on(self, said: Iterable[Said]) -> None:
        for item in said:
            _ACTIONS[type(item)](self, item)
            if self.closed or self._refused:
                return
        session = self._session
        if session.partial:
            self._link.acknowledge()
        quiet_after = session.quiet_after
        if quiet_after is not None:
            self._quiet_timer = self._door.loop.call_later(quiet_after, self._quiet)
        if session.held_back and self.table is not None:
            self.table.when_settled(self._resume)

    # What the player says.

    def _hello(self, hello: Hello) -> None:
        self.hello = hello
        self._admit(self._door.lobby.enter(self, hello))

    def _watch(self, wish: Watch) -> None:
        self._admit(self._door.lobby.watch(self, wish))

    def _watch_bots(self, wish: WatchBots) -> None:
        self._admit(self._door.lobby.watch_bots(self, wish))

    def _admit(self, refusal: Refusal | None) -> None:
        if refusal is None:
            self._door.admitted(self)
        else:
            self.refuse(refusal)

    def _answered(self, said: Answered) -> None:
        assert self.table is not None
        self._stray = 0
        self.table.answered(self, said.answer)

    def _ready(self, said: Ready) -> None:
        if self.expected is Expected.READY:
            self._stray = 0
        else:
            self._count_stray()
        if self.table is None:
            self._ready_early = True
        else:
            self.table.ready(self)

    def _reload(self, said: Reload) -> None:
        assert self.table is not None
        self.table.reload(self)

    def _state_wanted(self, said: StateWanted) -> None:
        assert self.table is not None
        self.table.tell_state(self)

    def _exit(self, said: Exit) -> None:
        assert self.table is not None
        self.table.exit(self, said.reason)

    def _stray_input(self, said: Stray) -> None:
        if said.reason:
            self.note(f"ignored: {said.reason}")
        self._count_stray()

    def _count_stray(self) -> None:
        """Cut off whoever keeps talking without having been asked."""
        self._stray += 1
        if self._stray > MAX_STRAY:
            self._flood(Flood("too many messages that nobody asked for"))

    def _goodbye(self, said: Goodbye) -> None:
        self.note(said.note)
        self._link.close()

    def _wrong(self, wrong: Wrong) -> None:
        if self.table is None:
            self._refuse(wrong.farewell)
            return
        farewell = wrong.farewell
        log.info("error", dialect=self.dialect.name, reason=farewell.note or farewell.reason)
        self.note(farewell.note or f"closed: {farewell.reason}")
        self._link.close(farewell)
        if wrong.fault:
            self.table.exit(self, wrong.fault)

    def _flood(self, said: Flood) -> None:
        self._link.drop(said.reason)

    # For lobbies.

    def take_seat(self, table: "Table", match_id: str, place: Place) -> None:
        """Note that the player has a seat, and open its transcript."""
        label = self.dialect.transcript_label(place)
        self._link.transcript.name(match_id, *label)
        if self._ready_early:
            table.ready(self)

    def make_way(self) -> None:
        """Leave the table to a new connection of the same player."""
        self.note("replaced by a new connection")
        self.close()

    def refuse(self, refusal: Refusal) -> None:
        """Send a newcomer away."""
        self._refuse(self._session.refuse(refusal))

    def _refuse(self, farewell: Farewell) -> None:
        self._refused = True
        self._door.refuse(self, farewell)

    def send_away(self, farewell: Farewell) -> None:
        """Say why there is no seat, and close."""
        if not self.closed:
            self._link.transcript.name("refused", self.dialect.name)
            self.note(farewell.note or f"refused: {farewell.reason}")
            self._link.close(farewell)

    @property
    def gone(self) -> bool:
        """The other side has closed the connection, whether or not the loop knows it already."""
        return self._link.closed or self._link.hung_up

    # For the table.

    @property
    def closed(self) -> bool:
        """The connection is gone, or about to be."""
        return self._link.closed

    def send(self, message: bytes) -> None:
        """Write one message."""
        self._link.send(message)

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        """Write a question, and call `left` when it has left."""
        self._link.ask(question, self._forget_input, left)

    def _forget_input(self) -> None:
        """Drop what has come before a question, where the dialect wants that."""
        self._stray = 0
        session = self._session
        if session.drops_stale_input:
            stale = self._link.poll()
            if stale:
                self.note_input(stale)
                self.note("discarded: it came before the question")
                self._act_on(session.receive(stale, self))
            session.discard()

    def take_waiting_input(self) -> bool:
        """Take what has arrived but was not read yet.

        Return True if something is waiting that only the event loop can take.
        """
        waiting = self._link.poll()
        if waiting:
            self.received(waiting)
        elif self._session.quiet_after is not None:
            self._act_on(self._session.quiet(self))
        return self._link.has_unread_input

    def note(self, text: str) -> None:
        """Write into the player's transcript what was made of its answer."""
        self._link.transcript.add("#", text)

    def flush_transcript(self) -> None:
        """Write the player's transcript to disk."""
        self._link.flush_transcript()

    def close(self) -> None:
        """Close the connection after everything is sent."""
        self._link.close()

    def drop(self, reason: str) -> None:
        """Cut the connection, without a word."""
        self._link.drop(reason)


_ACTIONS: dict[type, Callable[[Client, Any], None]] = {
    Hello: Client._hello,
    Watch: Client._watch,
    WatchBots: Client._watch_bots,
    Answered: Client._answered,
    Ready: Client._ready,
    Reload: Client._reload,
    StateWanted: Client._state_wanted,
    Exit: Client._exit,
    Stray: Client._stray_input,
    Goodbye: Client._goodbye,
    Wrong: Client._wrong,
    Flood: Client._flood,
}
