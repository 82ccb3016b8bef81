"""A bot at a server: connect, answer, come back, until all matches are played."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from croupier.bots.bot import Bot, ask
from croupier.client.address import Address
from croupier.client.back_off import BackOff
from croupier.client.progress import Progress
from croupier.client.result import JoinError, Result
from croupier.client.wires import TIME_TO_CONNECT, Wire, connect
from croupier.dialects.player_side import (
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

AT_ONCE = 1.0
"""Seconds within which a connection that is closed without a word counts as refused."""

RETRY = 3.0
"""Seconds for which a server that is gone is looked for, once there was a connection."""

GIVE_UP = 60.0
"""Seconds for which one that is there is asked to take the player back, or for the next match."""

SHORTEST_ATTEMPT = 1.0


class Session:
    """One bot at one server, for one match or more."""

    def __init__(
        self,
        bot: Bot,
        address: Address,
        make_side: Callable[[], PlayerSide],
        matches: int,
        patience: float,
        retry: float = RETRY,
        progress: Progress | None = None,
    ) -> None:
        """`patience` is for how many seconds the server may say nothing; 0: as long as it likes."""
        self.result = Result(address.dialect.name, address.place)
        self._bot = bot
        self._address = address
        self._make_side = make_side
        self._matches = matches
        self._patience = patience or None
        self._retry = retry
        self._progress = progress or Progress()
        self._back_off = BackOff()
        self._heard = False
        """The server has said something over the present connection."""
        self._asked = False
        """The bot was asked in the present match."""

    async def play(self) -> None:
        """Play all matches; raise JoinError if there is no way on."""
        wire = await connect(self._address)
        self._progress.say(f"connected to {self._address.place}, waiting for the first hand")
        for number in range(self._matches):
            if number:
                self._progress.say(f"match {number} of {self._matches} is over; joining the next")
                wire = await self._connect_again(GIVE_UP)
            await self._play_match(wire, first=number == 0)

    async def _play_match(self, wire: Wire, first: bool) -> None:
        side = self._make_side()
        self._asked = False
        while True:
            end = await self._talk(side, wire)
            if isinstance(end, Reconnect):
                back = await self._come_back(end.otherwise)
                if not isinstance(back, MatchOver):
                    wire = back
                    continue
                end = back
            if isinstance(end, MatchOver):
                self.result.matches += 1
                self.result.ended = end.reason
                return
            # After a match it takes a server a moment until the next one can be joined.
            if first or self._heard:
                raise JoinError(end.reason)
            await self._back_off.wait(end.reason, GIVE_UP)
            wire = await self._connect_again(GIVE_UP)

    async def _come_back(self, otherwise: MatchOver | Failed | None) -> Wire | MatchOver:
        """Return a new connection, or that the match is over; raise JoinError if there is no way.

        `otherwise` is what the loss of the connection means unless the server was restarted. That
        it was is seen by a moment in which nobody could connect.
        """
        if self._heard and otherwise is None:
            self._progress.say("the connection was lost; trying again")
        await self._back_off.wait("the server does not take the player back", GIVE_UP)
        try:
            if otherwise is not None and await self._is_there():
                raise JoinError("the server is still there")
            wire = await self._connect_again(self._retry)
        except JoinError as error:
            if isinstance(otherwise, MatchOver):
                return otherwise
            if otherwise is not None:
                raise JoinError(f"{otherwise.reason}; {error}") from None
            raise
        self._progress.say(f"connected to {self._address.place} again")
        return wire

    async def _is_there(self) -> bool:
        """Tell whether the server can be connected to."""
        try:
            wire = await connect(self._address)
        except JoinError:
            return False
        with suppress(OSError):
            await wire.close()
        return True

    async def _connect_again(self, limit: float) -> Wire:
        said = ""
        while True:
            seconds = max(SHORTEST_ATTEMPT, min(TIME_TO_CONNECT, self._back_off.left(limit)))
            try:
                return await connect(self._address, seconds)
            except JoinError as error:
                if said != str(error):
                    said = str(error)
                    self._progress.say(f"trying again for {limit:g} s: {said}")
                await self._back_off.wait(said, limit)

    async def _talk(self, side: PlayerSide, wire: Wire) -> MatchOver | Failed | Reconnect:
        """Play over one connection until the match is over or the connection is gone."""
        loop = asyncio.get_running_loop()
        opened = loop.time()
        self._heard = False
        try:
            wire.send(side.hello())
            while True:
                async with asyncio.timeout(None if side.idle else self._patience):
                    data = await wire.receive()
                if not data:
                    at_once = not self._heard and loop.time() - opened < AT_ONCE
                    return side.lost(wire.reason, wire.code, at_once)
                self._heard = True
                self._back_off.reset()
                for step in side.receive(data):
                    end = self._do(step, side, wire)
                    if end is not None:
                        return end
                # A server that sends without end must not keep Ctrl-C from being heard.
                await asyncio.sleep(0)
        except WireError as error:
            raise JoinError(
                f"the server does not speak {self._address.dialect.name}: {error}"
            ) from None
        except TimeoutError:
            raise JoinError(f"the server has said nothing for {self._patience:g} s") from None
        except asyncio.CancelledError:
            wire.send(side.goodbye())
            raise
        finally:
            with suppress(OSError):
                await wire.close()

    def _do(self, step: Step, side: PlayerSide, wire: Wire) -> MatchOver | Failed | None:
        if isinstance(step, Question):
            if not self._asked:
                self._asked = True
                self._progress.say("the match has begun")
            wire.send(side.answer(step, self._decide(step)))
        elif isinstance(step, Send):
            wire.send(step.data)
        elif isinstance(step, HandOver):
            self.result.hands += 1
            self.result.chips_won += step.won
            self._progress.hand(self.result)
        else:
            return step
        return None

    def _decide(self, question: Question) -> Decision:
        """Return the bot's decision, or a harmless one if it fails or is illegal."""
        decision, fault = ask(self._bot, question.view)
        if fault:
            self.result.faults += 1
            self.result.first_fault = self.result.first_fault or fault
        return decision
