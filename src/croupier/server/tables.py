"""One prepared table after another: who may sit down there, and what follows a match."""

from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from croupier.dialects.room.reader import Connect, Watch, WatchBots
from croupier.match.match import OVER, RETURNING, SEATING
from croupier.rules.rules import Rules
from croupier.server.game import Game
from croupier.server.house import House
from croupier.server.lobby import FULL, TAKEN, UNKNOWN, Newcomer, Refusal
from croupier.server.seating import ROOM, TREND, Place
from croupier.server.table import Table
from croupier.server.watching import Watching
from croupier.store.queries import unfinished

log = structlog.get_logger()


@dataclass
class TablePlan:
    """What is played at a table, and by whom."""

    rules: Rules
    seats: int
    bots: list[str] = field(default_factory=list)
    number: str = "1"
    """Its number in `trend`."""
    allowed_pids: frozenset[str] = frozenset()
    closed: bool = False
    """Only players of the registry who belong to this table are admitted in `trend`."""
    is_registered: Callable[[Place], bool] = lambda place: False

    @property
    def key(self) -> str:
        """Where a match that was cut off is found again."""
        return f"host {self.rules.name}"


class TableLobby:
    """Opens a table, leads newcomers to it, and after the match decides what is next."""

    def __init__(self, house: House, plan: TablePlan, on_over: Callable[[Game], None]) -> None:
        """`on_over` is told when a match is over; it may open the next one."""
        self._house = house
        self._plan = plan
        self._on_over = on_over
        self.game: Game | None = None

    def open(self) -> None:
        """Open a table, or go on with the match that was cut off."""
        if self._resume():
            return
        plan = self._plan
        game = self._house.open(plan.rules, plan.seats, plan.key, plan.number)
        self._play(game)
        for index, bot in enumerate(plan.bots):
            self._house.seat_bot(game, bot, f"{bot}{index}")
        self._house.announce(game)

    def stop(self) -> bool:
        """End the match; return False if there is none."""
        game = self.game
        if game is None or game.table.match.phase == OVER:
            return False
        game.table.stop()
        return True

    def _play(self, game: Game) -> None:
        self.game = game
        game.on_over = self._on_over

    def _resume(self) -> bool:
        engine = self._house.engine
        found = None if engine is None else unfinished(engine, self._plan.key)
        if found is None:
            return False
        game = self._house.restore(*found, self._plan.number)
        self._play(game)
        match = game.table.match
        log.info("resumed", table=game.table.id, hand=match.number, seconds=match.rules.return_s)
        self._house.announce(game)
        return True

    # Players.

    def admit(self, client: Newcomer, place: Place) -> Table | Refusal:
        """Lead a newcomer to the table, or say why not."""
        game = self.game
        if game is None:
            return Refusal(FULL, "the server is closing")
        refusal = self._refusal(game, place)
        if refusal is not None:
            return refusal
        self._house.remember(client, lambda: self._gone(game, client))
        self._house.seat(game, client, place)
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
        if place.dialect == TREND and self._plan.closed and not self._plan.is_registered(place):
            return Refusal(UNKNOWN, "this table is closed and does not know the name")
        if phase != SEATING:
            return Refusal(FULL, "the match is running")
        if place.pid is not None:
            if self._plan.allowed_pids and place.pid not in self._plan.allowed_pids:
                return Refusal(UNKNOWN, f"pid {place.pid} is not expected here")
            if game.seating.pid_taken(place.pid):
                return Refusal(TAKEN, f"pid {place.pid} is registered already")
        return None

    def _gone(self, game: Game, client: Newcomer) -> None:
        dialect = game.seating.places[client.player].dialect
        # Nobody rejoins a running match of huawei or room; in trend one always may.
        if dialect == TREND or game.table.match.phase in (SEATING, RETURNING):
            game.away.add(client.player)

    # What programs of `room` ask for, at a table that is prepared already.

    def connect(self, client: Newcomer, wish: Connect) -> Refusal | None:
        """Give a seat to a player, whatever room he asks for."""
        outcome = self.admit(client, Place(wish.name, ROOM))
        return outcome if isinstance(outcome, Refusal) else None

    def watch(self, client: Newcomer, wish: Watch) -> Refusal | None:
        """Let someone watch the table."""
        if self.game is None:
            return Refusal(FULL, "the server is closing")
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
        table.watching = Watching(house.policy, table.view, game.seating.names)
    watching = table.watching
    if watching.full:
        return Refusal(FULL, "too many are watching already")

    def gone() -> None:
        watching.remove(client)
        on_lost()

    house.remember(client, gone)
    watching.add(client)
    return None
