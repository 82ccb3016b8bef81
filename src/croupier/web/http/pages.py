"""The pages: each a small HTML shell that the scripts under /static fill through the API."""

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from croupier.history.printable import plain
from croupier.web.contest.answers import team_named
from croupier.web.http.documents import ABOUT, GROUPS, LANGUAGES, Document, group_of
from croupier.web.http.headers import PAGE_POLICY
from croupier.web.http.words import COOKIE as LANGUAGE_COOKIE
from croupier.web.http.words import ENGLISH, Words, language_for
from croupier.web.site import site_of

STATIC = Path(__file__).parents[1] / "static"

NAVIGATION = (
    ("home", "/", "Home"),
    ("live", "/live", "Live"),
    ("contests", "/contests", "Contests"),
    ("games", "/games", "Games"),
    ("players", "/players", "Players"),
    ("docs", "/docs", "Documents"),
    ("tools", "/tools", "Tools"),
)

PUBLISHED = ("contests", "games", "docs")
"""The parts of the navigation that a published site has."""

_PARENT = {
    "match": "games",
    "play": "live",
    "contest": "contests",
    "team": "contests",
    "error": "",
}
SCRIPT = "/static/js/main.js"
PRODUCT = "Croupier"
THEMES = ("dark", "light")
THEME_COOKIE = "croupier_theme"


ERROR_TITLES = {
    400: "Not understood",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible",
    500: "Something went wrong",
    503: "Try again later",
}
NOTHING_HERE = "There is nothing at this address."
SENTENCES = (NOTHING_HERE,)
"""Errors that visitors meet and that name nothing; others are in English everywhere."""

IN_THE_API = "The page needs scripts; what it shows is in the API as well."
LIVE_IN_THE_API = "A live table needs scripts; its present state is in the API."
REPLAY_IN_THE_API = "The replayer needs scripts; the downloads of the API do not."
NO_TABLE = "There is no table called {table} now."


@dataclass(frozen=True)
class Reader:
    """Who reads a page: in which language and colours, and at which event."""

    words: Words
    theme: str = ""
    """Empty: as the system has it."""
    event: str = PRODUCT
    """What stands at the left of the bar: the title of the contest, if there is one."""
    published: bool = False
    """Whether the page becomes a file."""

    @classmethod
    async def of(cls, request: Request) -> "Reader":
        """Return the reader that has sent a request."""
        site = site_of(request)
        language = language_for(
            request.cookies.get(LANGUAGE_COOKIE, ""), request.headers.get("accept-language", "")
        )
        theme = request.cookies.get(THEME_COOKIE, "")
        event = site.published or ""
        if site.published is None:
            # A page without its event is better than none.
            with contextlib.suppress(SQLAlchemyError):
                event = await site.in_thread(site.courses.newest_title)
        theme = theme if theme in THEMES else ""
        return cls(Words(language), theme, plain(event) or PRODUCT, site.published is not None)


@dataclass(frozen=True)
class Shell:
    """The parts in which pages differ; texts are English and are translated for the reader."""

    page: str
    title: str
    without_script: str = ""
    """A sentence for browsers without scripts."""
    body: str = ""
    data: tuple[tuple[str, str], ...] = ()
    """Data attributes for the page's script."""
    values: tuple[tuple[str, str], ...] = ()
    """What stands for names in braces in the title and the sentence."""
    event: str = ""
    """The title of the contest that the page is about."""

    def html(self, reader: Reader) -> str:
        """Return the page."""
        words = reader.words
        current = _PARENT.get(self.page, self.page)
        links = "".join(
            f'<li><a href="{href}"{_current(name == current)}>{escape(words(label))}</a></li>'
            for name, href, label in NAVIGATION
            if name in PUBLISHED or not reader.published
        )
        data = "".join(f' data-{key}="{escape(value)}"' for key, value in self.data)
        theme = f' data-theme="{reader.theme}"' if reader.theme else ""
        event = escape(self.event or reader.event)
        title = escape(words(self.title, **dict(self.values)))
        sentence = escape(words(self.without_script, **dict(self.values)))
        # A document brings its own heading.
        heading = "" if "<h1" in self.body else f"<h1>{title}</h1>\n"
        # A running site says it in a header.
        policy = (
            f'<meta http-equiv="Content-Security-Policy" content="{PAGE_POLICY}">\n'
            if reader.published
            else ""
        )
        noscript = f"<noscript><p>{sentence}</p></noscript>" if self.without_script else ""
        return (
            f'<!doctype html>\n<html lang="{words.language}"{theme}>\n<head>\n'
            f'<meta charset="utf-8">\n{policy}'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title} · {event}</title>\n"
            '<link rel="icon" href="/static/svg/icon.svg" type="image/svg+xml">\n'
            '<link rel="stylesheet" href="/static/css/site.css">\n'
            f'<script type="module" src="{SCRIPT}"></script>\n</head>\n'
            f'<body data-page="{self.page}" data-event="{event}"{data}>\n'
            f'<header><a class="brand" href="/"><img src="/static/svg/icon.svg" alt="" width="24"'
            f' height="24"><span>{event}</span></a>'
            f'<nav aria-label="{escape(words("Site"))}"><ul>{links}</ul></nav></header>\n'
            f'<main id="main">\n{heading}{noscript}{self.body}\n</main>\n</body>\n</html>\n'
        )


def _current(here: bool) -> str:
    return ' aria-current="page"' if here else ""


async def home(request: Request) -> Response:
    """Show the start page."""
    return await _shown(request, Shell("home", "What is on", IN_THE_API))


async def live(request: Request) -> Response:
    """Show a live table; without a name, one that is playing."""
    table = request.path_params.get("table", "")
    if table and table not in site_of(request).feed.tables:
        data = (("table", table), ("missing", "yes"))
        shell = Shell("live", "Not found", NO_TABLE, data=data, values=(("table", table),))
        return await _shown(request, shell, 404)
    named = (("table", table),)
    shell = Shell("live", "Live", LIVE_IN_THE_API, data=named)
    if table:
        shell = Shell("live", "Table {table}", LIVE_IN_THE_API, data=named, values=named)
    return await _shown(request, shell)


async def contests(request: Request) -> Response:
    """Show all contests."""
    return await _shown(request, Shell("contests", "Contests", IN_THE_API))


async def contest(request: Request) -> Response:
    """Show a contest with its stages."""
    site = site_of(request)
    followed = await site.in_thread(site.courses.of, request.path_params["contest"])
    title = plain(followed.row.title)
    data = (("contest", str(followed.row.id)),)
    return await _shown(request, Shell("contest", title, IN_THE_API, data=data, event=title))


async def team(request: Request) -> Response:
    """Show a team of a contest."""
    site = site_of(request)
    followed = await site.in_thread(site.courses.of, request.path_params["contest"])
    name = plain(team_named(followed, request.path_params["team"]).name)
    data = (("contest", str(followed.row.id)), ("team", name))
    event = plain(followed.row.title)
    return await _shown(request, Shell("team", name, IN_THE_API, data=data, event=event))


async def play(request: Request) -> Response:
    """Show a table to somebody who plays at it."""
    table = request.path_params["table"]
    found = site_of(request).feed.tables.get(table)
    if found is None or not found.humans:
        raise HTTPException(404, f"there is no table called {table} where people can sit down")
    named = (("table", table),)
    shell = Shell(
        "play", "Play at table {table}", "Playing needs scripts.", data=named, values=named
    )
    return await _shown(request, shell)


async def games(request: Request) -> Response:
    """Show all matches."""
    return await _shown(request, Shell("games", "Games", IN_THE_API))


async def match(request: Request) -> Response:
    """Show one match with its replayer."""
    site = site_of(request)
    found = await site.in_thread(site.records.match, request.path_params["match"])
    data = (("match", found.id),)
    shell = Shell("match", "Match {match}", REPLAY_IN_THE_API, data=data, values=data)
    return await _shown(request, shell)


async def players(request: Request) -> Response:
    """Show the players and the organiser's tools."""
    return await _shown(request, Shell("players", "Players", IN_THE_API))


async def tools(request: Request) -> Response:
    """Show the calculators."""
    return await _shown(request, Shell("tools", "Tools", IN_THE_API))


async def docs(request: Request) -> Response:
    """Show the list of documents."""
    site = site_of(request)
    contents = await site.in_thread(site.documents.contents)
    words = (await Reader.of(request)).words
    label = escape(words("Documents"))
    body = f'<nav class="docs index" aria-label="{label}">{_contents(contents, words)}</nav>'
    return await _shown(request, Shell("docs", "Documents", body=body))


async def document(request: Request) -> Response:
    """Show a document."""
    site = site_of(request)
    slug = request.path_params["page"]
    if slug.endswith((".md", "/")):
        return RedirectResponse(f"/docs/{quote(slug.removesuffix('/').removesuffix('.md'))}", 308)
    found = await site.in_thread(site.documents.page, slug)
    if found is None:
        raise HTTPException(404, "there is no such document")
    contents = await site.in_thread(site.documents.contents)
    words = (await Reader.of(request)).words
    label = escape(words("Documents"))
    links = f'<nav aria-label="{label}">{_contents(contents, words, found)}</nav>'
    every = escape(words("All documents"))
    # The list is there twice, and the stylesheet shows one: beside the text, or collapsed above it.
    body = (
        f'<div class="docs beside-text">{links}</div>'
        f'<details class="docs above-text"><summary>{every}</summary>{links}</details>'
        f'<article class="doc">{found.html}{_edition(found, words)}</article>'
    )
    return await _shown(request, Shell("docs", found.title, body=body))


def _edition(document: Document, words: Words) -> str:
    """Return when a page of the organiser's was changed, and its version."""
    if document.changed is None:
        return ""
    when = datetime.fromtimestamp(document.changed, UTC)
    text = words(
        "Changed {when}, version {version}.",
        when=f"{when:%Y-%m-%d %H:%M} UTC",
        version=document.version,
    )
    return f'<p class="edition muted">{escape(text)}</p>'


def _contents(documents: list[Document], words: Words, here: Document | None = None) -> str:
    """Return the list of documents under what a reader wants to do.

    Beside a document it has the parts of that one; as a page of its own it says what is in each.
    """
    editions: dict[str, list[Document]] = {}
    for one in documents:
        editions.setdefault(one.original, []).append(one)
    parts = []
    for title, _ in GROUPS:
        items = "".join(
            f"<li>{_entry(found, words, here)}</li>"
            for original, found in editions.items()
            if group_of(original) == title
        )
        if items:
            parts.append(f"<h2>{escape(words(title))}</h2><ul>{items}</ul>")
    return f'<div class="groups">{"".join(f"<section>{part}</section>" for part in parts)}</div>'


def _entry(editions: list[Document], words: Words, here: Document | None) -> str:
    """Return the link to a document in the reader's language, and those to its other ones."""

    def link(one: Document, text: str, attributes: str = "") -> str:
        current = _current(here is not None and one.slug == here.slug)
        return f'<a href="/docs/{quote(one.slug)}"{attributes}{current}>{escape(text)}</a>'

    own = [one for one in editions if one.language.partition("-")[0] == words.language]
    first, *others = sorted(editions, key=lambda one: (one not in own, one.language))
    text = link(first, first.title)
    for one in others:
        code = one.language or ENGLISH
        text += " " + link(one, LANGUAGES[one.language], f' class="translation" lang="{code}"')
    if here is None and first.original in ABOUT:
        text += f'<p class="about">{escape(words(ABOUT[first.original]))}</p>'
    if here is not None and here.parts and here.slug in [one.slug for one in editions]:
        parts = (
            f'<li><a href="#{escape(at)}">{escape(title)}</a></li>' for at, title in here.parts
        )
        text += f'<ul class="parts">{"".join(parts)}</ul>'
    return text


async def error_page(request: Request, status: int, sentence: str) -> Response:
    """Return a page that explains an error and links to the start page."""
    title = ERROR_TITLES.get(status, ERROR_TITLES[500 if status >= 500 else 400])
    reader = await Reader.of(request)
    words = reader.words
    if status == 404 and not words.has(sentence):
        sentence = NOTHING_HERE  # which says the same in the reader's language
    body = (
        f'<p>{escape(words(sentence))}</p><p><a href="/">{escape(words("See what is on"))}</a></p>'
    )
    return HTMLResponse(Shell("error", title, body=body).html(reader), status)


async def _shown(request: Request, shell: Shell, status: int = 200) -> Response:
    return HTMLResponse(shell.html(await Reader.of(request)), status)


def routes() -> list[BaseRoute]:
    """Return the routes of the pages."""
    return [
        Route("/", home),
        Route("/live", live),
        Route("/live/{table:path}", live),
        Route("/contests", contests),
        Route("/contests/{contest:int}", contest),
        Route("/contests/{contest:int}/teams/{team:path}", team),
        Route("/play/{table:path}", play),
        Route("/games", games),
        Route("/games/{match}", match),
        Route("/players", players),
        Route("/docs", docs),
        Route("/docs/{page:path}", document),
        Route("/tools", tools),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]
