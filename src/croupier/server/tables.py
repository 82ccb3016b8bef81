"""One prepared table after another: who may sit down there, and what follows a match."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import structlog

from croupier.dialects.room.reader import Connect, Watch, WatchBots
from croupier.match.match import OVER, RETURNING, SEATING
from croupier.rules.rules import Rules
from croupier.server.game import Game
from croupier.server.house import House
from croupier.server.lobby import FULL, TAKEN, UNKNOWN, Newcomer, Refusal
from croupier.server.seating import HOUSE, HUAWEI, ROOM, TREND, Place
from croupier.server.table import Table
from croupier.server.watching import Watching
from croupier.store.unfinished import unfinished

log = structlog.get_logger()


@dataclass
class TablePlan:
    """What is played at a table, and by whom."""

    rules: Rules
    seats: int
    bots: list[str] = field(default_factory=list)
    number: str = "1"
    """Its number in `trend`."""
    name: str = ""
    """Its name in an arena."""
    dialects: frozenset[str] = frozenset()
    """Who may sit down; empty: whoever comes."""
    minimum: int | None = None
    """How many connected players an open table waits for; None: registration as the rules say."""
    wait_s: float = 10.0
    """How long an open table waits for more, once the minimum is there."""
    fill: list[str] = field(default_factory=list)
    """House bots for the places that are free then."""
    on_command: bool = False
    """An open table starts only when it is told to."""
    repeat: bool = True
    """After a match comes the next one."""
    allowed_pids: frozenset[str] = frozenset()
    closed: bool = False
    """Only players of the registry who belong to this table are admitted in `trend`."""
    is_registered: Callable[[Place], bool] = lambda place: False

    @property
    def key(self) -> str:
        """Where a match that was cut off is found again."""
        return f"table {self.name}" if self.name else f"host {self.rules.name}"

    @property
    def patient(self) -> bool:
        """The table does not start by the clock of the rules."""
        return self.minimum is not None or self.on_command


class TableLobby:
    """Opens a table, leads newcomers to it, and after the match decides what is next."""

    def __init__(
        self,
        house: House,
        plan: TablePlan,
        on_over: Callable[[Game], None],
        on_end: Callable[[Game], None] = lambda game: None,
    ) -> None:
        """`on_over` is told when a match is over and stored; it may open the next one.

        `on_end` is told at once, also if an error of our own has ended the game.
        """
        self._house = house
        self.plan = plan
        self._on_over = on_over
        self._on_end = on_end
        self.game: Game | None = None
        self._countdown: asyncio.TimerHandle | None = None
        """Runs while an open table waits for more than its minimum."""
        self._waiting: list[tuple[Newcomer, Place]] = []
        """Who has come to an open table before its start."""

    def open(self) -> None:
        """Open a table, or go on with the match that was cut off."""
        if self._resume():
            return
        plan = self.plan
        game = self._house.open(
            plan.rules,
            plan.seats,
            plan.key,
            plan.number,
            patient=plan.patient,
            on_command=plan.on_command,
        )
        self._waiting = []
        self._play(game)
        self._house.announce(game)
        for bot in plan.bots:
            self._seat_bot(game, bot)

    def start(self) -> None:
        """Fill an open table up with house bots and start its match."""
        self._stop_countdown()
        game = self.game
        if game is None or game.table.match.phase != SEATING:
            return
        for bot in self.plan.fill:
            if game.table.match.phase == SEATING:
                self._seat_bot(game, bot)
        if game.table.match.phase == SEATING:
            game.table.start()

    def _seat_bot(self, game: Game, bot: str) -> None:
        index = sum(place.dialect == HOUSE for place in game.seating.places)
        self._house.seat_bot(game, bot, f"{bot}{index}")

    def stop(self) -> bool:
        """End the match; return False if there is none."""
        self._stop_countdown()
        game = self.game
        if game is None or game.table.match.phase == OVER:
            return False
        game.table.stop()
        return True

    def _play(self, game: Game) -> None:
        self.game = game
        game.lasting = True
        game.on_over = self._on_over
        game.on_end = self._on_end

    def _resume(self) -> bool:
        engine = self._house.engine
        found = None if engine is None else unfinished(engine, self.plan.key)
        if found is None:
            return False
        game = self._house.restore(*found, self.plan.number)
        self._play(game)
        match = game.table.match
        log.info(
            "resumed",
            table=game.name,
            match=game.table.id,
            hand=match.number,
            seconds=match.rules.return_s,
        )
        self._house.announce(game)
        return True

    # Players.

    def admit(self, client: Newcomer, place: Place) -> Table | Refusal:
        """Lead a newcomer to the table, or say why not."""
        game = self.game
        if game is None:
            return Refusal(FULL, "the table is closed")
        refusal = self._refusal(game, place)
        if refusal is not None:
            return refusal
        self._house.remember(client, lambda: self._gone(game, client))
        self._house.seat(game, client, place)
        if self.plan.patient and game.table.match.phase == SEATING:
            self._waiting.append((client, place))
            self._look_at_the_minimum()
        else:
            self._stop_countdown()
        return game.table

    def _refusal(self, game: Game, place: Place) -> Refusal | None:
        phase = game.table.match.phase
        if phase == OVER:
            return Refusal(FULL, "the match is over")
        known = game.seating.find(place)
        if known is not None and known in game.away:
            return None
        if known is not None and place.dialect != ROOM:
            return Refusal(TAKEN, "this player is connected already")
        if place.dialect == TREND and self.plan.closed and not self.plan.is_registered(place):
            return Refusal(UNKNOWN, "this table is closed and does not know the name")
        if phase != SEATING:
            return Refusal(FULL, "the match is running")
        if not self.free:
            return Refusal(FULL, "the table is full")
        if place.pid is not None:
            if self.plan.allowed_pids and place.pid not in self.plan.allowed_pids:
                return Refusal(UNKNOWN, f"pid {place.pid} is not expected here")
            if game.seating.pid_taken(place.pid):
                return Refusal(TAKEN, f"pid {place.pid} is registered already")
        return None

    @property
    def free(self) -> int:
        """How many places can still be taken."""
        game = self.game
        if game is None or game.table.match.phase != SEATING:
            return 0
        return game.table.match.size - len(game.table.match.players)

    def expects(self, place: Place) -> bool:
        """Tell whether a player of this table may come back to it."""
        game = self.game
        if game is None or game.table.failed or game.table.match.phase == OVER:
            return False
        known = game.seating.find(place)
        return known is not None and known in game.away

    def has(self, place: Place) -> bool:
        """Tell whether a player is at this table."""
        game = self.game
        if game is None or game.table.failed or game.table.match.phase == OVER:
            return False
        return game.seating.find(place) is not None

    def admits(self, dialect: str) -> bool:
        """Tell whether players of a dialect may sit down."""
        return not self.plan.dialects or dialect in self.plan.dialects

    def _look_at_the_minimum(self) -> None:
        minimum = self.plan.minimum
        if minimum is None or self.plan.on_command or len(self._waiting) < minimum:
            self._stop_countdown()
        elif self._countdown is None:
            self._countdown = self._house.loop.call_later(self.plan.wait_s, self.start)

    def _stop_countdown(self) -> None:
        if self._countdown is not None:
            self._countdown.cancel()
            self._countdown = None

    def _reseat(self, gone: Newcomer) -> None:
        """Free the place of a player who has left an open table before its start.

        Places are given away in order, so the others sit down anew, at a table of which nothing is
        known yet to anybody.
        """
        countdown, self._countdown = self._countdown, None
        stayed = [(client, place) for client, place in self._waiting if client is not gone]
        assert self.game is not None
        self.game.table.fold_up()
        self._house.open_games -= 1
        self.open()
        for client, place in stayed:
            self.admit(client, replace(place, pid=place.pid if place.dialect == HUAWEI else None))
        if countdown is not None and self._countdown is not None:
            # Enough are left: they wait no longer than they were told.
            countdown, self._countdown = self._countdown, countdown
        if countdown is not None:
            countdown.cancel()

    def _gone(self, game: Game, client: Newcomer) -> None:
        phase = game.table.match.phase
        if self.plan.patient and phase == SEATING and game is self.game:
            self._reseat(client)
            return
        dialect = game.seating.places[client.player].dialect
        # Nobody rejoins a running match of huawei or room; in trend one always may.
        if dialect == TREND or phase in (SEATING, RETURNING):
            game.away.add(client.player)

    # What programs of `room` ask for, at a table that is prepared already.

    def connect(self, client: Newcomer, wish: Connect) -> Refusal | None:
        """Give a seat to a player, whatever room he asks for."""
        outcome = self.admit(client, Place(wish.name, ROOM))
        return outcome if isinstance(outcome, Refusal) else None

    def watch(self, client: Newcomer, wish: Watch) -> Refusal | None:
        """Let someone watch the table."""
        if self.game is None:
            return Refusal(FULL, "the table is closed")
        return watch_game(self._house, self.game, client)

    def watch_bots(self, client: Newcomer, wish: WatchBots) -> Refusal | None:
        """Say that this is no place for it."""
        return Refusal(FULL, "this server has a prepared table; house bots cannot be asked for")


def watch_game(
    house: House, game: Game, client: Newcomer, on_lost: Callable[[], None] = lambda: None
) -> Refusal | None:
    """Let someone watch a game, or say why not."""
    table = game.table
    if table.watching is None:
        table.watching = Watching(house.policy, table.view, game.seating)
    watching = table.watching
    if watching.full:
        return Refusal(FULL, "too many are watching already")

    def gone() -> None:
        watching.remove(client)
        on_lost()

    house.remember(client, gone)
    watching.add(client)
    return None
