"""A house where teams of a contest wait for their matches, with real sockets in one event loop."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import msgspec
from sqlalchemy import Engine

from croupier.bots import Bot, CallAgent
from croupier.client.address import parse_address, player_maker
from croupier.client.result import Result
from croupier.client.session import Session
from croupier.deals import SEED_BYTES
from croupier.dialects.dialect import Dialect
from croupier.dialects.registry import DIALECTS
from croupier.dialects.session import Hello, Refusal, RefusalKind
from croupier.rules.rules import Rules
from croupier.rules.sets import PLAIN
from croupier.running.referee import PassedOn
from croupier.server.lobbies.calls import Call
from croupier.server.lobbies.fixtures import FixtureLobby
from croupier.server.lobbies.teams import KeyedLobby, ProgramLobby
from croupier.server.net.door import Door, door_for
from croupier.server.table.house import House
from croupier.server.table.limits import Limits
from croupier.server.table.task import MatchTask, Played, Player
from croupier.store.records import MatchRecord, Record
from croupier.store.unfinished import last_ended, unfinished
from tests.support.hosting import PATIENCE

HOST = "127.0.0.1"
PLACE = "contest final"
WRONG_KEY = "no team has this key"
TEAMS = ("Ada", "Bob", "Cid", *(f"Team{number}" for number in range(4, 41)))


def key_of(team: str, dialect: str) -> str:
    """Return the key of a team; in kuhn that is a number."""
    return str(70_001 + TEAMS.index(team)) if dialect == "kuhn" else f"keyof{team.lower()}"


class Contest:
    """The lobby of a contest, and doors of every dialect."""

    def __init__(
        self,
        engine: Engine | None = None,
        transcripts: Path | None = None,
        limits: Limits = Limits(),  # noqa: B008  (it is frozen)
    ) -> None:
        loop = asyncio.get_running_loop()
        self.records: list[Record] = []
        records = None if engine is not None else PassedOn(self.records.append, loop)
        self.house = House(loop, engine=engine, records=records, limits=limits)
        self.lobby = FixtureLobby(self.house)
        self.ports: dict[str, int] = {}
        self.entered: asyncio.Queue[str] = asyncio.Queue()
        """The teams that have entered, in order; an empty name for a wrong key."""
        self._transcripts = transcripts
        self._servers: list[asyncio.Server] = []
        self._doors: list[Door] = []
        self._writers: list[asyncio.StreamWriter] = []
        self._joined: list[asyncio.Task[Result]] = []
        self._teams = {
            (dialect, key_of(team, dialect)): team for dialect in DIALECTS for team in TEAMS
        }

    def _identify(self, dialect: Dialect, hello: Hello) -> str | Refusal:
        team = self._teams.get((dialect.name, hello.secret), "")
        self.entered.put_nowait(team)
        return team or Refusal(RefusalKind.UNKNOWN, WRONG_KEY)

    async def open(self) -> None:
        for name in ("huawei", "trend", "room", "kuhn"):
            loop = self.house.loop
            entrance = KeyedLobby(self.lobby, self._identify)
            door = door_for(DIALECTS[name], entrance, loop, self._transcripts)
            self.ports[name] = await self._listen(door)

    async def _listen(self, door: Door) -> int:
        server = await door.listen(HOST, 0)
        self._doors.append(door)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def open_to(self, team: str, dialect: str) -> int:
        """Open an entrance to one team alone; return its port."""
        entrance = ProgramLobby(self.lobby, team, key_of(team, dialect), False)
        return await self._listen(door_for(DIALECTS[dialect], entrance, self.house.loop, None))

    async def close(self) -> None:
        for task in self._joined:
            task.cancel()
        await asyncio.gather(*self._joined, return_exceptions=True)
        for server in self._servers:
            server.close()
        for writer in self._writers:
            writer.transport.abort()
        for door in self._doors:
            await door.drain()
        self.house.close()

    def crash(self) -> None:
        """Stop all tables, so that nothing more is stored."""
        for match in self.lobby._matches:
            match.game.table.discard()

    @property
    def names(self) -> list[str]:
        """The players of the last match on record, in their order."""
        header = [record for record in self.records if isinstance(record, MatchRecord)][-1]
        return [place["name"] for place in msgspec.json.decode(header.values["players"])]

    def task(
        self, *teams: str, rules: Rules = PLAIN, hands: int = 3, dialects: Sequence[str] = ()
    ) -> MatchTask:
        return MatchTask(
            name="final/r1.1/1.1",
            place=PLACE,
            rules=rules.with_fields({"hands": hands}),
            players=tuple(
                Player(team, dialect=dialect)
                for team, dialect in zip(teams, dialects or [""] * len(teams), strict=True)
            ),
            seed=bytes(SEED_BYTES),
            secret=True,
            recorded=True,
            folder="",
            output="",
        )

    def call(
        self,
        task: MatchTask,
        arrive_s: float = PATIENCE,
        bots: Mapping[int, Bot] | None = None,
        resume: bool = False,
        recall: bool = False,
    ) -> asyncio.Future[Played]:
        """Call teams to a match; return what will be its result."""
        result: asyncio.Future[Played] = self.house.loop.create_future()
        call = Call(task, arrive_s, result.set_result, bots or {})
        if resume:
            assert self.house.engine is not None
            found = unfinished(self.house.engine, PLACE)
            assert found is not None
            self.lobby.resume(call, *found)
        elif recall:
            assert self.house.engine is not None
            found = last_ended(self.house.engine, PLACE)
            assert found is not None
            self.lobby.recall(call, *found)
        else:
            self.lobby.call(call)
        return result

    def join(
        self,
        team: str,
        dialect: str,
        bot: Bot | None = None,
        *,
        settings: str = "",
        rules: Rules | None = None,
        matches: int = 1,
        key: str = "",
    ) -> asyncio.Task[Result]:
        """Let a bot of ours play for a team."""
        address = parse_address(f"{dialect}://{HOST}:{self.ports[dialect]}{settings}")
        name = key or key_of(team, dialect)
        make = player_maker(address, name, "bot", None, rules or address.rules)
        session = Session(bot or CallAgent(), address, make, matches, 0, PATIENCE, None)

        async def play() -> Result:
            await session.play()
            return session.result

        task = asyncio.create_task(play())
        self._joined.append(task)
        return task

    async def connect(self, dialect: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection over TCP."""
        reader, writer = await asyncio.open_connection(HOST, self.ports[dialect])
        self._writers.append(writer)
        return reader, writer

    async def registered(
        self, team: str, pid: int = 7
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Register in huawei by hand, and wait until the lobby has seen it."""
        reader, writer = await self.connect("huawei")
        writer.write(f"reg: {pid} {key_of(team, 'huawei')} \n".encode())
        assert await self.entered.get() == team
        return reader, writer


@contextlib.asynccontextmanager
async def contest(
    engine: Engine | None = None,
    transcripts: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008  (it is frozen)
) -> AsyncIterator[Contest]:
    """Open a contest, for a limited time."""
    async with asyncio.timeout(PATIENCE):
        one = Contest(engine, transcripts, limits)
        await one.open()
        try:
            yield one
        finally:
            await one.close()
