"""What holds for every page: no complaint, any width, every control by key, contrast, weight."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from selenium.webdriver.common.keys import Keys

from tests.store.recorded import Recording
from tests.web.browser.browsing import Browser, Wire
from tests.web.browser.playing import REPLAY_READY, TABLE_READY, TOKEN
from tests.web.browser.watching import CONTRAST, FOCUSABLE, LISTEN_FOR_FOCUS
from tests.web.siting import LiveGame, SiteProcess

MAX_PAGE = 200_000
"""Bytes of a page with everything that it loads."""

LOADED = "return document.querySelector('main h1, main h2')"
PAGES = {
    "home": ("/", TABLE_READY),
    "live": ("/live/main", TABLE_READY),
    "screen": ("/live/main?screen=1", TABLE_READY),
    "contests": ("/contests", "return document.querySelector('.contest-card td')"),
    "contest": ("/contests/1", "return document.querySelector('.latest td')"),
    "crosstable": (
        "/contests/1?stage=round-robin",
        "return document.querySelector('.crosstable td')",
    ),
    "bracket": ("/contests/1?stage=knockout", "return document.querySelector('.meeting')"),
    "team": ("/contests/1/teams/Ada", "return document.querySelector('.shares')"),
    "games": ("/games", "return document.querySelector('td')"),
    "no games": ("/games?player=nobody", "return document.querySelector('.blank')"),
    "match": ("/games/record#hand=3&step=9", REPLAY_READY),
    "showdown": ("/games/record#hand=5&step=999", REPLAY_READY),
    "players": ("/players", "return document.querySelector('input[name=token]')"),
    "docs": ("/docs", LOADED),
    "document": ("/docs/players", "return document.querySelector('article .copy')"),
    "tools": ("/tools", "return document.querySelector('input[name=hand1]')"),
}


WEIGHT = (
    "return [...performance.getEntriesByType('navigation'),"
    " ...performance.getEntriesByType('resource')]"
    ".reduce((sum, entry) => sum + entry.encodedBodySize, 0)"
)

COUNT_LINKS_TAKEN_OUT = """
window.takenOut = 0;
new MutationObserver((changes) => {
  for (const { removedNodes } of changes)
    for (const node of removedNodes)
      if (node.querySelector?.(":scope a[href*='/live/']")) window.takenOut += 1;
}).observe(document, { childList: true, subtree: true });
"""


@dataclass(frozen=True)
class Visit:
    """A page that is open, and what was noticed when it was opened."""

    browser: Browser
    complaints: list[str]
    weight: int


@pytest.fixture(scope="module", params=PAGES)
def visit(
    request: pytest.FixtureRequest,
    _browser: Browser,
    wire: Wire,
    match: Recording,
    game: LiveGame,
    contest: str,
) -> Iterator[Visit]:
    """Open each page once: what is tested of it does not depend on how it was opened."""
    _browser.url = wire.url
    _browser.forget()
    _browser.look()
    _browser.complaints()
    _browser.open(*PAGES[request.param])
    _browser.until("return document.readyState === 'complete'")
    yield Visit(_browser, _browser.complaints(), _browser.script(WEIGHT))
    _browser.driver.get("about:blank")


def test_the_console_has_nothing_to_complain_about(visit: Visit) -> None:
    assert visit.complaints == []


def test_a_page_with_all_that_it_loads_is_light(visit: Visit) -> None:
    assert 1000 < visit.weight < MAX_PAGE


def test_every_control_is_reached_by_the_tab_key_and_shows_the_focus(visit: Visit) -> None:
    wanted = visit.browser.script(FOCUSABLE)
    visit.browser.script(LISTEN_FOR_FOCUS)
    visit.browser.press(*([Keys.TAB] * (wanted + 2)))
    missed, unseen = visit.browser.until("return [window.missed(), window.unseen]")
    assert missed == []
    assert unseen == []


@pytest.mark.parametrize("width", [360, 1920])
def test_nothing_is_wider_than_the_window(visit: Visit, width: int) -> None:
    visit.browser.look(width, 900)
    widths = "return [document.documentElement.scrollWidth, innerWidth]"
    needed, there = visit.browser.script(widths)
    assert there == width
    assert needed <= width


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_every_text_has_enough_contrast(visit: Visit, scheme: str) -> None:
    visit.browser.look(1280, 900, scheme=scheme, still=True)
    height = visit.browser.script("return document.documentElement.scrollHeight")
    visit.browser.look(1280, height, scheme=scheme, still=True)  # so that all of it is in view
    assert visit.browser.script(CONTRAST) == []


def test_a_page_that_does_not_exist_says_so_and_where_to_go_on(browser: Browser) -> None:
    browser.open("/games/nothing", LOADED)
    assert "Not found" in browser.text("h1")
    browser.find("main a[href='/']")


def test_on_a_phone_a_document_begins_at_the_top_and_the_others_are_a_press_away(
    browser: Browser, match: Recording
) -> None:
    browser.look(360, 800)
    browser.open(*PAGES["document"])
    top = "return document.querySelector('article h1').getBoundingClientRect().top"
    assert browser.script(top) < 200
    links = "return [...document.querySelectorAll('nav[aria-label=Documents] a')]"
    seen = links + ".filter(link => link.checkVisibility()).length"
    assert browser.script(seen) == 0
    browser.find("summary").click()
    assert browser.until(seen) > 5
    browser.look(1280, 800)
    assert browser.script(seen) > 5
    assert browser.script("return document.querySelector('summary').checkVisibility()") is False


def test_who_has_nothing_to_look_at_yet_is_led_to_the_rules(browser: Browser) -> None:
    with SiteProcess(None) as site:
        browser.url = site.url
        browser.open("/", "return document.querySelector(\"a[href='/docs/rules']\")")
        browser.find("a[href='/docs/rules']").click()
        browser.says("article h1", "ules")


def test_the_organisers_desk_holds_to_the_same_rules(browser: Browser, game: LiveGame) -> None:
    browser.forget()
    browser.look(1280, 900, still=True)
    browser.open(*PAGES["players"])
    browser.find("input[name=token]").send_keys(TOKEN, Keys.ENTER)
    browser.find("input[name=display]").send_keys("Barbara Liskov", Keys.ENTER)
    browser.find(".private")
    browser.says(".desk", "player add")
    height = browser.script("return document.documentElement.scrollHeight")
    for width in (360, 1280):
        browser.look(width, height, still=True)
        assert browser.script("return document.documentElement.scrollWidth") <= width
    assert browser.script(CONTRAST) == []
    assert browser.complaints() == []


@pytest.mark.parametrize("width", [390, 1280])
def test_names_in_tables_of_documents_stay_on_one_line(browser: Browser, width: int) -> None:
    browser.look(width, 844)
    browser.open("/docs/contests", "return document.querySelector('article table')")
    broken = browser.script(
        "return [...document.querySelectorAll('article td:first-child > code')]"
        ".filter(code => code.getClientRects().length > 1).map(code => code.textContent)"
    )
    assert broken == []
    assert browser.script("return document.documentElement.scrollWidth <= innerWidth")


def test_the_start_page_is_drawn_once_so_that_it_leaves_the_focus_alone(
    browser: Browser, match: Recording, game: LiveGame, contest: str
) -> None:
    browser.driver.get("about:blank")
    watch = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": COUNT_LINKS_TAKEN_OUT}
    )
    try:
        browser.open("/", "return document.querySelector('.contest-panel td')")
        browser.find(".tables a")
        assert browser.script("return window.takenOut") == 0
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", watch)
