"""Pictures of every page of a running site.

    python -m bench.screenshots URL DIR [LANGUAGE [THEME]] [--key TEAM=KEY] [--token TOKEN]

Each page is taken at 390, 1280 and 1920 px, as high as it is, for somebody to look at before a
release; the theme is dark or light. `croupier demo` is a site with something on every page, and
`croupier contest run --web PORT` one with teams that log in: with the key of one its own page is
taken as it sees it, and with the organiser's token the desk. What does not fit the width of its
window is named.
"""

import argparse
import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from selenium.webdriver.common.keys import Keys

from croupier.web.http.pages import THEME_COOKIE
from croupier.web.http.words import COOKIE as LANGUAGE_COOKIE
from tests.web.browser.browsing import Browser, browsing

SIZES = ((390, 844), (1280, 720), (1920, 1080))
MAX_HEIGHT = 6000
SETTLED = (
    "return document.readyState === 'complete' && document.querySelector('main h1, main h2')"
    " && !document.querySelector('.loading')"
)
WIDE = "return document.documentElement.scrollWidth - innerWidth"
HEIGHT = "return document.documentElement.scrollHeight"
PAUSE = "const done = arguments[0]; setTimeout(() => done(true), 1500)"

ALWAYS = {
    "home": "/",
    "live-any": "/live",
    "contests": "/contests",
    "games": "/games",
    "no-game": "/games?player=nobody",
    "players": "/players",
    "docs": "/docs",
    "document": "/docs/contests",
    "document-zh": "/docs/protocols/huawei.zh-CN",
    "tools": "/tools",
    "not-found": "/nothing",
    "no-match": "/games/nothing",
    "no-table": "/live/nothing",
    "no-seat": "/play/nothing",
    "no-contest": "/contests/999",
}
"""Pages that every site has, by name, with those that say that something is not there."""


def main() -> None:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__, usage=(__doc__ or "").splitlines()[2])
    parser.add_argument("url")
    parser.add_argument("folder", type=Path)
    parser.add_argument("language", nargs="?")
    parser.add_argument("theme", nargs="?")
    parser.add_argument("--key", default="")
    parser.add_argument("--token", default="")
    given = parser.parse_args()
    url, folder = given.url.rstrip("/"), given.folder
    choices = {LANGUAGE_COOKIE: given.language, THEME_COOKIE: given.theme}
    folder.mkdir(parents=True, exist_ok=True)
    pages = {**ALWAYS, **dict(_pages(url))}
    with browsing() as browser:
        browser.url = url
        browser.driver.get(url)
        for name, value in choices.items():
            if value is not None:
                browser.driver.add_cookie({"name": name, "value": value})
        for name, path in pages.items():
            _take_all(browser, name, path, folder)
        if given.key:
            team, _, key = given.key.partition("=")
            path = f"/contests/{_first(url, '/contests')['contest']}/teams/{quote(team, safe='')}"
            _log_in(browser, path, ".own input[name=key]", key)
            _take_all(browser, "team-own", path, folder)
        if given.token:
            _log_in(browser, "/players", "input[name=token]", given.token)
            _take_all(browser, "desk", "/players", folder)


def _ask(url: str, path: str) -> Any:
    return httpx.get(f"{url}/api/v1{path}", timeout=60).json()


def _first(url: str, path: str) -> Any:
    """Return the first of a list."""
    return _ask(url, path)["items"][0]


def _pages(url: str) -> Iterator[tuple[str, str]]:
    """Return the pages of what there is: one of each kind, and of matches one of each game."""
    tables = _ask(url, "/tables")["items"]
    for table in tables[:1]:
        yield "live", f"/live/{quote(table['table'], safe='')}"
        yield "screen", f"/live/{quote(table['table'], safe='')}?screen=1"
    for table in tables:
        if table.get("humans"):
            yield "play", f"/play/{quote(table['table'], safe='')}"
    for rules in _ask(url, "/rules")["items"]:
        for match in _ask(url, f"/matches?status=ended&rules={quote(rules)}")["items"][:1]:
            place = f"/games/{match['match']}"
            yield f"match-{rules}", place
            yield f"replay-{rules}", f"{place}#hand=3&step=8"
            yield f"showdown-{rules}", f"{place}#hand=2&step=999"
    for contest in _ask(url, "/contests")["items"][:1]:
        place = f"/contests/{contest['contest']}"
        yield "contest", place
        detail = _ask(url, place)
        for stage in detail["stages"]:
            yield f"stage-{stage['name']}", f"{place}?stage={quote(stage['name'])}"
        for line in detail["standing"][:1]:
            yield "team", f"{place}/teams/{quote(line['team'], safe='')}"
        for one, other, *_ in [fixture["teams"] for fixture in detail["next"] + detail["now"]][:1]:
            pair = f"team={quote(one)}&against={quote(other)}"
            yield "fixtures-of-two", f"{place}?stage={quote(detail['stage'])}&{pair}#fixtures"


def _log_in(browser: Browser, path: str, field: str, secret: str) -> None:
    browser.open(path, SETTLED)
    browser.find(field).send_keys(secret, Keys.ENTER)
    browser.waiting(PAUSE)


def _take_all(browser: Browser, name: str, path: str, folder: Path) -> None:
    for width, height in SIZES:
        _take(browser, path, width, height, folder / f"{name}-{width}.png")


def _take(browser: Browser, path: str, width: int, height: int, file: Path) -> None:
    browser.look(width, height, still=True)
    browser.open(path, SETTLED)
    browser.waiting(PAUSE)  # what is asked for after the page is there
    browser.until(SETTLED)
    over = browser.script(WIDE)
    if over > 0:
        print(f"{path} at {width} px is {over} px too wide")
    whole = height if "screen=1" in path else min(MAX_HEIGHT, browser.script(HEIGHT))
    # What sticks to an edge would be missing in a picture that is larger than the window.
    browser.look(width, max(height, whole), still=True)
    taken = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    file.write_bytes(base64.b64decode(taken["data"]))


if __name__ == "__main__":
    main()
