"""Prepared tables: who may sit down at them, when they start, and what follows a match."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from croupier.dialects.registry import PEOPLE, dialect_of
from croupier.dialects.roster import HOUSE, Place
from croupier.dialects.session import Refusal, RefusalKind
from croupier.match.match import OVER, SEATING
from croupier.server.lobbies.table_plan import TablePlan
from croupier.server.lobbies.watching import too_many_watchers, watch_game
from croupier.server.net.client import Client
from croupier.server.table.game import Game
from croupier.server.table.house import House
from croupier.server.table.opening import Opening
from croupier.store.unfinished import unfinished

ABANDONED_S = 60.0
"""Seconds for which a table where people may sit waits for the last connected player to return."""

CLOSED = "the table is closed"


class TableLobby:
    """Opens a table, seats newcomers at it, and starts its match."""

    def __init__(
        self,
        house: House,
        plan: TablePlan,
        on_over: Callable[[Game], None],
        on_end: Callable[[Game], None] = lambda game: None,
    ) -> None:
        """`on_over` is called when a match is over and stored; it may open the next one.

        `on_end` is called as soon as the game ends, even by an internal error.
        """
        self._house = house
        self.plan = plan
        self._on_over = on_over
        self._on_end = on_end
        self.game: Game | None = None
        self._countdown: asyncio.TimerHandle | None = None
        """Runs while an open table has its minimum and waits for more players."""
        self._waiting: list[tuple[Client, Place]] = []
        """Who sits at an open table that has not started."""
        self._opening: Opening | None = None
        """What the table will open with as soon as it is on record."""
        self._early: list[tuple[Client, Place]] = []
        """Who came meanwhile."""
        self.is_open = asyncio.Event()
        """Set once the table has opened for the first time."""
        self._ahead: dict[int, tuple[Client, Place]] = {}
        """Who has come to the port of a seat before the seats in front of it were taken."""

    def open(self) -> None:
        """Open a table, or resume the match that was interrupted.

        Nobody is seated at a new table before its commitment is on record.
        """
        if self._opening is not None or self._resume():
            return
        key, game = self.plan.key, self.game
        used = game.opening.number if game is not None and game.started else None
        opening, stored = self._house.openings.next_at(key, self.plan.beacon, used)
        if stored:
            self._open(opening)
            return
        self._opening = opening
        self._house.openings.record(key, opening, lambda: self._recorded(opening))

    @property
    def opens(self) -> bool:
        """Whether the table will be open as soon as that is on record."""
        return self._opening is not None

    def _recorded(self, opening: Opening) -> None:
        if self._opening is not opening:
            return  # it was stopped meanwhile
        self._opening = None
        self._open(opening)
        early, self._early = self._early, []
        for client, place in early:
            refusal = self.admit(client, place)
            if refusal is not None:
                client.refuse(refusal)

    def _open(self, opening: Opening) -> None:
        self.is_open.set()
        plan = self.plan
        game = self._house.open(
            plan.rules,
            plan.seats,
            plan.key,
            plan.number,
            patient=plan.patient,
            on_command=plan.on_command,
            opening=opening,
            humans=plan.humans,
        )
        self._waiting = []
        self._play(game)
        self._house.announce(game)
        for bot in plan.bots:
            self._seat_bot(game, bot)

    def start(self, beacon: str = "") -> None:
        """Fill an open table with house bots and start its match, dealt with the beacon's value."""
        self._stop_countdown()
        game = self.game
        if game is None or game.table.match.phase != SEATING:
            return
        game.chance.set_beacon(beacon)
        for bot in self.plan.fill:
            if game.table.match.phase == SEATING:
                self._seat_bot(game, bot)
        if game.table.match.phase == SEATING:
            game.table.start()
        if game.table.match.phase == SEATING:
            game.chance.set_beacon("")  # too few players: nothing has been dealt with it

    @property
    def spent_beacon(self) -> str:
        """The match that was dealt with the beacon of the table already, if there is one."""
        announced = self.plan.beacon
        if not announced:
            return ""
        if self.game is not None and self.game.started:
            return self.game.table.id
        return self._house.openings.spent_on(self.plan.key, announced)

    def _seat_bot(self, game: Game, bot: str) -> None:
        index = sum(place.dialect == HOUSE for place in game.seating.places)
        self._house.seat_bot(game, bot, f"{bot}{index}")

    def stop(self) -> bool:
        """End the match; return False if there is none."""
        self._stop_countdown()
        self._opening = None
        self.is_open.set()  # nobody waits for it any longer
        early, self._early = self._early, []
        for client, _ in early:
            client.refuse(Refusal(RefusalKind.FULL, CLOSED))
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
        if found is None or self._has_played(found[0]["id"]):
            return False
        game = self._house.restore(*found, self.plan.number, humans=self.plan.humans)
        self.is_open.set()
        self._play(game)
        self._house.announce(game)
        return True

    def _has_played(self, match: str) -> bool:
        """Tell whether this is the match that has just ended; its result may not be stored yet."""
        game = self.game
        return game is not None and game.table.id == match and game.table.match.phase == OVER

    # Players.

    def admit(self, client: Client, place: Place) -> Refusal | None:
        """Give a newcomer a seat at the table, or return why not."""
        game = self.game
        if self._opening is not None:
            self._early.append((client, place))
            self._house.clients.track(client, lambda: self._forget_early(client))
            return None
        if game is None:
            return Refusal(RefusalKind.FULL, CLOSED)
        if client.dialect.takes_over:
            game = self._without_connection_of(game, place)
        refusal = self._refusal(game, place)
        if refusal is not None:
            return refusal
        seat = client.hello.seat if client.hello is not None else 0
        if seat and game.table.match.phase == SEATING:
            refusal = self._seat_refusal(game, seat)
            if refusal is not None:
                return refusal
            if seat > len(game.table.match.players) + 1:
                self._wait_for_seat(client, place, seat)
                return None
        own = replace(place)  # without what the table adds to it
        self._house.clients.track(client, lambda: self._lost(game, client))
        self._house.seat(game, client, place)
        if self.plan.patient and game.table.match.phase == SEATING:
            self._waiting.append((client, own))
            self._update_countdown()
        else:
            self._stop_countdown()
        following = self._ahead.pop(len(game.table.match.players) + 1, None)
        if following is not None:
            refused = self.admit(*following)
            if refused is not None:
                following[0].refuse(refused)
        return None

    def _wait_for_seat(self, client: Client, place: Place, seat: int) -> None:
        """Keep a player whose seat is given when those before it are."""
        self._ahead[seat] = client, place

        def lost() -> None:
            del self._ahead[seat]

        self._house.clients.track(client, lost)

    def _seat_refusal(self, game: Game, seat: int) -> Refusal | None:
        if seat > game.table.match.size:
            return Refusal(RefusalKind.UNKNOWN, f"the table has no seat {seat}")
        if seat <= len(game.table.match.players) or seat in self._ahead:
            return Refusal(RefusalKind.TAKEN, f"seat {seat} is taken")
        return None

    def _without_connection_of(self, game: Game, place: Place) -> Game:
        """End the connection that a player has already, if any; return the game after that."""
        player = game.seating.find(place)
        old = None if player is None else game.table.clients.get(player)
        if isinstance(old, Client):
            old.end_for_newer()
        return self.game or game

    def _forget_early(self, gone: Client) -> None:
        self._early = [(client, place) for client, place in self._early if client is not gone]

    def _refusal(self, game: Game, place: Place) -> Refusal | None:
        phase = game.table.match.phase
        if phase == OVER:
            return Refusal(RefusalKind.FULL, "the match is over")
        if game.seating.find_away(place, game.away) is not None:
            return None
        known = game.seating.find(place)
        dialect = dialect_of(place.dialect)
        assert dialect is not None
        if known is not None and (dialect.unique or place.keyed):
            elsewhere = known in game.away
            return Refusal(
                RefusalKind.TAKEN,
                "this player is expected from another address"
                if elsewhere
                else "this player is connected already",
            )
        if self.plan.closed and not self.plan.is_registered(place):
            return Refusal(RefusalKind.UNKNOWN, "this table is closed and does not know the name")
        if phase != SEATING:
            return Refusal(RefusalKind.FULL, "the match is running")
        if not self.free:
            return Refusal(RefusalKind.FULL, "the table is full")
        if place.pid is not None:
            if self.plan.allowed_pids and place.pid not in self.plan.allowed_pids:
                return Refusal(RefusalKind.UNKNOWN, f"pid {place.pid} is not expected here")
            if game.seating.pid_taken(place.pid):
                return Refusal(RefusalKind.TAKEN, f"pid {place.pid} is registered already")
        return None

    @property
    def free(self) -> int:
        """How many places are free."""
        game = self.game
        if self._opening is not None:
            return max(0, self.plan.seats - len(self.plan.bots) - len(self._early))
        if game is None or game.table.match.phase != SEATING:
            return 0
        return game.table.match.size - len(game.table.match.players)

    def expects(self, place: Place) -> bool:
        """Tell whether this is a disconnected player of this table."""
        game = self.game
        if game is None or game.table.failed or game.table.match.phase == OVER:
            return False
        return game.seating.find_away(place, game.away) is not None

    def has(self, place: Place) -> bool:
        """Tell whether this is a player of this table."""
        game = self.game
        if game is None or game.table.failed or game.table.match.phase == OVER:
            return False
        return game.seating.find(place) is not None

    def has_keyed_pid(self, place: Place) -> bool:
        """Tell whether a player with another key has the pid of this newcomer at this table."""
        game = self.game
        if game is None or game.table.failed or game.table.match.phase == OVER:
            return False
        return any(
            known.keyed and known.pid == place.pid and known.token != place.token
            for known in game.seating.places
            if known.dialect == place.dialect
        )

    def admits(self, dialect: str) -> bool:
        """Tell whether players of a dialect may sit down."""
        if dialect == PEOPLE.name:
            return self.plan.humans
        return not self.plan.dialects or dialect in self.plan.dialects

    def _update_countdown(self) -> None:
        minimum = self.plan.minimum
        if minimum is None or self.plan.on_command or len(self._waiting) < minimum:
            self._stop_countdown()
        elif self._countdown is None:
            self._countdown = self._house.loop.call_later(self.plan.wait_s, self.start)

    def _stop_countdown(self) -> None:
        if self._countdown is not None:
            self._countdown.cancel()
            self._countdown = None

    def _reseat(self, gone: Client) -> None:
        """Free the place of a player that has left an open table before its start.

        Places are assigned in order, so the others are seated again, at a new table; nobody has
        been told anything about the old one yet. It deals the same cards: nobody can have others
        drawn by coming and going.
        """
        countdown, self._countdown = self._countdown, None
        stayed = [(client, place) for client, place in self._waiting if client is not gone]
        assert self.game is not None
        spectators = self.game.table.spectators
        self.game.table.discard()
        self._house.open_games -= 1
        self._open(self.game.opening)
        for spectator in [] if spectators is None else spectators.clients:
            watch_game(self._house, self.game, spectator)
        for client, place in stayed:
            self.admit(client, place)
        if countdown is not None and self._countdown is not None:
            # Enough players are left: the countdown that they were told continues.
            countdown, self._countdown = self._countdown, countdown
        if countdown is not None:
            countdown.cancel()

    def _lost(self, game: Game, client: Client) -> None:
        phase = game.table.match.phase
        if self.plan.patient and phase == SEATING and game is self.game:
            self._reseat(client)
            return
        game.lost(client.player, client.dialect.rejoins)
        if self.plan.humans and phase != OVER:
            has_left = game.table.match.has_exited(client.player)
            wait = 0.0 if has_left else ABANDONED_S
            self._house.loop.call_later(wait, self._stop_if_abandoned, game)

    def _stop_if_abandoned(self, game: Game) -> None:
        """End a match that is left to house bots alone, so that others can sit down."""
        if game is self.game and not game.table.clients and game.table.match.phase != OVER:
            game.table.stop()

    def watch(self, client: Client) -> Refusal | None:
        """Let a spectator watch the table."""
        if self.game is None:
            return Refusal(RefusalKind.FULL, CLOSED)
        refusal = too_many_watchers(self._house, client)
        return refusal or watch_game(self._house, self.game, client)
