"""A bot at a server: connect, answer, come back, until all matches are played."""

import asyncio
import traceback
from collections.abc import Callable
from contextlib import suppress

from croupier.bots.bot import Bot
from croupier.client.address import Address
from croupier.client.result import JoinError, Result
from croupier.client.wires import Wire, connect
from croupier.dialects.player_base import (
    ComeBack,
    Failed,
    HandOver,
    MatchOver,
    PlayerSide,
    Question,
    Send,
    Step,
    WireError,
)
from croupier.rules.decisions import CALL, FOLD, Decision

AT_ONCE = 1.0
"""Seconds within which a connection that is closed without a word counts as refused."""

FIRST_WAIT = 0.1
LONGEST_WAIT = 5.0
GIVE_UP = 60.0
"""Seconds between attempts to come back, doubling, and after how many of them it is enough."""


class BackOff:
    """The time between attempts to come back."""

    def __init__(self) -> None:
        self._next = FIRST_WAIT
        self._waited = 0.0

    def reset(self) -> None:
        """Begin anew: the server has said something."""
        self._next = FIRST_WAIT
        self._waited = 0.0

    async def wait(self, reason: str) -> None:
        """Wait before the next attempt, or give up."""
        if self._waited >= GIVE_UP:
            raise JoinError(f"could not come back within {GIVE_UP:g} s: {reason}")
        await asyncio.sleep(self._next)
        self._waited += self._next
        self._next = min(2 * self._next, LONGEST_WAIT)


class Session:
    """One bot at one server, for one match or more."""

    def __init__(
        self,
        bot: Bot,
        address: Address,
        make_side: Callable[[], PlayerSide],
        matches: int,
        patience: float,
    ) -> None:
        """`patience` is for how many seconds the server may say nothing; 0: as long as it likes."""
        self.result = Result(address.dialect, address.place)
        self._bot = bot
        self._address = address
        self._make_side = make_side
        self._matches = matches
        self._patience = patience or None
        self._back_off = BackOff()
        self._heard = False
        """The server has said something over the present connection."""

    async def play(self) -> None:
        """Play all matches; raise JoinError if there is no way on."""
        wire = await connect(self._address)
        for number in range(self._matches):
            if number:
                wire = await self._connect_again()
            await self._play_match(wire, first=number == 0)

    async def _play_match(self, wire: Wire, first: bool) -> None:
        side = self._make_side()
        while True:
            end = await self._talk(side, wire)
            if isinstance(end, MatchOver):
                self.result.matches += 1
                self.result.ended = end.reason
                return
            if isinstance(end, Failed):
                # After a match it takes a server a moment until the next one can be joined.
                if first or self._heard:
                    raise JoinError(end.reason)
                await self._back_off.wait(end.reason)
            else:
                await self._back_off.wait("the server does not take the player back")
            wire = await self._connect_again()

    async def _connect_again(self) -> Wire:
        while True:
            try:
                return await connect(self._address)
            except JoinError as error:
                await self._back_off.wait(str(error))

    async def _talk(self, side: PlayerSide, wire: Wire) -> MatchOver | Failed | ComeBack:
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
            raise JoinError(f"the server does not speak {self._address.dialect}: {error}") from None
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
            wire.send(side.answer(step, self._decide(step)))
        elif isinstance(step, Send):
            wire.send(step.data)
        elif isinstance(step, HandOver):
            self.result.hands += 1
            self.result.chips_won += step.won
        else:
            return step
        return None

    def _decide(self, question: Question) -> Decision:
        """Return the bot's decision, or a harmless one if it fails or is illegal."""
        try:
            decision = self._bot.decide(question.view)
            if type(decision) is not Decision:
                raise TypeError(f"decide() returned {decision!r:.200}, which is no decision")
            fault = question.options.fault(decision)
            if not fault:
                return decision
            fault = f"illegal decision: {fault}"
        except Exception:
            fault = traceback.format_exc()
        self.result.faults += 1
        self.result.first_fault = self.result.first_fault or fault
        return FOLD if question.options.owed else CALL
