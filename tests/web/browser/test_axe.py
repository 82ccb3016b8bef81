"""Every page passes axe-core: no violation of WCAG 2.1 A or AA, in both themes.

axe-core comes from npm and is used here alone: `npm install --prefix .npm --no-save axe-core`.
"""

from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.arena.arenas import ArenaProcess
from tests.store.recorded import Recording
from tests.web.browser.browsing import Browser
from tests.web.browser.playing import TEAM_KEY, TOKEN
from tests.web.browser.test_contest_states import STAGES
from tests.web.browser.test_every_page import LOADED, PAGES
from tests.web.browser.test_play_page import ARENA, MINE
from tests.web.siting import LiveGame, SiteProcess

AXE = Path(__file__).parents[3] / ".npm" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """
const [theme, done] = arguments;
document.documentElement.dataset.theme = theme;
axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }).then(
  ({ violations }) =>
    done(violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html)])),
);
"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core."""
    if not AXE.is_file():
        lack = "axe-core is missing: npm install --prefix .npm --no-save axe-core"
        pytest.skip(lack)
    return AXE.read_text("utf-8")


MISSING = {
    "nothing there": ("/nothing", LOADED),
    "no such table": ("/live/nowhere", "return document.querySelector('.blank a')"),
    "no such match": ("/games/nowhere", LOADED),
    "no such contest": ("/contests/999", LOADED),
    "no such team": ("/contests/1/teams/Nobody", LOADED),
    "nowhere to sit": ("/play/nowhere", LOADED),
}
"""Pages that say so, and about which a console complains."""


@pytest.mark.parametrize("name", [*PAGES, *MISSING])
def test_a_page_has_no_violation_in_either_theme(
    name: str, axe: str, browser: Browser, match: Recording, game: LiveGame, contest: str
) -> None:
    browser.look(still=True)
    browser.forget()  # a test before this one may have logged in
    browser.open(*{**PAGES, **MISSING}[name])
    browser.script(axe)
    found: dict[str, Any] = {theme: browser.waiting(RUN, theme) for theme in ("dark", "light")}
    browser.look(390, 844, still=True)
    found["phone"] = browser.waiting(RUN, "light")
    assert found == {"dark": [], "light": [], "phone": []}


@pytest.mark.parametrize("name", STAGES)
def test_a_contest_with_forfeits_groups_and_a_ladder_has_none_either(
    name: str, axe: str, browser: Browser, rough: SiteProcess
) -> None:
    browser.url = rough.url
    browser.look(still=True)
    browser.open(*STAGES[name])
    browser.script(axe)
    found = {theme: browser.waiting(RUN, theme) for theme in ("dark", "light")}
    assert found == {"dark": [], "light": []}


def test_what_a_team_finds_with_its_key_has_none_either(
    axe: str, browser: Browser, contest: str
) -> None:
    browser.look(still=True)
    browser.forget()
    browser.open(*PAGES["team"])
    browser.find(".own input[name=key]").send_keys(TEAM_KEY, Keys.ENTER)
    browser.find(".own td")
    browser.find(".friendlies button")
    browser.script(axe)
    found = {theme: browser.waiting(RUN, theme) for theme in ("dark", "light")}
    assert found == {"dark": [], "light": []}


def test_the_organisers_desk_has_none_either(
    axe: str, browser: Browser, match: Recording, game: LiveGame
) -> None:
    browser.look(still=True)
    browser.forget()
    browser.open(*PAGES["players"])
    browser.find("input[name=token]").send_keys(TOKEN, Keys.ENTER)
    browser.find(".desk input[name=display]")
    browser.script(axe)
    found = {theme: browser.waiting(RUN, theme) for theme in ("dark", "light")}
    browser.forget()
    assert found == {"dark": [], "light": []}


def test_a_persons_seat_has_none_before_and_in_its_turn(
    axe: str, browser: Browser, tmp_path: Path
) -> None:
    arena = ArenaProcess(tmp_path, ARENA, "--web", "0")
    try:
        browser.url = arena.site_url
        browser.look(still=True)
        browser.open("/play/people", "return document.querySelector('.take-seat input')")
        browser.script(axe)
        found = [browser.waiting(RUN, theme) for theme in ("dark", "light")]
        browser.find(".take-seat input").send_keys("Bo", Keys.ENTER)
        browser.until(MINE)
        found += [browser.waiting(RUN, theme) for theme in ("dark", "light")]
    finally:
        arena.close()
    assert found == [[], [], [], []]
