"""One connection and the player or spectator behind it, in any dialect.

A client owns what lies between the socket (its link) and the table: the session that parses the
input, the timer for a player that falls silent, and the count of unsolicited input.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, Protocol

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
    StateRequested,
    Stray,
    Watch,
    WatchBots,
    Wrong,
)
from croupier.rules.view import View
from croupier.server.net.link import Link
from croupier.server.net.transcript import HIDDEN
from croupier.server.table.connected import ConnectedPlayer

if TYPE_CHECKING:
    from croupier.server.table.table import Table

log = structlog.get_logger()

MAX_EARLY: Final = 64 * 1024
"""Bytes of a newcomer that are read before it is its turn; the rest waits in the kernel."""

MAX_STRAY: Final = 1000
"""Unsolicited messages, beyond one for each message that it was sent, before a player is
disconnected. A security limit, with room for programs that answer whatever they are told."""


class Lobby(Protocol):
    """Assigns newcomers to a table."""

    @property
    def keyed(self) -> bool:
        """Whether newcomers present keys, which are left out of logs and transcripts."""

    @property
    def in_contest(self) -> bool:
        """Whether its matches are those of a contest, which has said how many hands they have."""

    def enter(self, client: "Client", hello: Hello) -> Refusal | None:
        """Give a player a seat, now or when its room is full, or return why not."""

    def watch(self, client: "Client", wish: Watch) -> Refusal | None:
        """Let a spectator watch a room, or return why not."""

    def watch_bots(self, client: "Client", wish: WatchBots) -> Refusal | None:
        """Let house bots play for a spectator, or return why not."""


class Reception(Protocol):
    """The door of a client, as the client sees it."""

    dialect: Dialect
    loop: asyncio.AbstractEventLoop
    lobby: Lobby

    def in_turn(self, client: "Client", step: Callable[[], None]) -> None:
        """Run a step for a newcomer when it is its turn."""

    def admitted(self, client: "Client") -> None:
        """Take a newcomer off the list of those whose first message is awaited."""

    def refuse(self, client: "Client", farewell: Farewell) -> None:
        """Turn a newcomer away."""

    def lost(self, client: "Client") -> None:
        """Forget a client whose connection is lost."""


class Client(ConnectedPlayer):
    """A connection from its first byte on; its session sees the table through this object."""

    __slots__ = (
        "_door",
        "_early",
        "_has_finished",
        "_has_spoken",
        "_key_hidden",
        "_knows_commitment",
        "_left",
        "_link",
        "_question",
        "_questions",
        "_quiet_timer",
        "_ready_early",
        "_refused",
        "_session",
        "_stray",
        "hello",
        "on_lost",
        "table",
    )

    def __init__(self, link: Link, door: Reception, options: dict[str, Any]) -> None:
        """`options` are those of the listener."""
        super().__init__()
        self.table: Table | None = None
        self.hello: Hello | None = None
        """The player's first message."""
        self.on_lost: Callable[[], None] = lambda: None
        self._link = link
        self._door = door
        self._session = door.dialect.session(**options)
        self._quiet_timer: asyncio.TimerHandle | None = None
        self._has_spoken = False
        """It has said what it wants."""
        self._has_finished = False
        """The peer has closed its side of the connection."""
        self._early: list[bytes] = []
        """What a newcomer has sent before it is its turn."""
        self._question = b""
        self._questions = 0
        """How many questions have not left yet."""
        self._left: Callable[[], None] | None = None
        """Whom to tell when the newest question has left."""
        self._ready_early = False
        """The player declared itself ready before it had a seat."""
        self._refused = False
        self._key_hidden = False
        """The player has presented a key, which stays out of logs and transcripts."""
        self._knows_commitment = False
        self._stray = 0

    @property
    def dialect(self) -> Dialect:
        """The dialect that this client speaks."""
        return self._door.dialect

    @property
    def address(self) -> str:
        """The address of the peer."""
        return self._link.address

    # The state of the table, for the session.

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
    def question(self) -> bytes:
        return self._question

    @property
    def someone_broke(self) -> bool:
        return self.table is not None and not all(self.table.view.stacks)

    @property
    def hands_played(self) -> bool:
        if self.table is None or not self._door.lobby.in_contest:
            return False
        return self.table.match.hands_played

    # From the link.

    def received(self, data: bytes) -> None:
        """Take bytes; over WebSocket, one whole message. A newcomer has to wait for its turn."""
        if self._has_spoken:
            self.note_input(data)
            self.take(data)
            return
        self._early.append(data)
        if len(self._early) == 1:
            self._door.in_turn(self, self._take_early)
        elif sum(map(len, self._early)) > MAX_EARLY:
            self._link.pause_reading()

    def _take_early(self) -> None:
        early, self._early = self._early, []
        self._link.resume_reading()
        for data in early:
            if self.closed:
                return
            self.note_input(data)
            self.take(data)
        self._end_if_done()

    def says_no_more(self) -> bool:
        """Note that nothing more will come; return whether some of what came is still to do."""
        self._has_finished = True
        return bool(self._early) or self._waits_until_settled()

    def _end_if_done(self) -> None:
        """Close the connection of a player that says no more when all it said is done."""
        if self._has_finished and not (self._early or self._waits_until_settled()):
            self._link.close()

    def _waits_until_settled(self) -> bool:
        if self.table is None or self.expected is not Expected.SETTLING:
            return False
        if not self._session.held_back:  # otherwise it will be resumed anyway
            self.table.when_settled(self._resume)
        return True

    def take(self, data: bytes) -> None:
        """Process bytes that are in the transcript already."""
        if self._refused:
            return
        if self._quiet_timer is not None:
            self._quiet_timer.cancel()
            self._quiet_timer = None
        self._act_on(self._session.receive(data, self))

    def lost(self) -> None:
        """Tell door and table that the connection is lost."""
        if self._quiet_timer is not None:
            self._quiet_timer.cancel()
        self._door.lost(self)
        if self.table is not None:
            self.table.lost(self)
        self.on_lost()

    def note_input(self, data: bytes) -> None:
        """Write input to the transcript, without secrets."""
        if self.hello is None and self._door.lobby.keyed:
            return  # it holds a key, or part of one
        shown = self._session.loggable(data)
        if shown:
            self._link.transcript.add(">", shown)

    def _quiet(self) -> None:
        self._quiet_timer = None
        if self._has_spoken:
            self._act_on(self._session.quiet(self))
        else:
            self._door.in_turn(self, self._quiet_early)

    def _quiet_early(self) -> None:
        if not (self.closed or self._refused or self._early):
            self._act_on(self._session.quiet(self))

    def _resume(self) -> None:
        if self.closed:
            return
        if self._quiet_timer is not None:
            self._quiet_timer.cancel()
            self._quiet_timer = None
        self._act_on(self._session.resume(self))
        self._end_if_done()

    def _act_on(self, said: Iterable[Said]) -> None:
        for item in said:
            if isinstance(item, Answered):  # by far the commonest
                self._answered(item)
            else:
                _ACTIONS[type(item)](self, item)
            if self._link.closed or self._refused:
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
        self._has_spoken = True
        self.hello = hello
        if self._door.lobby.keyed:
            self.hide_key()
        self._admit(self._door.lobby.enter(self, hello))

    def _watch(self, wish: Watch) -> None:
        self._has_spoken = True
        self._admit(self._door.lobby.watch(self, wish))

    def _watch_bots(self, wish: WatchBots) -> None:
        self._has_spoken = True
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

    def _state_wanted(self, said: StateRequested) -> None:
        assert self.table is not None
        self.table.tell_state(self)

    def _exit(self, said: Exit) -> None:
        assert self.table is not None
        self.table.exit(self, said.reason)

    def _stray_input(self, said: Stray) -> None:
        if said.note:
            self.note(said.note)
        self._count_stray()

    def _count_stray(self) -> None:
        """Disconnect a player that keeps sending unsolicited messages."""
        # Nothing that acknowledges it is sent in return, and an answer may wait behind it.
        self._link.acknowledge()
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
        reason = self._without_key(farewell.note or farewell.reason)
        log.info("error", dialect=self.dialect.name, reason=reason)
        self.note(farewell.note or f"closed: {farewell.reason}")
        self._link.close(farewell)
        if wrong.fault:
            self.table.exit(self, wrong.fault)

    def _without_key(self, text: str) -> str:
        """Return a text for the log; it may quote what the player presented as its key."""
        if self.hello is None or not self._key_hidden:
            return text
        return text.replace(self.hello.secret, HIDDEN)

    def _flood(self, said: Flood) -> None:
        self._link.drop(said.reason)

    # For lobbies.

    def hide_key(self) -> None:
        """Leave what the player presented out of the log and its transcript."""
        assert self.hello is not None
        self._key_hidden = True
        # Sessions of dialects with private names hide them already, short ones with more care.
        if self._door.lobby.keyed or not self.dialect.private_names:
            self._link.transcript.hide(self._session.spellings(self.hello.secret))

    def tell_commitment(self, commitment: str) -> None:
        """Tell a player that gave a nonce, once, what the server is bound to.

        Others are told nothing: the original protocols have no such message.
        """
        assert self.hello is not None
        if self.hello.place.nonce and not self._knows_commitment:
            assert self.dialect.commitment is not None
            self._knows_commitment = True
            self.send(self.dialect.commitment(commitment))

    def take_seat(self, table: "Table", match_id: str, place: Place) -> None:
        """Open the transcript of a player that got a seat, and take what it said before that."""
        label = self.dialect.transcript_label(place)
        self._link.transcript.name(match_id, *label)
        if self._ready_early:
            table.ready(self)
        if self._session.held_back:
            self._door.loop.call_soon(self._resume)

    def give_way(self) -> None:
        """Close in favour of a new connection of the same player."""
        self.note("replaced by a new connection")
        if (message := self._session.replaced()) and not self.closed:
            self.send(message)
        self.close()

    def end_for_newer(self) -> None:
        """End in favour of a new connection of the same player, which may sit down at once."""
        self.give_way()
        self.lost()
        self.on_lost = lambda: None  # the link will report the loss once more

    def refuse(self, refusal: Refusal) -> None:
        """Turn a newcomer away."""
        self._refuse(self._session.refuse(refusal))

    def _refuse(self, farewell: Farewell) -> None:
        self._refused = True
        self._door.refuse(self, farewell)

    def send_away(self, farewell: Farewell) -> None:
        """Send the reason of a refusal, and close."""
        if not self.closed:
            self._link.transcript.name("refused", self.dialect.name)
            self.note(farewell.note or f"refused: {farewell.reason}")
            self._link.close(farewell)

    @property
    def gone(self) -> bool:
        """The peer has closed the connection, whether or not the loop knows it yet."""
        return self._link.closed or self._link.hung_up

    # For the table.

    @property
    def closed(self) -> bool:
        """The connection is closed, or about to be."""
        return self._link.closed

    def send(self, message: bytes) -> None:
        """Write one message."""
        if self._stray:
            self._stray -= 1
        self._link.send(message)

    def ask(self, question: bytes, left: Callable[[], None]) -> None:
        """Write a question, and call `left` when it has left, unless a newer one was written."""
        self._question = question
        self._questions += 1
        self._left = left
        self._link.ask(question)

    def question_left(self) -> None:
        """Tell, when the newest question has left, who asked it."""
        self._questions -= 1
        if not self._questions and self._left is not None:
            self._left()

    def about_to_ask(self) -> None:
        """Drop input that arrived before a question, where the dialect asks for it."""
        self._stray = 0
        session = self._session
        if session.drops_stale_input:
            stale = self._link.poll()
            if stale:
                self.note_input(stale)
                self._act_on(session.receive(stale, self))
            session.discard()

    def take_waiting_input(self) -> bool:
        """Process input that has arrived but was not read yet.

        Return True if more input is waiting that only the event loop can read.
        """
        waiting = self._link.poll()
        if waiting:
            self.received(waiting)
        elif self._session.quiet_after is not None:
            self._act_on(self._session.quiet(self))
        return self._link.has_unread_input

    def note(self, text: str) -> None:
        """Write a remark of the server to the player's transcript."""
        self._link.transcript.add("#", text)

    def flush_transcript(self) -> None:
        """Flush the player's transcript to disk."""
        self._link.flush_transcript()

    def close(self) -> None:
        """Close the connection after everything is sent."""
        self._link.close()

    def drop(self, reason: str) -> None:
        """Abort the connection without a farewell."""
        self._link.drop(reason)


_ACTIONS: Final[dict[type, Callable[[Client, Any], None]]] = {
    Hello: Client._hello,
    Watch: Client._watch,
    WatchBots: Client._watch_bots,
    Ready: Client._ready,
    Reload: Client._reload,
    StateRequested: Client._state_wanted,
    Exit: Client._exit,
    Stray: Client._stray_input,
    Goodbye: Client._goodbye,
    Wrong: Client._wrong,
    Flood: Client._flood,
}
