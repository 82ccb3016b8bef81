"""The pages: each a small HTML shell that the scripts under /static fill through the API."""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from croupier.web.http.documents import Document
from croupier.web.site import site_of

STATIC = Path(__file__).parents[1] / "static"

NAVIGATION = (
    ("home", "/", "Home"),
    ("live", "/live", "Live"),
    ("games", "/games", "Games"),
    ("players", "/players", "Players"),
    ("docs", "/docs", "Documents"),
    ("tools", "/tools", "Tools"),
)

_PARENT = {"match": "games", "error": ""}
SCRIPT = "/static/js/main.js"


@dataclass(frozen=True)
class Shell:
    """The parts in which pages differ."""

    page: str
    title: str
    without_script: str = ""
    """A sentence for browsers without scripts."""
    body: str = ""
    data: tuple[tuple[str, str], ...] = ()
    """Data attributes for the page's script."""

    def html(self) -> str:
        """Return the page."""
        current = _PARENT.get(self.page, self.page)
        links = "".join(
            f'<li><a href="{href}"{_current(name == current)}>{label}</a></li>'
            for name, href, label in NAVIGATION
        )
        data = "".join(f' data-{key}="{escape(value)}"' for key, value in self.data)
        # A document brings its own heading.
        heading = "" if "<h1" in self.body else f"<h1>{escape(self.title)}</h1>\n"
        noscript = f"<noscript><p>{escape(self.without_script)}</p></noscript>"
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)} · Croupier</title>\n"
            '<link rel="icon" href="/static/svg/icon.svg" type="image/svg+xml">\n'
            '<link rel="stylesheet" href="/static/css/site.css">\n'
            f'<script type="module" src="{SCRIPT}"></script>\n</head>\n'
            f'<body data-page="{self.page}"{data}>\n'
            f'<header><nav aria-label="Site"><ul>{links}</ul></nav></header>\n'
            f'<main id="main">\n{heading}'
            f"{noscript if self.without_script else ''}{self.body}\n</main>\n</body>\n</html>\n"
        )


def _current(here: bool) -> str:
    return ' aria-current="page"' if here else ""


async def home(request: Request) -> Response:
    """Show the start page."""
    return _shown(Shell("home", "What is on", "The page needs scripts; the API does not."))


async def live(request: Request) -> Response:
    """Show a live table; without a name, one that is playing."""
    table = request.path_params.get("table", "")
    if table and table not in site_of(request).feed.tables:
        data = (("table", table), ("missing", "yes"))
        sentence = f"There is no table called {table} now."
        return _shown(Shell("live", "Not found", sentence, data=data), 404)
    title = f"Table {table}" if table else "Live"
    sentence = "A live table needs scripts; its present state is in the API."
    return _shown(Shell("live", title, sentence, data=(("table", table),)))


async def games(request: Request) -> Response:
    """Show all matches."""
    return _shown(Shell("games", "Games", "The list needs scripts; it is in the API as well."))


async def match(request: Request) -> Response:
    """Show one match with its replayer."""
    site = site_of(request)
    found = await site.in_thread(site.records.match, request.path_params["match"])
    sentence = "The replayer needs scripts; the downloads of the API do not."
    data = (("match", found.id),)
    return _shown(Shell("match", f"Match {found.id}", sentence, data=data))


async def players(request: Request) -> Response:
    """Show the players and the organiser's tools."""
    return _shown(Shell("players", "Players", "The list needs scripts; it is in the API as well."))


async def tools(request: Request) -> Response:
    """Show the calculators."""
    return _shown(Shell("tools", "Tools", "The tools need scripts; the API has them as well."))


async def docs(request: Request) -> Response:
    """Show the list of documents."""
    site = site_of(request)
    contents = await site.in_thread(site.documents.contents)
    return _shown(Shell("docs", "Documents", body=f'<nav class="docs">{_contents(contents)}</nav>'))


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
    links = f'<nav aria-label="Documents">{_contents(contents, slug)}</nav>'
    # The list is there twice, and the stylesheet shows one: beside the text, or collapsed above it.
    body = (
        f'<div class="docs beside-text">{links}</div>'
        f'<details class="docs above-text"><summary>All documents</summary>{links}</details>'
        f'<article class="doc">{found.html}</article>'
    )
    return _shown(Shell("docs", found.title, body=body))


def _contents(documents: list[Document], here: str = "") -> str:
    items = "".join(
        f'<li><a href="/docs/{quote(one.slug)}"{_current(one.slug == here)}>'
        f"{escape(one.title)}</a></li>"
        for one in documents
    )
    return f"<ul>{items}</ul>"


def error_page(status: int, sentence: str) -> Response:
    """Return a page that explains an error and links to the start page."""
    titles = {403: "Not allowed", 404: "Not found", 405: "Not possible", 503: "Try again later"}
    title = titles.get(status, "Something went wrong" if status >= 500 else "Not understood")
    body = f'<p>{escape(sentence)}</p><p><a href="/">See what is on</a></p>'
    return _shown(Shell("error", title, body=body), status)


def _shown(shell: Shell, status: int = 200) -> Response:
    return HTMLResponse(shell.html(), status)


def routes() -> list[BaseRoute]:
    """Return the routes of the pages."""
    return [
        Route("/", home),
        Route("/live", live),
        Route("/live/{table:path}", live),
        Route("/games", games),
        Route("/games/{match}", match),
        Route("/players", players),
        Route("/docs", docs),
        Route("/docs/{page:path}", document),
        Route("/tools", tools),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]
