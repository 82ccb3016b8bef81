"""Pictures of every page of a running site.

    python -m bench.screenshots URL DIR [LANGUAGE [THEME]]

Each page is taken at 390, 1280 and 1920 px, as high as it is, for somebody to look at before a
release; the theme is dark or light. `croupier demo` is a site with something on every page. What
does not fit the width of its window is named.
"""

import base64
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx

from croupier.web.http.pages import THEME_COOKIE
from croupier.web.http.words import COOKIE as LANGUAGE_COOKIE
from tests.web.browser.browsing import Browser, browsing

SIZES = ((390, 844), (1280, 720), (1920, 1080))
MAX_HEIGHT = 6000
SETTLED = (
    "return document.readyState === 'complete' && document.querySelector('main h1, main h2')"
    " && !document.querySelector('.blank .wait')"
)
WIDE = "return document.documentElement.scrollWidth - innerWidth"
HEIGHT = "return document.documentElement.scrollHeight"
PAUSE = "const done = arguments[0]; setTimeout(() => done(true), 1500)"


def main() -> None:
    """Take them all."""
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    url, folder = sys.argv[1].rstrip("/"), Path(sys.argv[2])
    choices = dict(zip((LANGUAGE_COOKIE, THEME_COOKIE), sys.argv[3:], strict=False))
    folder.mkdir(parents=True, exist_ok=True)
    pages = dict(_pages(url))
    with browsing() as browser:
        browser.url = url
        browser.driver.get(url)
        for name, value in choices.items():
            browser.driver.add_cookie({"name": name, "value": value})
        for name, path in pages.items():
            for width, height in SIZES:
                _take(browser, path, width, height, folder / f"{name}-{width}.png")


def _pages(url: str) -> Iterator[tuple[str, str]]:
    """Return the pages by name: those that always are there, and one of each kind that is."""

    def ask(path: str) -> dict[str, list[dict[str, str]]]:
        found: dict[str, list[dict[str, str]]] = httpx.get(f"{url}/api/v1{path}").json()
        return found

    yield from (("home", "/"), ("contests", "/contests"), ("games", "/games"))
    yield from (("players", "/players"), ("docs", "/docs"), ("document", "/docs/contests"))
    yield from (("tools", "/tools"), ("not-found", "/nothing"))
    for table in ask("/tables")["items"][:1]:
        yield "live", f"/live/{quote(table['table'], safe='')}"
        yield "screen", f"/live/{quote(table['table'], safe='')}?screen=1"
    for table in ask("/tables")["items"]:
        if table.get("humans"):
            yield "play", f"/play/{quote(table['table'], safe='')}"
    for match in ask("/matches?status=ended")["items"][:1]:
        yield "match", f"/games/{match['match']}"
        yield "replay", f"/games/{match['match']}#hand=3&step=8"
    for contest in ask("/contests")["items"][:1]:
        place = f"/contests/{contest['contest']}"
        yield "contest", place
        detail = httpx.get(f"{url}/api/v1{place}").json()
        for stage in detail["stages"]:
            yield f"stage-{stage['name']}", f"{place}?stage={quote(stage['name'])}"
        for line in detail["standing"][:1]:
            yield "team", f"{place}/teams/{quote(line['team'], safe='')}"


def _take(browser: Browser, path: str, width: int, height: int, file: Path) -> None:
    browser.look(width, height, still=True)
    browser.open(path, SETTLED)
    browser.waiting(PAUSE)  # what is asked for after the page is there
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
