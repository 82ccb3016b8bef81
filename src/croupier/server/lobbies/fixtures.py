"""Fixtures: teams of a contest wait here and are led to the tables of their matches.

Which team somebody plays for is found out in teams.py. Whether it comes before or after its match
is called makes no difference: its connection is held until the match begins. A match begins when
all its teams are there, or when the time to arrive is over and there are at least two; places are
assigned in the order of the task, not of arrival. In some dialects programs open a connection for
every hand: there the newest one of a team plays from the next hand on.

State owned here: the waiting connections, one for each team; the calls whose teams are awaited; and
the matches that are being played.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import structlog

from croupier.dialects.roster import Place
from croupier.dialects.session import Hello, Refusal, RefusalKind
from croupier.match.match import OVER, RETURNING
from croupier.server.lobbies.calls import Call, CalledMatch, open_game, unplayed
from croupier.server.net.client import Client
from croupier.server.table.game import Game
from croupier.server.table.house import House
from croupier.store.unfinished import states_of

log = structlog.get_logger()

NO_NONCE = "in a contest teams give their nonces when they register; join without one"


@dataclass(frozen=True, eq=False)
class Waiting:
    """A connection of a team that waits for its match."""

    client: Client
    place: Place


@dataclass(eq=False)
class PendingCall:
    """A call whose teams are awaited."""

    call: Call
    timer: asyncio.TimerHandle = field(init=False)
    """Ends the time to arrive."""
    given_up: dict[str, str] = field(default_factory=dict)
    """The teams that will not come, and why."""


class FixtureLobby:
    """Holds the teams of a contest until their matches are called."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._waiting: dict[str, Waiting] = {}
        """By team, in the order of arrival."""
        self._pending: list[PendingCall] = []
        self._matches: list[CalledMatch] = []
        self.closed: Refusal | None = None
        """Why nobody is let in any more."""

    @property
    def waiting(self) -> list[str]:
        """The teams that wait for a match, in the order of arrival."""
        return list(self._waiting)

    # Requests of newcomers.

    def admit(self, team: str, client: Client, hello: Hello) -> Refusal | None:
        """Give a team its place at the table again, or let it wait for its match."""
        if self.closed is not None:
            return self.closed
        if hello.place.nonce:
            return Refusal(RefusalKind.NOT_UNDERSTOOD, NO_NONCE)
        place = replace(hello.place, name=team)
        if any(self._return(match, client, place) for match in self._matches):
            return None
        for pending in self._pending:
            others = [other for other in pending.call.awaited if other != team]
            clash = self._clash(place, others) if team in pending.call.awaited else None
            if clash is not None:
                return clash
        older = self._waiting.pop(team, None)
        if older is not None:
            older.client.give_way()
        waiting = self._waiting[team] = Waiting(client, place)
        self._house.clients.track(client, lambda: self._forget(team, waiting))
        log.info("waits", team=team, dialect=client.dialect.name)
        for match in list(self._matches):
            self._renew(match, team)
        for pending in list(self._pending):
            self._begin_if_complete(pending)
        return None

    def close(self, reason: str) -> None:
        """Send everyone who waits away, and all newcomers from now on."""
        self.closed = Refusal(RefusalKind.FULL, reason)
        for pending in self._pending:
            pending.timer.cancel()
        self._pending.clear()
        waiting, self._waiting = self._waiting, {}
        for one in waiting.values():
            one.client.refuse(self.closed)

    # Calls.

    def call(self, call: Call) -> None:
        """Call teams to a match."""
        pending = PendingCall(call)
        pending.timer = self._house.loop.call_later(call.arrive_s, self._begin, pending)
        self._pending.append(pending)
        log.info("called", match=call.task.name, teams=call.awaited, seconds=call.arrive_s)
        earlier: list[str] = []
        for team in [team for team in self._waiting if team in call.awaited]:
            clash = self._clash(self._waiting[team].place, earlier)
            if clash is not None:
                self._waiting.pop(team).client.refuse(clash)
            earlier.append(team)
        self._begin_if_complete(pending)

    def give_up(self, team: str, reason: str) -> None:
        """Wait no longer for a team, which cannot come for this reason."""
        for pending in list(self._pending):
            if team in pending.call.awaited:
                pending.given_up[team] = reason
                self._begin_if_complete(pending)
        for match in [one for one in self._matches if team in one.teams]:
            match.given_up.add(team)
            player = match.teams.index(team)
            if player in match.game.away:
                match.game.table.give_up(player)

    def cut_short(self, name: str) -> None:
        """Wait for no team of a match any more, or end it with what was played so far."""
        for pending in [one for one in self._pending if one.call.task.name == name]:
            pending.timer.cancel()
            self._pending.remove(pending)
            self._house.loop.call_soon(pending.call.on_over, unplayed(pending.call, {}))
        for match in [one for one in self._matches if one.call.task.name == name]:
            match.game.table.stop()

    def resume(self, call: Call, header: dict[str, Any], state: dict[str, Any] | None) -> None:
        """Go on with a match that a restart of the server interrupted."""
        match = self._add(self._restored(call, header, state))
        game, teams = match.game, match.teams
        self._house.announce(game)
        seconds = max(call.arrive_s, game.table.match.rules.return_s)
        self._house.loop.call_later(seconds, _stop_if_nobody_is_back, game)
        for team in teams:
            self._return_if_waiting(match, team)

    def recall(self, call: Call, header: dict[str, Any], state: dict[str, Any] | None) -> None:
        """Give the result of a match that has ended, from its record, once more."""
        match = self._restored(call, header, state)
        match.game.table.discard()
        self._house.loop.call_soon(call.on_over, match.played(call.task.recorded))

    def _restored(
        self, call: Call, header: dict[str, Any], state: dict[str, Any] | None
    ) -> CalledMatch:
        teams = [row["name"] for row in msgspec.json.decode(header["players"])]
        bots = call.team_bots()
        numbers = {player: bots[team] for player, team in enumerate(teams) if team in bots}
        game = self._house.restore(header, state, named=True, bots=numbers)
        absent = {team: call.late() for team in call.teams if team not in teams}
        match = CalledMatch(call, game, teams, bots, absent)
        if self._house.engine is not None:
            match.replay(states_of(self._house.engine, game.table.id))
        return match

    def _begin_if_complete(self, pending: PendingCall) -> None:
        missing = [
            team
            for team in pending.call.awaited
            if team not in pending.given_up and self._arrived(pending.call, team) is None
        ]
        if not missing:
            self._begin(pending)

    def _begin(self, pending: PendingCall) -> None:
        """Begin a match with the teams that are there, if they are enough."""
        pending.timer.cancel()
        self._pending.remove(pending)
        call = pending.call
        here = {
            team: one for team in call.awaited if (one := self._arrived(call, team)) is not None
        }
        absent = {
            team: pending.given_up.get(team, call.late())
            for team in call.awaited
            if team not in here
        }
        teams = [team for team in call.teams if team not in absent]
        if len(teams) < 2:
            self._house.loop.call_soon(call.on_over, unplayed(call, absent))
            return
        for team in here:
            del self._waiting[team]
        game, bots = open_game(self._house, call, len(teams)), call.team_bots()
        match = self._add(CalledMatch(call, game, teams, bots, absent))
        self._house.announce(game)
        for player in call.task.players:
            if player.team in bots:
                self._house.seat_bot(game, player.bot, player.team, bots[player.team])
            elif player.team in here:
                one = here[player.team]
                self._seat(match, one.client, one.place)
        game.table.start()

    def _add(self, match: CalledMatch) -> CalledMatch:
        """Follow a match until it is over."""
        self._matches.append(match)
        call, game = match.call, match.game
        recorded = call.task.recorded

        def ended(game: Game) -> None:
            self._matches.remove(match)
            if game.table.failed:
                call.on_failure()

        game.on_end = ended
        game.on_over = lambda _: call.on_over(match.played(recorded))
        return match

    # Connections.

    def _arrived(self, call: Call, team: str) -> Waiting | None:
        """Return the connection with which a team can play a match, if it waits."""
        one = self._waiting.get(team)
        if one is None:
            return None
        if one.client.gone:
            one.client.close()  # its loss will be reported
            return None
        wanted = next(player.dialect for player in call.task.players if player.team == team)
        dialect, rules = one.client.dialect, call.task.rules
        able = dialect.plays(rules) and len(call.teams) <= dialect.max_seats
        return one if able and wanted in ("", dialect.name) else None

    def _clash(self, place: Place, others: Iterable[str]) -> Refusal | None:
        """Return why a place cannot be beside those of other teams that wait: who is who."""
        for other in (self._waiting[team].place for team in others if team in self._waiting):
            if place.pid and other.pid and int(place.pid) == int(other.pid):
                return Refusal(RefusalKind.TAKEN, f"pid {place.pid} is registered already")
            if place.token and place.token == other.token:
                return Refusal(RefusalKind.TAKEN, "another team has joined with this name")
        return None

    def _seat(self, match: CalledMatch, client: Client, place: Place) -> None:
        if client.dialect.renews:
            match.game.table.match.expect_return(match.teams.index(place.name))
        self._house.clients.track(client, lambda: self._lost(match, client, place.name))
        self._house.seat(match.game, client, place)

    def _return(self, match: CalledMatch, client: Client, place: Place) -> bool:
        """Give a player its place back; return False if it has none that it may return to."""
        game = match.game
        if game.table.failed or game.table.match.phase == OVER:
            return False
        player = game.seating.find(place)
        if player is None or player not in game.away:
            return False
        if client.dialect.renews and not game.table.between_hands:
            return False
        self._seat(match, client, place)
        return True

    def _return_if_waiting(self, match: CalledMatch, team: str) -> None:
        one = self._waiting.get(team)
        if one is not None and not one.client.gone and self._return(match, one.client, one.place):
            del self._waiting[team]

    def _renew(self, match: CalledMatch, team: str) -> None:
        """Let the waiting connection of a team take the place of its old one after this hand."""
        one, table = self._waiting.get(team), match.game.table
        if one is None or one.client.gone or not one.client.dialect.renews:
            return
        player = match.game.seating.find(one.place)
        if player is None or table.match.phase == OVER:
            return
        if not table.between_hands:
            table.when_settled(lambda: self._renew(match, team))
            return
        old = table.clients.get(player)
        if isinstance(old, Client):
            old.end_for_newer()
        else:
            self._return_if_waiting(match, team)

    def _lost(self, match: CalledMatch, client: Client, team: str) -> None:
        game = match.game
        if game.table.match.phase != OVER:
            game.lost(client.player, client.dialect.rejoins)
            self._return_if_waiting(match, team)  # its new connection may have come earlier
            if team in match.given_up and client.player in game.away:
                game.table.give_up(client.player)

    def _forget(self, team: str, waiting: Waiting) -> None:
        if self._waiting.get(team) is waiting:
            del self._waiting[team]


def _stop_if_nobody_is_back(game: Game) -> None:
    table = game.table
    if table.match.phase == RETURNING and not table.clients:
        table.stop()
