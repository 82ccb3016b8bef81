"""The `kuhn` listener: every client plays a match of its own against the house."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import structlog

from croupier.dialects.base import Answer, Illegal
from croupier.dialects.kuhn import words
from croupier.dialects.kuhn.decisions import OUT_OF_TURN, decide
from croupier.dialects.kuhn.messages import Action, Anok, Message, Quit, Start, Wrong
from croupier.dialects.kuhn.reader import SILENCE, KuhnReader
from croupier.match.match import HAND, OVER
from croupier.match.ready import Handshake
from croupier.rules.decisions import Options
from croupier.server.challenges import Challenger
from croupier.server.connection import Connection
from croupier.server.door import TcpDoor
from croupier.server.lobby import Refusal
from croupier.server.seating import KUHN
from croupier.server.table import Table

log = structlog.get_logger()

SETTLING = 0.001
"""Seconds after which is looked again whether the record of a hand is stored."""

MAX_QUEUED = 64
"""Messages that wait for that. A security limit."""


@dataclass(frozen=True)
class KuhnOptions:
    """How a listener speaks."""

    spelling: str | None = None
    """TEXT or BINARY; None: as each client does."""
    error_text: bool = False
    """Errors come with an explanation."""


class KuhnHouse(Protocol):
    """Who leads clients to a table of their own."""

    def challenge(self, client: Challenger, number: int) -> Table | Refusal:
        """Open a table for a client, or say why not."""


class KuhnDoor(TcpDoor):
    """Accepts connections; each of them speaks for itself."""

    dialect = KUHN

    def __init__(
        self,
        house: KuhnHouse,
        loop: asyncio.AbstractEventLoop,
        transcripts: Path | None,
        options: KuhnOptions,
        time_to_speak: float,
    ) -> None:
        super().__init__(loop, transcripts, time_to_speak)
        self.house = house
        self.options = options
        self._clients: dict[Connection, KuhnClient] = {}

    def begin(self, connection: Connection) -> None:
        self._clients[connection] = KuhnClient(connection, self)

    def heard(self, connection: Connection) -> None:
        super().heard(connection)
        self._clients.pop(connection, None)

    def hear(self, connection: Connection, data: bytes) -> None:
        self._clients[connection].received(connection, data)


class KuhnClient:
    """One connection, before and after its STRT."""

    __slots__ = (
        "_connection",
        "_door",
        "_flush_timer",
        "_id",
        "_queue",
        "_reader",
        "can_reload",
        "handshake",
        "on_lost",
        "player",
        "table",
    )

    def __init__(self, connection: Connection, door: KuhnDoor) -> None:
        self.player = -1
        self.handshake: Handshake | None = Handshake(first=True, last=False)
        self.can_reload = False
        self.table: Table | None = None
        self.on_lost: Callable[[], None] = lambda: None
        self._connection = connection
        self._door = door
        self._reader = KuhnReader(door.options.spelling)
        self._queue: deque[Message] = deque()
        self._flush_timer: asyncio.TimerHandle | None = None
        self._id = 0

    @property
    def listener(self) -> str:
        """The spelling of this client."""
        return self._reader.spelling or words.TEXT

    # From the connection.

    def received(self, connection: Connection, data: bytes) -> None:
        """Take bytes of the client."""
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        self._queue += self._reader.receive(data)
        if self._reader.pending:
            self._flush_timer = self._door.loop.call_later(SILENCE, self._flush)
        self._take_queued()

    def lost(self, connection: Connection) -> None:
        """Tell the table that the client is gone: within a hand that is a fold."""
        if self.table is not None:
            self.table.lost(self)
        self.on_lost()

    def _flush(self) -> None:
        self._flush_timer = None
        self._queue += self._reader.flush()
        self._take_queued()

    def _take_queued(self) -> None:
        """Take one message after another; none while a hand is on its way to the store."""
        while self._queue and not self.closed:
            if self.table is not None and self.table.settling:
                if len(self._queue) > MAX_QUEUED:
                    self._fail(Wrong(words.WRONG_SYNTAX, "too many commands"))
                else:
                    self._door.loop.call_later(SETTLING, self._take_queued)
                return
            self._take(self._queue.popleft())

    def _take(self, message: Message) -> None:
        if isinstance(message, Wrong):
            self._fail(message)
        elif isinstance(message, Start):
            self._start(message.id)
        elif isinstance(message, Anok):
            self._ante()
        elif isinstance(message, Action):
            self._act(message)
        else:
            self.note("quit" if isinstance(message, Quit) else "an error of the client's")
            self._connection.close()

    def _start(self, number: int) -> None:
        if self.table is None:
            self._id = number
            outcome = self._door.house.challenge(self, number)
            if isinstance(outcome, Refusal):
                self._fail(Wrong(words.WRONG_ID, outcome.reason))
                return
            self._connection.owner = self
            self._door.heard(self._connection)
        elif number != self._id:
            self._fail(Wrong(words.WRONG_ID, f"this connection is of {self._id}"))
            return
        elif self.table.match.phase == HAND:
            self._fail(Wrong(words.WRONG_ACTION, "STRT within a hand"))
            return
        own, house = self._stacks()
        self.send(words.stakes(self.listener, own, house))

    def _ante(self) -> None:
        table = self.table
        if table is None:
            self._fail(Wrong(words.WRONG_ACTION, "ANOK before STRT"))
        elif table.match.phase == OVER:
            code = words.WRONG_ACTION if all(self._stacks()) else words.NO_COINS
            self._fail(Wrong(code, "the match is over"))
        elif table.awaits_ready:
            table.ready(self)
        else:
            self._fail(Wrong(words.WRONG_ACTION, "ANOK within a hand"))

    def _act(self, action: Action) -> None:
        table = self.table
        if table is None or not table.is_asked(self):
            self._fail(OUT_OF_TURN)
            return
        options = table.match.options
        assert options is not None
        meaning = decide(action, options)
        if isinstance(meaning, Wrong):
            self._fail(meaning)
        else:
            table.answered(self, action)

    def _stacks(self) -> tuple[int, int]:
        """Return the client's coins and those of the house."""
        assert self.table is not None
        stacks = self.table.view.stacks
        return stacks[self.player], stacks[1 - self.player]

    def _fail(self, wrong: Wrong) -> None:
        """Say what was wrong and close; within a hand it costs the hand."""
        self._queue.clear()
        if self.table is None:
            self._connection.transcript.name("refused", KUHN)
        self.note(f"error {wrong.code}: {wrong.explanation}")
        log.info("error", dialect=KUHN, code=wrong.code, reason=wrong.explanation)
        with_text = self._door.options.error_text
        self.send(words.error(self.listener, wrong.code, wrong.explanation, with_text))
        self._connection.close()
        if self.table is not None:
            self.table.exit(self, wrong.explanation)

    # For the table.

    def send(self, message: bytes) -> None:
        self._connection.send(message)

    def forget_input(self) -> None:
        """Nothing: commands may come glued together."""

    def take_waiting_input(self) -> bool:
        waiting = self._connection.poll()
        if waiting:
            self._connection.data_received(waiting)
        elif self._reader.pending:
            self._flush()
        return False

    def decide(self, message: Any, options: Options, high: int) -> Answer | Illegal:
        answer = decide(message, options)
        return answer if isinstance(answer, Answer) else Illegal(answer.explanation)

    def flush_transcript(self) -> None:
        self._connection.transcript.flush()

    def note(self, text: str) -> None:
        self._connection.transcript.add("#", text)

    def seated(self, match_id: str) -> None:
        """Open the transcript under the match and the client."""
        self._connection.transcript.name(match_id, KUHN, str(self._id))

    def close(self) -> None:
        self._connection.close()

    def replaced(self) -> None:
        """Make way for a new connection with the same id; the match ends with its last hand."""
        self.note("replaced by a new connection")
        log.info("replaced", dialect=KUHN, id=self._id)
        self._connection.close()

    @property
    def closed(self) -> bool:
        return self._connection.closed

    @property
    def gone(self) -> bool:
        """The other side has closed the connection, whether or not the loop knows it already."""
        return self._connection.closed or self._connection.hung_up
