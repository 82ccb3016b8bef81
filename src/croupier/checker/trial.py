"""One scenario with a program: a table of our own, real sockets, and eyes on the program."""

import asyncio
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from croupier.checker.chance import ScriptedChance
from croupier.checker.delivery import GluedLink, PiecewiseLink
from croupier.checker.evidence import BROKEN, Evidence, Mistake
from croupier.checker.program import CheckedProgram
from croupier.checker.turns import WatchedGluedLink, WatchedHeldLink, WatchedPiecewiseLink
from croupier.checker.verdict import Verdict
from croupier.dialects.dialect import Dialect, OnDemand, Transport
from croupier.dialects.scenarios import Scenario, Twist
from croupier.match.events import Faulted, Left, MatchEnded, MatchStarted, NotReady, TimedOut
from croupier.rules.events import Asked, Event, HandEnded
from croupier.rules.rules import Rules
from croupier.server.lobbies.challenges import ChallengeLobby
from croupier.server.lobbies.prepared import TableLobby, TablePlan
from croupier.server.lobbies.routing import RoutingLobby
from croupier.server.net.client import Lobby
from croupier.server.net.door import Door, TcpDoor, door_for
from croupier.server.net.tcp import TcpLink
from croupier.server.table.game import Game
from croupier.server.table.house import House, HouseCallbacks

TIME_TO_COME = 15.0
"""Seconds from the program's start to its place at the table."""
TIME_TO_PLAY = 60.0
TIME_TO_RETURN = 10.0
"""Seconds from a broken connection to the next one."""
TIME_TO_GO = 5.0
"""Seconds that a program has to end after the match, or after the server has gone."""
LOOK_EVERY = 0.005

HOST = "127.0.0.1"
PID, NAME = 1001, "checked"
HOUSE_BOT = "random"
"""Who plays for the house where a program meets the house."""


class ListenError(Exception):
    """The port cannot be had; the text says why."""


class Trial:
    """One scenario with a program."""

    def __init__(self, dialect: Dialect, port: int, command: str, scenario: Scenario) -> None:
        self._dialect = dialect
        self._port = port
        self._command = command
        self._scenario = scenario
        self.certain = True
        """What the verdict says was no matter of time, which a busy machine may be short of."""
        self._player = -1
        self._questions = 0
        self._hands = 0
        self._twisted = False
        self._game: Game | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> Verdict:
        """Let the program play, and return what came of it."""
        with tempfile.TemporaryDirectory() as folder:
            loop = asyncio.get_running_loop()
            self._over = asyncio.Event()
            self._came = asyncio.Event()
            self._house = house = House(
                loop,
                seed=bytes(32),
                transcripts=Path(folder),
                callbacks=HouseCallbacks(opened=self._opened),
                chance=lambda seed: ScriptedChance(seed, self._scenario),
            )
            self._evidence = Evidence(Path(folder), self._flush_transcripts)
            try:
                self._server = await self._listen(house, loop)
            except OSError as error:
                house.close()
                # The loop puts its own words in place of the system's.
                reason = os.strerror(error.errno) if error.errno else str(error)
                raise ListenError(f"cannot listen on port {self._port}: {reason}") from None
            port = self._server.sockets[0].getsockname()[1]
            program = CheckedProgram(self._command, HOST, port, PID, NAME)
            try:
                return await self._watch(program)
            finally:
                for task in self._tasks:
                    task.cancel()
                self._server.close()
                if self._game is not None:
                    self._game.table.discard()
                for client in list(house.clients):
                    client.close()
                await program.end()
                house.close()

    async def _listen(self, house: House, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
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
            self._dialect, lobby, loop, house.transcripts, time_to_speak=TIME_TO_COME
        )
        if isinstance(door, TcpDoor):
            door.link_type = self._link_type()
        return await door.listen(HOST, self._port)

    def _link_type(self) -> type[TcpLink]:
        """Return how messages are delivered."""
        watched = self._dialect.turns is not None
        if self._scenario.twist is Twist.SPLIT:
            return WatchedPiecewiseLink if watched else PiecewiseLink
        if self._scenario.twist is Twist.GLUED:
            return WatchedGluedLink if watched else GluedLink
        return WatchedHeldLink if watched else TcpLink

    @property
    def _against_house(self) -> bool:
        return self._dialect.on_demand is OnDemand.CHALLENGES

    def _rules(self) -> Rules:
        rules = self._dialect.rules.with_fields(self._scenario.settings)
        changes = {"hands": self._scenario.hands, "registration_s": 10**6}
        changes |= self._dialect.checker_rules
        if self._scenario.twist is Twist.SPLIT:
            changes["decision_ms"] = 10_000  # a question takes its time, piece by piece
        return rules.with_fields(changes | {"closing_s": int(2 * TIME_TO_GO)})

    # What happens at the table.

    def _opened(self, game: Game) -> None:
        self._game = game
        game.table.feed = lambda event: self._saw(game, event)

    def _ended(self, game: Game) -> None:
        if game is self._game:
            self._over.set()

    def _saw(self, game: Game, event: Event) -> None:
        if game is not self._game:
            return  # of a connection that the program has replaced by another one
        if isinstance(event, MatchStarted):
            self._player = len(game.table.match.players) - 1
            self._came.set()
        elif isinstance(event, Asked) and game.table.match.asked == self._player:
            self._asked(game)
        elif isinstance(event, Faulted) and event.player == self._player:
            text = f"an answer that is no legal decision: {event.reason}"
            self._evidence.saw(text, certain=True)
        elif isinstance(event, TimedOut) and event.player == self._player:
            if not self._evidence.excusing:
                self._evidence.saw(
                    "it was gone when its turn came" if event.absent else "no answer in time"
                )
        elif isinstance(event, NotReady) and event.player == self._player:
            self._evidence.saw("it did not say in time that it is ready for the next hand")
        elif isinstance(event, Left) and event.player == self._player:
            self._left()
        elif isinstance(event, HandEnded):
            self._hands += 1
        elif isinstance(event, MatchEnded):
            self._over.set()
        if self._against_house and self._hands >= self._scenario.hands:
            # Such a match has no last hand, so the server closes when it has seen enough.
            asyncio.get_running_loop().call_soon(game.table.stop)

    def _asked(self, game: Game) -> None:
        self._evidence.look()
        if self._is_online(game):
            self._evidence.excuse_no_more()
        self._questions += 1
        if not self._twisted and self._questions == 2:
            self._twist(game)

    def _left(self) -> None:
        cut_off = self._scenario.twist in (Twist.RECONNECT, Twist.GONE)
        if not (cut_off and self._evidence.excusing):
            self._evidence.saw("it closed its connection before the match was over")
            self._over.set()

    def _is_online(self, game: Game) -> bool:
        return game.table.match.players[self._player].online

    # What the table does to the program, once.

    def _twist(self, game: Game) -> None:
        twist = {
            Twist.LATE: self._be_late,
            Twist.RECONNECT: self._break,
            Twist.GONE: self._go_away,
        }.get(self._scenario.twist)
        if twist is not None:
            self._twisted = True
            self._evidence.excuse()
            asyncio.get_running_loop().call_soon(twist, game)

    def _be_late(self, game: Game) -> None:
        """Take the question back.

        Which question an answer belongs to cannot be told from its bytes. So the next hand waits
        until the late answer has come, or for as long as it would have had.
        """
        before = self._evidence.messages()
        game.table.pause()
        game.table.expire_turn()
        self._tasks.append(asyncio.create_task(self._go_on_after_answer(game, before)))

    async def _go_on_after_answer(self, game: Game, before: int) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + game.table.match.rules.decision_ms / 1000
        while self._evidence.messages() == before and loop.time() < deadline:
            await asyncio.sleep(LOOK_EVERY)
        game.table.resume()

    def _break(self, game: Game) -> None:
        """Break the connection, without a word that the match might be over."""
        self._cut_off(game)
        self._tasks.append(asyncio.create_task(self._look_whether_back(game)))

    async def _look_whether_back(self, game: Game) -> None:
        await asyncio.sleep(TIME_TO_RETURN)
        if not self._over.is_set() and not self._is_online(game):
            self._evidence.saw(
                f"it did not come back within {TIME_TO_RETURN:g} s after its connection broke"
            )
            self._over.set()

    def _go_away(self, game: Game) -> None:
        self._server.close()
        self._cut_off(game)
        self._over.set()

    def _cut_off(self, game: Game) -> None:
        for client in list(self._house.clients):
            if self._dialect.transport is Transport.WEBSOCKET:
                client.drop(BROKEN)  # to close it would be to say that the game is over
            else:
                client.close()

    # What is made of it.

    async def _watch(self, program: CheckedProgram) -> Verdict:
        program.start()
        if not await _within(self._came, TIME_TO_COME, program.has_ended):
            return self._failed(program, self._why_it_did_not_come(program))
        if not await _within(self._over, TIME_TO_PLAY, lambda: self._gives_up(program)):
            return self._failed(program, self._why_it_is_not_over(program))
        mistake = self._evidence.first_mistake()
        if mistake is not None:
            return self._failed(program, mistake.text, mistake)
        if not await program.ended_within(TIME_TO_GO):
            when = (
                "after the server had gone"
                if self._scenario.twist is Twist.GONE
                else "after the match was over"
            )
            return self._failed(program, f"it was still running {TIME_TO_GO:g} s {when}")
        mistake = self._evidence.first_mistake()
        if mistake is not None:
            return self._failed(program, mistake.text, mistake)
        text = f"{self._questions} questions, all answered"
        return Verdict(self._scenario.name, self._scenario.what, True, text)

    def _gives_up(self, program: CheckedProgram) -> bool:
        """Tell whether the program has ended instead of coming back."""
        game = self._game
        broken = self._twisted and self._scenario.twist is Twist.RECONNECT
        if game is None or not broken or self._is_online(game):
            return False
        return program.has_ended()

    def _why_it_did_not_come(self, program: CheckedProgram) -> str:
        for _, note in self._evidence.notes():
            return f"it got no seat: {note}"
        if program.has_ended():
            return f"it ended before it had a seat, with exit code {program.code}"
        return f"it did not take a seat within {TIME_TO_COME:g} s"

    def _why_it_is_not_over(self, program: CheckedProgram) -> str:
        if self._gives_up(program):
            return (
                "it did not come back after its connection broke, but ended with exit code"
                f" {program.code}"
            )
        return f"the match was not over after {TIME_TO_PLAY:g} s"

    def _flush_transcripts(self) -> None:
        for client in self._house.clients:
            client.flush_transcript()

    def _failed(
        self, program: CheckedProgram, text: str, mistake: Mistake | None = None
    ) -> Verdict:
        self.certain = mistake is not None and mistake.certain
        context = self._evidence.around(mistake)
        what, output = self._scenario.what, program.last_lines()
        return Verdict(self._scenario.name, what, False, text, context, output)


async def _within(event: asyncio.Event, seconds: float, given_up: Callable[[], bool]) -> bool:
    """Wait for an event; return whether it came in time, or before it was given up."""
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
