"""Play one scenario with a program: a real table on real sockets, and observe the program.

A `Trial` owns the table, its listener and the program, and closes all three.
"""

import asyncio
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from croupier.checker.delivery import GluedLink, PiecewiseLink
from croupier.checker.evidence import BROKEN, Evidence, Mistake
from croupier.checker.program import CheckedProgram
from croupier.checker.scripted_chance import ScriptedChance
from croupier.checker.verdict import Verdict
from croupier.checker.watched_links import WatchedGluedLink, WatchedHeldLink, WatchedPiecewiseLink
from croupier.dialects.dialect import Dialect, OnDemand, Transport
from croupier.dialects.scenarios import Scenario, Twist
from croupier.match.events import Faulted, Left, MatchEnded, MatchStarted, NotReady, TimedOut
from croupier.rules.events import Asked, Event, HandEnded
from croupier.rules.rules import Rules
from croupier.server.arena.programs import Entrance
from croupier.server.arena.sandbox import Surroundings
from croupier.server.lobbies.challenges import ChallengeLobby
from croupier.server.lobbies.prepared import TableLobby
from croupier.server.lobbies.routing import RoutingLobby
from croupier.server.lobbies.table_plan import TablePlan
from croupier.server.net.client import Lobby
from croupier.server.net.door import Door, TcpDoor, door_for
from croupier.server.net.tcp import TcpLink
from croupier.server.table.game import Game
from croupier.server.table.house import House, HouseCallbacks

SEAT_TIMEOUT = 15.0
"""Seconds from the start of the program until it has a seat."""
MATCH_TIMEOUT = 60.0
"""Seconds that a match may take."""
RECONNECT_TIMEOUT = 10.0
"""Seconds from a broken connection until the program has reconnected."""
EXIT_TIMEOUT = 5.0
"""Seconds that the program has to exit after the match, or after the server is gone."""
POLL_INTERVAL = 0.005

HOST = "127.0.0.1"
PID, NAME = 1001, "checked"
HOUSE_BOT = "random"
"""The opponent in dialects whose players play against the house."""


class ListenError(Exception):
    """The port cannot be opened; the text says why."""


class Trial:
    """One scenario with a program."""

    def __init__(
        self,
        dialect: Dialect,
        port: int,
        command: str,
        scenario: Scenario,
        around: Surroundings,
    ) -> None:
        self._dialect = dialect
        self._port = port
        self._command = command
        self._scenario = scenario
        self._around = around
        self._server: asyncio.Server | None = None
        self.certain = True
        """Whether the verdict is independent of timing, and so of the load on the machine."""
        self._player = -1
        self._questions = 0
        self._hands = 0
        self._twisted = False
        self._closing = False
        self._game: Game | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> Verdict:
        """Let the program play and return the verdict."""
        with tempfile.TemporaryDirectory() as folder:
            loop = asyncio.get_running_loop()
            self._over = asyncio.Event()
            self._seated = asyncio.Event()
            self._house = house = House(
                loop,
                seed=bytes(32),
                transcripts=Path(folder),
                callbacks=HouseCallbacks(opened=self._opened),
                chance=lambda seed: ScriptedChance(seed, self._scenario),
            )
            self._evidence = Evidence(Path(folder), self._flush_transcripts)
            try:
                entrance = await self._listen(house, loop)
            except OSError as error:
                house.close()
                # asyncio replaces the system's error text with its own.
                reason = os.strerror(error.errno) if error.errno else str(error)
                raise ListenError(f"cannot listen on port {self._port}: {reason}") from None
            self._program = program = CheckedProgram(
                self._command, entrance, PID, NAME, self._around
            )
            try:
                return await self._verdict_on(program)
            finally:
                self._closing = True
                for task in self._tasks:
                    task.cancel()
                self._close_listener()
                if self._game is not None:
                    self._game.table.discard()
                for client in list(house.clients):
                    client.close()
                await program.end()
                house.close()

    async def _listen(self, house: House, loop: asyncio.AbstractEventLoop) -> Entrance:
        """Open the door; a program in a box brings a listener of its own."""
        scenario, rules = self._scenario, self._rules()
        lobby: Lobby
        if self._against_house:
            lobby = ChallengeLobby(house, self._dialect, rules, HOUSE_BOT, self._ended)
        else:
            plan = TablePlan(rules, len(scenario.bots) + 1, bots=list(scenario.bots))
            table = TableLobby(house, plan, self._ended)
            table.open()
            lobby = RoutingLobby(None, {plan.name: table}, {}, {})
        door: Door = door_for(
            self._dialect, lobby, loop, house.transcripts, time_to_speak=SEAT_TIMEOUT
        )
        if isinstance(door, TcpDoor):
            door.link_type = self._link_type()
        port = self._port or self._dialect.port
        if not self._around.boxed:
            self._server = await door.listen(HOST, self._port)
            port = self._server.sockets[0].getsockname()[1]
        return Entrance(HOST, port, door.listen_on)

    def _close_listener(self) -> None:
        self._program.close_listener()
        if self._server is not None:
            self._server.close()

    def _link_type(self) -> type[TcpLink] | None:
        """Return the class of link that delivers messages as the scenario wants, if any."""
        watched = self._dialect.turns is not None
        if self._scenario.twist is Twist.SPLIT:
            return WatchedPiecewiseLink if watched else PiecewiseLink
        if self._scenario.twist is Twist.GLUED:
            return WatchedGluedLink if watched else GluedLink
        return WatchedHeldLink if watched else None

    @property
    def _against_house(self) -> bool:
        return self._dialect.on_demand is OnDemand.CHALLENGES

    def _rules(self) -> Rules:
        rules = self._dialect.rules.with_fields(self._scenario.settings)
        changes = {
            "hands": self._scenario.hands,
            "registration_s": 10**6,
            "closing_s": int(2 * EXIT_TIMEOUT),
        }
        changes |= self._dialect.checker_rules
        if self._scenario.twist is Twist.SPLIT:
            changes["decision_ms"] = 10_000  # sending a question in pieces takes a while
        return rules.with_fields(changes)

    # Events at the table.

    def _opened(self, game: Game) -> None:
        if self._closing:
            return  # for a connection that nobody had looked at before
        self._game = game
        game.table.feed = lambda event: self._saw(game, event)

    def _ended(self, game: Game) -> None:
        if game is self._game:
            self._over.set()

    def _saw(self, game: Game, event: Event) -> None:
        if game is not self._game:
            return  # the match of a connection that the program has replaced
        if isinstance(event, MatchStarted):
            self._player = len(game.table.match.players) - 1
            self._seated.set()
        elif isinstance(event, Asked) and game.table.match.asked == self._player:
            self._asked(game)
        elif isinstance(event, Faulted) and event.player == self._player:
            text = f"an answer that is no legal decision: {event.reason}"
            self._evidence.add(text, certain=True)
        elif isinstance(event, TimedOut) and event.player == self._player:
            if not self._evidence.excusing:
                self._evidence.add(
                    "it was gone when its turn came" if event.absent else "no answer in time"
                )
        elif isinstance(event, NotReady) and event.player == self._player:
            self._evidence.add("it did not say in time that it is ready for the next hand")
        elif isinstance(event, Left) and event.player == self._player:
            self._left()
        elif isinstance(event, HandEnded):
            self._hands += 1
        elif isinstance(event, MatchEnded):
            self._over.set()
        if self._against_house and (self._over.is_set() or self._hands >= self._scenario.hands):
            # A match against the house has no last hand, so the checker ends it, and those of a
            # program that goes on with another connection.
            asyncio.get_running_loop().call_soon(game.table.stop)

    def _asked(self, game: Game) -> None:
        self._evidence.find_transcripts()
        if self._is_online(game) and not self._is_overdue(game):
            self._evidence.stop_excusing()
        self._questions += 1
        if not self._twisted and self._questions == 2:
            self._twist(game)

    def _is_overdue(self, game: Game) -> bool:
        """Return whether the table plays on for the program, whose timeout ends the match."""
        overdue = self._twisted and self._scenario.twist is Twist.LATE
        return overdue and game.table.match.rules.fault_ends

    def _left(self) -> None:
        drops = self._scenario.twist in (Twist.RECONNECT, Twist.GONE)
        if not (drops and self._evidence.excusing):
            self._evidence.add("it closed its connection before the match was over")
            self._over.set()

    def _is_online(self, game: Game) -> bool:
        return game.table.match.players[self._player].online

    # What the scenario does to the program, once.

    def _twist(self, game: Game) -> None:
        twist = {
            Twist.LATE: self._expire_question,
            Twist.RECONNECT: self._break_connection,
            Twist.GONE: self._shut_down,
        }.get(self._scenario.twist)
        if twist is not None:
            self._twisted = True
            self._evidence.excuse()
            asyncio.get_running_loop().call_soon(twist, game)

    def _expire_question(self, game: Game) -> None:
        """Let the program's time run out at once.

        The bytes of an answer do not tell which question it belongs to, so the next hand waits
        until the late answer has arrived, or until it would have been due.
        """
        before = self._evidence.messages()
        game.table.pause()
        game.table.expire_turn()
        self._tasks.append(asyncio.create_task(self._resume_after_answer(game, before)))

    async def _resume_after_answer(self, game: Game, before: int) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + game.table.match.rules.decision_ms / 1000
        while self._evidence.messages() == before and loop.time() < deadline:
            await asyncio.sleep(POLL_INTERVAL)
        game.table.resume()

    def _break_connection(self, game: Game) -> None:
        """Break the connection without announcing the end of the match."""
        self._drop_connections()
        self._tasks.append(asyncio.create_task(self._expect_reconnect(game)))

    async def _expect_reconnect(self, game: Game) -> None:
        await asyncio.sleep(RECONNECT_TIMEOUT)
        if not self._over.is_set() and not self._is_online(game):
            self._evidence.add(
                f"it did not come back within {RECONNECT_TIMEOUT:g} s after its connection broke"
            )
            self._over.set()

    def _shut_down(self, game: Game) -> None:
        self._close_listener()
        self._drop_connections()
        self._over.set()

    def _drop_connections(self) -> None:
        for client in list(self._house.clients):
            if self._dialect.transport is Transport.WEBSOCKET:
                client.drop(BROKEN)  # a close frame would say that the game is over
            else:
                client.close()

    # The verdict.

    async def _verdict_on(self, program: CheckedProgram) -> Verdict:
        program.start()
        if not await _within(self._seated, SEAT_TIMEOUT, program.has_ended):
            return self._failed(program, self._why_no_seat(program))
        if not await _within(self._over, MATCH_TIMEOUT, lambda: self._has_given_up(program)):
            return self._failed(program, self._why_unfinished(program))
        mistake = self._evidence.first_mistake()
        if mistake is not None:
            return self._failed(program, mistake.text, mistake)
        if not await program.ended_within(EXIT_TIMEOUT):
            when = (
                "after the server had gone"
                if self._scenario.twist is Twist.GONE
                else "after the match was over"
            )
            return self._failed(program, f"it was still running {EXIT_TIMEOUT:g} s {when}")
        mistake = self._evidence.first_mistake()
        if mistake is not None:
            return self._failed(program, mistake.text, mistake)
        text = f"{self._questions} questions, all answered"
        return Verdict(self._scenario.name, self._scenario.what, True, text)

    def _has_given_up(self, program: CheckedProgram) -> bool:
        """Return whether the program has exited instead of reconnecting."""
        game = self._game
        broken = self._twisted and self._scenario.twist is Twist.RECONNECT
        if game is None or not broken or self._is_online(game):
            return False
        return program.has_ended()

    def _why_no_seat(self, program: CheckedProgram) -> str:
        for _, note in self._evidence.notes():
            return f"it got no seat: {note}"
        if program.has_ended():
            return f"it ended before it had a seat, with exit code {program.code}"
        first = self._dialect.first_message
        return f"it did not take a seat within {SEAT_TIMEOUT:g} s: no {first} has come"

    def _why_unfinished(self, program: CheckedProgram) -> str:
        if self._has_given_up(program):
            return (
                "it did not come back after its connection broke, but ended with exit code"
                f" {program.code}"
            )
        return f"the match was not over after {MATCH_TIMEOUT:g} s"

    def _flush_transcripts(self) -> None:
        for client in self._house.clients:
            client.flush_transcript()

    def _failed(
        self, program: CheckedProgram, text: str, mistake: Mistake | None = None
    ) -> Verdict:
        self.certain = mistake is not None and mistake.certain
        context = self._evidence.context_of(mistake)
        what, output = self._scenario.what, program.last_lines()
        return Verdict(self._scenario.name, what, False, text, context, output)


async def _within(event: asyncio.Event, seconds: float, given_up: Callable[[], bool]) -> bool:
    """Wait for an event; return False on a timeout or once `given_up()` holds."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not event.is_set():
        left = deadline - asyncio.get_running_loop().time()
        if left <= 0 or given_up():
            return False
        try:
            await asyncio.wait_for(event.wait(), min(left, 0.1))
        except TimeoutError:
            continue
    return True
