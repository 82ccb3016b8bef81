"""The house: what all tables of a process share, such as the loop, the store and the clients."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import structlog
from sqlalchemy import Engine

from croupier import ranking
from croupier.bots import Bot, house_bot
from croupier.dialects.roster import HOUSE, Place
from croupier.match.audience import Policy
from croupier.match.chance import SeededChance, chance_of
from croupier.match.match import RETURNING, Match
from croupier.rules.rules import Rules
from croupier.server.net.client import Client
from croupier.server.out.feed import Feed
from croupier.server.out.site_process import WebPlan
from croupier.server.out.website import Website
from croupier.server.table.bot_time import BotTime
from croupier.server.table.clients import Clients
from croupier.server.table.counters import Counters
from croupier.server.table.game import Game, new_id
from croupier.server.table.interrupted import Interrupted
from croupier.server.table.lag import LagMonitor
from croupier.server.table.limits import Limits, Quota
from croupier.server.table.opening import Opening
from croupier.server.table.openings import Openings
from croupier.server.table.seating import Seating
from croupier.server.table.table import Table
from croupier.store.places import table_name
from croupier.store.records import (
    AuditRecord,
    DropRecord,
    MatchRecord,
    Records,
    ResultRecord,
)
from croupier.store.unfinished import all_unfinished
from croupier.store.writer import Writer

log = structlog.get_logger()

STORE_PATIENCE = 5.0
"""Seconds that the answer to an organiser's command, already executed, waits for its record."""

HANDS_PAUSE = 4
"""With a pause before each question, how many of them there are between two hands."""

ALARM_PAUSE = 60.0
"""Seconds between two alarms about wrong keys for the same player."""


@dataclass
class HouseCallbacks:
    """Callbacks for whoever runs a house."""

    opened: Callable[[Game], None] = lambda game: None
    hand: Callable[[Game], None] = lambda game: None
    result: Callable[[dict[str, Any]], None] = lambda result: None
    failed: Callable[[Game], None] = lambda game: None
    """An internal error has closed the game."""


class House:
    """Opens games, records them, and seats clients and bots at them."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        *,
        engine: Engine | None = None,
        records: Records | None = None,
        seed: bytes | None = None,
        transcripts: Path | None = None,
        policy: Policy = Policy(),  # noqa: B008  (it is frozen)
        limits: Limits = Limits(),  # noqa: B008  (it is frozen)
        callbacks: HouseCallbacks | None = None,
        chance: Callable[[bytes], SeededChance] = SeededChance,
        shown: Callable[[str], bool] = lambda place: True,
    ) -> None:
        """`seed` makes runs reproducible; without it every match draws a secret seed.

        `records` take what is stored, instead of a writer of the house's own. `chance` makes the
        deals of a match from its seed. `shown` says whether the website may tell of the match at a
        place while it is played.
        """
        ranking.prepare()
        self._chance = chance
        self._shown = shown
        self.loop = loop
        self.lag = LagMonitor(loop)
        self.engine = engine
        self.transcripts = transcripts
        self.policy = policy
        self.clients = Clients()
        self.counters = Counters()
        self.limits = limits
        self.watchers = Quota(limits.watchers, limits.watchers_per_address)
        self._bot_time = BotTime(loop, self.counters, limits.bot_share / 100)
        self._website: Website | None = None
        self.feed: Feed | None = None
        """The stream of events to the website, if there is one."""
        self.open_games = 0
        self.store_trouble = ""
        self._callbacks = callbacks or HouseCallbacks()
        self._alarms: dict[str, float] = {}
        """By player, when a wrong key was last put on record."""
        self._writer = records
        if engine is not None and records is None:
            self._writer = Writer(engine, loop.call_soon_threadsafe, self._store_has_trouble)
        self.openings = Openings(seed, engine, self._writer)

    async def open_web(self, plan: WebPlan) -> None:
        """Start the website and the feed to it."""
        self._website = Website(plan, self.loop)
        self.feed = self._website.feed
        await self._website.open()

    def close_web(self) -> None:
        """End the website, if there is one."""
        if self._website is not None:
            self._website.close()

    def close(self) -> None:
        """Write whatever is left to write, and stop."""
        self.close_web()
        if self._writer is not None:
            self._writer.close()
        self.lag.close()

    def open(
        self,
        rules: Rules,
        seats: int,
        key: str,
        table_number: str = "1",
        *,
        patient: bool = False,
        on_command: bool = False,
        named: bool = False,
        opening: Opening | None = None,
        humans: bool = False,
    ) -> Game:
        """Return a new game that nobody has joined yet; see Match for when it starts.

        `named` places have a display name, by which all dialects call them. It deals from an
        `opening`, or from a seed that is drawn now. `humans` says whether people may sit down.
        """
        opening = opening or self.openings.draw()
        chance = self._chance(opening.seed)
        if opening.twin:
            chance = chance_of(opening.seed, opening.twin, rules.hands, seats)
        match = Match(
            rules, seats, chance, self.loop.time(), patient=patient, on_command=on_command
        )
        seating = Seating(table_number, named=named, secret=opening.salt)
        return self._game(match, new_id(), chance, opening, seating, key, humans)

    def restore(
        self,
        header: dict[str, Any],
        state: dict[str, Any] | None,
        table_number: str = "1",
        *,
        named: bool = False,
        bots: Mapping[int, Bot] | None = None,
        humans: bool = False,
    ) -> Game:
        """Return an interrupted game with its house bots; its players have to reconnect.

        `bots` play for the players of these numbers; other house bots are made by their names.
        """
        found = Interrupted.of(header, state, self.loop.time())
        match, places = found.match, found.places
        seating, speakers = Seating.restore(table_number, places, named=named)
        opening, key = Opening.of_match(header), header["place"]
        game = self._game(match, header["id"], found.chance, opening, seating, key, humans)
        for player in seating.humans:
            match.expect_human(player)
        game.began, game.started = header["began"], True
        for speaker in speakers:
            game.table.add_speaker(speaker)
        game.table.restore(found.events)
        for player, place in enumerate(places):
            if place.dialect == HOUSE:
                match.never_reloads(player)
                bot = None if bots is None else bots.get(player)
                game.table.rejoin(player, bot=bot or found.house_bot(player))
            else:
                game.away.add(player)
        return game

    def close_interrupted(self, beginning: str) -> list[Game]:
        """End the matches on demand that a crash interrupted after their last finished hand.

        `beginning` is how their keys begin. Return them.
        """
        closed: list[Game] = []
        if self.engine is None:
            return closed
        for header, state in all_unfinished(self.engine, beginning):
            game = self.restore(header, state)
            game.on_demand = True
            log.info(
                "closed after a crash",
                table=game.name,
                match=game.table.id,
                hands=game.table.match.played,
            )
            game.table.stop()
            closed.append(game)
        return closed

    def announce(self, game: Game) -> None:
        """Announce that a game is open, and start its clock."""
        match = game.table.match
        if match.phase == RETURNING:
            log.info(
                "resumed",
                table=game.name,
                match=game.table.id,
                hand=match.number,
                seconds=match.rules.return_s,
            )
        self._callbacks.opened(game)
        if self.feed is not None and self._shown(game.key):
            self.feed.attach(game)
        game.table.open()

    def seat_bot(self, game: Game, bot: str, name: str, plays: Bot | None = None) -> int:
        """Give a place to a house bot, or to another one that `plays`; return its player number."""
        player = game.seating.give(Place(name, HOUSE, bot=bot))
        game.table.match.never_reloads(player)
        plays = plays or house_bot(bot, game.chance.bot(player))
        game.table.join(game.seating.names[player], bot=plays)
        return player

    def seat(self, game: Game, client: Client, place: Place) -> None:
        """Give a place to a client: its former one, if it is returning."""
        table, seating = game.table, game.seating
        hello = client.hello
        assert hello is not None
        known = seating.find_away(place, game.away)
        player = seating.give(place) if known is None else known
        if known is None and place.nonce:
            game.chance.add_nonce(place.nonce)
        if hello.handshake is not None:
            table.match.expect_ready(player, hello.handshake)
        if client.dialect.human:
            table.match.expect_human(player)
        if not client.dialect.reloads:
            table.match.never_reloads(player)
        client.table = table
        speaker = seating.listen(player, place.dialect, hello.listener)
        if speaker is not None:
            table.add_speaker(speaker)
        if known is None:
            table.join(place.name, client)
        else:
            game.away.discard(player)
            table.rejoin(player, client)
        client.take_seat(table, table.id, seating.places[player])
        client.tell_commitment(game.commitment)
        log.info(
            "joined" if known is None else "returned",
            table=game.name,
            match=table.id,
            dialect=place.dialect,
            player=seating.names[player],
        )

    def _game(
        self,
        match: Match,
        match_id: str,
        chance: SeededChance,
        opening: Opening,
        seating: Seating,
        key: str,
        humans: bool,
    ) -> Game:
        seating.match = match_id
        table = Table(
            match,
            match_id,
            table_name(key),
            seating.names,
            self.loop,
            self.lag,
            writer=self._writer,
            wall_clock=time.time,
            on_start=lambda stored: self._started(game, stored),
            on_hand=lambda _: self._hand_over(game),
            on_over=lambda _: self._over(game),
            on_failure=lambda _: self._failed(game),
            counters=self.counters,
            bot_time=self._bot_time.run,
        )
        table.pace = HANDS_PAUSE * match.rules.pace_ms / 1000
        policy = self.policy.with_people() if humans else self.policy
        game = Game(table, chance, opening, seating, key, policy, humans)
        self.open_games += 1
        return game

    def _started(self, game: Game, stored: Callable[[], None]) -> None:
        """Give public numbers to players without one, and store the header of the match."""
        game.started = True
        game.seating.assign_missing_pids()
        if self._writer is not None:
            self._writer.write(MatchRecord(game.header()), stored)
        else:
            stored()

    def _hand_over(self, game: Game) -> None:
        game.on_hand(game)
        self._callbacks.hand(game)

    def _over(self, game: Game) -> None:
        result = game.result()
        self.open_games -= 1
        game.on_end(game)
        for client in list(game.table.clients.values()):
            client.flush_transcript()  # whoever sees the result may read it at once
            self.loop.call_later(game.table.match.rules.closing_s, client.close)

        def announce() -> None:
            self._callbacks.result(result)
            game.on_over(game)
            if self.feed is not None and not game.lasting:
                self.feed.detach(game)

        if self._writer is not None and game.table.match.players:
            if game.on_demand and not game.table.match.played:
                self._writer.write(DropRecord(game.table.id), announce)
                return
            record = ResultRecord(game.table.id, time.time(), msgspec.json.encode(result))
            self._writer.write(record, announce)
        else:
            announce()

    def _failed(self, game: Game) -> None:
        self.open_games -= 1
        for client in list(game.table.clients.values()):
            client.close()
        game.on_end(game)
        self._callbacks.failed(game)

    def raise_alarm(self, player: str, address: str) -> None:
        """Tell the organiser that somebody claims to be a player without having its key."""
        now = time.time()
        if now - self._alarms.get(player, 0.0) <= ALARM_PAUSE:
            return
        self._alarms[player] = now
        log.warning("wrong key", player=player, address=address)
        if self._writer is not None:
            record = AuditRecord(now, "croupier", "wrong key", "", player, f"refused {address}")
            self._writer.write(record, lambda: None)

    async def write_audit(self, record: AuditRecord) -> None:
        """Record an act of an organiser, and wait until it and all earlier records are stored."""
        log.info("audit", **{key: value for key, value in asdict(record).items() if key != "at"})
        if self._writer is None:
            return
        stored = asyncio.Event()
        self._writer.write(record, stored.set)
        if not self.store_trouble:  # otherwise it is written when the store works again
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stored.wait(), STORE_PATIENCE)

    @property
    def records_waiting(self) -> int:
        """How many records wait to be stored."""
        return 0 if self._writer is None else self._writer.waiting

    def _store_has_trouble(self, reason: str) -> None:
        if reason:
            log.error("the store cannot be written; no hand goes on until it can", reason=reason)
        elif self.store_trouble:
            log.info("the store works again")
        self.store_trouble = reason
