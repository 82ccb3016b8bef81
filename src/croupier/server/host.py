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
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import structlog
from sqlalchemy import Engine

from croupier import __version__
from croupier.bots import house_bot
from croupier.deals import SEED_BYTES, fresh_seed
from croupier.dialects.huawei.reader import Registration
from croupier.dialects.huawei.speaker import HuaweiSpeaker, Listener
from croupier.match.chance import SeededChance
from croupier.match.match import OVER, RETURNING, SEATING, Match
from croupier.rules.rules import Rules
from croupier.server.huawei import HuaweiClient, HuaweiDoor
from croupier.server.lag import LagMonitor
from croupier.server.table import Table
from croupier.store.log import MatchRecord, ResultRecord, Writer
from croupier.store.queries import rules_from, unfinished

log = structlog.get_logger()

FIRST_HOUSE_PID = 9001


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


@dataclass
class Place:
    """A player's place at the table: who has it, and how he is called on the wire."""

    name: str
    dialect: str
    pid: str | None


@dataclass
class Game:
    """A table with what the host knows about it."""

    table: Table
    chance: SeededChance
    salt: bytes
    secret: bool
    places: list[Place]
    pids: dict[int, str]
    listeners: dict[int, Listener]
    away: set[int] = field(default_factory=set)
    """Players who may come back: after a restart, and as long as no hand was dealt."""
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
        self._clients: set[HuaweiClient] = set()
        self._finished = asyncio.Event()
        self._all_gone = asyncio.Event()
        self._stopping = False
        self._completed = False
        self._store_trouble = ""

    async def run(self) -> bool:
        """Listen and play until stopped; return whether the last match was played to its end."""
        loop = asyncio.get_running_loop()
        self._loop = loop
        self._lag = LagMonitor(loop)
        self._writer: Writer | None = None
        if self.plan.engine is not None:
            self._writer = Writer(
                self.plan.engine, loop.call_soon_threadsafe, self._store_has_trouble
            )
        servers = []
        try:
            door = HuaweiDoor(self, loop, self.plan.transcripts)
            for dialect, port in self.plan.listen:
                server = await loop.create_server(
                    door.connection, self.plan.bind, port, backlog=1024
                )
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

    def stop(self) -> None:
        """End the match, tell the players, and finish."""
        if self._stopping:
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
        game = self._game(match, _new_id(), chance, secrets.token_bytes(SEED_BYTES), [])
        self.game = game
        self._on_open(game)
        for index, name in enumerate(plan.bots):
            self._seat(game, Place(_house_name(plan.bots, index), "house", None))
            bot = house_bot(name, chance.bot(index))
            match.never_reload.add(index)
            game.table.join(game.places[-1].name, bot=bot)
        game.table.open()

    def _game(
        self, match: Match, match_id: str, chance: SeededChance, salt: bytes, places: list[Place]
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
        pids = {player: place.pid for player, place in enumerate(places) if place.pid is not None}
        game = Game(table, chance, salt, self.plan.seed is None, places, pids, {})
        game.began = time.time()
        table.speakers.append(HuaweiSpeaker(game.pids, game.listeners))
        return game

    def _seat(self, game: Game, place: Place) -> int:
        game.places.append(place)
        return len(game.places) - 1

    def _started(self, game: Game) -> None:
        """Fix the numbers of those who have none, and write the match's header."""
        taken = {int(pid) for pid in game.pids.values()}
        number = FIRST_HOUSE_PID
        for player, place in enumerate(game.places):
            if place.pid is None:
                while number in taken:
                    number += 1
                place.pid = game.pids[player] = str(number)
                number += 1
        if self._writer is not None:
            rules = game.table.match.rules
            header = {
                "id": game.table.id,
                "began": game.began,
                "place": _place_key(rules),
                "rules_name": rules.name,
                "rules": msgspec.json.encode(asdict(rules)),
                "version": __version__,
                "players": msgspec.json.encode([asdict(place) for place in game.places]),
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
        game = self._game(match, header["id"], chance, header["salt"], places)
        game.secret = bool(header["secret"])
        game.began = header["began"]
        self.game = game
        game.table.resume(events)
        for player, place in enumerate(places):
            if place.dialect == "house":
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

    def admit(self, client: HuaweiClient, registration: Registration) -> Table | str:
        """Lead a newcomer to the table, or say why not."""
        game = self.game
        if game is None or self._stopping:
            return "the server is closing"
        match = game.table.match
        pid = registration.pid
        if self.plan.allowed_pids and pid not in self.plan.allowed_pids:
            return f"pid {pid} is not expected here"
        returning = self._returning(game, registration)
        if returning is not None:
            player = returning
        elif match.phase == SEATING:
            if any(int(pid) == int(known) for known in game.pids.values()):
                return f"pid {pid} is registered already"
            player = self._seat(game, Place(registration.name, "huawei", pid))
            game.pids[player] = pid
        else:
            return "the match is over" if match.phase == OVER else "the match is running"
        self._clients.add(client)
        client.on_lost = lambda: self._gone(client)
        client.table = game.table
        client.name_transcript(game.table.id)
        game.listeners[player] = client.listener
        if player in game.away:
            game.away.discard(player)
            game.table.rejoin(player, client)
        else:
            game.table.join(registration.name, client)
        return game.table

    def _returning(self, game: Game, registration: Registration) -> int | None:
        for player in game.away:
            place = game.places[player]
            if (place.pid, place.name) == (registration.pid, registration.name):
                return player
        return None

    def _gone(self, client: HuaweiClient) -> None:
        self._clients.discard(client)
        game = self.game
        if (
            game is not None
            and client.table is game.table
            and game.table.match.phase in (SEATING, RETURNING)
        ):
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
            entrant, place = match.players[player], game.places[player]
            seats.append(
                {
                    "name": entrant.name,
                    "dialect": place.dialect,
                    "pid": place.pid,
                    "chips": chips,
                    "rank": rank,
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
    match = Match(rules, len(places), chance)
    for place in places:
        match.join(place.name, 0.0)
    return match.state() | {"number": 0}
