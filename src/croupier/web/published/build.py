"""Write the site of finished contests as files that any web server serves.

Pages and answers come from the site's own application, so they are what a running site shows. The
replays of a match are in compressed files of some hands each, as one file for each hand would be
too many.
"""

import gzip
import shutil
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

import msgspec
from sqlalchemy import Engine
from starlette.types import ASGIApp

from croupier.history.formats import FORMATS
from croupier.history.printable import plain
from croupier.web.archive.records import summary as match_summary
from croupier.web.archive.replay import replay
from croupier.web.archive.schemas import HandPage, MatchPage, Replay, RulesList
from croupier.web.contest.answers import summary
from croupier.web.contest.courses import Courses, Followed
from croupier.web.contest.schemas import ContestPage
from croupier.web.http.app import API, application
from croupier.web.http.pages import STATIC
from croupier.web.http.settings import Settings
from croupier.web.http.words import LANGUAGES
from croupier.web.published.asking import RefusedError, ask
from croupier.web.published.names import HANDS_IN_A_FILE, as_file, folder_of, place_of
from croupier.web.site import Site

MARK = ".croupier-site"
"""A file in a folder that was written here, which may be replaced."""


class BuildError(Exception):
    """The site cannot be written; the message says why."""


def finished_contests(engine: Engine) -> tuple[list[Followed], list[str]]:
    """Return the contests that are complete, the newest first, and the titles of the others."""
    courses = Courses(engine)
    every = [courses.of(row.id) for row in courses.all()]
    finished = [one for one in every if one.course.complete]
    return finished, [plain(one.row.title) for one in every if not one.course.complete]


async def build(
    engine: Engine,
    folder: Path,
    finished: list[Followed],
    pages: str | None,
    advance: Callable[[], None],
) -> None:
    """Write the site into a folder, which is new, empty or the site as it was written before.

    `pages` is the folder of the organiser's own pages; `advance` is called after each match.
    """
    if (
        folder.exists()
        and not (folder / MARK).is_file()
        and (not folder.is_dir() or any(folder.iterdir()))
    ):
        raise BuildError(f"{folder} is not empty, and not a site that was built before")
    if not finished:
        raise BuildError("no contest on record is complete, so there is nothing to publish")
    site = Site.of(Settings(pages=pages), engine)
    site.published = finished[0].row.title
    fresh = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    writer = _Writer(site, application(site), fresh, advance)
    try:
        await writer.write(finished)
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def matches_of(finished: list[Followed]) -> list[str]:
    """Return the ids of all matches of contests, the newest first."""
    results = [stored for one in finished for stored in one.results]
    results.sort(key=lambda stored: stored.ended, reverse=True)
    return [stored.match_id for stored in results if stored.match_id is not None]


class _Writer:
    """The files of one site."""

    def __init__(self, site: Site, app: ASGIApp, folder: Path, advance: Callable[[], None]) -> None:
        self._site = site
        self._app = app
        self._folder = folder
        self._advance = advance

    async def write(self, finished: list[Followed]) -> None:
        """Write everything."""
        shutil.copytree(STATIC, self._folder / "static")
        (self._folder / MARK).touch()
        matches = matches_of(finished)
        self._lists(finished, matches)
        (first, *others) = finished
        await self._page("/contests")
        await self._page("/contests" if others else f"/contests/{first.row.id}", at="/")
        for one in finished:
            await self._contest(one)
        await self._page("/games")
        for match_id in matches:
            await self._match(match_id)
            self._advance()
        await self._page("/docs")
        for slug in self._site.documents.slugs():
            await self._page(f"/docs/{quote(slug)}")

    def _lists(self, finished: list[Followed], matches: list[str]) -> None:
        contests = [summary(one) for one in finished]
        games = [match_summary(self._site.records.match(match_id)) for match_id in matches]
        self._put("/contests", ContestPage(contests, 1, 1, len(contests)))
        self._put("/matches", MatchPage(games, 1, 1, len(games)))
        self._put("/rules", RulesList(sorted({one.rules for one in games})))

    async def _contest(self, one: Followed) -> None:
        at = f"/contests/{one.row.id}"
        await self._page(at)
        await self._answer(at)
        for stage in one.course.stages:
            await self._answer(f"{at}/stages/{quote(stage.plan.name, safe='')}")
        for team in one.course.plan.teams:
            name = quote(plain(team.name), safe="")
            await self._page(f"{at}/teams/{name}")
            await self._answer(f"{at}/teams/{name}")
            await self._answer(f"{at}/play/{name}")

    async def _match(self, match_id: str) -> None:
        at = f"/matches/{quote(match_id, safe='')}"
        await self._page(f"/games/{quote(match_id, safe='')}")
        await self._answer(at)
        await self._answer(f"{at}/chips")
        match = self._site.records.match(match_id)
        digest = self._site.digests.of(match)
        hands, total = digest.hands(0, len(digest), by_pot=False)
        self._put(f"{at}/hands", HandPage(hands, 1, 1, total))
        for number, some in groupby(self._replays(match_id), _file_of):
            file = self._file(f"{at}/hands/{number}", ".json.gz")
            text = msgspec.json.encode({str(one.hand): one for one in some})
            file.write_bytes(gzip.compress(text, 6, mtime=0))
        for name in ("results.csv", *(f"export.{one}" for one in FORMATS)):
            await self._download(at, name)

    def _replays(self, match_id: str) -> Iterator[Replay]:
        match = self._site.records.match(match_id)
        before = None
        for row in self._site.records.hands(match):
            yield replay(match, row, before)
            before = row.state

    async def _page(self, address: str, at: str = "") -> None:
        """Write a page in every language, at another address if one is given."""
        at = at or address
        for language in LANGUAGES:
            html = (await self._asked(address, language)).decode()
            file = self._folder / folder_of(language) / place_of(at) / "index.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(as_file(html, at, language), "utf-8")

    async def _answer(self, address: str) -> None:
        self._file(address, ".json").write_bytes(await self._asked(API + address))

    async def _download(self, match: str, name: str) -> None:
        file = self._file(match, "") / name
        file.parent.mkdir(exist_ok=True)
        try:
            with file.open("wb") as target:
                await ask(self._app, f"{API}{match}/{name}", target.write)
        except RefusedError:  # not every game can be written in every format
            file.unlink()

    async def _asked(self, address: str, language: str = "") -> bytes:
        parts: list[bytes] = []
        try:
            await ask(self._app, address, parts.append, language)
        except RefusedError as error:
            raise BuildError(f"a page cannot be written: {error}") from None
        return b"".join(parts)

    def _put(self, address: str, answer: msgspec.Struct) -> None:
        self._file(address, ".json").write_bytes(msgspec.json.encode(answer))

    def _file(self, address: str, suffix: str) -> Path:
        place = self._folder / place_of(API) / place_of(address)
        place.parent.mkdir(parents=True, exist_ok=True)
        return place.with_name(place.name + suffix)


def _file_of(one: Replay) -> int:
    return (one.hand - 1) // HANDS_IN_A_FILE
