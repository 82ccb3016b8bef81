"""Downloads: all that is asked for, and no more at once than the site can bear."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from starlette.types import ASGIApp, Message

from croupier.rules.sets import PLAIN
from croupier.store.schema import open_store
from croupier.web.archive import downloads
from croupier.web.http.app import application
from croupier.web.http.settings import Settings
from croupier.web.site import Site
from tests.store.recorded import record_match

PATHS = ("/api/v1/matches/m/export.jsonl", "/api/v1/matches/m/export.phh")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    path = tmp_path / "d.db"
    record_match(path, replace(PLAIN, hands=60), ["RandomAgent"] * 2, "d", match_id="m")
    engine = open_store(str(path))
    yield engine
    engine.dispose()


class Clock:
    """A clock that goes on by what readers take."""

    def __init__(self) -> None:
        self.now = 0.0
        self.per_byte = 0.0

    def monotonic(self) -> float:
        return self.now


class Reader:
    """Reads one answer of the site, and may stop before its second part."""

    def __init__(
        self,
        app: ASGIApp,
        path: str,
        *,
        stops: bool = False,
        address: str = "127.0.0.1",
        clock: Clock | None = None,
    ) -> None:
        self._clock = clock or Clock()
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.body = b""
        self.whole = False
        self.may_read = asyncio.Event()
        self.began = asyncio.Event()
        if not stops:
            self.may_read.set()
        self._gone = asyncio.Event()
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "headers": [],
            "client": (address, 1),
            "server": ("127.0.0.1", 2),
        }
        self._asked = False
        self.task = asyncio.create_task(self._run(app, scope))

    async def _run(self, app: ASGIApp, scope: dict[str, Any]) -> None:
        await app(scope, self._receive, self._send)

    async def _receive(self) -> Message:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
            self.began.set()
            return
        await self.may_read.wait()
        await asyncio.sleep(0)  # whoever has no time left is cut off here
        body = message.get("body", b"")
        self._clock.now += self._clock.per_byte * len(body)
        self.body += body
        self.whole = not message.get("more_body", False)

    def go(self) -> None:
        """Close the connection."""
        self._gone.set()


@asynccontextmanager
async def crowd(app: ASGIApp) -> AsyncIterator[list[Reader]]:
    """Have as many readers as there may be, all of whom have stopped."""
    readers = [
        Reader(app, PATHS[n % 2], stops=True, address=f"10.0.0.{n}")
        for n in range(downloads.MAX_OPEN)
    ]
    for reader in readers:
        await reader.began.wait()
    try:
        yield readers
    finally:
        for reader in readers:
            reader.go()
            await reader.task


async def answer(app: ASGIApp, path: str, clock: Clock | None = None) -> Reader:
    reader = Reader(app, path, clock=clock)
    await reader.task
    return reader


def on_site(engine: Engine, test: Callable[[ASGIApp], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(30):
            await test(application(Site.of(Settings(), engine)))

    asyncio.run(run())


@pytest.mark.parametrize("path", PATHS)
def test_one_download_too_many_is_told_when_to_come_back(engine: Engine, path: str) -> None:
    async def test(app: ASGIApp) -> None:
        async with crowd(app) as readers:
            refused = await answer(app, path)
            assert refused.status == 503
            assert int(refused.headers[b"retry-after"]) > 0
            assert b"too many downloads" in refused.body
            assert (await answer(app, "/api/v1/matches/m")).status == 200, "others are answered"
            for reader in readers:
                reader.may_read.set()
                await reader.task
            alone = await answer(app, path)
            assert alone.status == 200
            same = [
                reader.body for number, reader in enumerate(readers) if PATHS[number % 2] == path
            ]
            assert all(body == alone.body for body in same)
            assert all(reader.whole for reader in (alone, *readers))

    on_site(engine, test)


def test_one_address_cannot_have_all_downloads(engine: Engine) -> None:
    async def test(app: ASGIApp) -> None:
        readers = [Reader(app, PATHS[0], stops=True) for _ in range(downloads.MAX_OPEN_PER_ADDRESS)]
        for reader in readers:
            await reader.began.wait()
        refused = await answer(app, PATHS[0])
        assert (refused.status, b"your address" in refused.body) == (503, True)
        other = Reader(app, PATHS[0], address="10.0.0.1")
        await other.task
        assert other.whole
        for reader in readers:
            reader.go()
            await reader.task

    on_site(engine, test)


def test_a_reader_that_goes_makes_room(engine: Engine) -> None:
    async def test(app: ASGIApp) -> None:
        async with crowd(app) as readers:
            readers[0].go()
            await readers[0].task
            assert (await answer(app, PATHS[0])).status == 200

    on_site(engine, test)


def test_a_reader_that_stops_is_cut_off(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "PATIENCE_S", 0.05)

    async def test(app: ASGIApp) -> None:
        async with crowd(app) as readers:
            for reader in readers:
                await reader.task
                assert not reader.whole
            assert (await answer(app, PATHS[0])).whole

    on_site(engine, test)


def test_a_reader_that_creeps_is_cut_off_however_often_it_reads(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "CHUNK", 1000)
    clock = Clock()
    monkeypatch.setattr(downloads, "time", clock)

    async def test(app: ASGIApp) -> None:
        size = len((await answer(app, PATHS[0])).body)
        # As fast as the least rate: it takes all the time it has, and none of what it has to spare.
        clock.per_byte = 1 / downloads.LEAST_RATE
        assert (await answer(app, PATHS[0], clock)).whole
        # At half of it, and with enough to spare for three quarters of the file.
        clock.per_byte = 2 / downloads.LEAST_RATE
        monkeypatch.setattr(downloads, "PATIENCE_S", 0.75 * size / downloads.LEAST_RATE)
        crept = await answer(app, PATHS[0], clock)
        assert not crept.whole
        assert 0.5 * size < len(crept.body) < size

    on_site(engine, test)


def test_a_download_that_fails_makes_room(engine: Engine) -> None:
    async def test(app: ASGIApp) -> None:
        with engine.begin() as connection:
            connection.exec_driver_sql("UPDATE hands SET events = x'00' WHERE number = 1")
        for _ in range(2 * downloads.MAX_OPEN):
            assert (await answer(app, PATHS[0])).status == 500

    on_site(engine, test)
