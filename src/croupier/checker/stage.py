"""One scenario with a program: a table of our own, real sockets, and eyes on the program."""

import asyncio
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from croupier.cards import parse_many
from croupier.checker import scenarios
from croupier.checker.delivery import GluedConnection, PiecewiseConnection
from croupier.checker.program import CheckedProgram
from croupier.checker.scenarios import KUHN, ROOM, TREND, Scenario
from croupier.checker.verdict import Verdict
from croupier.match.chance import SeededChance
from croupier.match.events import Faulted, Left, MatchEnded, MatchStarted, NotReady, TimedOut
from croupier.rules.events import Asked, Event, HandEnded
from croupier.rules.rules import Rules
from croupier.rules.sets import named
from croupier.server.arena_plan import ListenPlan
from croupier.server.challenges import KuhnLobby
from croupier.server.door import TcpDoor
from croupier.server.game import Game
from croupier.server.house import House, Watcher
from croupier.server.huawei import HuaweiDoor
from croupier.server.kuhn import KuhnDoor, KuhnOptions
from croupier.server.room import RoomDoor
from croupier.server.tables import TableLobby, TablePlan
from croupier.server.trend import TrendDoor

TIME_TO_COME = 15.0
"""Seconds from the program's start to its place at the table."""
TIME_TO_PLAY = 60.0
TIME_TO_GO = 5.0
"""Seconds that a program has to end after the match, or after the server has gone."""
AROUND = 8
"""Lines of the transcript before the first mistake."""

HOST = "127.0.0.1"
PID, NAME = 1001, "checked"


class Stage:
    """Plays one scenario."""

    def __init__(self, dialect: str, port: int, command: str, scenario: Scenario) -> None:
        self._dialect = dialect
        self._port = port
        self._command = command
        self._scenario = scenario
        self._player = -1
        self._events: list[Event] = []
        self._mistakes: list[str] = []
        self._questions = 0
        self._twisted = False
        self._game: Game | None = None

    async def run(self) -> Verdict:
        """Let the program play, and return what came of it."""
        with tempfile.TemporaryDirectory() as folder:
            self._folder = Path(folder)
            loop = asyncio.get_running_loop()
            self._over = asyncio.Event()
            self._came = asyncio.Event()
            self._back = asyncio.Event()
            house = House(
                loop,
                seed=bytes(32),
                transcripts=self._folder,
                watcher=Watcher(opened=self._opened),
                chance=lambda seed: _Chance(seed, self._scenario),
            )
            server = await self._listen(house, loop)
            port = server.sockets[0].getsockname()[1]
            self._server = server
            self._house = house
            program = CheckedProgram(self._command, HOST, port, PID, NAME)
            try:
                verdict = await self._watch(program)
            finally:
                server.close()
                for client in list(house.clients):
                    client.close()
                await program.end()
                house.close()
            return verdict

    async def _listen(self, house: House, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
        scenario, rules = self._scenario, self._rules()
        listener = ListenPlan(self._dialect, self._port)
        if self._dialect == KUHN:
            kuhn = KuhnLobby(house, rules, "random", self._ended)
            door: TcpDoor | TrendDoor = KuhnDoor(
                kuhn, loop, house.transcripts, KuhnOptions(), TIME_TO_COME
            )
        else:
            plan = TablePlan(rules, len(scenario.bots) + 1, bots=list(scenario.bots))
            lobby = TableLobby(house, plan, self._ended)
            lobby.open()
            if self._dialect == TREND:
                door = TrendDoor(lobby, loop, house.transcripts)
            elif self._dialect == ROOM:
                door = RoomDoor(lobby, loop, house.transcripts)
            else:
                door = HuaweiDoor(lobby, loop, house.transcripts)
        if isinstance(door, TcpDoor):
            door.connection_type = {
                scenarios.SPLIT: PiecewiseConnection,
                scenarios.GLUED: GluedConnection,
            }.get(scenario.twist, door.connection_type)
        return await door.listen(HOST, listener.port)

    def _rules(self) -> Rules:
        rules = named(self._dialect).with_fields(self._scenario.settings)
        hands = 0 if self._dialect == KUHN else self._scenario.hands
        changes: dict[str, int] = {"hands": hands, "registration_s": 10**6}
        if self._dialect in (ROOM, KUHN):
            changes |= {"decision_ms": 10_000, "ready_ms": 10_000}
        if self._scenario.twist == scenarios.SPLIT:
            changes["decision_ms"] = 10_000  # a question takes its time, byte by byte
        if self._dialect == TREND:
            changes["countdown_s"] = 1
        return rules.with_fields(changes | {"closing_s": int(2 * TIME_TO_GO)})

    # What happens at the table.

    def _opened(self, game: Game) -> None:
        self._game = game
        game.table.feed = self._saw

    def _ended(self, game: Game) -> None:
        self._over.set()

    def _saw(self, event: Event) -> None:
        self._events.append(event)
        game = self._game
        assert game is not None
        if isinstance(event, MatchStarted):
            self._player = len(game.table.match.players) - 1
            self._came.set()
        elif isinstance(event, Asked) and game.table.match.asked == self._player:
            self._questions += 1
            self._twist(game)
        elif isinstance(event, Faulted) and event.player == self._player:
            self._mistakes.append(f"an answer that is no legal decision: {event.reason}")
        elif isinstance(event, TimedOut) and event.player == self._player:
            self._timed_out(event)
        elif isinstance(event, NotReady) and event.player == self._player:
            self._mistakes.append("it did not say in time that it is ready for the next hand")
        elif isinstance(event, Left) and event.player == self._player:
            self._left()
        elif isinstance(event, HandEnded) and self._dialect == KUHN:
            # A match of kuhn has no last hand, so the server closes when it has seen enough.
            if game.table.view.rounds >= self._scenario.hands:
                asyncio.get_running_loop().call_soon(game.table.stop)
        elif isinstance(event, MatchEnded):
            self._over.set()

    def _timed_out(self, event: TimedOut) -> None:
        if not self._twisted:
            self._mistakes.append(
                "it was gone when its turn came" if event.absent else "no answer in time"
            )

    def _left(self) -> None:
        if not self._twisted:
            self._mistakes.append("it closed its connection before the match was over")
            self._over.set()

    def _twist(self, game: Game) -> None:
        """Do to the program what the scenario is about, once."""
        twist = self._scenario.twist
        if self._twisted or self._questions < 2:
            return
        loop = asyncio.get_running_loop()
        if twist == scenarios.LATE:
            self._twisted = True
            loop.call_soon(game.table.hurry)
        elif twist == scenarios.RECONNECT:
            self._twisted = True
            client = game.table.clients[self._player]
            loop.call_soon(client.close)
        elif twist == scenarios.GONE:
            self._twisted = True
            loop.call_soon(self._go_away)

    def _go_away(self) -> None:
        self._server.close()
        for client in list(self._house.clients):
            client.close()
        self._over.set()

    # What is made of it.

    async def _watch(self, program: CheckedProgram) -> Verdict:
        program.start()
        if not await _within(self._came, TIME_TO_COME, program.has_ended):
            return self._failed(program, self._why_it_did_not_come(program))
        if not await _within(self._over, TIME_TO_PLAY, lambda: False):
            return self._failed(program, f"the match was not over after {TIME_TO_PLAY:g} s")
        mistake = self._first_mistake()
        if mistake:
            return self._failed(program, mistake)
        if self._scenario.twist == scenarios.RECONNECT and not self._answered_again():
            return self._failed(program, "it did not come back after its connection broke")
        if not await program.ended_within(TIME_TO_GO):
            when = (
                "after the server had gone"
                if self._scenario.twist == scenarios.GONE
                else "after the match was over"
            )
            return self._failed(program, f"it was still running {TIME_TO_GO:g} s {when}")
        mistake = self._first_mistake()
        if mistake:
            return self._failed(program, mistake)
        text = f"{self._questions} questions, all answered"
        return Verdict(self._scenario.name, self._scenario.what, True, text)

    def _why_it_did_not_come(self, program: CheckedProgram) -> str:
        refused = self._notes()
        if refused:
            return f"it got no seat: {refused[0]}"
        if program.has_ended():
            return f"it ended before it had a seat, with exit code {program.code}"
        return f"it did not take a seat within {TIME_TO_COME:g} s"

    def _answered_again(self) -> bool:
        return self._game is not None and self._game.table.match.players[self._player].online

    def _first_mistake(self) -> str:
        notes = self._notes()
        if self._mistakes:
            return self._mistakes[0]
        return f"the server had to correct or ignore something: {notes[0]}" if notes else ""

    def _notes(self) -> list[str]:
        """Return what the server made of the program's messages, where it made something of it."""
        found = [match.group(1) for line in self._transcript() if (match := _NOTE.search(line))]
        if self._twisted:
            # The answer to a question that was taken back comes out of turn, and rightly so.
            found = [note for note in found if not note.startswith(_EXCUSED)]
        return found

    def _transcript(self) -> list[str]:
        self._flush_transcripts()
        lines: list[str] = []
        for path in sorted(self._folder.glob("*.log")):
            lines += path.read_text("utf-8").splitlines()
        return lines

    def _flush_transcripts(self) -> None:
        for client in self._house.clients:
            client.flush_transcript()

    def _failed(self, program: CheckedProgram, text: str) -> Verdict:
        lines = self._transcript()
        marks = [place for place, line in enumerate(lines) if _NOTE.search(line)]
        last = marks[0] + 1 if marks else len(lines)
        context = lines[max(0, last - AROUND) : last]
        return Verdict(
            self._scenario.name, self._scenario.what, False, text, context, program.last_lines()
        )


_NOTE = re.compile(r"^\S+ # (?!connection lost|quit)(.*)")
_EXCUSED = ("discarded", "ignored", "timeout", "folded")


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


class _Chance(SeededChance):
    """Deals by chance, except for what a scenario wants; the program sits down last."""

    def __init__(self, seed: bytes, scenario: Scenario) -> None:
        super().__init__(seed)
        self._scenario = scenario

    def cards(self, hand: int, deck: tuple[int, ...], count: int) -> list[int]:  # type: ignore[override]
        board = parse_many(self._scenario.cards.get(hand, ""))
        hole = parse_many(self._scenario.hole.get(hand, ""))
        if not board and not hole:
            return super().cards(hand, deck, count)
        seats = (count - 5) // 2
        wanted = set(board) | set(hole)
        rest = [card for card in super().cards(hand, deck, len(deck)) if card not in wanted]
        cards = rest[:count]
        if board:
            cards[-5:] = board
        if hole:
            seat = self._seat_of_program(hand, seats)
            cards[2 * seat : 2 * seat + 2] = hole
        return cards

    def seats(self, players: int) -> list[int]:
        return list(range(players))

    def _seat_of_program(self, hand: int, seats: int) -> int:
        """Return where the last player sits as long as nobody is out."""
        return (seats - 1 - (hand - 1)) % seats
