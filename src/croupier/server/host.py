"""One table after another: what `croupier host` runs.

A host opens a table, leads newcomers to it, and when its match is over opens the next one, or ends.
With a store it goes on after a crash with the match that was cut off.
"""

import asyncio
import hashlib
import secrets
import signal
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import structlog
from sqlalchemy import Engine

from croupier import __version__
from croupier.bots import house_bot
from croupier.deals import SEED_BYTES, fresh_seed
from croupier.match.chance import SeededChance
from croupier.match.match import OVER, RETURNING, SEATING, Match
from croupier.match.standings import worth
from croupier.rules.rules import Rules
from croupier.server.huawei import HuaweiDoor
from croupier.server.lag import LagMonitor
from croupier.server.lobby import (
    FULL,
    HOUSE,
    TAKEN,
    TREND,
    UNKNOWN,
    Newcomer,
    Place,
    Refusal,
    Seating,
)
from croupier.server.table import Table
from croupier.server.trend import TrendDoor
from croupier.store.log import MatchRecord, ResultRecord, Writer
from croupier.store.queries import rules_from, unfinished

log = structlog.get_logger()


@dataclass
class Plan:
    """What a host is asked to do."""

    rules: Rules
    seats: int
    bots: list[str]
    listen: list[tuple[str, int]]
    """(dialect, port); port 0 picks a free one."""
    bind: str = "127.0.0.1"
    seed: bytes | None = None
    once: bool = False
    engine: Engine | None = None
    transcripts: Path | None = None
    allowed_pids: frozenset[str] = frozenset()
    table_number: str = "1"
    closed: bool = False
    """Only players of the registry who belong to this table are admitted in `trend`."""
    display_name: Callable[[str], str | None] = lambda token: None
    """What the organiser calls the owner of a `trend` token."""
    is_registered: Callable[[Place], bool] = lambda place: False


@dataclass
class Game:
    """A table with what the host knows about it."""

    table: Table
    chance: SeededChance
    salt: bytes
    secret: bool
    seating: Seating
    away: set[int] = field(default_factory=set)
    """Players who have left and may come back."""
    began: float = 0.0

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.salt + self.chance.seed).hexdigest()


class Host:
    """Runs tables one after another in one event loop."""

    def __init__(
        self,
        plan: Plan,
        on_listening: Callable[[str, str, int], None] = lambda dialect, address, port: None,
        on_open: Callable[[Game], None] = lambda game: None,
        on_hand: Callable[[Game], None] = lambda game: None,
        on_result: Callable[[dict[str, Any]], None] = lambda result: None,
    ) -> None:
        self.plan = plan
        self.game: Game | None = None
        self._on_listening = on_listening
        self._on_open = on_open
        self._on_hand = on_hand
        self._on_result = on_result
        self._clients: set[Newcomer] = set()
        self._finished = asyncio.Event()
        self._all_gone = asyncio.Event()
        self._stopping = False
        self._completed = False
        self._store_trouble = ""

    async def run(self) -> bool:
        """Listen and play until stopped; return whether the last match was played to its end."""
        loop = asyncio.get_running_loop()
        self._loop = loop
        loop.set_exception_handler(self._failed)
        self._lag = LagMonitor(loop)
        self._writer: Writer | None = None
        if self.plan.engine is not None:
            self._writer = Writer(
                self.plan.engine, loop.call_soon_threadsafe, self._store_has_trouble
            )
        servers = []
        try:
            for dialect, port in self.plan.listen:
                server = await self._listen(dialect, port)
                servers.append(server)
                address, bound = server.sockets[0].getsockname()[:2]
                self._on_listening(dialect, address, bound)
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self.stop)
            if not self._resume():
                self._open()
            await self._finished.wait()
            for server in servers:
                server.close()
            await self._see_off()
        finally:
            for server in servers:
                server.close()
            if self._writer is not None:
                self._writer.close()
            self._lag.close()
        return self._completed

    async def _listen(self, dialect: str, port: int) -> asyncio.Server:
        plan = self.plan
        if dialect == TREND:
            trend = TrendDoor(self, self._loop, plan.transcripts, plan.display_name)
            return await trend.listen(plan.bind, port)
        huawei = HuaweiDoor(self, self._loop, plan.transcripts)
        return await self._loop.create_server(huawei.connection, plan.bind, port, backlog=1024)

    def stop(self) -> None:
        """End the match, tell the players, and finish; asked twice, finish whatever happens."""
        if self._stopping or self._store_trouble:
            self._finished.set()
            return
        self._stopping = True
        game = self.game
        if game is not None and game.table.match.phase != OVER:
            game.table.stop()
        else:
            self._finished.set()

    # Tables.

    def _open(self) -> None:
        plan = self.plan
        seed = plan.seed if plan.seed is not None else fresh_seed()
        chance = SeededChance(seed)
        match = Match(plan.rules, plan.seats, chance, self._loop.time())
        salt = secrets.token_bytes(SEED_BYTES)
        game = self._game(match, _new_id(), chance, salt, Seating(plan.table_number))
        self.game = game
        self._on_open(game)
        for index, name in enumerate(plan.bots):
            game.seating.add(Place(_house_name(plan.bots, index), HOUSE))
            match.never_reload.add(index)
            bot = house_bot(name, chance.bot(index))
            game.table.join(game.seating.places[-1].name, bot=bot)
        game.table.open()

    def _game(
        self, match: Match, match_id: str, chance: SeededChance, salt: bytes, seating: Seating
    ) -> Game:
        table = Table(
            match,
            match_id,
            self._loop,
            self._lag,
            writer=self._writer,
            wall_clock=time.time,
            on_start=lambda _: self._started(game),
            on_hand=lambda _: self._on_hand(game),
            on_over=lambda _: self._over(game),
        )
        game = Game(table, chance, salt, self.plan.seed is None, seating)
        game.began = time.time()
        return game

    def _started(self, game: Game) -> None:
        """Fix the numbers of those who have none, and write the match's header."""
        game.seating.number_the_rest()
        if self._writer is not None:
            rules = game.table.match.rules
            header = {
                "id": game.table.id,
                "began": game.began,
                "place": _place_key(rules),
                "rules_name": rules.name,
                "rules": msgspec.json.encode(asdict(rules)),
                "version": __version__,
                "players": msgspec.json.encode([asdict(place) for place in game.seating.places]),
                "seed": game.chance.seed,
                "salt": game.salt,
                "commitment": game.commitment,
                "secret": int(game.secret),
            }
            self._writer.write(MatchRecord(header), lambda: None)

    def _resume(self) -> bool:
        """Go on with the match that was cut off, if the store has one."""
        if self.plan.engine is None or self._writer is None:
            return False
        found = unfinished(self.plan.engine, _place_key(self.plan.rules))
        if found is None:
            return False
        header, state = found
        rules = rules_from(header["rules"])
        places = [Place(**row) for row in msgspec.json.decode(header["players"])]
        chance = SeededChance(header["seed"])
        if state is None:
            state = _first_state(rules, places, chance)
        match, events = Match.restore(rules, state, chance, self._loop.time())
        seating = Seating.restore(self.plan.table_number, places)
        game = self._game(match, header["id"], chance, header["salt"], seating)
        game.secret = bool(header["secret"])
        game.began = header["began"]
        self.game = game
        for speaker in seating.speakers.values():
            game.table.add_speaker(speaker)
        game.table.resume(events)
        for player, place in enumerate(places):
            if place.dialect == HOUSE:
                name = place.name.partition("-")[0]
                match.never_reload.add(player)
                game.table.rejoin(player, bot=house_bot(name, chance.bot(player)))
            else:
                game.away.add(player)
        log.info("resumed", table=header["id"], hand=match.number, seconds=rules.return_s)
        self._on_open(game)
        game.table.open()
        return True

    # Players.

    def admit(self, client: Newcomer, place: Place) -> Table | Refusal:
        """Lead a newcomer to the table, or say why not."""
        game = self.game
        if game is None or self._stopping:
            return Refusal(FULL, "the server is closing")
        refusal = self._refusal(game, place)
        if refusal is not None:
            return refusal
        table = game.table
        known = game.seating.find(place)
        player = game.seating.add(place) if known is None else known
        if place.dialect != TREND:
            table.match.never_reload.add(player)  # other dialects have no word for it
        self._clients.add(client)
        client.on_lost = lambda: self._gone(client)
        client.table = table
        speaker = game.seating.listen(player, place.dialect, client.listener)
        if speaker is not None:
            table.add_speaker(speaker)
        if known is None:
            table.join(place.name, client)
        else:
            game.away.discard(player)
            table.rejoin(player, client)
        client.seated(table.id)
        return table

    def _refusal(self, game: Game, place: Place) -> Refusal | None:
        phase = game.table.match.phase
        known = game.seating.find(place)
        if phase == OVER:
            return Refusal(FULL, "the match is over")
        if known is not None:
            if known in game.away:
                return None
            return Refusal(TAKEN, "this player is connected already")
        if place.dialect == TREND and self.plan.closed and not self.plan.is_registered(place):
            return Refusal(UNKNOWN, "this table is closed and does not know the name")
        if phase != SEATING:
            return Refusal(FULL, "the match is running")
        if place.pid is not None:
            if self.plan.allowed_pids and place.pid not in self.plan.allowed_pids:
                return Refusal(UNKNOWN, f"pid {place.pid} is not expected here")
            if game.seating.pid_taken(place.pid):
                return Refusal(TAKEN, f"pid {place.pid} is registered already")
        return None

    def _gone(self, client: Newcomer) -> None:
        self._clients.discard(client)
        game = self.game
        if game is not None and client.table is game.table:
            dialect = game.seating.places[client.player].dialect
            # Nobody rejoins a running huawei match; in trend one always may.
            if dialect == TREND or game.table.match.phase in (SEATING, RETURNING):
                game.away.add(client.player)
        if not self._clients:
            self._all_gone.set()

    # The end.

    def _over(self, game: Game) -> None:
        result = self._result(game)
        self._completed = not self._stopping
        for client in [client for client in self._clients if client.table is game.table]:
            self._loop.call_later(game.table.match.rules.closing_s, client.close)
        if self._writer is not None and game.table.match.players:
            record = ResultRecord(game.table.id, time.time(), msgspec.json.encode(result))
            self._writer.write(record, lambda: self._announce(result))
        else:
            self._announce(result)

    def _announce(self, result: dict[str, Any]) -> None:
        self._on_result(result)
        if self.plan.once or self._stopping:
            self._finished.set()
        else:
            self._open()

    async def _see_off(self) -> None:
        """Wait until the players have closed their connections, or long enough."""
        if self._clients and self.game is not None:
            seconds = self.game.table.match.rules.closing_s
            self._all_gone.clear()
            try:
                await asyncio.wait_for(self._all_gone.wait(), seconds)
            except TimeoutError:
                for client in list(self._clients):
                    client.close()
                await asyncio.sleep(0)

    def _result(self, game: Game) -> dict[str, Any]:
        match = game.table.match
        seats = []
        for rank, player, chips, hands in game.table.view.standings:
            entrant, place = match.players[player], game.seating.places[player]
            seats.append(
                {
                    "name": entrant.name,
                    "dialect": place.dialect,
                    "pid": place.pid,
                    "chips": chips,
                    "rank": rank,
                    **(
                        {"reloads": entrant.reloads, "worth": worth(entrant, match.rules)}
                        if match.rules.reloads
                        else {}
                    ),
                    "hands_survived": hands,
                    "timeouts": entrant.timeouts,
                    "faults": entrant.faults,
                }
            )
        return {
            "match": game.table.id,
            "rules": match.rules.name,
            "seed_sha256": game.commitment,
            "seed": game.chance.seed.hex(),
            "salt": game.salt.hex(),
            "secret": game.secret,
            "hands": match.played,
            "seats": seats,
            "seconds": round(time.time() - game.began, 3),
        }

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End after an error of our own: a table that stands still for ever helps nobody.

        What was announced is stored, so the same command goes on from there.
        """
        error = context.get("exception")
        if isinstance(error, OSError):
            return  # a connection that broke; its owner is told
        log.error("internal error", message=context.get("message"), exc_info=error)
        self._finished.set()

    def _store_has_trouble(self, reason: str) -> None:
        if reason:
            log.error("the store cannot be written; no hand goes on until it can", reason=reason)
        elif self._store_trouble:
            log.info("the store works again")
        self._store_trouble = reason


def _new_id() -> str:
    return time.strftime("%Y%m%d-%H%M%S-", time.gmtime()) + secrets.token_hex(3)


def _place_key(rules: Rules) -> str:
    return f"host {rules.name}"


def _house_name(bots: list[str], index: int) -> str:
    before = bots[:index].count(bots[index])
    return bots[index] if not before else f"{bots[index]}-{before + 1}"


def _first_state(rules: Rules, places: list[Place], chance: SeededChance) -> dict[str, Any]:
    """Return the books of a match that was cut off in its first hand."""
    match = Match(replace(rules, countdown_s=0), len(places), chance)
    for place in places:
        match.join(place.name, 0.0)
    return match.state() | {"number": 0}
