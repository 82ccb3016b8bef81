"""Play a bot at a server: connect, answer, reconnect, until all matches are played."""

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress

from croupier.bots.bot import Bot, ask
from croupier.client.address import Address
from croupier.client.back_off import BackOff
from croupier.client.connections import CONNECT_TIMEOUT, Connection, connect
from croupier.client.progress import Progress
from croupier.client.result import JoinError, Result
from croupier.dialects.player_side import (
    Committed,
    Failed,
    HandOver,
    MatchOver,
    PlayerSide,
    Question,
    Reconnect,
    Send,
    Step,
    WireError,
)
from croupier.rules.decisions import Decision

REFUSAL_WINDOW = 1.0
"""Seconds within which a connection that closes without a message counts as refused."""

RETRY = 3.0
"""Seconds for which to keep trying to reconnect when no server is listening any more."""

GIVE_UP = 60.0
"""Seconds for which to ask a reachable server to take the player back, or for the next match."""

SHORTEST_ATTEMPT = 1.0
"""Seconds that every attempt to connect has at least."""


class Session:
    """One bot at one server, for one or more matches."""

    def __init__(
        self,
        bot: Bot,
        address: Address,
        make_side: Callable[[], PlayerSide],
        matches: int,
        patience: float,
        retry: float = RETRY,
        progress: Progress | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`patience` is how many seconds the server may stay silent, 0 for no limit.

        `tls` says which certificates are trusted, if the server speaks TLS.
        """
        self.result = Result(address.dialect.name, address.netloc)
        self._bot = bot
        self._address = address
        self._tls = tls
        self._make_side = make_side
        self._matches = matches
        self._patience = patience or None
        self._retry = retry
        self._progress = progress or Progress()
        self._back_off = BackOff()
        self._heard = False
        """Whether the server has sent anything over the current connection."""
        self._asked = False
        """Whether the bot has been asked anything in the current match."""

    async def play(self) -> None:
        """Play all matches; raise JoinError if the session cannot continue."""
        connection = await connect(self._address, self._tls)
        self._progress.say(f"connected to {self._address.netloc}, waiting for the first hand")
        for number in range(self._matches):
            if number:
                self._progress.say(f"match {number} of {self._matches} is over; joining the next")
                connection = await self._connect_again(GIVE_UP)
            await self._play_match(connection, first=number == 0)

    async def _play_match(self, connection: Connection, first: bool) -> None:
        side = self._make_side()
        self._asked = False
        while True:
            end = await self._talk(side, connection)
            if isinstance(end, Reconnect):
                back = await self._reconnect_or_end(end.otherwise)
                if not isinstance(back, MatchOver):
                    connection = back
                    continue
                end = back
            if isinstance(end, MatchOver):
                self.result.matches += 1
                self.result.ended = end.reason
                return
            # A server may need a moment after a match before the next one can be joined.
            if first or self._heard:
                raise JoinError(end.reason)
            await self._back_off.wait(end.reason, GIVE_UP)
            connection = await self._connect_again(GIVE_UP)

    async def _reconnect_or_end(
        self, otherwise: MatchOver | Failed | None
    ) -> Connection | MatchOver:
        """Return a new connection, or that the match is over; raise JoinError if neither holds.

        `otherwise` is what losing the connection means unless the server was restarted. A restart
        is recognised by a moment in which nobody can connect.
        """
        if self._heard and otherwise is None:
            self._progress.say("the connection was lost; trying again")
        await self._back_off.wait("the server does not take the player back", GIVE_UP)
        try:
            if otherwise is not None and await self._is_reachable():
                raise JoinError("the server is still there")
            connection = await self._connect_again(self._retry)
        except JoinError as error:
            if isinstance(otherwise, MatchOver):
                return otherwise
            if otherwise is not None:
                raise JoinError(f"{otherwise.reason}; {error}") from None
            raise
        self._progress.say(f"connected to {self._address.netloc} again")
        return connection

    async def _is_reachable(self) -> bool:
        """Return whether the server accepts a connection."""
        try:
            connection = await connect(self._address, self._tls)
        except JoinError:
            return False
        with suppress(OSError):
            await connection.close()
        return True

    async def _connect_again(self, limit: float) -> Connection:
        said = ""
        while True:
            seconds = max(SHORTEST_ATTEMPT, min(CONNECT_TIMEOUT, self._back_off.remaining(limit)))
            try:
                return await connect(self._address, self._tls, seconds)
            except JoinError as error:
                if said != str(error):
                    said = str(error)
                    self._progress.say(f"trying again for {limit:g} s: {said}")
                await self._back_off.wait(said, limit)

    async def _talk(
        self, side: PlayerSide, connection: Connection
    ) -> MatchOver | Failed | Reconnect:
        """Play over one connection until the match is over or the connection is lost."""
        loop = asyncio.get_running_loop()
        opened = loop.time()
        self._heard = False
        try:
            connection.send(side.hello())
            while True:
                async with asyncio.timeout(None if side.idle else self._patience):
                    data = await connection.receive()
                if not data:
                    at_once = not self._heard and loop.time() - opened < REFUSAL_WINDOW
                    return side.lost(connection.reason, connection.code, at_once)
                self._heard = True
                self._back_off.reset()
                for step in side.receive(data):
                    end = self._do(step, side, connection)
                    if end is not None:
                        return end
                # A server that never stops sending must not block Ctrl-C.
                await asyncio.sleep(0)
        except WireError as error:
            raise JoinError(
                f"the server does not speak {self._address.dialect.name}: {error}"
            ) from None
        except TimeoutError:
            raise JoinError(f"the server has said nothing for {self._patience:g} s") from None
        except asyncio.CancelledError:
            connection.send(side.goodbye())
            raise
        finally:
            with suppress(OSError):
                await connection.close()

    def _do(
        self, step: Step, side: PlayerSide, connection: Connection
    ) -> MatchOver | Failed | None:
        if isinstance(step, Question):
            if not self._asked:
                self._asked = True
                self._progress.say("the match has begun")
            connection.send(side.answer(step, self._decide(step)))
        elif isinstance(step, Send):
            connection.send(step.data)
        elif isinstance(step, HandOver):
            self.result.hands += 1
            self.result.chips_won += step.won
            self._progress.hand(self.result)
        elif isinstance(step, Committed):
            self.result.commitment = step.commitment
            self._progress.say(f"the server is bound to its seed by {step.commitment}")
        else:
            return step
        return None

    def _decide(self, question: Question) -> Decision:
        """Return the bot's decision, or a harmless one if the bot fails or answers illegally."""
        decision, fault = ask(self._bot, question.view)
        if fault:
            self.result.faults += 1
            self.result.first_fault = self.result.first_fault or fault
        return decision
